"""Cues for advisories, incidents and ways to report a weakness."""

from research.subjects.question import Cue

ADVISORY_SEARCHES = (
    "CVE GHSA PYSEC security advisory",
    "security fix vulnerability fixed disclosed",
)
ADVISORIES = (
    Cue(
        r"\bCVE-(?:19|20)\d\d-\d{4,}\b|\bGHSA(?:-[2-9cfghjmpqrvwx]{4}){3}\b"
        r"|\bPYSEC-\d{4}-\d+\b|\bRUSTSEC-\d{4}-\d{4}\b",
        1,
        prose=False,
    ),
    Cue(
        r"(?i)\bsecurity advisor(?:y|ies)\b[^.]{0,80}"
        r"(?:https?://|published|issued|released)",
        2,
    ),
)
INCIDENTS = (
    Cue(
        r"(?i)\b(?:security incident|data breach|supply[- ]chain attack)s?\b[^.]{0,60}"
        r"\b(?:19|20)\d\d\b",
        2,
    ),
    Cue(
        r"(?i)\b(?:was|were|has been|had been|got) (?:\w+ )?"
        r"(?:breached|compromised|hijacked|exfiltrated|leaked)\b",
        2,
    ),
    Cue(
        r"(?i)\b(?:attackers?|intruders?|unauthori[sz]ed (?:part(?:y|ies)|actors?))\b"
        r"[^.]{0,60}\b(?:gained|obtained|accessed|exploited|published|stole)\b",
        2,
    ),
)
HYPOTHETICAL = (
    r"(?i)\b(?:in the event of|in case of|if (?:a|an|we|you|there)|would)\b",
)

CONTACT_SEARCHES = (
    "report security vulnerability",
    "security contact email policy responsible disclosure SECURITY.md",
)
_ADDRESS = (
    r"(?:https?://|@[\w-]+\.\w|\bAT\b|\[at\]|\(at\)|SECURITY\.(?:md|rst|txt)|e-?mail\b)"
)
CONTACTS = (
    Cue(
        r"(?is)\A(?=.*\b(?:security|vulnerabilit\w+)\b)"
        r"(?=.*\b(?:report\w*|disclos\w+|contact|send|e-?mail|file)\b)"
        rf"(?=.*{_ADDRESS})",
        1,
    ),
    Cue(r"(?i)\bsecurity(?:@|\[at\]| AT )[\w-]+", 1),
    Cue(
        r"(?i)\breport(?:ing|ed|s)?\b[^.]{0,60}\b(?:security|vulnerabilit(?:y|ies))\b",
        2,
    ),
    Cue(
        r"(?i)\b(?:responsible|coordinated|private) (?:vulnerability )?disclosure\b"
        r"|\bbug bounty\b|\bsecurity (?:vulnerability )?reporting\b"
        r"|\b(?:see|read|follow|refer to)\b.{0,30}\bsecurity policy\b",
        2,
    ),
)
