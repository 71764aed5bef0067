"""A dossier as one HTML file that stands alone: its style inside, no script at all."""

import base64
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from research.evidence import Evidence
from research.models import Citation, Source
from research.services.passages import passages_around

_CSS = Path(__file__).parent.parent / "static" / "research" / "export.css"


def export_html(evidence: Evidence) -> str:
    """The whole dossier with every quote in its archived context."""
    css = _CSS.read_text(encoding="utf-8")
    return render_to_string("research/export.html", _context(evidence, css))


def _context(evidence: Evidence, css: str) -> dict[str, Any]:
    dossier = evidence.dossier
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return {
        "css": css,
        # The file forbids itself all but this style, whatever is quoted in it.
        "css_hash": f"sha256-{digest}",
        "evidence": evidence,
        "link_citations": False,
        "passages": passages_around(evidence),
        "dossier": dossier,
        "case": dossier.case,
        "organization": dossier.case.organization,
        "digest": evidence.digest,
        "sources": _sources(evidence),
    }


def _sources(evidence: Evidence) -> list[dict[str, Any]]:
    cited: dict[int, list[Citation]] = defaultdict(list)
    for citation in evidence.citations:
        cited[citation.snapshot_id].append(citation)
    return [_source(source, cited[source.snapshot_id]) for source in evidence.sources]


def _source(source: Source, cited: list[Citation]) -> dict[str, Any]:
    # A link only where a browser would open a page; others are names.
    web = source.uri.startswith(("https://", "http://"))
    return {
        "row": source,
        "snapshot": source.snapshot,
        "href": source.uri if web else "",
        "cited": cited,
    }
