"""What the settings make of the environment, read afresh in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

ROOT = Path(__file__).resolve().parents[2]
KEY = "0123456789-hushed-key-of-nobody-0123456789-abc"
NAMES = (
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "SESSION_COOKIE_NAME",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_NAME",
    "CSRF_COOKIE_SECURE",
    "SECURE_HSTS_SECONDS",
    "SECURE_PROXY_SSL_HEADER",
)
OURS = ("WEIGHHOUSE_", "DATABASE_", "REDIS_", "ANTHROPIC_", "OPENROUTER_")
# One line of JSON for each of the addresses.
DERIVE = """
import json, os, runpy, sys
for url in sys.argv[1:]:
    os.environ["WEIGHHOUSE_PUBLIC_URL"] = url
    made = runpy.run_path("research/settings.py")
    proxies = made["REST_FRAMEWORK"]["NUM_PROXIES"]
    print(json.dumps({**{name: made[name] for name in NAMES}, "proxies": proxies}))
"""
REPORT = """
from django.conf import settings
from django.views.debug import get_default_exception_reporter_filter as chosen
print(chosen().get_safe_settings())
print("set:", settings.SECRET_KEY, settings.Q_CLUSTER, settings.DATABASES)
print(settings.PROVIDER_KEYS)
"""
URLS = {
    "https": "https://Weigh.example.org/",
    "port": "https://weigh.example.org:8443",
    "http": "http://weigh.example.org",
    "loopback": "http://localhost:8000",
    "ipv6": "http://[::1]:8000",
}


def python(script: str, *arguments: str, data: Path, **more: str) -> str:
    """What a script prints that runs with this environment and no other of ours."""
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(OURS)}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "research.settings",
        "WEIGHHOUSE_DATA_DIR": str(data),
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """By the keys of URLS, what follows from each."""
    script = f"NAMES = {NAMES!r}\n{DERIVE}"
    lines = python(script, *URLS.values(), data=tmp_path_factory.mktemp("data"))
    return dict(zip(URLS, map(json.loads, lines.splitlines()), strict=True))


def test_behind_https_cookies_are_locked_to_the_host(
    derived: dict[str, dict[str, Any]],
) -> None:
    assert derived["https"] == {
        "PUBLIC_URL": "https://weigh.example.org",
        "ALLOWED_HOSTS": ["weigh.example.org"],
        "CSRF_TRUSTED_ORIGINS": ["https://weigh.example.org"],
        "SESSION_COOKIE_NAME": "__Host-weighhouse",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_NAME": "__Host-weighhouse-csrf",
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
        "proxies": 1,
    }


def test_without_https_no_header_of_a_proxy_is_believed(
    derived: dict[str, dict[str, Any]],
) -> None:
    assert derived["http"] == {
        "PUBLIC_URL": "http://weigh.example.org",
        "ALLOWED_HOSTS": ["weigh.example.org"],
        "CSRF_TRUSTED_ORIGINS": ["http://weigh.example.org"],
        "SESSION_COOKIE_NAME": "weighhouse",
        "SESSION_COOKIE_SECURE": False,
        "CSRF_COOKIE_NAME": "weighhouse-csrf",
        "CSRF_COOKIE_SECURE": False,
        "SECURE_HSTS_SECONDS": 0,
        "SECURE_PROXY_SSL_HEADER": None,
        "proxies": 0,
    }


def test_a_port_is_part_of_the_origin_and_not_of_the_host(
    derived: dict[str, dict[str, Any]],
) -> None:
    assert derived["port"]["ALLOWED_HOSTS"] == ["weigh.example.org"]
    origins = derived["port"]["CSRF_TRUSTED_ORIGINS"]
    assert origins == ["https://weigh.example.org:8443"]


@pytest.mark.parametrize("key", ["loopback", "ipv6"])
def test_on_this_machine_all_its_names_are_hosts(
    derived: dict[str, dict[str, Any]], key: str
) -> None:
    assert derived[key]["ALLOWED_HOSTS"] == ["127.0.0.1", "[::1]", "localhost"]
    assert derived[key]["CSRF_TRUSTED_ORIGINS"] == [URLS[key]]


def test_what_error_reports_show_of_the_settings_holds_no_secret(
    tmp_path: Path,
) -> None:
    shown, known = python(
        REPORT,
        data=tmp_path,
        WEIGHHOUSE_SECRET_KEY=KEY,
        DATABASE_URL="postgres://u:hushed@db.example.org/w",
        REDIS_URL="redis://:hushed@redis.example.org/0",
        ANTHROPIC_API_KEY="hushed",
        OPENROUTER_API_KEY="hushed",
        WEIGHHOUSE_ENDPOINT_KEY="hushed",
    ).split("set:")

    assert known.count("hushed") == 6
    assert "weighhouse" in shown
    assert "hushed" not in shown


def test_snapshots_are_for_the_product_alone_whatever_the_umask(
    tmp_path: Path,
) -> None:
    store = storages.create_storage(
        {**storages.backends["snapshots"], "OPTIONS": {"location": tmp_path / "new"}}
    )
    before = os.umask(0)
    try:
        store.save("organization/ab/abcd", ContentFile(b"evidence"))
    finally:
        os.umask(before)

    made = sorted((tmp_path / "new").rglob("*"))
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in made}
    assert modes == {"organization": "0o700", "ab": "0o700", "abcd": "0o600"}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
