"""Every case of the list ends as the list says, from the text of an address to TLS."""

import tracemalloc
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from chat.web.guard import FetchRefused, Page, check_url
from chat.web.reading import ReadingRefused, read_page, readable
from tests.chat.web.guard.cases import Case, case_id, cases, fetched, scripted
from tests.fakes.web_server import WebServer, serving
from tests.fakes.web_server.script import generated, pieces_of

SHOWN_CHARS = 40_000
MIB = 1024 * 1024


@pytest.mark.row("C4")
@pytest.mark.parametrize("case", cases("url"), ids=case_id)
def test_an_address_is_read_or_refused(case: Case) -> None:
    if case["expected"] != "fetch":
        with pytest.raises(FetchRefused) as refused:
            check_url(case["input"]["url"])
        assert f"refuse:{refused.value.reason}" in case["expected"].split("|")
        return

    checked = check_url(case["input"]["url"])

    assert checked.url == case.get("canonical", checked.url)
    shown = urlsplit(checked.display).hostname
    assert shown == case.get("display", shown)


@pytest.mark.row("C3")
@pytest.mark.row("C4")
@pytest.mark.parametrize(
    "case", cases("dns", "redirect", "body", "header", "tls"), ids=case_id
)
def test_a_fetch_ends_as_it_should(
    case: Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in case["input"].get("env", {}).items():
        monkeypatch.setenv(name, value.replace("{tmp}", str(tmp_path)))

    with serving(scripted(case)) as server:
        if case["expected"].startswith("refuse:"):
            with pytest.raises((FetchRefused, ReadingRefused)) as refused:
                read_page(fetched(case, server))
            reason = refused.value.reason  # type: ignore[attr-defined]
            assert f"refuse:{reason}" in case["expected"].split("|")
            return
        _check_page(case, fetched(case, server))
        _check_server(case, server, tmp_path)


@pytest.mark.parametrize("case", cases("html"), ids=case_id)
def test_a_page_shows_what_a_person_sees(case: Case) -> None:
    given = case["input"]
    html = given["html"] if "html" in given else generated(given["html_gen"])

    text = _text_or_reason(html)

    if case["expected"].startswith("refuse:"):
        assert text == case["expected"]
    for part in case.get("must_contain", []):
        assert part in text
    for part in case.get("must_not_contain", []):
        assert part not in text


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    "case",
    [case for case in cases("body") if "max_mib" in case.get("flags", {})],
    ids=case_id,
)
def test_a_bomb_takes_little_memory(case: Case) -> None:
    server = scripted(case)
    # Made before: the server's memory is not the guard's.
    server.answers = {where: _made(answer) for where, answer in server.answers.items()}
    with serving(server):
        tracemalloc.start()
        try:
            fetched(case, server)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert peak < case["flags"]["max_mib"] * MIB


def _check_page(case: Case, page: Page) -> None:
    flags = case.get("flags", {})
    read = read_page(page, max_chars=SHOWN_CHARS)
    if case["expected"].startswith("text="):
        assert read.text == case["expected"].removeprefix("text=")
    seen = {
        "body_truncated": page.body_truncated,
        "sniffed": page.sniffed,
        "kind": page.media_type.removeprefix("text/"),
        "peer": page.peer,
        "text_truncated": read.text_truncated,
        "text_len": len(read.text),
        "replaced": read.replaced,
        "removed": read.removed,
    }
    expected = {name: value for name, value in flags.items() if name in seen}
    assert {name: seen[name] for name in expected} == expected
    if case["expected"] == "truncate":
        assert page.body_truncated or read.text_truncated


def _check_server(case: Case, server: WebServer, tmp_path: Path) -> None:
    flags = case.get("flags", {})
    if "lookups" in flags:
        assert len(server.looked_up) == flags["lookups"]
    if "sni" in flags:
        assert server.seen[0].server_name == flags["sni"]
    if "host" in flags:
        assert server.seen[0].headers["host"] == flags["host"]
    if "no_request_header" in flags:
        unwanted = flags["no_request_header"]
        assert not [seen for seen in server.seen if unwanted in seen.headers]
    if "file_absent" in flags:
        assert not Path(flags["file_absent"].replace("{tmp}", str(tmp_path))).exists()


def _text_or_reason(html: str) -> str:
    try:
        return readable(html.encode()).text
    except ReadingRefused as refused:
        return "" if refused.reason == "empty" else f"refuse:{refused.reason}"


def _made(answer: Any) -> bytes:
    return b"".join(pieces_of(answer, lambda _: None))
