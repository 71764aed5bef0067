"""Distributions made to break what collects them: gaps with a name, never a fault."""

import unicodedata
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest

from research.collectors.assembler import collect
from research.collectors.cleaning import MOST_URI, MOST_VALUE
from research.collectors.installed_distribution import MOST_PATH_FILES
from research.collectors.pinning import pin_version
from research.collectors.values import Collected, Outcome
from research.subjects.identity import parse_subject

Install = Callable[..., Collected]
SUBJECT = "pkg:pypi/weigh-me"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Lays files, by their path, into an environment of its own and collects them."""

    def lay(files: dict[str, bytes], metadata: bytes = b"Version: 1.0\n") -> Collected:
        info = "weigh_me-1.0.dist-info"
        for name, body in {f"{info}/METADATA": metadata, **files}.items():
            path = tmp_path / name.replace("INFO", info)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        monkeypatch.syspath_prepend(str(tmp_path))
        return collect(parse_subject(SUBJECT))

    return lay


def facts(collected: Collected) -> dict[str, object]:
    return {f.name: f.value for lookup in collected.lookups for f in lookup.facts}


def gaps(collected: Collected) -> list[str]:
    return [r.reason for r in collected.lookups if r.outcome is Outcome.UNKNOWN]


def test_a_path_file_and_a_licence_of_one_name_are_two_documents(
    install: Install,
) -> None:
    collected = install(
        {
            "INFO/license.pth": b"MIT License\n",
            "license.pth": b"import weigh_me\n",
            "INFO/RECORD": b"license.pth,,\n",
        }
    )
    bodies = {d.uri.rpartition("/")[2]: d.body for d in collected.documents}
    assert bodies["license.pth"] == b"MIT License\n"
    assert bodies["license.pth~2"] == b"import weigh_me\n"
    assert len({d.uri for d in collected.documents}) == len(collected.documents)


def test_control_characters_are_replaced_in_what_is_declared(install: Install) -> None:
    metadata = "Version: 1.0\nSummary: a\x00b\x07c\u202ed\nAuthor: \x1b[31mAda\n"
    known = facts(install({}, metadata.encode()))
    assert known["summary"] == "a\ufffdb\ufffdc\ufffdd"
    shown = "".join(map(str, known.values()))
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs"}]


def test_very_long_values_end_in_a_mark(install: Install) -> None:
    metadata = (
        b"Version: 1.0\nSummary: "
        + b"x" * 50_000
        + b"\n"
        + b"Requires-Dist: y\n" * 30_000
    )
    known = facts(install({}, metadata))
    assert len(str(known["summary"])) == MOST_VALUE
    assert str(known["summary"]).endswith("…")
    required = known["requires_dist"]
    assert isinstance(required, list)
    assert len("\n".join(required)) <= MOST_VALUE
    assert required[-1].endswith("more were left out")


def test_a_very_long_version_is_cut_alike_wherever_it_is_told(
    install: Install,
) -> None:
    collected = install({}, b"Version: 1." + b"0" * 500 + b"\n")
    assert collected.version is not None
    assert len(collected.version) == 200
    assert collected.version == pin_version(parse_subject(SUBJECT), has_documents=False)
    assert all(len(lookup.uri) <= MOST_URI for lookup in collected.lookups)


def test_a_version_with_blanks_makes_no_unusable_uri(install: Install) -> None:
    collected = install({}, b"Version: 1 \x00 2\n")
    assert all(d.uri.isascii() and d.uri.isprintable() for d in collected.documents)
    assert all(" " not in document.uri for document in collected.documents)


@pytest.mark.parametrize(
    "metadata", [b"", b"\xff\xfe\x00", b"Name: x\n", b"Version:\n", b"\n\nVersion: 1\n"]
)
def test_without_a_version_there_is_none_to_pin(
    install: Install, metadata: bytes
) -> None:
    collected = install({}, metadata)
    assert not collected.version
    assert pin_version(parse_subject(SUBJECT), has_documents=False) == ""


def test_a_uri_that_is_too_long_is_a_named_gap(install: Install) -> None:
    folders = "/".join(["\N{SNOWMAN}" * 80] * 4)
    collected = install({f"INFO/licenses/{folders}/x": b"MIT License\n"})
    assert any("too long to be kept" in reason for reason in gaps(collected))
    assert all(len(lookup.uri) <= MOST_URI for lookup in collected.lookups)
    assert all(len(document.uri) <= MOST_URI for document in collected.documents)


def test_a_thousand_path_files_are_bounded_and_counted(install: Install) -> None:
    names = [f"hook{number}.pth" for number in range(1_000)]
    record = "".join(f"{name},,\n" for name in names).encode()
    collected = install({"INFO/RECORD": record})
    looked_up = [r for r in collected.lookups if r.source == "path files"]
    assert len(looked_up) == MOST_PATH_FILES + 1
    assert "950 more path files were left out." in gaps(collected)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("direct_url.json", b"[" * 200_000),
        ("direct_url.json", b"[]"),
        ("entry_points.txt", b"\xff"),
        ("entry_points.txt", b"[a]\n b\n=\n"),
        ("RECORD", b'"' + b"x" * 200_000),
        ("RECORD", b"\x00.pth,,\n" + b"y" * 5_000 + b".pth,,\n"),
        ("WHEEL", b"\xff\x00"),
        ("WHEEL", b"Tag: " + b"z" * 100_000),
    ],
)
def test_no_file_of_a_distribution_can_make_collecting_fail(
    install: Install, name: str, body: bytes
) -> None:
    collected = install({f"INFO/{name}": body})
    for lookup in collected.lookups:
        assert len(lookup.uri) <= MOST_URI
        assert len(lookup.reason) <= 500
        assert "\x00" not in lookup.uri + lookup.reason + str(lookup.facts)


def test_metadata_that_is_no_regular_file_is_not_waited_for(
    install: Install, tmp_path: Path
) -> None:
    install({})
    metadata = tmp_path / "weigh_me-1.0.dist-info" / "METADATA"
    metadata.unlink()
    metadata.mkdir()
    collected = collect(parse_subject(SUBJECT))
    assert "METADATA: no regular file." in gaps(collected)
    assert distribution("weigh-me")
