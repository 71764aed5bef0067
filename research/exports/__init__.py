"""A dossier as people and programs take it away: JSON, HTML, Markdown, a terminal.

Every form reads the one Evidence value and says the same; none of them adjudicates.
"""

from research.exports.files import check_writable, write_whole
from research.exports.html import export_html
from research.exports.markdown import export_markdown
from research.exports.printed import print_dossier
from research.presentation.as_json import dossier_as_json

__all__ = [
    "check_writable",
    "dossier_as_json",
    "export_html",
    "export_markdown",
    "print_dossier",
    "write_whole",
]
