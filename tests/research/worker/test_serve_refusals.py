"""What `manage.py serve` refuses before it starts anything, each in one sentence."""

import socket

import pytest
from django.core.management import CommandError, call_command


def _refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("serve", *arguments)
    return str(refused.value)


def test_a_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = _refusal("--port", str(port))

    assert (
        sentence == f"Port {port} of 127.0.0.1 cannot be used: Address already in use."
    )


def test_a_number_that_is_no_port_is_refused() -> None:
    sentence = _refusal("--port", "70000")

    assert sentence == "70000 is no port; give a number from 0 to 65535."


def test_an_address_of_another_machine_is_refused() -> None:
    sentence = _refusal("--host", "192.0.2.1", "--port", "0")

    assert sentence == (
        "Port 0 of 192.0.2.1 cannot be used: Cannot assign requested address."
    )


def test_serving_beyond_this_machine_needs_the_public_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("WEIGHHOUSE_PUBLIC_URL", raising=False)

    sentence = _refusal("--host", "0.0.0.0", "--port", "0")

    assert sentence == (
        "To serve on 0.0.0.0, set WEIGHHOUSE_PUBLIC_URL to the address that"
        " browsers use."
    )
