"""From what a person typed to the subject that is meant."""

import pytest

from accounts.errors import BadInput
from research.subjects.identity import SubjectKind, parse_subject, question_subject
from research.subjects.purl import package_name


@pytest.mark.parametrize(
    ("text", "kind", "key", "version"),
    [
        ("pkg:pypi/bleach", "package", "pkg:pypi/bleach", None),
        ("pkg:pypi/bleach@6.4.0", "package", "pkg:pypi/bleach", "6.4.0"),
        ("PKG:PyPI/Django_Q2@1.11.1", "package", "pkg:pypi/django-q2", "1.11.1"),
        (" pkg:pypi/zope.interface ", "package", "pkg:pypi/zope-interface", None),
        (
            "pkg:npm/%40scope/server@2.0.0",
            "package",
            "pkg:npm/%40scope/server",
            "2.0.0",
        ),
        ("pkg:npm/@scope/server", "package", "pkg:npm/%40scope/server", None),
        ("https://MCP.Example.org:443/", "mcp_server", "https://mcp.example.org", None),
        (
            "https://mcp.example.org:8443/sse?team=a#top",
            "mcp_server",
            "https://mcp.example.org:8443/sse?team=a",
            None,
        ),
        ("Example.ORG.", "vendor", "example.org", None),
        ("npx -y @scope/server@1.2.3", "mcp_command", "npx @scope/server", "1.2.3"),
        ("uvx mcp-server-git==2.0", "mcp_command", "uvx mcp-server-git", "2.0"),
        (
            "uvx --from mcp-git@1.0 serve",
            "mcp_command",
            "uvx --from mcp-git serve",
            "1.0",
        ),
        (
            "docker run -i --rm ghcr.io/acme/mcp:1.4",
            "mcp_command",
            "docker run -i --rm ghcr.io/acme/mcp",
            "1.4",
        ),
        ("python -m acme.server", "mcp_command", "python -m acme.server", None),
    ],
)
def test_the_key_has_no_version(
    text: str, kind: str, key: str, version: str | None
) -> None:
    subject = parse_subject(text)
    assert (subject.kind, subject.key, subject.version) == (kind, key, version)


def test_a_vendor_may_be_named_by_a_url_when_the_kind_says_so() -> None:
    subject = parse_subject("https://www.example.org/about", SubjectKind.VENDOR)
    assert (subject.kind, subject.key) == ("vendor", "example.org")


def test_an_international_domain_becomes_ascii() -> None:
    assert parse_subject("bücher.example").key == "xn--bcher-kva.example"


def test_several_words_are_a_question() -> None:
    subject = parse_subject("Does  it keep\nlogs?")
    assert subject.kind == "question"
    assert subject.title == "Does it keep logs?"


def test_the_same_wording_is_the_same_question() -> None:
    first = question_subject("Does it keep logs?")
    assert first.key == question_subject("  does it KEEP logs ").key
    assert first.key != question_subject("Does it sell logs?").key


def test_a_package_is_named_by_its_parts() -> None:
    name = package_name(parse_subject("pkg:npm/%40scope/server"))
    assert (name.ecosystem, name.namespace, name.name) == ("npm", "@scope", "server")


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("", None, "The subject is empty."),
        (" \n ", None, "The subject is empty."),
        ("a\x00b", None, "control characters"),
        ("exam\u202eple.org", None, "control characters"),
        ("bleach", None, "bleach names no subject"),
        ("pkg:pypi/", None, "pkg:pypi/ names no package."),
        ("pkg:", None, "names no package type"),
        ("pkg:pypi/a/b", None, "namespace"),
        ("pkg:pypi/-x-", None, "no valid pypi package name"),
        ("pkg:pypi/bleach@", None, "malformed version"),
        ("pkg:pypi/bleach?repository_url=x", None, "qualifiers"),
        ("pkg:npm/..%2f..%2fetc", None, "malformed name"),
        ("bleach", "package", "no package URL"),
        ("http://mcp.example.org", None, "no https URL"),
        ("https://ada:secret@mcp.example.org", None, "user name or password"),
        ("https://", None, "no usable URL"),
        ("https://example.org:99999/", None, "no usable URL"),
        ("https://exa mple.org/", "mcp_server", "no usable URL"),
        ("localhost", "vendor", "no domain"),
        ("10.0.0.1", "vendor", "no domain"),
        ("npx server; rm -rf /", None, "more than one command"),
        ("npx 'server", None, "unbalanced quote"),
        ("???", "question", "no words"),
        ("word " * 500, "question", "the limit is 2,000"),
        ("x" * 600 + ".org", "vendor", "no domain"),
        ("https://a.example/" + "x/" * 300, None, "the limit is 500"),
        ("bleach", "library", "library is no kind of subject"),
    ],
)
def test_bad_input_is_one_clear_sentence(
    text: str, kind: str | None, sentence: str
) -> None:
    with pytest.raises(BadInput) as refused:
        parse_subject(text, kind)
    assert sentence in refused.value.message
    assert refused.value.message.endswith(".")
