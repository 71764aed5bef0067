"""Verbs that need the database: what is offered, and a model ready to be asked."""
