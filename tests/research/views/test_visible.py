from django.template import engines

from research.templatetags.weighing import linked, visible
from tests.research.views.reading import LexborHTMLParser


def test_a_character_that_reorders_is_isolated_and_shown_as_text() -> None:
    html = visible("safe\u202eevil")

    assert html == 'safe<bdi class="control" data-code="U+202E">\u202e</bdi>evil'
    assert LexborHTMLParser(html).body.text() == "safe\u202eevil"  # type: ignore[union-attr]


def test_invisible_characters_and_tags_are_shown() -> None:
    for character in "\u200b\u00ad\ufeff\u2066\U000e0041\x1b":
        assert f'data-code="U+{ord(character):04X}"' in visible(f"a{character}b")


def test_nul_and_carriage_return_survive_a_browsers_parser() -> None:
    assert "\N{REPLACEMENT CHARACTER}" in visible("a\0b")
    assert LexborHTMLParser(visible("a\rb")).body.text() == "a\rb"  # type: ignore[union-attr]


def test_half_a_surrogate_pair_is_shown_and_can_be_sent() -> None:
    html = visible("a\ud800b")

    assert 'data-code="U+D800"' in html
    assert html.encode()


def test_a_joiner_is_shown_where_no_script_is_written_with_it() -> None:
    assert 'data-code="U+200D"' in visible("pay\u200dpal")
    assert visible("می\u200cخواهم") == "می\u200cخواهم"


def test_ordinary_text_is_escaped_and_otherwise_left_alone() -> None:
    assert visible("a\tb\n<i>é עברית</i>") == "a\tb\n&lt;i&gt;é עברית&lt;/i&gt;"


def test_addresses_that_people_typed_become_links_and_markup_does_not() -> None:
    html = linked("see https://example.org/a and <b>this</b> javascript:alert(1)")

    assert 'href="https://example.org/a"' in html
    assert "<b>" not in html
    assert html.count("<a ") == 1


def test_what_reorders_typed_text_is_shown_and_is_in_no_address() -> None:
    html = linked("see https://example.org/a\u202eb now\u202e")

    assert "\u202e" not in html
    assert "now⟨U+202E⟩" in html


def test_a_moment_is_relative_with_the_exact_one_beside_it() -> None:
    template = engines["django"].from_string("{% load weighing %}{% when at %}")

    assert template.render({"at": None}) == ""
