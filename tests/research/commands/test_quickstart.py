"""`manage.py quickstart`: from nothing to dossiers that can be reviewed, once."""

import hashlib
import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth import authenticate

from accounts.models import AuditEntry, Membership, Organization, Role, User
from accounts.queries import actor_for, feature_enabled
from chat.web.reading import fold
from research.management.demonstration import EMAIL, set_up_demonstration
from research.models import Citation, Dossier, Grade, Run
from research.services.snapshot_store import get_blob
from research.services.start_run import start_run
from research.states import RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import make_organization
from tests.research.commands.calling import ROOT, Done, call
from tests.research.commands.streams import call_watched

pytestmark = pytest.mark.django_db
DEMO = re.findall(
    r"quickstart --packages ((?:[\w-]+ ?)+)$", (ROOT / "Makefile").read_text(), re.M
)[0].split()


def quickstart(folder: Path, *arguments: str) -> Done:
    return call("quickstart", "--out", str(folder), *arguments)


def password_in(text: str) -> str:
    (password,) = re.findall(r"password (\S+) \(shown this once\)", text)
    return str(password)


@pytest.mark.row("D13")
def test_it_goes_from_nothing_to_a_dossier(tmp_path: Path) -> None:
    done = quickstart(tmp_path / "demo")
    assert done.code == 0
    assert "Bleach is no longer maintained." in done.out
    assert Run.objects.get().status == RunStatus.COMPLETED
    (page,) = (tmp_path / "demo").iterdir()
    assert re.fullmatch(r"bleach-6\.[\d.]+\.html", page.name)
    assert "Bleach is no longer maintained" in page.read_text()
    assert "open http://127.0.0.1:8000" in done.out


def test_the_person_it_names_signs_in_and_owns_the_organization(tmp_path: Path) -> None:
    password = password_in(quickstart(tmp_path).out)
    user = authenticate(username=EMAIL, password=password)
    assert isinstance(user, User)
    assert user.is_superuser
    assert user.is_staff
    actor = actor_for(user, "demo")
    assert actor.role == Role.OWNER
    assert feature_enabled(actor.organization, "mcp_approval")
    assert feature_enabled(actor.organization, "mcp_research")


def test_a_second_call_makes_nothing_twice(tmp_path: Path) -> None:
    quickstart(tmp_path)
    kept = User.objects.get().password
    entries = AuditEntry.objects.count()
    again = quickstart(tmp_path)
    assert again.code == 0
    assert "Bleach is no longer maintained." in again.out
    assert "shown this once" not in again.out
    assert f"`manage.py changepassword {EMAIL}` sets another" in again.out
    for model in (Organization, Membership, User, Dossier, Run):
        assert model.objects.count() == 1
    assert AuditEntry.objects.count() == entries
    assert User.objects.get().password == kept


@pytest.mark.row("D1")
def test_every_citation_of_the_demo_stands_in_the_bytes_of_its_snapshot(
    tmp_path: Path,
) -> None:
    assert quickstart(tmp_path, "--packages", *DEMO).code == 0
    citations = list(Citation.objects.select_related("snapshot__organization"))
    assert len(citations) >= 40
    for citation in citations:
        snapshot = citation.snapshot
        data = get_blob(snapshot.organization, snapshot.text_sha256)
        assert hashlib.sha256(data).hexdigest() == snapshot.text_sha256
        stored = data.decode()[citation.start : citation.end]
        assert data[citation.byte_start : citation.byte_end].decode() == stored
        if citation.grade == Grade.EXACT:
            assert stored == citation.quote
        else:
            assert citation.grade == Grade.TYPOGRAPHIC
            assert fold(stored).text == fold(citation.quote).text


def test_each_package_gets_a_file_and_a_line(tmp_path: Path) -> None:
    done = quickstart(tmp_path, "--packages", "bleach", "httpx")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [name.partition("-")[0] for name in names] == ["bleach", "httpx"]
    for name in names:
        assert re.search(rf"/{re.escape(name)}: \d of 9 questions answered", done.out)
    assert done.out.count("FINDINGS: WHAT THE RESEARCHER READ") == 1


def test_a_run_that_a_killed_call_left_is_finished(tmp_path: Path) -> None:
    demo = set_up_demonstration()
    left = start_run(
        by=demo.actor, subject=parse_subject("pkg:pypi/bleach"), ring_bell=False
    )
    assert quickstart(tmp_path).code == 0
    left.refresh_from_db()
    assert left.status == RunStatus.COMPLETED
    assert Run.objects.count() == 1


def test_a_database_that_serves_others_gets_no_demonstration(tmp_path: Path) -> None:
    make_organization("Harbour")
    done = quickstart(tmp_path)
    assert done.code == 1
    assert "serves other organizations; nothing was changed" in done.sentence
    assert not User.objects.filter(email=EMAIL).exists()


def test_unless_it_is_asked_for(tmp_path: Path) -> None:
    make_organization("Harbour")
    assert quickstart(tmp_path, "--yes").code == 0
    assert User.objects.filter(email=EMAIL).exists()


@pytest.mark.parametrize(
    ("package", "part"),
    [("no-such-package-here", "is not installed"), ("../etc", "has a namespace")],
)
def test_a_package_that_cannot_be_reviewed(
    tmp_path: Path, package: str, part: str
) -> None:
    done = quickstart(tmp_path, "--packages", package)
    assert done.code == 2
    assert part in done.sentence
    assert not User.objects.exists()


def test_the_password_is_told_even_if_ctrl_c_stops_the_rest(tmp_path: Path) -> None:
    press_ctrl_c = partial(os.kill, os.getpid(), signal.SIGINT)
    done = call_watched(
        ["read dist:"], press_ctrl_c, "--out", str(tmp_path), name="quickstart"
    )
    assert done.code == 130
    assert authenticate(username=EMAIL, password=password_in(done.out))
    assert quickstart(tmp_path).code == 0
    assert [run.status for run in Run.objects.all()] == ["completed", "cancelled"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = quickstart(tmp_path / "file" / "demo")
    assert done.code == 1
    assert "cannot be made" in done.sentence
    assert not Organization.objects.exists()
