"""Words of a page that are not its content, wherever they stand."""

import re

# Lines that say nothing else than one of these, but for marks at their ends.
_LINES = frozenset(
    line.strip()
    for line in """
    ad / ads / advert / advertisement / advertisements / sponsored / sponsored content
    sponsor message / promoted / report ad / article continues below
    advertisement - continue reading below / story continues below advertisement
    continue reading / continue reading below
    share / share this / share this article / share this page / share on facebook
    share on twitter / share on linkedin / share on pinterest / share on reddit
    share via email / tweet / pin it / email / print / save / copy / copied / copy link
    link copied / facebook / twitter / linkedin / pinterest / whatsapp / reddit
    telegram / follow / follow us / following / bookmark / add bookmark
    comment / comments / leave a comment / post a comment / add a comment / no comments
    reply / quote / report / report error / like / likes / upvote / downvote
    tell us what you think / join the conversation / click to expand
    subscribe / subscribe now / sign up / sign in / log in / login / register
    read more / see more / show more / load more / view more / learn more / view all
    see all / show all / more / next / previous / prev / top / back to top
    toggle caption / hide caption / enlarge this image / image / photo / video / play
    pause / close / menu / search / skip to content / skip to main content / loading
    add to cart / add to wishlist / add to bag / compare
    this slideshow requires javascript / was this page helpful / was this helpful / yes
    no / edit / edit this page / download / transcript / embed / listen
    table of contents / on this page / contents / in this article
    author / staff / tags / topics / filed under
    """.replace("\n", "/").split("/")
)
# Headings that begin so stand over the names of other pages, or over a form.
_ELSEWHERE = (
    "related",
    "recommended",
    "more from ",
    "more on ",
    "more in ",
    "more stories",
    "more news",
    "more articles",
    "most read",
    "most popular",
    "most viewed",
    "popular ",
    "trending",
    "don't miss",
    "read more",
    "read next",
    "read also",
    "also read",
    "you may also",
    "you might also",
    "you may like",
    "you might like",
    "you may be interested",
    "latest news",
    "latest stories",
    "latest posts",
    "recent posts",
    "recent comments",
    "recent articles",
    "similar ",
    "top stories",
    "top video",
    "editors' pick",
    "editor's pick",
    "what to read next",
    "up next",
    "keep reading",
    "other stories",
    "other news",
    "share this",
    "share your",
    "leave a reply",
    "leave a comment",
    "comments",
    "join the conversation",
    "subscribe",
    "sign up",
    "newsletter",
    "get the latest",
    "follow us",
    "about the author",
    "customers also",
    "people also",
    "recently viewed",
    "sponsored",
    "from around the web",
    "promoted",
    "tell us what",
    "connect with us",
    "stay connected",
    "stay in touch",
    "tags",
    "post navigation",
)
_ENDS = " \t\n:.…!?»›>→|•·-–—"
# Before words such as "Likes".
_COUNTS = "0123456789,. ❤♥"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"\b(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\.?\s+{_MONTH},?\s+\d{{4}})\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_BY = re.compile(r"(?:by|written by|posted by|author|von|par|por|di)\s*:?\s+\S", re.I)
_MOST_LINE = 60
_MOST_BYLINE = 90
_SENTENCE_ENDS = frozenset('.!?。”"')


def is_nothing(line: str) -> bool:
    """Say whether a line is a button's or an advertisement's, or only marks."""
    if len(line) > _MOST_LINE:
        return False
    bare = line.strip(_ENDS).lstrip(_COUNTS)
    return not bare or bare.casefold() in _LINES


def is_elsewhere(heading: str) -> bool:
    """Say whether what follows a heading is a list of other pages, or a form."""
    if len(heading) > _MOST_LINE:
        return False
    return heading.casefold().replace("’", "'").startswith(_ELSEWHERE)


def date_in_byline(line: str) -> str | None:
    """Return the date, with its year, that a short line of a page holds."""
    if len(line) > _MOST_BYLINE or line[-1:] in _SENTENCE_ENDS:
        return None
    found = _DATE.search(line)
    return found[0] if found and _YEAR.search(found[0]) else None


def is_byline(line: str) -> bool:
    """Say whether a short line near a title says who wrote, or when."""
    if len(line) > _MOST_BYLINE or line[-1:] in _SENTENCE_ENDS:
        return False
    return _BY.match(line) is not None or _DATE.search(line) is not None
