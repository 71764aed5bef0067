"""A file of prices: read exactly, or refused with one sentence."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from accounts.errors import BadInput, TooLarge
from accounts.price_file import read_price_file
from accounts.price_row import PriceRow, Rates, Speed

RECORD: dict[str, Any] = {
    "model": "some-model",
    "valid_from": "2026-12-01",
    "input": "2.5",
    "output": 10,
    "source": "example.org/pricing",
}
CLIFF = {"cliff_above": 200_000, "cliff_input": "5", "cliff_output": "20"}


def json_file(folder: Path, *records: Any) -> Path:
    path = folder / "prices.json"
    path.write_text(json.dumps(list(records)))
    return path


def text_file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_json_file_gives_exact_figures(tmp_path: Path) -> None:
    text = '[{"model": "m", "valid_from": "2027-01-31", "input": 0.1,'
    text += ' "output": 1e-06, "cache_read": null, "batch_factor": "0.5",'
    text += ' "source": "a page", "speed": "fast"}]'
    (read,) = read_price_file(text_file(tmp_path, "p.json", text))
    assert read == PriceRow(
        "m",
        date(2027, 1, 31),
        Rates(Decimal("0.1"), Decimal("0.000001")),
        speed=Speed.FAST,
        batch_factor=Decimal("0.5"),
        source="a page",
    )


def test_a_csv_file_gives_the_same_rows(tmp_path: Path) -> None:
    record = {**RECORD, **CLIFF, "cliff_cache_read": "", "searches_per_1000": 10}
    lines = [",".join(record), ",".join(map(str, record.values())), ""]
    spreadsheet = "\ufeff" + "\r\n".join(lines)
    table = read_price_file(text_file(tmp_path, "p.CSV", spreadsheet))
    assert table == read_price_file(
        json_file(tmp_path, {**record, "cliff_cache_read": None})
    )
    assert table[0].cliff is not None
    assert table[0].cliff.above == 200_000


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"inptu": 1}, "inptu: There is no such column"),
        ({"model": None}, "model: This is missing"),
        ({"source": " "}, "source: This is missing"),
        ({"input": -1}, "input: -1 is less than zero"),
        ({"input": float("nan")}, "input: 'NaN' is no number"),
        ({"input": float("inf")}, "input: 'Infinity' is no number"),
        ({"input": "1_000"}, "no number"),
        ({"input": "٣"}, "no number"),
        ({"input": "$3"}, "no number"),
        ({"input": "0.0000001"}, "six digits"),
        ({"input": "1." + "0" * 60 + "1"}, "six digits"),
        ({"input": "1e6"}, "six digits"),
        ({"input": 1_000_000}, "six digits"),
        ({"input": True}, "Text or a number"),
        ({"input": [1]}, "Text or a number"),
        ({"model": "a b"}, "no id of a model"),
        ({"model": "m" * 121}, "no id of a model"),
        ({"source": "s" * 201}, "At most 200 characters"),
        ({"source": "a\x00b"}, "At most 200 characters"),
        ({"valid_from": "20261201"}, "A day such as"),
        ({"valid_from": "2026-W49-2"}, "A day such as"),
        ({"valid_from": "2026-02-30"}, "There is no day"),
        ({"speed": "warp"}, "One of standard, fast"),
        ({"batch_factor": 0}, "More than 0 and at most 1"),
        ({"batch_factor": "1.5"}, "More than 0 and at most 1"),
        ({"cliff_above": 200_000}, "cliff_input: A cliff needs this"),
        ({"cliff_input": 5, "cliff_output": 5}, "cliff_above: A cliff needs this"),
        ({"cliff_cache_read": 5}, "cliff_above: A cliff needs this"),
        ({**CLIFF, "cliff_above": "2e5"}, "A whole number of tokens"),
        ({**CLIFF, "cliff_above": 0}, "A whole number of tokens"),
    ],
)
def test_a_row_that_makes_no_sense_is_named(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    good = {**RECORD, "model": "other-model"}
    with pytest.raises(BadInput) as refused:
        read_price_file(json_file(tmp_path, good, {**RECORD, **changes}))
    assert refused.value.message.startswith("Row 2: ")
    assert says in refused.value.message


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.yaml", "[]", "Name a .json or a .csv"),
        ("p.json", "[]", "no row"),
        ("p.csv", "", "no row"),
        ("p.csv", "model,input\r\n", "no row"),
        ("p.json", "{", "no JSON"),
        ("p.json", "[" * 100_000, "no JSON"),
        ("p.json", "{}", "a list of objects"),
        ("p.json", "[1]", "a list of objects"),
        ("p.json", '[{"model": "a", "model": "b"}]', "the same column twice"),
        ("p.csv", "model,model\r\na,b\r\n", "a column twice"),
        ("p.csv", "model,input\r\na\r\n", "Row 1 has 1 cells under 2 columns"),
        ("p.csv", 'model\r\n"a', "no CSV"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        read_price_file(text_file(tmp_path, name, text))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"model\r\n\xe9\r\n")
    names = ("folder.json", "absent.json", "nul\x00.json", "latin.csv")
    for path in map(tmp_path.joinpath, names):
        with pytest.raises(BadInput):
            read_price_file(path)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TooLarge):
        read_price_file(text_file(tmp_path, "p.csv", "x" * (1024 * 1024 + 1)))
    with pytest.raises(TooLarge):
        read_price_file(json_file(tmp_path, *[{}] * 501))


def test_two_rows_of_the_same_are_refused(tmp_path: Path) -> None:
    fast, later = {"speed": "fast"}, {"valid_from": "2026-12-02"}
    others = [{**RECORD, **fast}, {**RECORD, **later}]
    assert len(read_price_file(json_file(tmp_path, RECORD, *others))) == 3
    with pytest.raises(BadInput, match="two rows"):
        read_price_file(json_file(tmp_path, RECORD, {**RECORD, "input": 3}))
