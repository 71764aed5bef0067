"""What each backend answers, in the shape that its documentation gives."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from chat.web.search import (
    SearchError,
    SearchLimited,
    SearchRefused,
    SearchUnavailable,
)
from tests.fakes.web_server import answer, redirect

KEY = "key-of-nobody-0123456789"
FIRST = "https://www.python.org/"
SECOND = "https://docs.python.org/3/?a=1&b=2"


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that is none: what the error says of it, and when to ask again."""

    said: bytes
    error: type[SearchError]
    words: str
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """One backend: where it is, how it is made, what it answers.

    results: (title, url, snippet) of the good answer.
    """

    where: str
    options: Mapping[str, Any]
    good: bytes
    nothing: bytes
    results: list[tuple[str, str, str]]
    failures: Mapping[str, Failure] = field(default_factory=dict)


def said(body: Any, *headers: str, status: int = 200) -> bytes:
    """An answer in JSON."""
    content = json.dumps(body)
    return answer(content, *headers, status=status, media_type="application/json")


def page(body: str, *, status: int = 200) -> bytes:
    """An answer for people."""
    html = f"<!DOCTYPE html><html><body>{body}</body></html>"
    return answer(html, status=status, media_type="text/html; charset=utf-8")


EVERYWHERE = {
    "outage": Failure(answer(status=503), SearchUnavailable, "answered 503"),
    "proxy": Failure(page("<h1>Bad gateway</h1>", status=502), SearchUnavailable, ""),
    "other page": Failure(page("<h1>Welcome</h1>"), SearchUnavailable, "cannot be"),
    "moved": Failure(redirect("https://elsewhere.org/"), SearchUnavailable, "asked"),
    "later": Failure(
        answer("slow down", "Retry-After: 7", status=429), SearchLimited, "429", 7.0
    ),
}
LIST_EXPECTED = Failure(said({"results": 3}), SearchUnavailable, "cannot be read")

BRAVE = Recorded(
    where="api.search.brave.com/res/v1/web/search",
    options={"api_key": KEY},
    good=said(
        {
            "type": "search",
            "query": {"original": "python"},
            "web": {
                "type": "search",
                "results": [
                    {
                        "title": "Welcome to Python.org",
                        "url": FIRST,
                        "description": "The <strong>official</strong> home &amp; more",
                    },
                    {"title": "Docs", "url": SECOND, "description": "Reference"},
                ],
            },
        }
    ),
    nothing=said({"type": "search", "query": {"original": "x"}}),
    results=[
        ("Welcome to Python.org", FIRST, "The official home & more"),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "wrong key": Failure(
            said(
                {
                    "type": "ErrorResponse",
                    "error": {
                        "code": "SUBSCRIPTION_TOKEN_INVALID",
                        "detail": "The provided subscription token is invalid.",
                        "status": 422,
                    },
                },
                status=422,
            ),
            SearchRefused,
            "token is invalid",
        ),
        "one a second": Failure(
            said(
                {
                    "type": "ErrorResponse",
                    "error": {"code": "RATE_LIMITED", "status": 429},
                },
                "X-RateLimit-Limit: 1, 15000",
                "X-RateLimit-Reset: 1, 1419704",
                status=429,
            ),
            SearchLimited,
            "RATE_LIMITED",
            1.0,
        ),
        "no list": Failure(
            said({"type": "search", "web": {"results": {}}}),
            SearchUnavailable,
            "web.results",
        ),
    },
)

GOOGLE = Recorded(
    where="customsearch.googleapis.com/customsearch/v1",
    options={"api_key": KEY, "engine_id": "0123456789:abcdef"},
    good=said(
        {
            "kind": "customsearch#search",
            "searchInformation": {"totalResults": "2"},
            "items": [
                {
                    "kind": "customsearch#result",
                    "title": "Welcome to Python.org",
                    "htmlTitle": "Welcome to <b>Python</b>.org",
                    "link": FIRST,
                    "snippet": "The official home of the Python \nLanguage.",
                },
                {"title": "Docs", "link": SECOND, "snippet": "Reference"},
            ],
        }
    ),
    nothing=said(
        {
            "kind": "customsearch#search",
            "searchInformation": {"totalResults": "0"},
        }
    ),
    results=[
        (
            "Welcome to Python.org",
            FIRST,
            "The official home of the Python Language.",
        ),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "wrong key": Failure(
            said(
                {
                    "error": {
                        "code": 400,
                        "message": "API key not valid. Please pass a valid API key.",
                        "status": "INVALID_ARGUMENT",
                    }
                },
                status=400,
            ),
            SearchRefused,
            "API key not valid",
        ),
        "not allowed": Failure(
            said({"error": {"code": 403, "status": "PERMISSION_DENIED"}}, status=403),
            SearchRefused,
            "PERMISSION_DENIED",
        ),
        "none left today": Failure(
            said(
                {
                    "error": {
                        "code": 429,
                        "message": "Quota exceeded for quota metric 'Queries'.",
                        "status": "RESOURCE_EXHAUSTED",
                    }
                },
                status=429,
            ),
            SearchLimited,
            "Quota exceeded",
        ),
        "wrong engine": Failure(
            said(
                {"error": {"code": 400, "message": "Request contains an invalid arg."}},
                status=400,
            ),
            SearchUnavailable,
            "invalid arg",
        ),
    },
)

