"""One strict reading of addresses, without touching the network."""

import pytest

from chat.web.guard import FetchRefused, Policy, check_url

pytestmark = pytest.mark.row("C4")


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.COM/Path?Q#f", "https://example.com/Path?Q"),
        ("https://example.com.:443/", "https://example.com/"),
        ("https://example.com?q", "https://example.com/?q"),
        ("https://example.com/a/../b/./c/%2E%2e/d", "https://example.com/b/d"),
        ("https://example.com/a//b/..", "https://example.com/a//"),
        ("https://example.com/é?ü", "https://example.com/%C3%A9?%C3%BC"),
        ("https://r3---sn-a_b.example.com/", "https://r3---sn-a_b.example.com/"),
        ("https://faß.de/", "https://xn--fa-hia.de/"),
        ("https://9.9.9.9/", "https://9.9.9.9/"),
        ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
    ],
)
def test_an_address_has_one_canonical_form(url: str, canonical: str) -> None:
    checked = check_url(url)

    assert checked.url == canonical
    assert check_url(canonical) == checked


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.com/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//example.com/", "scheme"),
        ("example.com", "scheme"),
        ("", "scheme"),
        ("https:example.com", "url"),
        ("https:/example.com", "url"),
        ("https:///example.com", "url"),
        ("https://?q", "url"),
        ("https://example.com/" + "a" * 2030, "url_length"),
        (" https://example.com/", "url_chars"),
        ("https://example.com/a b", "url_chars"),
        ("https://example.com/\r\nX: y", "url_chars"),
        ("https://example.com\\@example.org/", "url_chars"),
        ("https://example.com/%zz", "url_chars"),
        ("https://exam\u200bple.com/", "url_chars"),
        ("https://example.com/\u202e", "url_chars"),
        ("https://example.com/\ud800", "url_chars"),
        ("https://user:word@example.com/", "userinfo"),
        ("https://@example.com/", "userinfo"),
        ("https://example.com:/", "port"),
        ("https://example.com:0443/", "port"),
        ("https://example.com:8443/", "port"),
        ("https://example.com:٤٤٣/", "port"),
        ("https://example.com:443:443/", "port"),
        ("https://example..com/", "host"),
        ("https://-a.com/", "host"),
        ("https://" + "a" * 64 + ".com/", "host"),
        ("https://" + "a." * 130 + "com/", "host"),
        ("https://ex%61mple.com/", "host"),
        ("https://xn--zz.com/", "host"),
        ("https://[example.com]/", "host"),
        ("https://[fe80::1%25eth0]/", "host"),
        ("https://[::1/", "host"),
        ("https://[2606:4700::1]x/", "host"),
        ("https://localhost/", "host_name"),
        ("https://intranet/", "host_name"),
        ("https://printer.local/", "host_name"),
        ("https://metadata.google.internal./", "host_name"),
        ("https://127.1/", "ip_form"),
        ("https://2130706433/", "ip_form"),
        ("https://0x7f.0.0.1/", "ip_form"),
        ("https://0177.0.0.1/", "ip_form"),
        ("https://127.0.0.1./", "ip_form"),
        ("https://１２７.0.0.1/", "ip_form"),
        ("https://①②⑦。0。0。1/", "ip_form"),
        ("https://127.0.0.1/", "address"),
        ("https://[::1]/", "address"),
        ("https://[::ffff:169.254.169.254]/", "address"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(url: str, reason: str) -> None:
    with pytest.raises(FetchRefused) as refused:
        check_url(url)

    assert refused.value.reason == reason
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("url", "display"),
    [
        ("https://münchen.de/", "https://münchen.de/"),
        ("https://日本.jp/", "https://日本.jp/"),
        ("https://ひらがなカタカナ漢字.jp/", "https://ひらがなカタカナ漢字.jp/"),
        ("https://пример.рф/", "https://пример.рф/"),
        ("https://ελλάδα.gr/", "https://ελλάδα.gr/"),
        ("https://пример日.com/", "https://xn--e1afmkfd3906o.com/"),
        ("https://pаypal.com/", "https://xn--pypal-4ve.com/"),
        ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
    ],
)
def test_people_see_letters_only_where_none_can_be_mistaken(
    url: str, display: str
) -> None:
    assert check_url(url).display == display


def test_a_policy_may_name_other_ports() -> None:
    checked = check_url("https://example.com:8443/x", Policy(ports=frozenset({8443})))

    assert (checked.url, checked.port) == ("https://example.com:8443/x", 8443)
