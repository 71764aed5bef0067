"""The admin site as a whole: what it leaves out, and how one gets in."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.core.cache import cache
from django.test import Client
from django_q.conf import Conf

from tests.factories.accounts import PASSWORD, make_cast, make_user

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"
OPERATOR = "root@example.org"


@pytest.fixture(autouse=True)
def _no_failures_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _operator() -> None:
    make_user(OPERATOR, superuser=True)


@pytest.fixture
def operator(client: Client) -> Client:
    assert attempt(client, PASSWORD) == 302
    return client


def attempt(client: Client, password: str, email: str = OPERATOR) -> int:
    answer = client.post(LOGIN, {"username": email, "password": password})
    return answer.status_code


def test_the_index_shows_the_product_and_nothing_of_the_queue(operator: Client) -> None:
    page = operator.get("/admin/").content.decode()

    assert "/admin/research/case/" in page
    assert "django_q" not in page


def test_no_model_of_the_queue_is_registered() -> None:
    models = list(apps.get_app_config("django_q").get_models())

    assert models
    assert [model for model in models if admin.site.is_registered(model)] == []


@pytest.mark.parametrize("model", ["schedule", "ormq", "success", "failure", "task"])
def test_the_queue_has_no_pages(operator: Client, model: str) -> None:
    fields = {"func": "os.system", "args": "'true'", "schedule_type": "O"}

    assert operator.get(f"/admin/django_q/{model}/").status_code == 404
    assert operator.get(f"/admin/django_q/{model}/add/").status_code == 404
    assert operator.post(f"/admin/django_q/{model}/add/", fields).status_code == 404


def test_a_worker_looks_for_no_schedules() -> None:
    assert settings.Q_CLUSTER["scheduler"] is False
    assert Conf.SCHEDULER is False


def test_forty_wrong_passwords_are_slowed_down(client: Client) -> None:
    answers = [attempt(client, f"guess {number}") for number in range(40)]

    assert answers == [400] * 5 + [429] * 35
    assert attempt(client, PASSWORD) == 429


def test_both_forms_count_together(client: Client) -> None:
    for number in range(5):
        attempt(client, f"guess {number}")

    fields = {"username": OPERATOR, "password": PASSWORD}
    assert client.post("/sign-in/", fields).status_code == 429


def test_signing_in_leads_to_the_page_that_was_asked_for(client: Client) -> None:
    asked = client.get("/admin/research/case/")
    assert asked["Location"] == f"{LOGIN}?next=/admin/research/case/"

    form = client.get(asked["Location"])
    assert form.context["next"] == "/admin/research/case/"
    fields = {"username": OPERATOR, "password": PASSWORD, "next": form.context["next"]}
    answer = client.post(asked["Location"], fields)

    assert answer["Location"] == "/admin/research/case/"
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("target", ["", "//evil.example", "https://evil.example/"])
def test_without_a_page_of_ours_it_leads_to_the_index(
    client: Client, target: str
) -> None:
    fields = {"username": OPERATOR, "password": PASSWORD, "next": target}

    assert client.post(LOGIN, fields)["Location"] == "/admin/"


def test_who_is_signed_in_but_no_operator_gets_the_form_and_no_loop(
    client: Client,
) -> None:
    client.force_login(make_cast().mia)

    answer = client.get("/admin/", follow=True)

    assert answer.redirect_chain == [(f"{LOGIN}?next=/admin/", 302)]
    assert answer.status_code == 200
