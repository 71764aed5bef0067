"""What a backend needs is asked for when it is made, by the variable's name."""

import sys
from typing import Any

import pytest

import chat.toolset  # noqa: F401 - registers the searches by providers
from chat.web.search import SearchMisconfigured, backend, backend_names

GOOD = "k" * 20


@pytest.mark.row("B17")
@pytest.mark.parametrize(
    ("name", "options", "variable"),
    [
        ("anthropic", {}, "ANTHROPIC_API_KEY"),
        ("brave", {}, "BRAVE_API_KEY"),
        ("google", {}, "GOOGLE_API_KEY"),
        ("google", {"api_key": GOOD}, "GOOGLE_SEARCH_ENGINE_ID"),
        ("openrouter", {}, "OPENROUTER_API_KEY"),
        ("searxng", {}, "SEARXNG_URL"),
        ("serper", {}, "SERPER_API_KEY"),
        ("tavily", {"api_key": "  "}, "TAVILY_API_KEY"),
    ],
)
def test_a_missing_credential_names_its_variable(
    name: str, options: dict[str, Any], variable: str
) -> None:
    with pytest.raises(SearchMisconfigured, match=f"{variable} is not set"):
        backend(name, **options)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_holds_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(SearchMisconfigured, match="BRAVE_API_KEY") as raised:
        backend("brave", api_key=key)
    assert key not in str(raised.value)


@pytest.mark.row("B17")
@pytest.mark.parametrize("name", ["bing", "duckduckgo"])
def test_without_the_extra_the_error_names_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [each for each in sys.modules if each.startswith("ddgs.engines")]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(SearchMisconfigured, match=r"weighhouse\[search\]"):
        backend(name)


def test_the_known_backends_are_the_documented_ones() -> None:
    known = {name for name in backend_names() if not name.startswith("own-of-a-test")}
    assert known == {
        "anthropic",
        "bing",
        "brave",
        "documents",
        "duckduckgo",
        "google",
        "openrouter",
        "searxng",
        "serper",
        "tavily",
    }


@pytest.mark.parametrize(
    "url",
    [
        "http://searx.weighed.org/",
        "https://ada:secret@searx.weighed.org/",
        "https://searx.weighed.org/?q=x",
        "https://localhost/",
        "https://10.0.0.7/",
        "searx.weighed.org",
        "https://searx.weighed.org:port/",
    ],
)
def test_an_address_of_searxng_that_is_not_safe_is_refused(url: str) -> None:
    with pytest.raises(SearchMisconfigured, match="SEARXNG_URL"):
        backend("searxng", url=url)
