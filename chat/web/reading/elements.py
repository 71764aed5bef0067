"""How HTML elements are drawn, as far as reading their text needs it."""


def words(words: str) -> frozenset[str]:
    """Return a set of words written in one string."""
    return frozenset(words.split())


# Never drawn, or drawn from something other than the text inside.
OMITTED = words(
    "head script style noscript template svg iframe object embed audio video canvas "
    "noframes datalist rp"
)
BLOCKS = words(
    "address article aside blockquote body center details dialog div dl fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend listing "
    "main menu nav ol p plaintext pre search section summary table ul xmp"
)
LINES = words("li dt dd tr caption option optgroup tbody thead tfoot")
CELLS = words("td th")
# What stands at least between text in these and text outside.
SEPARATORS = {
    **dict.fromkeys(BLOCKS, "\n\n"),
    **dict.fromkeys(LINES, "\n"),
    **dict.fromkeys(CELLS, " "),
}
# Blocks inside these are lines, so that an item or a cell stays together.
COMPACT = words("li dt dd td th")
PREFORMATTED = words("pre listing xmp plaintext textarea")
LISTS = words("ol ul menu")
HEADINGS = words("h1 h2 h3 h4 h5 h6")
# Part of a line: they hold no piece of a page that could be left out of its content.
PHRASING = words(
    "abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd "
    "mark nobr output q rb rt rtc ruby s samp small source span strike strong sub sup "
    "time track tt u var wbr"
)
# Their class names tell of the page, not of a part of it.
UNNAMED = words("html body main")
# Without content, or closed by the next of their kind: they hardly ever nest.
UNNESTED = words(
    "area base br col embed hr img input link meta source track wbr param p li dt dd "
    "td th tr option optgroup thead tbody tfoot colgroup html head body"
)
