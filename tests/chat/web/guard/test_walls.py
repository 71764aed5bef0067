"""What stands in the way of a page is told from pages, also from those about it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chat.web.guard import (
    FetchRefused,
    Hop,
    Pacing,
    Page,
    PoliteGuard,
    WallKind,
    wall,
)
from chat.web.reading import ReadingRefused, read_page
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer

pytestmark = pytest.mark.row("C3")

URL = "https://one.weighed.net/item"
PROSE = "The scale was checked against the town's own weights before noon. " * 60

CHALLENGES = {
    "cloudflare": """<title>Just a moment...</title><div id="challenge-error-text">
        Enable JavaScript and cookies to continue</div>
        <script>window._cf_chl_opt = {cvId: '3'};</script>""",
    "cloudflare, refused": """<title>Attention Required! | Cloudflare</title>
        <div id="cf-error-details"><h1>Sorry, you have been blocked</h1>
        You are unable to access weighed.net. Cloudflare Ray ID: 8f2a</div>""",
    "akamai": """<title>Access Denied</title><h1>Access Denied</h1>
        You don't have permission to access "http://one.weighed.net/item" on this
        server.<p>Reference #18.5d1e1002.1764569000.1a2b3c4d""",
    "akamai, by script": """<title> </title><div id="sec-if-cpt-container"></div>
        <script src="/abc?bm-verify=AAQ"></script>""",
    "datadome": """<title>one.weighed.net</title><p>Please enable JS and disable any ad
        blocker</p><script>var dd={'host':'geo.captcha-delivery.com'}</script>""",
    "perimeterx": """<title>Access to this page has been denied</title>
        <div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human""",
    "imperva": """<iframe src="/_Incapsula_Resource?SWUDNSAI=31">Request unsuccessful.
        Incapsula incident ID: 1</iframe><p>Request unsuccessful. Incapsula incident""",
    "aws": """<title></title><script>window.awsWafCookieDomainList = [];
        window.gokuProps = {};</script><noscript>JavaScript is disabled</noscript>""",
    "hcaptcha": """<title>One more step</title><form>Please complete the security check
        <div class="h-captcha" data-sitekey="x"></div></form>""",
    "turnstile": """<title>weighed.net</title><p>Verify you are human by completing the
        action below.<div class="cf-turnstile"></div>""",
    "anubis": """<title>Making sure you’re not a bot!</title>
        <script id="anubis_challenge" type="application/json">{}</script>Loading...""",
}
LOGINS = {
    "form": """<title>Sign in · Weighed</title><form>User <input name=u>
        <input type="password" name=p> <a href=/reset>Forgot password?</a></form>""",
    "words": """<title>Weighed</title>You must be logged in to view this page.
        <input type='password'>""",
}
PAYWALLS = {
    "declared": f"""<title>The scale</title><script type="application/ld+json">
        {{"@type": "NewsArticle", "isAccessibleForFree": false}}</script><article>
        <p>{PROSE[:400]}</p></article><div class="article-paywall">Buy</div>""",
    "worded": f"""<title>The scale</title><article><p>{PROSE[:400]}</p>
        <p>Subscribe to continue reading.</p><p>Already a subscriber? Log in.</p>""",
}
MISSING = {
    "english": """<title>Page not found - Weighed</title><h1>404</h1>
        <p>The page you are looking for doesn’t exist or has been moved.</p>""",
    "short": "<title>404</title><p>We can't find the page you asked for.",
    "german": """<title>Seite nicht gefunden</title>
        <p>Diese Seite existiert nicht oder wurde verschoben.</p>""",
}
SHELLS = {
    "react": """<title>Weighed</title><noscript>You need to enable JavaScript to run
        this app.</noscript><div id="root"></div><script src=/main.js></script>""",
    "waiting": '<title>W</title><div id="app">Loading…</div><script src=a.js></script>',
    "nothing": "<title>Weighed</title><script>document.write(1)</script>",
}
CASES = [
    *[(WallKind.CHALLENGE, name, text) for name, text in CHALLENGES.items()],
    *[(WallKind.LOGIN, name, text) for name, text in LOGINS.items()],
    *[(WallKind.PAYWALL, name, text) for name, text in PAYWALLS.items()],
    *[(WallKind.SOFT_404, name, text) for name, text in MISSING.items()],
    *[(WallKind.EMPTY_SHELL, name, text) for name, text in SHELLS.items()],
]


def page_of(html: str, *, moved_to: str = URL, media_type: str = "text/html") -> Page:
    now = datetime.now(UTC)
    ways = dict.fromkeys((URL, moved_to))
    return Page(
        url=URL,
        final_url=moved_to,
        status=200,
        media_type=media_type,
        charset="utf-8",
        headers={"content-type": media_type},
        body=html.encode(),
        hops=tuple(Hop(url, 200, "93.184.216.34", now, 0.1) for url in ways),
        body_truncated=False,
        sniffed=False,
        peer="93.184.216.34",
        fetched_at=now,
        sha256="",
    )


