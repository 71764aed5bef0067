"""The environment is read once, typed, and refused in one sentence."""

from ipaddress import ip_network
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.views.debug import SafeExceptionReporterFilter

import chat.toolset  # noqa: F401 - registers the searches by providers
from chat.web.guard.identity import user_agent
from chat.web.search import SearchMisconfigured, backend
from research.environment import SECRETS, Environment, read_environment

KEY = "0123456789-a-key-of-nobody-0123456789-abcdef"


def read(tmp_path: Path, **values: str) -> Environment:
    return read_environment(
        {"WEIGHHOUSE_DATA_DIR": str(tmp_path / "data"), **values}, tmp_path
    )


def production(tmp_path: Path, **values: str) -> Environment:
    safe = {
        "WEIGHHOUSE_MODE": "production",
        "WEIGHHOUSE_SECRET_KEY": KEY,
        "WEIGHHOUSE_PUBLIC_URL": "https://weigh.example.org",
    }
    return read(tmp_path, **{**safe, **values})


def test_nothing_set_is_a_working_local_installation(tmp_path: Path) -> None:
    env = read(tmp_path)
    assert not env.production
    assert env.public_url == "http://127.0.0.1:8000"
    assert env.workers == 2


def test_the_local_secret_key_is_made_once_and_kept(tmp_path: Path) -> None:
    first = read(tmp_path).secret_key
    assert len(first) >= 50
    assert read(tmp_path).secret_key == first
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o077 == 0


def test_an_unknown_name_of_ours_stops_start_up(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="WEIGHHOUSE_WORKER "):
        read(tmp_path, WEIGHHOUSE_WORKER="3")


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("postgres://db.example.org/weighhouse\n")
    env = read(tmp_path, DATABASE_URL_FILE=str(file))
    assert env.database_url == "postgres://db.example.org/weighhouse"


def test_a_secret_from_a_file_and_a_variable_at_once_is_refused(
    tmp_path: Path,
) -> None:
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL and REDIS_URL_FILE"):
        read(tmp_path, REDIS_URL="redis://a", REDIS_URL_FILE="/b")


def test_a_secret_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="ANTHROPIC_API_KEY_FILE"):
        read(tmp_path, ANTHROPIC_API_KEY_FILE=str(tmp_path / "absent"))


@pytest.mark.parametrize("name", sorted(SECRETS))
@pytest.mark.parametrize("content", ["", " \n\t\n"])
def test_an_empty_secret_file_is_not_taken_as_nothing_set(
    tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / "secret").write_text(content)
    with pytest.raises(ImproperlyConfigured, match=f"{name}_FILE must name a file"):
        read(tmp_path, **{f"{name}_FILE": str(tmp_path / "secret")})


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_an_empty_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name}_FILE must name a file"):
        read(tmp_path, **{f"{name}_FILE": ""})


def test_no_secret_is_in_its_repr(tmp_path: Path) -> None:
    env = read(
        tmp_path,
        WEIGHHOUSE_SECRET_KEY=f"hushed-{KEY}",
        DATABASE_URL="postgres://u:hushed@db.example.org/w",
        REDIS_URL="redis://:hushed@redis.example.org/0",
        ANTHROPIC_API_KEY="hushed",
        OPENROUTER_API_KEY="hushed",
        WEIGHHOUSE_ENDPOINT_KEY="hushed",
    )
    assert env.endpoint_key == "hushed"
    assert env.redis_url == "redis://:hushed@redis.example.org/0"
    assert "hushed" not in f"{env!r} {env}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEIGHHOUSE_SECRET_KEY", ""),
        ("WEIGHHOUSE_SECRET_KEY", "short"),
        ("WEIGHHOUSE_SECRET_KEY", "k" * 50),
        ("WEIGHHOUSE_SECRET_KEY", "abcdefghi" * 8),
        ("WEIGHHOUSE_PUBLIC_URL", ""),
        ("WEIGHHOUSE_PUBLIC_URL", "http://weigh.example.org"),
    ],
)
def test_production_refuses_unsafe_values_and_names_the_variable(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=name):
        production(tmp_path, **{name: value})


def test_production_with_safe_values_starts(tmp_path: Path) -> None:
    env = production(tmp_path)
    assert env.production
    assert env.https
    assert env.public_host == "weigh.example.org"


@pytest.mark.row("C4")
def test_private_networks_are_read_from_where_the_operator_names_them(
    tmp_path: Path,
) -> None:
    named = read(tmp_path, WEIGHHOUSE_FETCH_ALLOW_NETWORKS="10.1.0.0/16, fd00:1::/64,")

    assert read(tmp_path).fetch_allow_networks == ()
    assert list(map(str, named.fetch_allow_networks)) == ["10.1.0.0/16", "fd00:1::/64"]


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    "contact", ["https://weigh.example.org/bot?a=b#c", "ada+bot@weigh.example.org"]
)
def test_a_contact_is_taken_as_the_guard_tells_it(tmp_path: Path, contact: str) -> None:
    read_contact = read(tmp_path, WEIGHHOUSE_CONTACT=contact).contact

    assert read(tmp_path).contact == ""
    assert read_contact == contact
    assert contact in user_agent(read_contact)


