"""Evidence whose publisher tries to write into whatever shows it."""

from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence

QUOTE = (
    "Safe. <script>alert(1)</script> ![pixel](https://evil.example/p.png)"
    " [sign in](javascript:alert(1)) <img src=x onerror=alert(2)> https://evil.example"
    " \x1b[31mred\x1b[0m \u202edrow\u202c ```` fenced <!-- note --> &lt;b&gt;"
)
TITLE = '"><script>alert(3)</script> [x](https://evil.example)'


def make_hostile_evidence(cast: Cast) -> EvidenceRows:
    """One question answered by QUOTE, under a title that is markup."""
    return make_evidence(
        cast.organization,
        cast.ada,
        text=f"Before.\n\n{QUOTE}\n\nAfter </pre></body>.",
        answers=[("licence", "What licence is it under?", [QUOTE])],
        case_fields={"title": TITLE, "subject_kind": "question"},
    )
