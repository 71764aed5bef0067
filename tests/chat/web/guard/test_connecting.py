"""The address that was checked is the one dialled, and the name is proven."""

import socket
from pathlib import Path

import pytest

from chat.web.guard import FetchRefused, Guard, system_dial
from tests.chat.web.guard.conftest import guard_for, refusal_of
from tests.fakes.web_server import WebServer, answer, authority_file

pytestmark = pytest.mark.row("C4")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["93.184.216.34", "10.0.0.5"], ["::ffff:93.184.216.34"], ["x"]],
)
def test_one_bad_address_refuses_the_host(
    site: WebServer, addresses: list[str]
) -> None:
    site.names["one.weighed.net"] = addresses

    assert refusal_of(guard_for(site), URL) == "address"
    assert site.dialled == []


def test_a_name_is_looked_up_once_and_its_first_answer_dialled(
    site: WebServer,
) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    site.answers[HERE] = answer("ok")
    guard = Guard(
        resolver=lambda host, port: answers.pop(0),
        dial=site.dial,
        ca_file=authority_file(),
    )

    assert guard.fetch(URL).peer == "93.184.216.34"
    assert len(answers) == 1
    assert refusal_of(guard, URL) == "address"


def test_an_unknown_name_is_refused(site: WebServer) -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    guard = Guard(resolver=unknown, dial=site.dial, ca_file=authority_file())
    site.names["one.weighed.net"] = []

    assert refusal_of(guard, URL) == "dns"
    assert refusal_of(guard_for(site), URL) == "dns"


def test_the_next_address_is_tried_where_one_does_not_answer(site: WebServer) -> None:
    site.names["one.weighed.net"] = ["2606:4700::1", "1.1.1.1"]
    site.answers[HERE] = answer("ok")

    def dial(ip: str, port: int, timeout_s: float) -> socket.socket:
        if ":" in ip:
            raise OSError("Network is unreachable")
        return site.dial(ip, port, timeout_s)

    guard = Guard(resolver=site.resolve, dial=dial, ca_file=authority_file())
    site.names["two.weighed.net"] = ["2606:4700::1"]

    assert guard.fetch(URL).peer == "1.1.1.1"
    assert refusal_of(guard, "https://two.weighed.net/") == "connect"


@pytest.mark.parametrize(
    "fault",
    [
        *("expired", "not_yet", "self_signed", "untrusted_ca", "cn_only"),
        *("wrong_host", "wildcard_too_deep", "tls1.0", "tls1.1"),
    ],
)
def test_a_server_that_cannot_prove_its_name_is_refused(
    site: WebServer, fault: str
) -> None:
    site.tls["one.weighed.net"] = fault

    assert refusal_of(guard_for(site), URL) == "tls"
    assert site.seen == []


@pytest.mark.parametrize("sound", ["wildcard", "tls1.2", "h2_offered"])
def test_unusual_but_sound_tls_is_spoken(site: WebServer, sound: str) -> None:
    site.tls["one.weighed.net"] = sound
    site.answers[HERE] = answer("ok")

    assert guard_for(site).fetch(URL).body == b"ok"


def test_an_address_that_the_certificate_does_not_name_is_refused(
    site: WebServer,
) -> None:
    assert refusal_of(guard_for(site), "https://93.184.216.35/") == "tls"


def test_the_usual_authorities_are_the_default(site: WebServer) -> None:
    site.answers[HERE] = answer("ok")
    guard = Guard(resolver=site.resolve, dial=site.dial)

    assert refusal_of(guard, URL) == "tls"


def test_nothing_in_the_environment_counts(
    site: WebServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site.answers[HERE] = answer("ok")
    for name in ("HTTPS_PROXY", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent")
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    monkeypatch.setenv("NETRC", "/nonexistent")

    assert guard_for(site).fetch(URL).body == b"ok"
    assert not (tmp_path / "keys").exists()


def test_every_fetch_makes_a_connection_of_its_own(site: WebServer) -> None:
    site.answers[HERE] = answer("ok")
    guard = guard_for(site)

    guard.fetch(URL)
    guard.fetch(URL)

    assert len(site.dialled) == 2


def test_dialling_reaches_the_address_itself() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        system_dial("127.0.0.1", listener.getsockname()[1], 5.0) as connected,
    ):
        assert connected.getpeername() == listener.getsockname()


def test_a_socket_that_reached_another_address_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        elsewhere = socket.create_connection(listener.getsockname())
        monkeypatch.setattr(socket, "create_connection", lambda *_: elsewhere)

        with pytest.raises(FetchRefused) as refused:
            system_dial("93.184.216.34", 443, 5.0)

    assert refused.value.reason == "address"
    assert elsewhere.fileno() == -1