def kind_of(page: Page) -> WallKind | None:
    """What the page is, as it was read and, should that differ, in nobody's reading."""
    try:
        readable = read_page(page)
    except ReadingRefused:
        readable = None
    found, unread = wall(page, readable), wall(page, None)
    if found is None:
        assert unread is None
        return None
    assert len(found.signs) > 1
    return found.kind


@pytest.mark.parametrize(
    ("kind", "html"), [pytest.param(kind, html, id=name) for kind, name, html in CASES]
)
def test_a_wall_is_told_by_its_kind(kind: WallKind, html: str) -> None:
    assert kind_of(page_of(html)) is kind


@pytest.mark.parametrize(
    ("kind", "name", "html"),
    [case for case in CASES if case[0] not in {WallKind.PAYWALL}],
)
def test_the_same_signs_on_a_page_that_says_something_are_no_wall(
    kind: WallKind, name: str, html: str
) -> None:
    assert kind_of(page_of(f"{html}<main><p>{PROSE}</p></main>")) is None


def test_an_article_that_is_all_there_has_no_paywall() -> None:
    whole = f"{PAYWALLS['declared']}<article><p>{PROSE}</p></article>"

    assert kind_of(page_of(whole)) is None


@pytest.mark.parametrize(
    "html",
    [
        """<title>How CAPTCHAs work</title><p>A page called “Just a moment...” asks you
        to verify you are human. Its markup is
        <code>&lt;div class="h-captcha"&gt;</code> and
        <code>window._cf_chl_opt</code>.""",
        "<title>Just a moment - a poem</title><p>Just a moment, said the weigher.",
        """<title>Contact</title><p>Write to us.<form><textarea></textarea>
        <div class="g-recaptcha"></div></form><p>Protected by reCAPTCHA.""",
        """<title>Weighed</title><p>Scales for towns.<form>
        <input type=password></form><p>Open daily.""",
        "<title>Sign in with a token</title><p>Send the token in a header.",
        """<title>404 Not Found | HTTP</title><p>The 404 status says that the server has
        no current representation of the target.""",
        """<title>Cookies</title><p>We use cookies for the session.
        <button>Accept all</button>""",
        "<title>Weighed</title><p>Already a subscriber? Read on.<p>Prices by month.",
        '<title>W</title><div id="root"><p>Short, but served.</div><script></script>',
        '<title>W</title><div id="app"></div><p>Words beside it.',
        "<title>Notes</title><p>Please enable JavaScript for the map.<script></script>",
    ],
)
def test_one_sign_alone_is_an_ordinary_page(html: str) -> None:
    assert kind_of(page_of(html)) is None


@pytest.mark.parametrize(
    ("address", "html", "kind"),
    [
        (
            "https://login.weighed.net/start",
            "<title>Log in</title><input name=mail> Next",
            WallKind.LOGIN,
        ),
        (
            "https://one.weighed.net/signin?next=item",
            "<title>Weighed</title>Please sign in to continue.",
            WallKind.LOGIN,
        ),
        (
            "https://consent.weighed.net/m?continue=x",
            "<title>Before you continue</title>We use cookies and data. Accept all",
            WallKind.CONSENT,
        ),
        (
            "https://one.weighed.net/404.html",
            "<title>Weighed</title>This page does not exist.",
            WallKind.SOFT_404,
        ),
    ],
)
def test_where_a_reader_is_sent_on_to_is_a_sign(
    address: str, html: str, kind: WallKind
) -> None:
    page = page_of(html, moved_to=address)

    assert kind_of(page) is kind
    asked_for = replace(page, hops=page.hops[1:])
    assert wall(asked_for, None) is None or kind is WallKind.CONSENT


def test_only_pages_of_html_can_be_walls() -> None:
    text = CHALLENGES["cloudflare"]

    assert wall(page_of(text, media_type="text/plain"), None) is None
    assert wall(page_of("", media_type="application/json"), None) is None


@pytest.mark.parametrize(
    "hostile",
    [
        "<script" * 80_000,
        "<title>" * 80_000,
        "<input " * 80_000,
        "<div id=root " * 40_000,
        "<" * 500_000,
        "&amp;" * 100_000,
        "<a " + 'class="' * 60_000,
    ],
)
def test_a_hostile_page_is_looked_at_like_any_other(hostile: str) -> None:
    wall(page_of(hostile), None)


def test_a_challenge_is_refused_by_its_own_word_whatever_its_status(
    site: WebServer,
) -> None:
    polite = PoliteGuard(guard_for(site), pacing=Pacing(spacing_s=0))
    site.answers = {
        "one.weighed.net/item": answer(
            CHALLENGES["cloudflare"], status=403, media_type="text/html"
        ),
        "one.weighed.net/header": answer(
            "<title>Just a moment...</title>",
            "cf-mitigated: challenge",
            status=403,
            media_type="text/html",
        ),
        "one.weighed.net/plain": answer("no", status=403),
    }

    assert reason_of(polite, URL) == "blocked"
    assert reason_of(polite, "https://one.weighed.net/header") == "blocked"
    assert reason_of(polite, "https://one.weighed.net/plain") == "status"


def reason_of(polite: PoliteGuard, url: str) -> str:
    with pytest.raises(FetchRefused) as refused:
        polite.fetch(url)
    assert refused.value.touched_network
    return str(refused.value.reason)
