"""Which JSON in a model's text is its answer, and at what cost."""

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.engine.json_scan import find_json, value_problem

FENCED = '```json\n{"a": 1}\n```'
LONG = "I will not do this, because the rules of this place forbid it. " * 4

ANSWERS = {
    "the whole text": ' {"a": 1}\n',
    "all of it in one fence": FENCED,
    "in a fence of tildes": '~~~\n{"a": 1}\n~~~\n',
    "a fence that was never closed": '```json\n{"a": 1}',
    "a fence closed on the last line": 'So:\n```json\n{"a": 1}```',
    "after prose": 'Here it is:\n{"a": 1}',
    "indented": 'Here it is:\n\t {\n  "a": 1\n }\r\n',
    "before prose": '{"a": 1}\n\nLet me know if you need more!',
    "in a fence between prose": f"Here:\n{FENCED}\nLet me know!",
    "after an example in a fence": 'Say\n```\n{"a": 0}\n```\nFinal:\n{"a": 1}',
    "in a fence after an example": f'Such as:\n{{"a": 0}}\n\nFinal:\n{FENCED}',
    "one a line, the last counts": '{"a": 0}\n{"a": 1}\n',
    "after an example that its fence cuts": '```\n{"a": "\n```\nNow:\n{"a": 1}',
    "after a broken example": "So:\n{'a': 0}\nFinal:\n{\"a\": 1}",
    "before footnotes": '{"a": 1}\n\n[1] https://example.org\n[2]\n',
    "beside inline quotations": 'You wrote {"a": 0}.\n{"a": 1}\nAnd `{"a": 2}`.',
    "after a block quotation": '> {"a": 0}\n\n{"a": 1}',
    "before a block quotation": '{"a": 1}\n\n> {"a": 0}\n',
    "a quotation ends at a fence": f"> You wrote this:\n{FENCED}",
    "after a text that begins with Error:": 'Error: none at all.\n{"a": 1}',
}

REFUSED = {
    "nothing": ("", "is empty"),
    "only spaces": (" \n ", "is empty"),
    "prose": ("Error: I cannot.", "No JSON object begins a line"),
    "an inline quotation": ('I cannot. You wrote {"a": 1}.', "No JSON object"),
    "inline code": ('I cannot.\n`{"a": 1}` is what you wrote.', "No JSON object"),
    "a block quotation": ('I cannot.\n> {"a": 1}', "No JSON object"),
    "a quotation without marks on its second line": (
        'I cannot.\n> You wrote:\n{"a": 1}',
        "No JSON object",
    ),
    "a fence in a quotation": ('No.\n> ```\n> {"a": 1}\n> ```', "No JSON object"),
    "a sentence that begins with it": ('No.\n{"a": 1} is not mine.', "text after it"),
    "a refusal that goes on for long": (f"You:\n{FENCED}\n{LONG}", "more than 200"),
    "inside an array": ('So:\n[\n{"a": 1}\n]', "No JSON object begins a line"),
    "inside an array that is cut off": ('So:\n[\n{"a": 1},\n', "No JSON object"),
    "cut off after an example": (
        'Such as:\n{"a": 0}\nFinal:\n{"a": 1, "b": [{"a": 2}',
        "(line 4) is cut off",
    ),
    "cut off inside a string": ('{"a": "and then', "is cut off"),
    "cut off by its fence": ('Take\n```\n{"a": 1\n```\nas it is.', "is cut off"),
    "broken after an example": (
        'Such as:\n{"a": 0}\nFinal:\n{"a": 1 "b": 2}',
        "(line 4) is not valid: Expecting ',' delimiter at line 4, column 9",
    ),
    "in Python's notation": ("{'a': 1}", "enclosed in double quotes at line 1"),
    "a line end in a string": ('{"a": "x\ny"}', "Invalid control character at line 1"),
    "a name twice": ('{"a": 1, "b": {"a": 1, "a": 2}}', "the name 'a' is given twice"),
    "not a number": ('{"a": NaN}', "the number NaN is not finite"),
    "too large a number": ('{"a": -1e999}', "the number -1e999 is not finite"),
    "too many digits": ('{"a": 1' + "0" * 5000 + "}", "has too many digits"),
    "half a surrogate pair": ('{"a": "\\ud800"}', "half of a surrogate pair"),
    "half a pair as it is": ('{"a": "\udc00"}', "half of a surrogate pair"),
    "too deep": ('{"a":' * 65 + "1" + "}" * 65, "more than 64 levels"),
    "brackets without end": ("[" * 100_000, "No JSON object"),
    "objects without end": ('{"a":' * 100_000, "nested too deeply"),
    "deep and closed": ("x\n" + '{"a":' * 99_999 + "1" + "}" * 99_999, "too deeply"),
    "a scalar in prose": ("The answer is\n42\n", "No JSON object"),
}


@pytest.mark.row("B9")
@pytest.mark.parametrize("case", ANSWERS)
def test_the_answer_is_found(case: str) -> None:
    found = find_json(ANSWERS[case], "{")

    assert (found.value, found.problem) == ({"a": 1}, "")


