"""A dossier and its runs in words and counts, the same for every way of showing them.

Pages, exports, the API and the command line take their words from here; nothing here
knows HTML, Markdown or a terminal.
"""
