"""The choice of who reads, in the two forms that start a run."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Feature
from chat.models import ModelChoice, Provider
from research.models import Case, Run
from tests.factories.accounts import Cast, enable
from tests.factories.chat import offer_local_model
from tests.factories.research import EvidenceRows, make_case
from tests.research.views.reading import parsed, words

NEW = "/o/harbour/cases/new/"
ASK = {"subject": "Does it keep logs?", "justification": "We must know."}
WHO = "#id_researcher"


@pytest.fixture(autouse=True)
def keys(settings: Any) -> None:
    """No key of the person who runs the tests."""
    settings.PROVIDER_KEYS = dict.fromkeys(settings.PROVIDER_KEYS, "")


@pytest.fixture
def case(cast: Cast) -> Case:
    return make_case(
        cast.organization, cast.ada, subject_kind="question", subject_key="q:1"
    )


def address(case: Case) -> str:
    return f"/o/harbour/cases/{case.public_id}/"


def document() -> SimpleUploadedFile:
    return SimpleUploadedFile("log.txt", b"It keeps none.")


def chosen(page: Any) -> list[str | None]:
    return [node.attributes["value"] for node in parsed(page).css(f"{WHO} [checked]")]


def test_where_there_is_no_choice_none_is_shown(case: Case, ben: Client) -> None:
    for page in (ben.get(NEW), ben.get(address(case))):
        assert parsed(page).css_first(WHO) is None
        assert parsed(page).css_first("#id_documents") is not None


def test_the_choice_says_what_leaves_the_house_and_whereto(
    case: Case, ben: Client
) -> None:
    offer_local_model("tide", base_url="http://models.example.org:8080/v1")
    for page in (ben.get(NEW), ben.get(address(case))):
        text = words(page, WHO)
        assert "no language model Nothing leaves Weighhouse." in text
        assert (
            "A language model: the documents and facts of this run are sent to Ollama"
            " at models.example.org:8080." in text
        )
        assert chosen(page) == ["extractive"]


def test_it_says_where_the_provider_searches_the_web_too(
    cast: Cast, case: Case, ben: Client, settings: Any
) -> None:
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "openrouter": "a key"}
    enable(cast.organization, Feature.SERVER_WEB_SEARCH)
    text = words(ben.get(address(case)), WHO)
    assert "sent to OpenRouter. It searches the web there, in words of its own." in text


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"provider": Provider.ANTHROPIC}, "sent to Anthropic."),
        (
            {"provider": Provider.ANTHROPIC, "base_url": "https://gate.example.org"},
            "sent to Anthropic at gate.example.org.",
        ),
        ({"provider": Provider.LLAMA_CPP}, "sent to llama.cpp at 127.0.0.1:8080."),
        (
            {
                "provider": Provider.OPENAI_COMPATIBLE,
                "base_url": "http://10.0.0.7:9000/v1",
            },
            "sent to the endpoint at 10.0.0.7:9000.",
        ),
    ],
)
def test_the_place_is_named_as_people_know_it(
    ben: Client, settings: Any, fields: dict[str, str], place: str, cast: Cast
) -> None:
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": "a key"}
    offer_local_model("tide", **fields)
    assert place in words(ben.get(NEW), WHO)


def test_a_reviewer_starts_a_run_by_the_chosen_model(case: Case, ben: Client) -> None:
    offer_local_model("tide")
    fields = {"documents": document(), "researcher": "tide"}
    ben.post(f"{address(case)}runs/", fields)
    assert Run.objects.get().researcher == "tide"


def test_an_ask_starts_a_run_by_the_chosen_model(ben: Client) -> None:
    offer_local_model("tide")
    more = {"start_now": "on", "documents": document(), "researcher": "tide"}
    ben.post(NEW, {**ASK, **more})
    assert Run.objects.get().researcher == "tide"


def test_a_choice_without_a_run_is_not_dropped_in_silence(ben: Client) -> None:
    offer_local_model("tide")
    page = ben.post(NEW, {**ASK, "researcher": "tide"})
    assert page.status_code == 400
    assert "A reader is chosen for a run: start one now." in words(page, ".summary")
    assert chosen(page) == ["tide"]
    assert not Case.objects.exists()


def test_a_model_withdrawn_meanwhile_is_refused_and_the_words_are_kept(
    ben: Client,
) -> None:
    offer_local_model("tide")
    ModelChoice.objects.update(enabled=False)
    more = {"start_now": "on", "documents": document(), "researcher": "tide"}
    page = ben.post(NEW, {**ASK, **more})
    assert page.status_code == 400
    assert "tide is not offered here" in words(page, "#id_researcher_error")
    assert "tide is not offered here" in words(page, ".summary")
    assert "We must know." in words(page, "#id_justification")
    assert not Case.objects.exists()


def test_on_the_case_such_a_choice_is_a_page_with_one_sentence(
    case: Case, ben: Client
) -> None:
    fields = {"documents": document(), "researcher": "tide"}
    page = ben.post(f"{address(case)}runs/", fields)
    assert page.status_code == 400
    assert "tide is not offered here; choose another reader." in words(page)
    assert not Run.objects.exists()


def test_a_member_is_not_asked_who_reads(case: Case, mia: Client) -> None:
    offer_local_model("tide")
    for page in (mia.get(NEW), mia.get(address(case))):
        assert parsed(page).css_first(WHO) is None


def test_the_dossier_page_offers_the_choice_for_another_run(
    rows: EvidenceRows, ben: Client
) -> None:
    offer_local_model("tide")
    page = ben.get(address(rows.case))
    assert "tide: tide:8b, Ollama" in words(page, f".dossiers {WHO}")
