"""Cues for whether something is maintained, shared by packages and servers."""

from research.subjects.question import Cue

_THING = (
    r"(?:project|package|library|module|repository|repo|distribution|server|sdk|"
    r"software|tool|plugin|application|service)"
)
_ENDED = (
    r"(?:deprecated|archived|discontinued|retired|obsolete|superseded|unmaintained|"
    r"abandoned|inactive|frozen|end[- ]of[- ]life)"
)

SEARCHES = (
    "no longer maintained unmaintained deprecated archived discontinued",
    "actively maintained maintainer maintenance mode end of life",
)
ENDED = (
    Cue(
        r"(?i)\b(?:no longer|not|isn't|hasn't been)(?: being| been)?"
        r"(?: actively| officially)? (?:maintained|developed)\b",
        0,
    ),
    Cue(
        rf"(?i)\b(?:this|the|our) (?:[\w-]+ ){{0,2}}{_THING}\b[^.]{{0,40}}"
        r"\bno longer (?:actively |officially |being )?(?:supported|updated)\b",
        0,
    ),
    Cue(
        r"(?i)\b(?:unmaintained|maintenance[- ](?:only )?mode|feature[- ]frozen|"
        r"end[- ]of[- ]maintenance)\b",
        0,
    ),
    Cue(
        rf"(?i)\b(?:this|the|our) (?:[\w-]+ ){{0,2}}{_THING}"
        r" (?:is|was|has been|will be|became|is being|is now)"
        rf" (?:\w+ ){{0,2}}{_ENDED}\b",
        0,
    ),
    Cue(r"(?i)\bno (?:further|future|more|new) (?:releases|updates|development)\b", 0),
    Cue(
        r"(?i)\b(?:looking|searching) for (?:\w+ ){0,2}(?:co-?)?maintainers?\b"
        r"|\bneeds? (?:a )?(?:new )?maintainers?\b",
        0,
    ),
)
ACTIVE = (
    Cue(r"(?i)\b(?:actively|currently|still|now) maintained\b", 2),
    Cue(
        rf"(?i)(?:^\W*|\b(?:@NAME@|it|(?:this|the) {_THING}) is )(?:\w+ and )?"
        r"maintained by\b",
        2,
    ),
    Cue(r"(?i)\b(?:current|lead|core|primary) maintainers? (?:is|are)\b", 2),
    Cue(r"(?i)\blong[- ]term support (?:release|version|until)\b", 4),
)
NEGATIVE = (
    r"(?i)\bis the successor (?:of|to)\b",
    r"(?i)\bif you are maintaining\b",
    # What ends here is a version of something else, or a part.
    (
        r"(?i)\b(?:python|pypy|django|node(?:\.js)?|postgresql) v?\d[\d.]*"
        r"[^.]{0,40}(?:eol|end[- ]of[- ]life|no longer)\b"
    ),
    (
        r"(?i)\b(?:argument|parameter|option|function|method|setting|attribute)s?\b"
        r"[^.]{0,60}\bdeprecated\b"
    ),
)
