"""The environment is read once, typed, and refused in one sentence."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from research.environment import Environment, read_environment

KEY = "k" * 50


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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEIGHHOUSE_SECRET_KEY", ""),
        ("WEIGHHOUSE_SECRET_KEY", "short"),
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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEIGHHOUSE_MODE", "debug"),
        ("WEIGHHOUSE_WORKERS", "0"),
        ("WEIGHHOUSE_WORKERS", "two"),
        ("WEIGHHOUSE_WORKERS", "\u0662"),
        ("WEIGHHOUSE_RUN_DEADLINE_S", "0"),
        ("WEIGHHOUSE_LOG_LEVEL", "loud"),
        ("WEIGHHOUSE_PUBLIC_URL", "weigh.example.org"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://a/b"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://a:99999"),
        ("WEIGHHOUSE_PUBLIC_URL", "http://user@a"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=name):
        read(tmp_path, **{name: value})


def test_a_data_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way")
    with pytest.raises(ImproperlyConfigured, match="WEIGHHOUSE_DATA_DIR"):
        read(tmp_path)


def test_the_data_folder_is_made_even_where_the_key_is_given(tmp_path: Path) -> None:
    assert read(tmp_path, WEIGHHOUSE_SECRET_KEY=KEY).data_dir.is_dir()
