"""How HTML elements are drawn, as far as reading their text needs it."""


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Never drawn, or drawn from something other than the text inside.
OMITTED = _names(
    "head script style noscript template svg iframe object embed audio video canvas "
    "noframes datalist rp"
)
BLOCKS = _names(
    "address article aside blockquote body center details dialog div dl fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend listing "
    "main menu nav ol p plaintext pre search section summary table ul xmp"
)
LINES = _names("li dt dd tr caption option optgroup tbody thead tfoot")
CELLS = _names("td th")
# Blocks inside these are lines, so that an item or a cell stays together.
COMPACT = _names("li dt dd td th")
PREFORMATTED = _names("pre listing xmp plaintext textarea")
# Without content, or closed by the next of their kind: they hardly ever nest.
UNNESTED = _names(
    "area base br col embed hr img input link meta source track wbr param p li dt dd "
    "td th tr option optgroup thead tbody tfoot colgroup html head body"
)
