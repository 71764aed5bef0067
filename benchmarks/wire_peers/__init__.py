"""The dialogue of the wire benchmark with other libraries, each in its own Python."""