@pytest.mark.row("B9")
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_answer_is_refused_with_a_reason(case: str) -> None:
    text, reason = REFUSED[case]
    found = find_json(text, "{")

    assert reason in found.problem
    assert found.problem.endswith(
        "Answer with one complete JSON object and no words around it."
    )
    assert found.value is None


def test_a_reason_names_the_place_in_the_whole_text() -> None:
    problem = find_json('Here:\n\n```\n{\n "a": tru\n}\n```', "{").problem

    assert "object of the answer (line 4) is not valid" in problem
    assert "Expecting value at line 5, column 7" in problem


def test_exactly_two_hundred_characters_may_follow() -> None:
    assert not find_json(f"{FENCED}\n{'x' * 200}\n```\n", "{").problem
    assert find_json(f"{FENCED}\n{'x' * 201}\n", "{").problem


def test_an_array_is_an_answer_where_arrays_are_wanted() -> None:
    text = 'So:\n[\n{"a": 1},\n[2]\n]\n{"b": 1}'

    assert find_json(text, "[").value == [{"a": 1}, [2]]
    assert find_json(text, "{").value == {"b": 1}
    assert find_json(text).value == {"b": 1}


@pytest.mark.parametrize("text", ["42", ' "x" ', "null", "true", "```\n4.5\n```"])
def test_a_scalar_is_an_answer_as_the_whole_text(text: str) -> None:
    assert not find_json(text, "").problem


@pytest.mark.parametrize("text", ["It is 42", "It is\n42", '{"a": 1}\nor\n[1]', '"x'])
def test_a_scalar_is_no_answer_among_other_words(text: str) -> None:
    assert "The answer is not one JSON value" in find_json(text, "").problem


def test_values_that_a_provider_has_parsed_are_held_to_the_same_rules() -> None:
    deep: Any = 1
    for _ in range(70):
        deep = [deep]

    assert value_problem({"a": [1, None, "é😀"]}) is None
    for value in (deep, float("nan"), {1: 2}, {"a": "\ud800"}, (1,), 10**5000):
        assert value_problem(value)


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
scalars |= st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    scalars,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(), part),
    max_leaves=8,
)
containers = st.lists(values, max_size=3) | st.dictionaries(st.text(), values)
lines = st.sampled_from(
    [
        "",
        "Well.",
        "Error: it's \"odd",
        'You wrote {"x": 0}, or [1',
        '```json\n{"example": 0}\n```',
        '> {"quoted": [\n',
        "- [ ] later\\",
        "~~~",
    ]
)
before = st.lists(lines, max_size=4)
after = st.lists(st.sampled_from(["", "Let me know!", "```", "It is {}."]), max_size=4)


@pytest.mark.row("B9")
@given(containers, before, after, st.booleans(), st.sampled_from([None, 0, 2]))
def test_any_value_between_lines_of_prose_is_found_again(
    value: Any, first: list[str], then: list[str], plain: bool, indent: int | None
) -> None:
    written = json.dumps(value, ensure_ascii=plain, indent=indent)
    found = find_json("\n".join([*first, written, *then]))

    assert found.problem == ""
    assert json.dumps(found.value) == json.dumps(value)


hostile = st.sampled_from(
    ["{", "}", "[", "]", '"', "\\", "\n", "```", "> ", "a", ":", ",", "1", "\ud800"]
)


@settings(max_examples=400)
@given(st.lists(hostile, max_size=60).map("".join), st.sampled_from(["", "{", "{["]))
def test_a_search_never_raises_and_finds_only_json(text: str, kinds: str) -> None:
    found = find_json(text, kinds)

    assert found.steps <= 6 * len(text)
    assert value_problem(found.value) is None
    assert not (found.problem and found.value)


HOSTILE = {
    "open braces": "{",
    "open objects": '{"a":',
    "an object a line": '{"a": 1}\n',
    "a brace a line": "{\n",
    "braces in fences": "{\n```\n",
    "quotes": '"',
    "backslashes": '\\"',
    "spaces": "\n       ",
    "fences": "```\n",
    "quotations": "> {\n",
}


@pytest.mark.row("B9")
@pytest.mark.parametrize("start", ["", "{", '{"', "```\n", "x\n[\n"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_the_steps_of_a_search_grow_with_the_text(kind: str, start: str) -> None:
    unit = HOSTILE[kind]
    texts = [start + unit * (size // len(unit)) for size in (16_000, 64_000)]
    short, long = (find_json(text).steps for text in texts)

    assert long <= 6 * len(texts[1])
    assert long <= 4.1 * short


@pytest.mark.row("B9")
@pytest.mark.parametrize("start", ["", '{"'])
@pytest.mark.parametrize("kind", ["open braces", "open objects", "backslashes"])
def test_four_times_the_text_is_not_sixteen_times_the_work(
    kind: str, start: str
) -> None:
    unit = HOSTILE[kind]

    def work(size: int) -> float:
        text = start + unit * (size // len(unit))
        began = process_time()
        find_json(text)
        return process_time() - began

    short, long = (min(work(size) for _ in range(3)) for size in (250_000, 1_000_000))
    assert long < 10 * short
