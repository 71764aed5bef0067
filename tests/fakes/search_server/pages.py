"""What the two backends with a page for people answer."""

import base64
from urllib.parse import quote

from chat.web.search import SearchLimited, SearchUnavailable
from tests.fakes.search_server.recording import (
    EVERYWHERE,
    FIRST,
    SECOND,
    Failure,
    Recorded,
    page,
)
from tests.fakes.web_server import answer


def _duck(title: str, url: str, snippet: str) -> str:
    link = f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut=0123abcd"
    return (
        '<div class="result results_links results_links_deep web-result">'
        '<div class="links_main links_deep result__body">'
        f'<h2 class="result__title"><a class="result__a" href="{link}">{title}</a></h2>'
        f'<a class="result__snippet" href="{link}">{snippet}</a></div></div>'
    )


DUCKDUCKGO = Recorded(
    where="html.duckduckgo.com/html/",
    options={},
    good=page(
        _duck("Welcome to Python.org", FIRST, "The <b>official</b> home")
        + _duck("Docs", SECOND, "Reference")
    ),
    nothing=page('<div class="no-results">No results found for <b>x</b>.</div>'),
    results=[
        ("Welcome to Python.org", FIRST, "The official home"),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "asks for a person": Failure(
            page('<div class="anomaly-modal__title">Bots use DuckDuckGo too.</div>'),
            SearchLimited,
            "asks for a person",
        ),
        "accepted only": Failure(answer(status=202), SearchLimited, "answered 202"),
        "blocked": Failure(page("Forbidden", status=403), SearchLimited, "403"),
        "empty": Failure(answer(media_type="text/html"), SearchUnavailable, "read"),
    },
)


def _bing(title: str, url: str, snippet: str) -> str:
    packed = "a1" + base64.urlsafe_b64encode(url.encode()).decode().rstrip("=")
    link = f"https://www.bing.com/ck/a?!&amp;&amp;p=0123&amp;u={packed}&amp;ntb=1"
    return (
        f'<li class="b_algo"><h2><a href="{link}">{title}</a></h2>'
        f"<div><p>{snippet}</p></div></li>"
    )


BING = Recorded(
    where="www.bing.com/search",
    options={},
    good=page(
        '<ol id="b_results">'
        + _bing("Welcome to Python.org", FIRST, "The <b>official</b> home")
        + _bing("Docs", SECOND, "Reference")
        + "</ol>"
    ),
    nothing=page('<ol id="b_results"><li class="b_no"><h1>No results</h1></li></ol>'),
    results=[
        ("Welcome to Python.org", FIRST, "The official home"),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "asks for a person": Failure(
            page('<div class="captcha">One last step</div>'), SearchLimited, "person"
        ),
        "broken link": Failure(
            page(
                '<li class="b_algo"><h2><a href="https://www.bing.com/ck/a?u=a1%FF">x'
                "</a></h2></li>"
            ),
            SearchUnavailable,
            "cannot be read",
        ),
    },
)
