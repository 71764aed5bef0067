"""What the class and id names of an element say of its role on the page."""

from dataclasses import dataclass
from functools import lru_cache

from chat.web.reading.elements import words

# Parts of names, as authors write them: `site-footer` has the part `footer`.
_FURNITURE = words(
    "nav navbar navigation navigator navmenu subnav sitenav topnav menu submenu "
    "megamenu breadcrumb breadcrumbs crumbs crumb footer foot sitefooter masthead "
    "banner sidebar sidenav sidepanel toolbar topbar navlinks "
    "ad ads adv advert adverts advertisement advertising adsense adslot adbox adunit "
    "dfp sponsor sponsored sponsors promo promos promotion promoted outbrain taboola "
    "share sharing sharebar sharebuttons addthis addtoany sharethis social socials "
    "related recommended recommendations recommendation recirc recirculation popular "
    "trending mostread mostpopular readmore morefrom "
    "newsletter subscribe subscription signup signin login paywall optin "
    "cookie cookies consent gdpr ccpa onetrust modal popup lightbox overlay "
    "pagination pager paging tags tagcloud taglist byline dateline timestamp copyright "
    "legal disclosure skip skiplink noprint print printonly toc tableofcontents "
    "feedback survey rating ratings vote votes voting authorbox authorbio "
    "userextras userbanner usertitle signature reactionsbar lastedit actionbar "
    "linenos linenumbers lineno gutter"
)
_COMMENTS = words("comment comments commentlist disqus disqusthread respond livefyre")
# Said of much that is content, so they count only as whole names.
_WHOLE_NAMES = words(
    "widget rail caption aside extra extras tools meta credits credit related-posts "
    "read-more more-from author-bio author-box about-author about-the-author "
    "screen-reader-text sr-only visually-hidden visuallyhidden screenreader "
    "side-bar right-rail left-rail post-meta entry-meta article-meta post-info "
    "post-footer entry-footer post-tags article-tags headerlink anchor-link "
    "mw-editsection reference-link navbox metadata"
)
# Around an article's text and nothing else; without their hyphens.
_BODIES = words(
    "articlebody articlecontent articletext bodycopy bodytext contentbody entrycontent "
    "postbody postcontent posttext storybody storycontent storytext textcopy richtext "
    "maintext articlemain articlebodycontent articlecontentbody storybodyinner"
)
_SAYS_OTHERWISE = words("no not non has have with without is hide show hidden page")
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class Names:
    """The verdict on an element's names; furniture is what surrounds the content."""

    furniture: bool = False
    comments: bool = False
    body: bool = False


NO_NAMES = Names()


@lru_cache(maxsize=8_192)
def judge(names: str) -> Names:
    """Return what class and id names, separated by blanks, say."""
    furniture = comments = body = False
    for name in names.lower().split():
        parts = name.replace("_", "-").strip("-").split("-")
        if name in _WHOLE_NAMES:
            furniture = True
        if len(parts) > _MOST_PARTS or parts[0] in _SAYS_OTHERWISE:
            continue
        furniture = furniture or not _FURNITURE.isdisjoint(parts)
        comments = comments or not _COMMENTS.isdisjoint(parts)
        body = body or "".join(parts) in _BODIES
    return (
        Names(furniture, comments, body) if furniture or comments or body else NO_NAMES
    )
