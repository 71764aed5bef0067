"""The processes that execute runs: one parent, one sentinel, its workers."""
