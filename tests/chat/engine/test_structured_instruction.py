"""What the finalizer is told: the schema, and the exact errors."""

import json

import pytest

from tests.chat.engine.schema_cast import (
    OBJECT,
    Point,
    contract,
    errors,
)


@pytest.mark.row("B9")
def test_the_instruction_holds_the_schema_and_the_exact_errors() -> None:
    told = errors(Point, {"n": "1"})
    text = contract(Point).instruction(told, schema_chars=3000, error_chars=1500)

    assert text.startswith("Answer now with one JSON object and nothing else")
    assert '"required":["n"]' in text
    assert "did not fit:\n- $.n: Input should be a valid integer" in text
    assert "cut here" not in text


def test_the_instruction_without_errors_only_asks() -> None:
    text = contract(list[int]).instruction((), schema_chars=3000, error_chars=1500)

    assert text.startswith("Answer now with one JSON array")
    assert "did not fit" not in text


def test_the_instruction_marks_what_it_cuts() -> None:
    made = contract(OBJECT)
    text = made.instruction(["$: " + "x" * 90], schema_chars=22, error_chars=10)
    size = len(json.dumps(OBJECT, separators=(",", ":")))

    assert f'\n{{"type":"object","prop\n[cut here: 22 of {size} characters' in text
    assert text.endswith("- $: xxxxx\n[cut here: 10 of 95 characters are shown]")
    assert "cut here: 0 of" in made.instruction((), schema_chars=-5, error_chars=0)
