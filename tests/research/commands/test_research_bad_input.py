"""Bad input ends in one sentence and an exit code, and leaves nothing behind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.actor import Actor
from accounts.models import Feature, Role
from accounts.queries import actor_for
from accounts.services import set_feature
from research.models import Case, Dossier, Run, Snapshot
from research.services.start_run import start_run
from research.subjects.identity import parse_subject
from tests.chat.web.reading.pdfs import encrypted_pdf, pdf_with_pages
from tests.factories.accounts import Cast, enable, make_cast
from tests.research.commands.calling import Done, call

Write = Callable[[str, bytes], str]
QUESTION = "How long are access logs kept?"


def refused(*arguments: str) -> Done:
    """The command ended without a dossier, with one sentence, having stored nothing."""
    done = call("research", "--organization", "harbour", *arguments)
    assert done.out == ""
    assert done.sentence.startswith("research: ")
    assert done.sentence[-1] in ".?"
    for model in (Case, Dossier, Run, Snapshot):
        assert not model.objects.exists()
    return done


def refused_document(path: str) -> str:
    done = refused("--question", QUESTION, "--document", path)
    assert done.code == 2
    return done.sentence


@pytest.mark.parametrize(
    ("subject", "part"),
    [
        ("", "The subject is empty."),
        ("   ", "The subject is empty."),
        ("bleach", "bleach names no subject"),
        ("pkg:pypi/", ""),
        ("pkg:pypi/no-such-package-here", "no-such-package-here is not installed"),
        ("pkg:pypi/bleach@0.0.1", "bleach 0.0.1 was asked for, but"),
        ("pkg:pypi/ble\x07ach", "control characters"),
        ("pkg:pypi/" + "x" * 600, ""),
        ("pkg:pypi/\udcff", "not valid UTF-8"),
        ("ftp://example.org/", ""),
    ],
)
def test_a_subject_that_cannot_be_used(cast: Cast, subject: str, part: str) -> None:
    done = refused(subject)
    assert done.code == 2
    assert part in done.sentence


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "Name one subject, or ask one --question."),
        (["pkg:pypi/bleach", "--question", QUESTION], "Name one subject"),
        (["--question", ""], "The question is empty."),
        (["--question", " \n"], "The question is empty."),
        (["--question", "???"], "The question has no words."),
        (["--question", "x" * 2001], "The question has 2,001 characters"),
        (["--question", QUESTION, "--kind", "package"], "--kind goes with a subject"),
        (["pkg:pypi/bleach", "--kind", "animal"], "animal is no kind of subject"),
    ],
)
def test_arguments_that_do_not_go_together(
    cast: Cast, arguments: list[str], part: str
) -> None:
    done = refused(*arguments)
    assert done.code == 2
    assert part in done.sentence


def test_a_document_that_is_not_there(cast: Cast, tmp_path: Path) -> None:
    path = str(tmp_path / "gone.txt")
    assert refused_document(path) == (
        f"research: {path} cannot be read: No such file or directory."
    )


def test_a_document_of_no_bytes(cast: Cast, document: Write) -> None:
    assert "empty.txt cannot be read" in refused_document(document("empty.txt", b""))


def test_one_bad_document_refuses_them_all(
    cast: Cast, document: Write, tmp_path: Path
) -> None:
    document("a.txt", b"Access logs are kept for 30 days.\n")
    document("b.txt", b"")
    assert "b.txt cannot be read" in refused_document(str(tmp_path))


def test_a_folder_of_a_thousand_files(cast: Cast, tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"{number}.txt").write_text("Some text.")
    assert refused_document(str(tmp_path)) == (
        "research: A run takes at most 500 documents; more were given."
    )


def test_a_file_of_fifty_mebibytes(cast: Cast, tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    assert refused_document(str(path)) == (
        "research: big.txt is over 10 MiB, the most a document may have."
    )


def test_a_folder_without_files(cast: Cast, tmp_path: Path) -> None:
    assert "holds no file" in refused_document(str(tmp_path))


def test_a_symbolic_link(cast: Cast, document: Write, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(document("real.txt", b"Some text."))
    assert "symbolic link" in refused_document(str(link))
    assert "symbolic link" in refused_document(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "body", "part"),
    [
        ("cut.pdf", b"%PDF-1.7\nno more than this", "is cut off"),
        ("false.pdf", b"plain text", "damaged or is no PDF"),
        ("scan.pdf", pdf_with_pages([]), "holds no text"),
        ("locked.pdf", encrypted_pdf(), "encrypted"),
    ],
)
def test_a_pdf_that_cannot_be_read(
    cast: Cast, document: Write, name: str, body: bytes, part: str
) -> None:
    sentence = refused_document(document(name, body))
    assert sentence.startswith(f"research: {name} cannot be read: ")
    assert part in sentence


def test_text_that_is_not_in_the_encoding_it_names(cast: Cast, document: Write) -> None:
    path = document("brief.txt", b"\xef\xbb\xbf" + "éàè".encode("latin-1") * 50)
    assert "encoding" in refused_document(path)


def test_one_document_given_twice(cast: Cast, document: Write) -> None:
    path = document("same.txt", b"Some text.")
    done = refused("--question", QUESTION, "--document", path, path)
    assert done.code == 2
    assert "same.txt; rename one." in done.sentence


def test_a_file_to_write_that_cannot_be_written(cast: Cast, tmp_path: Path) -> None:
    path = str(tmp_path / "missing" / "dossier.html")
    done = refused("pkg:pypi/bleach", "--html", path)
    assert done.code == 2
    assert f"{path} cannot be written" in done.sentence


def test_one_file_for_two_exports(cast: Cast, tmp_path: Path) -> None:
    path = str(tmp_path / "dossier")
    done = refused("pkg:pypi/bleach", "--html", path, "--markdown", path)
    assert (done.code, list(tmp_path.iterdir())) == (2, [])


def test_no_organization_at_all(db: None) -> None:
    done = call("research", "pkg:pypi/bleach")
    assert done.code == 4
    assert "`manage.py quickstart` makes one" in done.sentence


def test_several_organizations_and_none_named(cast: Cast) -> None:
    done = call("research", "pkg:pypi/bleach")
    assert done.code == 2
    assert "--organization: depot, harbour." in done.sentence


@pytest.mark.parametrize(
    "arguments",
    [
        ["--organization", "nowhere"],
        ["--user", "nobody@example.org"],
        ["--user", "cy@example.org"],
    ],
)
def test_an_organization_or_user_that_is_not_there(
    cast: Cast, arguments: list[str]
) -> None:
    assert refused("pkg:pypi/bleach", *arguments).code == 4


def test_a_member_may_not_start_a_run(cast: Cast) -> None:
    done = refused("pkg:pypi/bleach", "--user", "mia@example.org")
    assert (done.code, "member" in done.sentence) == (3, True)


@pytest.mark.row("C9")
@pytest.mark.parametrize("feature", [Feature.MCP_APPROVAL, Feature.MCP_RESEARCH])
def test_a_feature_that_is_off(db: None, feature: Feature) -> None:
    cast = make_cast()
    enable(cast.organization, Feature.MCP_APPROVAL, Feature.MCP_RESEARCH)
    by = Actor(cast.ada, cast.organization, Role.OWNER)
    set_feature(by=by, feature=feature, enabled=False)
    done = refused("pkg:pypi/bleach")
    assert done.code == 3
    assert f"the feature {feature} switched off" in done.sentence


def test_a_run_under_way_on_the_same_subject(cast: Cast) -> None:
    by = actor_for(cast.ben, "harbour")
    start_run(by=by, subject=parse_subject("pkg:pypi/bleach"), ring_bell=False)
    done = call("research", "pkg:pypi/bleach", "--organization", "harbour")
    assert (done.code, done.out) == (5, "")
    assert "is under way" in done.sentence
    assert Run.objects.count() == Dossier.objects.count() == 1
