"""The collector for distributions that are installed in the running environment."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.errors import BadInput, NotFound
from research.collectors.assembler import collect
from research.collectors.values import Collected, Outcome
from research.subjects.identity import parse_subject

METADATA = (
    "Metadata-Version: 2.4\nName: weigh-me\nVersion: 1.0\nLicense: MIT\n\nHello.\n"
)
Install = Callable[..., Collected]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Lays files as a distribution into an environment of its own and collects it."""

    def lay(files: dict[str, str], info: str = "weigh_me-1.0.dist-info") -> Collected:
        for name, text in {"METADATA": METADATA, **files}.items():
            path = tmp_path / name.removeprefix("/")
            if not name.startswith("/"):
                path = tmp_path / info / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        return collect(parse_subject("pkg:pypi/weigh-me"))

    return lay


def facts(collected: Collected) -> dict[str, object]:
    return {f.name: f.value for lookup in collected.lookups for f in lookup.facts}


def lookups(collected: Collected) -> dict[str, tuple[str, str]]:
    return {each.source: (each.outcome, each.reason) for each in collected.lookups}


def test_a_pinned_distribution_comes_with_its_own_words() -> None:
    collected = collect(parse_subject("pkg:pypi/bleach"))
    known = facts(collected)
    assert collected.version == known["version"]
    assert known["development_status"] == "7 - Inactive"
    assert known["requires_dist"] == [
        "webencodings",
        'tinycss2>=1.1.0; extra == "css"',
    ]
    uris = [document.uri for document in collected.documents]
    assert f"dist:bleach=={collected.version}/METADATA" in uris
    assert f"dist:bleach=={collected.version}/licenses/LICENSE" in uris


def test_declared_and_observed_facts_are_told_apart() -> None:
    collected = collect(parse_subject("pkg:pypi/selectolax"))
    tiers = {f.name: f.tier for each in collected.lookups for f in each.facts}
    assert tiers["license_expression"] == "declared"
    assert tiers["native_files"] == "observed"
    known = facts(collected)
    assert known["native_file_count"] == 1
    assert known["root_is_purelib"] is False


def test_the_dossier_does_not_depend_on_compiled_byte_code(install: Install) -> None:
    record = "weigh_me.py,,\n__pycache__/weigh_me.cpython-311.pyc,,\n"
    assert facts(install({"RECORD": record}))["file_count"] == 1


def test_what_is_not_installed_is_said_in_one_sentence() -> None:
    with pytest.raises(NotFound, match="nosuchthing is not installed in this env"):
        collect(parse_subject("pkg:pypi/nosuchthing"))


def test_another_version_than_the_installed_one_is_refused() -> None:
    with pytest.raises(BadInput, match=r"bleach 1\.0 was asked for, but 6\."):
        collect(parse_subject("pkg:pypi/bleach@1.0"))


def test_a_package_of_another_ecosystem_is_a_named_gap() -> None:
    collected = collect(parse_subject("pkg:npm/left-pad@1.3.0"))
    assert collected.version == "1.3.0"
    assert lookups(collected)["package"] == (
        Outcome.UNKNOWN,
        "There is no collector for npm packages yet.",
    )


def test_a_kind_without_a_collector_has_no_lookups() -> None:
    assert collect(parse_subject("example.org")) == Collected(None, (), ())


def test_without_a_record_the_files_are_unknown_not_absent(install: Install) -> None:
    seen = lookups(install({}))
    assert seen["installed files"][0] is Outcome.UNKNOWN
    assert seen["path files"][0] is Outcome.UNKNOWN
    assert seen["wheel"][0] is Outcome.ABSENT


def test_files_that_run_at_every_start_are_read(install: Install) -> None:
    files = {"RECORD": "hook.pth,,\nweigh_me.py,,\n", "/hook.pth": "import weigh_me\n"}
    collected = install(files)
    assert facts(collected)["path_files"] == ["hook.pth"]
    document = next(d for d in collected.documents if d.uri.endswith("/hook.pth"))
    assert document.body == b"import weigh_me\n"


def test_a_path_that_leads_out_of_the_environment_is_not_read(
    install: Install, tmp_path: Path
) -> None:
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("not yours")
    info = tmp_path / "weigh_me-1.0.dist-info"
    info.mkdir()
    (info / "LICENSE").symlink_to(outside)
    collected = install({"RECORD": "weigh_me.py,,\n"})
    assert lookups(collected)["licence files"] == (
        Outcome.UNKNOWN,
        "LICENSE: the path leads out of the environment.",
    )
    assert all(b"not yours" not in document.body for document in collected.documents)


def test_an_editable_install_says_so_without_naming_its_folder(
    install: Install,
) -> None:
    origin = {"url": "file:///home/ada/weigh", "dir_info": {"editable": True}}
    files = {"RECORD": "x.pth,,\n", "direct_url.json": json.dumps(origin)}
    collected = install(files)
    assert facts(collected)["editable"] is True
    assert "home" not in str(facts(collected))
    assert all(b"home" not in document.body for document in collected.documents)


def test_a_malformed_file_is_unknown_with_the_reason(install: Install) -> None:
    collected = install({"entry_points.txt": "no section\n", "direct_url.json": "["})
    assert lookups(collected)["entry points"] == (
        Outcome.UNKNOWN,
        "entry_points.txt: entry_points.txt is malformed.",
    )
    assert lookups(collected)["origin"][0] is Outcome.UNKNOWN


def test_scripts_and_files_outside_the_packages_are_seen(install: Install) -> None:
    files = {
        "RECORD": "weigh_me/__init__.py,,\n../../../bin/weigh,,\n",
        "entry_points.txt": "[console_scripts]\nweigh = weigh_me:main\n",
    }
    known = facts(install(files))
    assert known["files_outside_packages"] == ["../../../bin/weigh"]
    assert known["console_scripts"] == ["weigh = weigh_me:main"]
    assert known["top_level"] == ["weigh_me"]


def test_what_is_installed_comes_before_a_source_tree_on_the_path(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install({"WHEEL": "Tag: py3-none-any\n"})
    tree = tmp_path / "tree" / "weigh_me.egg-info"
    tree.mkdir(parents=True)
    (tree / "PKG-INFO").write_text(METADATA.replace("1.0", "0.9"))
    monkeypatch.syspath_prepend(str(tree.parent))
    assert collect(parse_subject("pkg:pypi/weigh-me")).version == "1.0"