TAVILY = Recorded(
    where="api.tavily.com/search",
    options={"api_key": KEY},
    good=said(
        {
            "query": "python",
            "answer": "Never to be shown, see https://evil.org/.",
            "results": [
                {
                    "title": "Welcome to Python.org",
                    "url": FIRST,
                    "content": "The official home",
                    "score": 0.98,
                },
                {"title": "Docs", "url": SECOND, "content": "Reference"},
            ],
            "response_time": 1.2,
        }
    ),
    nothing=said({"query": "x", "results": [], "response_time": 0.4}),
    results=[
        ("Welcome to Python.org", FIRST, "The official home"),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "no list": LIST_EXPECTED,
        "wrong key": Failure(
            said(
                {"detail": {"error": f"Unauthorized: invalid API key {KEY}."}},
                status=401,
            ),
            SearchRefused,
            "Unauthorized",
        ),
        "plan used up": Failure(
            said(
                {"detail": {"error": "This request exceeds your plan's usage limit."}},
                status=432,
            ),
            SearchLimited,
            "usage limit",
        ),
        "own limit": Failure(
            said({"detail": {"error": "Pay-as-you-go limit reached."}}, status=433),
            SearchLimited,
            "limit reached",
        ),
        "too long": Failure(
            said({"detail": {"error": "Query is too long."}}, status=400),
            SearchUnavailable,
            "too long",
        ),
    },
)

SERPER = Recorded(
    where="google.serper.dev/search",
    options={"api_key": KEY},
    good=said(
        {
            "searchParameters": {"q": "python", "type": "search"},
            "answerBox": {"answer": "never shown", "link": "https://evil.org/"},
            "organic": [
                {
                    "title": "Welcome to Python.org",
                    "link": FIRST,
                    "snippet": "The official home",
                    "position": 1,
                },
                {"title": "Docs", "link": SECOND, "snippet": "Reference"},
            ],
            "credits": 1,
        }
    ),
    nothing=said({"searchParameters": {"q": "x"}, "organic": [], "credits": 1}),
    results=[
        ("Welcome to Python.org", FIRST, "The official home"),
        ("Docs", SECOND, "Reference"),
    ],
    failures={
        **EVERYWHERE,
        "no list": LIST_EXPECTED,
        "wrong key": Failure(
            said({"message": "Unauthorized.", "statusCode": 403}, status=403),
            SearchRefused,
            "Unauthorized",
        ),
        "no credits": Failure(
            said({"message": "Not enough credits", "statusCode": 400}, status=400),
            SearchLimited,
            "Not enough credits",
        ),
    },
)

SEARXNG = Recorded(
    where="searx.weighed.org/search",
    options={"url": "https://searx.weighed.org/"},
    good=said(
        {
            "query": "python",
            "number_of_results": 0,
            "results": [
                {
                    "title": "Welcome to Python.org",
                    "url": FIRST,
                    "content": "The official home",
                    "engine": "brave",
                },
                {"title": "Docs", "url": SECOND, "content": None},
            ],
            "answers": ["never shown"],
            "unresponsive_engines": [["google", "CAPTCHA"]],
        }
    ),
    nothing=said({"query": "x", "results": [], "unresponsive_engines": []}),
    results=[
        ("Welcome to Python.org", FIRST, "The official home"),
        ("Docs", SECOND, ""),
    ],
    failures={
        **EVERYWHERE,
        "no list": LIST_EXPECTED,
        "json is off": Failure(
            page("<h1>Forbidden</h1>", status=403), SearchRefused, "search.formats"
        ),
        "no engine answered": Failure(
            said(
                {
                    "results": [],
                    "unresponsive_engines": [["google", "CAPTCHA"], ["brave", "x"]],
                }
            ),
            SearchUnavailable,
            "google CAPTCHA, brave x",
        ),
    },
)


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

RECORDED: Mapping[str, Recorded] = {
    "bing": BING,
    "brave": BRAVE,
    "duckduckgo": DUCKDUCKGO,
    "google": GOOGLE,
    "searxng": SEARXNG,
    "serper": SERPER,
    "tavily": TAVILY,
}
