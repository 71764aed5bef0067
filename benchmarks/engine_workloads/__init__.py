"""The same dialogue for every library, each run by the library's own interpreter."""
