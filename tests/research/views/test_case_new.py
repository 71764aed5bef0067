from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.errors import BadInput
from accounts.models import OrganizationFeature
from research.models import Ask, Case, Run, Snapshot
from research.services.start_run import start_run
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast
from tests.factories.research import make_case, make_run
from tests.research.views.reading import words

URL = "/o/harbour/cases/new/"
QUESTION = "Does the harbour log keep personal data?"


def form(**fields: object) -> dict[str, object]:
    return {"subject": QUESTION, "justification": "We must know.", **fields}


def document(name: str = "log.txt", body: bytes = b"It keeps none.") -> object:
    return SimpleUploadedFile(name, body)


def test_a_member_asks_and_lands_on_the_case(cast: Cast, mia: Client) -> None:
    answer = mia.post(URL, form())

    case = Case.objects.get()
    assert answer["Location"] == f"/o/harbour/cases/{case.public_id}/"
    assert case.status == "requested"
    assert case.asks.get().justification == "We must know."


def test_asking_again_joins_the_case(mia: Client, ben: Client) -> None:
    mia.post(URL, form())
    ben.post(URL, form(justification="So must I."))

    assert Case.objects.get().asks.count() == 2


def test_a_member_is_not_offered_to_start_research(mia: Client) -> None:
    assert "Start research now" not in words(mia.get(URL))


def test_a_member_who_asks_for_a_run_anyway_is_refused_whole(mia: Client) -> None:
    answer = mia.post(URL, form(start_now="on", documents=document()))

    assert answer.status_code == 403
    assert Ask.objects.count() == 0


def test_a_reviewer_starts_research_with_documents(ben: Client) -> None:
    files = [document("a.txt"), document("b.txt", b"Nor does it say.")]

    ben.post(URL, form(start_now="on", documents=files))

    run = Run.objects.get()
    assert [source.uri for source in run.dossier.sources.all()] == [
        "document:a.txt",
        "document:b.txt",
    ]
    assert run.case.asks.count() == 1


def test_documents_without_a_run_are_not_dropped_in_silence(ben: Client) -> None:
    answer = ben.post(URL, form(documents=document()))

    assert answer.status_code == 400
    assert "Documents are read by a run: start one now." in words(answer, ".summary")
    assert Case.objects.count() == 0


def test_an_empty_document_is_refused_by_name_and_nothing_is_written(
    ben: Client,
) -> None:
    answer = ben.post(URL, form(start_now="on", documents=document("log.txt", b"")))

    assert answer.status_code == 400
    assert "log.txt" in words(answer, "#id_documents_error")
    assert Case.objects.count() == 0


def test_a_document_over_the_limit_is_refused_by_name(
    ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"x" * (10 * 1024 * 1024 + 1)

    answer = ben.post(URL, form(start_now="on", documents=document("big.txt", body)))

    assert answer.status_code == 413
    assert "big.txt is over 10 MiB" in words(answer, "#id_documents_error")
    assert Case.objects.count() == 0


def test_more_files_than_a_request_may_carry_get_a_page(ben: Client) -> None:
    files = [document(f"{number}.txt") for number in range(501)]

    answer = ben.post(URL, form(start_now="on", documents=files))

    assert answer.status_code == 400
    assert "at most 500 files of 10 MiB" in words(answer)
    assert Case.objects.count() == 0


@pytest.mark.parametrize(
    ("fields", "where", "sentence"),
    [
        ({"subject": "bleach!"}, "#id_subject_error", "names no subject"),
        ({"subject": ""}, "#id_subject_error", "required"),
        ({"justification": " "}, "#id_justification_error", "required"),
        ({"kind": "vendor"}, "#id_subject_error", "is no domain"),
        ({"kind": "ship"}, "#id_kind_error", "ship"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_on_top(
    mia: Client, fields: dict[str, str], where: str, sentence: str
) -> None:
    answer = mia.post(URL, form(**fields))

    assert answer.status_code == 400
    assert sentence in words(answer, where)
    assert sentence in words(answer, ".summary")
    assert Case.objects.count() == 0


def test_a_run_under_way_is_a_conflict_and_the_words_are_kept(
    cast: Cast, ben: Client
) -> None:
    case = make_case(cast.organization, cast.ada, subject_key="pkg:pypi/bleach")
    make_run(case, cast.ben)

    answer = ben.post(URL, form(subject="pkg:pypi/bleach", start_now="on"))

    assert answer.status_code == 409
    assert "is under way" in words(answer, ".summary")
    assert "We must know." in words(answer, "#id_justification")
    assert case.asks.count() == 0


def test_the_subject_can_be_filled_in_by_the_address(mia: Client) -> None:
    page = mia.get(URL, {"subject": "pkg:pypi/bleach", "kind": "package"})

    assert words(page, "#id_subject") == "pkg:pypi/bleach"
    assert words(page, "#id_kind option[selected]") == "Package"


def test_with_approval_off_the_page_says_whom_to_ask(cast: Cast, mia: Client) -> None:
    OrganizationFeature.objects.filter(feature="mcp_approval").update(enabled=False)

    assert "Approval is switched off for Harbour." in words(mia.get(URL))
    assert mia.post(URL, form()).status_code == 403


def test_a_run_that_cannot_be_written_leaves_no_ask_behind(
    ben: Client, settings: Any
) -> None:
    settings.RUN_DEADLINE_S = "soon"

    with pytest.raises(ValueError, match="soon"):
        ben.post(URL, form(start_now="on", documents=document()))

    assert (Case.objects.count(), Ask.objects.count()) == (0, 0)
    assert (Run.objects.count(), Snapshot.objects.count()) == (0, 0)


def test_an_ask_that_is_refused_starts_no_run(cast: Cast) -> None:
    with pytest.raises(BadInput, match="justification"):
        start_run(
            by=cast.actor(cast.ben),
            subject=parse_subject(QUESTION, "question"),
            justification=" ",
        )

    assert (Case.objects.count(), Run.objects.count()) == (0, 0)
