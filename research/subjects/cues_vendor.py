"""What answers the questions about a vendor, in the documents that are given."""

from research.subjects import cues_security
from research.subjects.question import OPEN_WEB, Cue, Question

_FORM = (
    r"(?:Inc\b|Incorporated|LLC|Ltd\b|Limited|GmbH|S\.?A\.?S\b|S\.A\.|S\.?r\.?l\b|"
    r"B\.?V\b|N\.?V\b|PBC|AG\b|SE\b|Oy\b|AB\b|A/S|Corp\b|Corporation|Pty|plc|"
    r"Foundation)"
)

QUESTIONS = (
    Question(
        "legal_entity",
        "Which legal entity stands behind it?",
        searches=(
            "registered company incorporated legal entity address",
            "Inc Ltd GmbH LLC limited corporation operated by",
        ),
        cues=(
            Cue(
                r"(?i)\A(?>.*?\b(?:registered|incorporated|organi[sz]ed|headquartered|"
                r"established)\b[^.]{0,60}?\b(?:in|at|under|with|office|number)\b).*"
                rf"(?-i:{_FORM})",
                1,
            ),
            Cue(
                r"(?i)\b(?:operated|owned|provided|offered|published|entered into) by\b"
                rf"[^.]{{0,80}}(?-i:{_FORM})",
                1,
            ),
            Cue(
                r"(?i)\A(?>.*?\b(?:agreement|contract|terms)\b[^.]{0,80}?\bbetween\b)"
                rf".*(?-i:{_FORM})",
                2,
            ),
            Cue(rf"(?i)\A(?>.*?(?:\bcopyright\b|©)).*(?-i:{_FORM})", 3),
            Cue(
                r"(?i)\b(?:company|registration|vat) (?:number|no)\b\.?\W+\w*\d",
                1,
                prose=False,
            ),
        ),
    ),
    Question(
        "security",
        "Which security policy and attestations does it have?",
        searches=(
            "SOC 2 ISO 27001 certification audit penetration test",
            "security policy encryption vulnerability disclosure bug bounty",
        ),
        cues=(
            Cue(
                r"(?i)\b(?:SOC ?[123]\b|ISO(?:/IEC)? ?27\d{3}|PCI[- ]DSS|HIPAA|FedRAMP|"
                r"CSA STAR|C5\b|Cyber Essentials|TISAX|HITRUST)",
                0,
                prose=False,
            ),
            Cue(
                r"(?i)\b(?:penetration test\w*|pen ?test\w*|bug bounty|security audit)",
                1,
            ),
            Cue(r"(?i)\bencrypt(?:ed|ion|s)\b[^.]{0,60}\b(?:rest|transit|AES|TLS)", 2),
            *cues_security.CONTACTS,
        ),
    ),
    Question(
        "incidents",
        "Which incidents and breaches are known?",
        searches=(
            "breach security incident compromised unauthorised access",
            "attackers leaked stolen data postmortem",
        ),
        cues=(*cues_security.ADVISORIES, *cues_security.INCIDENTS),
        negative=cues_security.HYPOTHETICAL,
        changelog=True,
    ),
    Question(
        "data_handling",
        "How does it handle data, and who are its sub-processors?",
        searches=(
            "sub-processors personal data processing agreement GDPR",
            "data retention deletion region stored encrypted",
        ),
        cues=(
            Cue(r"(?i)\bsub-?processors?\b", 0),
            Cue(r"(?i)\bdata processing (?:agreement|addendum)\b|\bGDPR\b", 1),
            Cue(
                r"(?i)\b(?:data|information|content)\b[^.]{0,50}"
                r"\b(?:is|are|will be) (?:not |never |only )?(?:stored|"
                r"hosted|retained|kept|deleted|processed|transferred|shared|sold|used)\b",
                1,
            ),
            Cue(r"(?i)\b(?:retention period|data residency|standard contractual)\b", 1),
        ),
    ),
    Question(
        "status_history",
        "What is its record of availability?",
        searches=(
            "uptime availability status page outage",
            "SLA 99.9 downtime incident",
        ),
        cues=(
            Cue(
                r"(?i)\A(?>.*?\b9\d(?:\.\d+)? ?%).*\b(?:uptime|availab|SLA|service)",
                0,
                False,
            ),
            Cue(
                r"(?i)\A(?>.*?\b(?:uptime|availability|SLA)\b).*\b9\d(?:\.\d+)? ?%",
                0,
                False,
            ),
            Cue(r"(?i)\bstatus page\b|https?://status\.", 1),
            Cue(r"(?i)\b(?:outages?|downtime)\b[^.]{0,60}\d", 1),
        ),
    ),
    Question(
        "support_terms",
        "What are its support terms?",
        searches=(
            "support hours response time plan email",
            "support terms end of support",
        ),
        cues=(
            Cue(
                r"(?i)\bsupport\b[^.]{0,60}\b(?:hours?|24/7|business days?|"
                r"response time|via|by e-?mail|ticket|phone|plans?|tier)\b",
                1,
            ),
            Cue(r"(?i)\bresponse times?\b[^.]{0,60}\b(?:hours?|minutes|days?)\b", 1),
            Cue(r"(?i)\bsupport@[\w.-]+", 1),
            Cue(r"(?i)\bend of support\b|\bsupport (?:ends|until)\b", 1),
        ),
    ),
    Question("independent", "What do independent parties say of it?", needs=OPEN_WEB),
)
