"""Secrets are taken out before anything stores what a person typed."""

import pytest

from research.subjects.identity import parse_subject


@pytest.mark.parametrize(
    "text",
    [
        "npx server --token s3cr3t-value",
        "npx server --api-key=s3cr3t-value",
        "docker run -e API_TOKEN=s3cr3t-value acme/mcp",
        "npx server --header 'Authorization: Bearer s3cr3t-value'",
        "npx server --url https://ada:s3cr3t-value@example.org/",
        "npx server sk-s3cr3t-value0000",
        "uvx server --env=HOME=s3cr3t-value",
        "https://mcp.example.org/sse?api_key=s3cr3t-value&team=a",
    ],
)
def test_what_looks_secret_is_not_kept(text: str) -> None:
    subject = parse_subject(text)
    assert "s3cr3t" not in subject.key + subject.title


def test_what_is_not_secret_stays() -> None:
    subject = parse_subject("npx -y @scope/files --read-only /home/ada/docs")
    assert subject.key == "npx @scope/files --read-only /home/ada/docs"


def test_the_name_of_a_redacted_variable_stays() -> None:
    subject = parse_subject("docker run -e API_TOKEN=abc acme/mcp:2")
    assert subject.key == "docker run -e API_TOKEN=REDACTED acme/mcp"
