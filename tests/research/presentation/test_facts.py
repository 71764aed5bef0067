"""Facts as people read them."""

import pytest

from research.presentation.facts import fact_line, fact_name, fact_value


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("requires_python", "requires Python"),
        ("project_urls", "project URLs"),
        ("native_files", "native files"),
        ("licence", "licence"),
    ],
)
def test_a_name_is_read_in_words(name: str, read: str) -> None:
    assert fact_name(name) == read


def test_an_empty_list_is_none() -> None:
    assert fact_value("") == fact_line("") == "none"


def test_a_list_is_one_entry_a_line_or_one_line() -> None:
    assert fact_value("a\nb") == "a\nb"
    assert fact_line("a\nb") == "a; b"
