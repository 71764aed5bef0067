"""One file a backend of the web; ``make(**options)`` in each makes a WebSearch."""
