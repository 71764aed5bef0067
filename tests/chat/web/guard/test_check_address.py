"""Only addresses of the public internet pass, on every version of Python alike."""

from dataclasses import replace
from ipaddress import IPv6Network, ip_network

import pytest

from chat.web.guard import FetchRefused, Policy, check_address

pytestmark = pytest.mark.row("C4")

WELL_KNOWN = IPv6Network("64:ff9b::/96")


@pytest.mark.parametrize(
    "ip", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450::1"]
)
def test_public_addresses_pass(ip: str) -> None:
    check_address(ip)


@pytest.mark.parametrize(
    "ip",
    [
        *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254"),
        *("168.63.129.16", "172.16.0.1", "192.0.0.8", "192.0.0.192", "192.0.2.1"),
        *("192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.1.1"),
        *("192.175.48.1", "198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:8.8.8.8"),
        *("::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100:0:0:1::1"),
        *("2001::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::"),
        *("2620:4f:8000::1", "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:7f00:1"),
        *("3ffe::1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fe80::1"),
        *("fe80::1%2", "2606:4700::1%2", "fec0::1", "ff02::1", "ff0e::1"),
        *("127.1", "010.0.0.1", "2130706433", "localhost", ""),
    ],
)
def test_everything_else_is_refused(ip: str) -> None:
    with pytest.raises(FetchRefused) as refused:
        check_address(ip)

    assert refused.value.reason == "address"


@pytest.mark.parametrize("ip", ["64:ff9b::808:808", "2001:db8:64::808:808"])
def test_nat64_is_refused_unless_the_operator_names_the_prefix(ip: str) -> None:
    named = Policy(nat64=(WELL_KNOWN, ip_network("2001:db8:64::/96")))

    check_address(ip, named)

    assert refusal(ip) == "address"


@pytest.mark.parametrize(
    ("prefix", "public", "private"),
    [
        ("2001:db8::/32", "2001:db8:808:808::", "2001:db8:a00:1::"),
        ("2001:db8:100::/40", "2001:db8:108:808:8::", "2001:db8:10a:0:1::"),
        ("2001:db8:122::/48", "2001:db8:122:808:8:800::", "2001:db8:122:a00:0:100::"),
        ("2001:db8:122:300::/56", "2001:db8:122:308:8:808::", "2001:db8:122:30a:0:1::"),
        (
            "2001:db8:122:344::/64",
            "2001:db8:122:344:8:808:800:0",
            "2001:db8:122:344:a:0:100:0",
        ),
        (
            "2001:db8:122:344::/96",
            "2001:db8:122:344::808:808",
            "2001:db8:122:344::a00:1",
        ),
        ("64:ff9b::/96", "64:ff9b::808:808", "64:ff9b::7f00:1"),
    ],
)
def test_through_a_named_prefix_the_ipv4_address_is_judged(
    prefix: str, public: str, private: str
) -> None:
    policy = Policy(nat64=(IPv6Network(prefix),))

    check_address(public, policy)

    assert refusal(private, policy) == "address"
    assert refusal(public, replace(policy, deny=(ip_network("8.8.8.0/24"),))) == (
        "address"
    )


@pytest.mark.parametrize(
    "ip", ["2001:db8:122:344:8:808:800:1", "2001:db8:122:344:108:808:800:0"]
)
def test_an_address_with_more_than_ipv4_behind_the_prefix_is_refused(ip: str) -> None:
    policy = Policy(nat64=(IPv6Network("2001:db8:122:344::/64"),))

    assert refusal(ip, policy) == "address"


def test_a_nat64_prefix_of_an_unknown_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="no NAT64 prefix"):
        Policy(nat64=(IPv6Network("64:ff9b::/80"),))


def test_only_networks_that_the_operator_allows_open_private_space() -> None:
    policy = Policy(allow=(ip_network("10.1.0.0/16"), ip_network("fd00:1::/64")))

    check_address("10.1.2.3", policy)
    check_address("fd00:1::7", policy)

    for ip in ("10.2.0.1", "fd00:2::7", "::ffff:10.1.2.3", "fd00:1::7%2", "127.0.0.1"):
        assert refusal(ip, policy) == "address"


def test_what_is_denied_is_refused_though_public_or_allowed() -> None:
    assert refusal("1.1.1.1", Policy(deny=(ip_network("1.1.1.0/24"),))) == "address"
    both = Policy(deny=(ip_network("10.1.2.0/24"),), allow=(ip_network("10.0.0.0/8"),))
    assert refusal("10.1.2.3", both) == "address"
    check_address("10.1.3.3", both)


def refusal(ip: str, policy: Policy | None = None) -> str:
    with pytest.raises(FetchRefused) as refused:
        check_address(ip, policy)
    return str(refused.value.reason)
