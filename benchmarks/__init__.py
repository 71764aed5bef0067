"""Figures that a reader can repeat: `make bench`, or `python -m benchmarks NAME`."""
