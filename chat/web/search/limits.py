"""How many results there are and how long: what is enforced, and what models are told.

Lengths in characters.
"""

MOST_RESULTS = 10
DEFAULT_RESULTS = 5
TITLE_CHARS = 200
SNIPPET_CHARS = 400
