"""Only addresses of the public internet pass, on every version of Python alike."""

from ipaddress import ip_network

import pytest

from chat.web.guard import FetchRefused, Policy, check_address


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


def test_a_policy_may_deny_more_and_never_less() -> None:
    with pytest.raises(FetchRefused):
        check_address("1.1.1.1", Policy(deny=(ip_network("1.1.1.0/24"),)))
