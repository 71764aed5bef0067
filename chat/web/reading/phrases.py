"""Words of a page that are not its content, wherever they stand."""

import re

from chat.web.reading.elements import words

# Lines that are nothing else than this, without marks at their ends.
_LINES = frozenset(
    line.strip()
    for line in (
        "ad, ads, advert, advertisement, advertisements, article continues below, "
        "advertisement - continue reading below, story continues below advertisement, "
        "continue reading, continue reading below, sponsored, sponsored content, "
        "sponsor message, promoted, share, share this, share this article, share this page, "
        "share on facebook, share on twitter, share on linkedin, share on pinterest, "
        "share via email, tweet, pin it, email, print, save, copy link, link copied, "
        "copy, copied, facebook, twitter, linkedin, pinterest, whatsapp, reddit, telegram, "
        "comment, comments, leave a comment, post a comment, add a comment, no comments, "
        "reply, quote, report, like, likes, upvote, downvote, follow, follow us, following, "
        "subscribe, subscribe now, sign up, sign in, log in, login, register, "
        "read more, read more..., see more, show more, load more, view more, learn more, "
        "view all, see all, show all, more, back to top, top, next, previous, prev, "
        "toggle caption, hide caption, enlarge this image, image, photo, video, "
        "play, pause, close, menu, search, skip to content, skip to main content, "
        "loading, loading..., add to cart, add to wishlist, add to bag, compare, "
        "click to expand..., add bookmark, bookmark, this slideshow requires javascript, "
        "report error, report ad, was this page helpful, was this helpful, yes, no, "
        "tell us what you think, join the conversation, edit, edit this page, "
        "download, transcript, embed, listen, table of contents, on this page, contents, "
        "author, staff, tags, filed under, topics, in this article"
    ).split(",")
)
# Headings, or beginnings of them, under which other pages are named.
_ELSEWHERE = re.compile(
    r"(?:related|recommended|more (?:from|in|on|like|news|stories|to|by|about|articles)"
    r"|most (?:read|popular|viewed|watched)|popular|trending|don[’']t miss|read (?:more|next|also)"
    r"|you (?:may|might) (?:also )?(?:like|be interested)|also (?:read|on)|see also:|see more"
    r"|latest (?:news|stories|posts|articles)|recent (?:news|stories|posts|articles|comments)"
    r"|similar|top (?:stories|news|video|videos)|editors?[’']s? picks?|what to read next"
    r"|up next|next up|keep reading|further reading on|other (?:news|stories|articles)"
    r"|share (?:this|your)|leave a (?:reply|comment)|comments?\b|join (?:the|our)"
    r"|subscribe|sign up|newsletter|get (?:the|our) (?:latest|newsletter|best)|follow us"
    r"|about the authors?|customers also|people also|frequently bought|recently viewed"
    r"|sponsored|from around the web|around the web|promoted|tell us what|connect with us"
    r"|stay (?:connected|in touch|updated)|tags\b|categories|post navigation|footnotes? and)",
    re.IGNORECASE,
)
_ENDS = " \t\n:.…!?»›>→|•·-–—"
_DATE = re.compile(
    r"\b(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug"
    r"|sep|sept|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
    r"|\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)"
    r"[a-z]*\.?,?\s+\d{4})\b",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:by|written by|posted by|author|von|par|por|di)\s*:?\s+\S", re.I)
_DATED = words("published posted updated modified date on at min read")
_MOST_BYLINE = 120
_MOST_LINE = 60


def is_nothing(line: str) -> bool:
    """Say whether a line is a button's or an advertisement's, or only marks."""
    if len(line) > _MOST_LINE:
        return False
    bare = line.strip(_ENDS)
    return not bare or bare.casefold() in _LINES


def is_elsewhere(heading: str) -> bool:
    """Say whether what follows a heading is a list of other pages, or a form."""
    return len(heading) <= _MOST_LINE and _ELSEWHERE.match(heading) is not None


def is_byline(line: str) -> bool:
    """Say whether a short line near a title says who wrote, or when."""
    if len(line) > _MOST_BYLINE:
        return False
    return _BY.match(line) is not None or _DATE.search(line) is not None
