"""What answers the questions about an MCP server, in the documents that are given."""

from research.subjects import cues_maintenance, cues_security
from research.subjects.question import COMPARISON, OPEN_WEB, Cue, LineCue, Question

_ENTRUSTED = (
    r"(?:api[- ]?keys?|access tokens?|personal access tokens?|bearer tokens?|tokens?|"
    r"oauth(?: 2\.\d)?|scopes?|permissions?|credentials?|passwords?|secrets?|"
    r"client[- ]ids?|[A-Z][A-Z0-9]+_(?:API_)?(?:KEY|TOKEN|SECRET))"
)
_ASKS = (
    r"(?:requires?|required|needs?|needed|must|sets?|provides?|grants?|pass(?:es)?|"
    r"configure|supply|authori[sz]e|authenticates?|sign in|log in|enter|obtain|create|"
    r"generate|uses?|asks?)"
)
_ACTS = (
    r"(?:reads?|writes?|creates?|deletes?|updates?|search(?:es)?|lists?|sends?|"
    r"executes?|runs?|quer(?:y|ies)|fetch(?:es)?|modif(?:y|ies)|moves?|edits?|manages?|"
    r"posts?|uploads?|downloads?|access(?:es)?|browse|retrieves?|gets?)"
)

QUESTIONS = (
    Question(
        "publisher",
        "Who publishes it?",
        searches=(
            "developed maintained published operated by company official server",
            "copyright author publisher",
        ),
        lines=(
            LineCue(
                r"/(?:METADATA|PKG-INFO)$",
                r"(?:Author|Maintainer)(?:-email)?: .+",
                0,
                head=True,
                data=False,
                most=2,
            ),
            LineCue(
                r"/(?:package|server|manifest)\.json$",
                r'\s*"(?:author|publisher|name)":\s*".+',
                0,
                most=2,
            ),
        ),
        cues=(
            Cue(
                r"(?i)\b(?:developed|maintained|built|created|published|provided|operated|"
                r"made|offered|run|written) by\b",
                1,
            ),
            Cue(r"(?i)\bofficial\b[^.]{0,60}\b(?:mcp|model context protocol)\b", 1),
            Cue(r"(?i)(?:\bcopyright\b|©).*\w", 3),
        ),
        negative=(
            r"(?i)\bnot (?:developed|maintained|published|endorsed) by\b[^.]*\?",
        ),
    ),
    Question(
        "capabilities",
        "What can it do on my behalf?",
        searches=(
            "tools allows to read write create delete search send execute",
            "capabilities features available tools resources",
        ),
        cues=(
            Cue(
                r"(?i)\b(?:allows?|lets?|enables?|permits?)\b[^.]{0,60}\b(?:to )?"
                + _ACTS
                + r"\b",
                1,
            ),
            Cue(rf"(?i)\b(?:can|able to|is able to|ability to) (?:\w+ )?{_ACTS}\b", 2),
            Cue(rf"(?i)\btools? (?:to|for|that|which)\b[^.]{{0,40}}\b{_ACTS}\b", 1),
        ),
        negative=(
            r"(?i)\bcontribut",
            r"(?i)\byou can (?:read|find|get) (?:more|the|it)\b",
        ),
        sections=r"(?i)^(?:\W*)(?:available |supported |mcp )?"
        r"(?:tools?|capabilit(?:y|ies)|features|what it can do)\b",
    ),
    Question(
        "asks_for",
        "What does it ask me to hand over?",
        searches=(
            "requires api key token credentials environment variable",
            "oauth scopes permissions sign in authorize access",
        ),
        cues=(
            Cue(rf"(?i)\b{_ASKS}\b[^.]{{0,80}}\b{_ENTRUSTED}\b", 1),
            Cue(
                rf"(?i)\b{_ENTRUSTED}\b[^.]{{0,60}}\b(?:is|are) (?:required|needed)\b",
                1,
            ),
            Cue(r"(?i)\bno (?:api key|authentication|credentials?|account)\b", 1),
        ),
        sections=r"(?i)^\W*(?:authentication|authorization|permissions|scopes|"
        r"environment variables|credentials)\b",
    ),
    Question(
        "maintained",
        "Is it maintained?",
        searches=cues_maintenance.SEARCHES,
        lines=(
            LineCue(
                r"/(?:METADATA|PKG-INFO)$",
                r"Classifier: Development Status :: .+",
                1,
                head=True,
                data=False,
            ),
        ),
        cues=(*cues_maintenance.ENDED, *cues_maintenance.ACTIVE),
        negative=cues_maintenance.NEGATIVE,
    ),
    Question(
        "advisories",
        "Which advisories and incidents are known?",
        searches=cues_security.ADVISORY_SEARCHES,
        cues=(*cues_security.ADVISORIES, *cues_security.INCIDENTS),
        negative=cues_security.HYPOTHETICAL,
        changelog=True,
    ),
    Question("independent", "What do independent parties say of it?", needs=OPEN_WEB),
    Question(
        "privacy",
        "How does it treat privacy and data?",
        searches=(
            "privacy policy personal data collect store share",
            "telemetry logs retention data processed",
        ),
        cues=(
            Cue(
                r"(?i)\b(?:we|it|server|service|company)\b[^.]{0,40}\b(?:collects?|"
                r"stores?|shares?|sells?|logs?|retains?|process(?:es)?|transmits?)\b"
                r"[^.]{0,60}\b(?:data|information|content|prompts?|queries|requests|usage|logs?|"
                r"telemetry|analytics)\b",
                1,
            ),
            Cue(
                r"(?i)\b(?:data|information|logs?|prompts?|queries) (?:is|are|will be)"
                r" (?:not |never |only )?(?:collected|stored|shared|sold|logged|"
                r"retained|kept|deleted|processed|sent|encrypted|used)\b",
                1,
            ),
            Cue(
                r"(?i)\b(?:telemetry|analytics|gdpr|data retention|privacy policy)\b", 2
            ),
        ),
    ),
    Question(
        "contradictions",
        "Where do the sources contradict each other?",
        needs=COMPARISON,
    ),
)