@pytest.mark.row("C4")
def test_networks_that_are_opened_are_logged_at_start(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = apps.get_app_config("research")
    product.ready()
    assert not caplog.records

    opened = (ip_network("10.1.0.0/16"),)
    monkeypatch.setattr(settings, "FETCH_ALLOW_NETWORKS", opened)
    product.ready()

    assert [
        (record.levelname, "10.1.0.0/16" in record.message) for record in caplog.records
    ] == [("WARNING", True)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEIGHHOUSE_MODE", "debug"),
        ("WEIGHHOUSE_WORKERS", "0"),
        ("WEIGHHOUSE_WORKERS", "two"),
        ("WEIGHHOUSE_WORKERS", "\u0662"),
        ("WEIGHHOUSE_RUN_DEADLINE_S", "0"),
        ("WEIGHHOUSE_LOG_LEVEL", "loud"),
        ("WEIGHHOUSE_FETCH_ALLOW_NETWORKS", "intranet"),
        ("WEIGHHOUSE_FETCH_ALLOW_NETWORKS", "10.1.2.3/16"),
        ("WEIGHHOUSE_FETCH_ALLOW_NETWORKS", "10.1.0.0/16, ::/0"),
        ("WEIGHHOUSE_CONTACT", "http://weigh.example.org"),
        ("WEIGHHOUSE_CONTACT", "Ada of the weigh house"),
        ("WEIGHHOUSE_CONTACT", "ada@example.org) (x"),
        ("WEIGHHOUSE_CONTACT", "ada@example.org\n"),
        ("WEIGHHOUSE_PUBLIC_URL", "weigh.example.org"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://a/b"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://a:99999"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://user@a"),
        ("DATABASE_URL", "mysql://u:hushed@db.example.org/w"),
        ("DATABASE_URL", "hushed"),
        ("DATABASE_URL", "sqlite:hushed"),
        ("REDIS_URL", "http://:hushed@redis.example.org"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=name) as refused:
        read(tmp_path, **{name: value})
    assert "hushed" not in str(refused.value)


@pytest.mark.parametrize(
    "rest",
    [
        "*",
        "*.example.org",
        ".example.org",
        "example.org.",
        "a..b",
        "-a.example.org",
        "a-.example.org",
        "a_b.example.org",
        f"{'a' * 64}.example.org",
        f"{'a.' * 127}org",
        "bücher.example",
        "\u212aelvin.example",
        ":pw@a.example.org",
        "@a.example.org",
        "me:pw@a.example.org",
        "a.example.org#x",
        "a.example.org?",
        "a.example.org/?x",
        "a.example.org/x",
        "a.example.org//",
        "a.example.org\\x",
        "a.example.org:",
        "a.example.org:0",
        "a.example.org:65536",
        "a.example.org:https",
        "a.example.org,b.example.org",
        "a.example.org b.example.org",
        "a.example.org\n",
        "a%2eexample.org",
        "1.2.3",
        "1.2.3.256",
        "01.2.3.4",
        "::1",
        "[::1",
        "[fe80::1%25eth0]",
        "[a.example.org]",
        "[]",
        "",
    ],
)
def test_a_public_address_is_one_plain_host(tmp_path: Path, rest: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="WEIGHHOUSE_PUBLIC_URL must be"):
        read(tmp_path, WEIGHHOUSE_PUBLIC_URL=f"https://{rest}")


@pytest.mark.parametrize(
    ("given", "url", "host"),
    [
        (
            "https://weigh.example.org/",
            "https://weigh.example.org",
            "weigh.example.org",
        ),
        ("HTTPS://Weigh.Example.ORG:443", "https://weigh.example.org", ""),
        ("http://intranet:080", "http://intranet", "intranet"),
        ("https://xn--bcher-kva.example:8443", "", "xn--bcher-kva.example"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000", "192.0.2.7"),
        ("http://[2001:DB8:0::1]:8000", "http://[2001:db8::1]:8000", "[2001:db8::1]"),
        ("http://[::1]:8000", "http://[::1]:8000", "[::1]"),
    ],
)
def test_the_public_address_is_kept_as_browsers_write_it(
    tmp_path: Path, given: str, url: str, host: str
) -> None:
    env = read(tmp_path, WEIGHHOUSE_PUBLIC_URL=given)
    assert env.public_url == (url or given)
    assert env.public_host == (host or "weigh.example.org")


@pytest.mark.parametrize(
    "address",
    ["", "sqlite:////tmp/w.sqlite3", "postgres://h/w", "postgresql://h/w"],
)
def test_a_database_of_a_kind_we_know_is_accepted(tmp_path: Path, address: str) -> None:
    assert read(tmp_path, DATABASE_URL=address).database_url == address


def test_a_data_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way")
    with pytest.raises(ImproperlyConfigured, match="WEIGHHOUSE_DATA_DIR"):
        read(tmp_path)


def test_the_data_folder_is_made_even_where_the_key_is_given(tmp_path: Path) -> None:
    assert read(tmp_path, WEIGHHOUSE_SECRET_KEY=KEY).data_dir.is_dir()


def test_what_searches_need_is_read_by_name_or_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from-a-file\n")
    given = {"BRAVE_API_KEY": "given", "TAVILY_API_KEY_FILE": str(file)}
    env = read(tmp_path, **given)
    assert env.search["BRAVE_API_KEY"] == "given"
    assert env.search["TAVILY_API_KEY"] == "from-a-file"
    assert env.search["SERPER_API_KEY"] == ""
    assert "given" not in repr(env)


def test_settings_name_what_each_search_is_made_with() -> None:
    for name, options in settings.SEARCH_KEYS.items():
        with pytest.raises(SearchMisconfigured, match="is not set"):
            backend(name, **options)
    hidden = SafeExceptionReporterFilter().get_safe_settings()["SEARCH_KEYS"]
    assert hidden == SafeExceptionReporterFilter.cleansed_substitute
