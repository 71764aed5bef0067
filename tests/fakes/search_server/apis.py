"""What each backend with an API answers, in the shape that its documentation gives."""

from chat.web.search import SearchLimited, SearchRefused, SearchUnavailable
from tests.fakes.search_server.recording import (
    EVERYWHERE,
    FIRST,
    KEY,
    LIST_EXPECTED,
    SECOND,
    Failure,
    Recorded,
    page,
    said,
)

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
