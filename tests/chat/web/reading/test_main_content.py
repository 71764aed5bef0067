"""The main content is marked in the text; all the rest stays in it."""

import pytest

from chat.web.reading import Readable, readable

SENTENCE = "The library parses what it is given, and says so where it could not. "
PROSE = "".join(f"<p>{n}. {SENTENCE * 3}</p>" for n in range(6))
MENU = "".join(f"<li><a href=/{n}>Section number {n}</a>" for n in range(20))


def page_of(body: str, head: str = "") -> Readable:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return readable(html.encode(), url="https://example.com/a")


def is_main(page: Readable, words: str) -> bool:
    assert words in page.text
    return words in page.main_text()


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>Elsewhere</nav>",
        "<footer>Elsewhere</footer>",
        "<header>Elsewhere</header>",
        "<aside>Elsewhere</aside>",
        "<form>Elsewhere</form>",
        "<div role=navigation>Elsewhere</div>",
        "<div role=dialog>Elsewhere</div>",
        "<div class='site-footer'>Elsewhere</div>",
        "<div id=cookie_banner>Elsewhere</div>",
        "<div class='x newsletter-signup'>Elsewhere</div>",
        "<div class=sr-only>Elsewhere</div>",
        "<div class=comments>Elsewhere</div>",
        "<button>Elsewhere</button>",
    ],
)
def test_what_surrounds_content_is_read_but_not_main(furniture: str) -> None:
    page = page_of(f"<ul class=menu>{MENU}</ul><div>{PROSE}{furniture}{PROSE}</div>")

    assert not is_main(page, "Elsewhere")
    assert not is_main(page, "Section number 7")
    assert is_main(page, "5. The library")


def test_names_do_not_hide_what_most_of_the_page_is() -> None:
    page = page_of(f"<div class=sidebar><div class=widget>{PROSE}</div></div>")

    assert is_main(page, "5. The library")


def test_long_names_made_of_headings_say_nothing() -> None:
    section = "<section id=sharing-a-cookie-with-others><p>How to share it.</section>"
    page = page_of(f"<main>{PROSE}{section}</main>")

    assert is_main(page, "How to share it.")


def test_the_names_of_the_whole_page_say_nothing() -> None:
    page = readable(f"<body class='single comments-open'>{PROSE}".encode())

    assert is_main(page, "5. The library")


def test_an_article_is_shown_without_what_stands_over_and_under_it() -> None:
    more = "<h2>Related articles</h2><ul><li><a href=/o>Another one</a></ul>"
    page = page_of(
        f"<article><p>Technology</p><h1>On parsing</h1><p>By Ada, 3 May 2026</p>"
        f"{PROSE}<p>Advertisement</p>{PROSE}"
        f"<figure><figcaption>A picture</figcaption></figure>{more}</article>",
        "<meta property=og:type content=article><title>On parsing | Site</title>",
    )

    for words in ("Technology", "By Ada", "Advertisement", "A picture", "Another one"):
        assert not is_main(page, words)
    assert page.main_text().startswith("0. The library")
    assert page.title == "On parsing"


def test_a_list_of_links_is_the_content_of_a_page_of_links() -> None:
    page = page_of(f"<nav>Menu</nav><main><h1>All sections</h1><ul>{MENU}</ul></main>")

    assert is_main(page, "Section number 19")
    assert not is_main(page, "Menu")


@pytest.mark.parametrize(
    ("kind", "expected"), [("DiscussionForumPosting", True), ("Article", False)]
)
def test_comments_are_content_where_the_page_is_a_discussion(
    kind: str, expected: bool
) -> None:
    page = page_of(
        f"<main>{PROSE}<div id=comments><p>I disagree, and this is why.</div></main>",
        f'<script type="application/ld+json">{{"@type": "{kind}"}}</script>',
    )

    assert is_main(page, "I disagree") is expected


def test_several_sections_of_a_page_are_kept() -> None:
    page = page_of(f"<div><section>{PROSE}</section><section>Two {PROSE}</section>")

    assert page.main_text().count("5. The library") == 2


@pytest.mark.row("D3")
@pytest.mark.parametrize("shown", ["Loading.", PROSE])
def test_what_only_readers_without_scripts_see_is_hidden(shown: str) -> None:
    page = page_of(f"<main>{shown}</main><noscript>unseen {PROSE}</noscript>")

    assert "unseen" not in page.text
    assert any("unseen" in hidden.text for hidden in page.hidden)


def test_a_page_with_nothing_but_furniture_is_main_as_a_whole() -> None:
    page = page_of("<nav>Home</nav><nav>Imprint</nav>")

    assert page.main == [(0, len(page.text))]
