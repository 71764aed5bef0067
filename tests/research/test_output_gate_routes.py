"""No route gives out an answer of a model but through the gate.

The URLconf is walked, so a new route fails here until TABLE says whether it shows
answers. Ada's run has an answer, citations and a journal that are hostile.
"""

import io
import json
from collections.abc import Iterator
from html import escape
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from rest_framework.test import APIClient
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser

from accounts.models import Feature
from chat.output_gate import GatedAnswer
from research.evidence import load_evidence
from research.exports.html import export_html
from research.exports.markdown import export_markdown
from research.exports.printed import print_dossier
from research.models import Run
from research.presentation.answers import answer_of
from research.presentation.as_json import dossier_as_json
from research.services.journal import broken_link
from tests.chat.output_gate.reading import faults
from tests.factories.accounts import enable, make_cast, make_user
from tests.factories.research import make_evidence
from tests.research.api.clients import token_for
from tests.research.hostile_answer import (
    CUT,
    LINKS,
    MARKER,
    MARKUP,
    REFUSED,
    SECRET_BLOCK,
    leave_answer,
)
from tests.research.test_tenancy_matrix import ROUTES, Route, World

pytestmark = [pytest.mark.django_db, pytest.mark.row("A13")]

# What a GET of the route gives out of what a model said.
PAGE = "the answer, in a page"
FIELDS = "the answer, in fields"
JOURNAL = "replies, in a journal"
NOTHING = "nothing"
NO_GET = "no GET"

TABLE = {
    "api:runs": NO_GET,
    "api:run": FIELDS,
    "api:events": JOURNAL,
    "api:cancel": NO_GET,
    "api:cases": NOTHING,
    "api:case": NOTHING,
    "api:decisions": NO_GET,
    "api:dossier": NOTHING,
    "api:snapshot": NOTHING,
    "api:snapshot_text": NOTHING,
    "api:researchers": NOTHING,
    "api:schema": NOTHING,
    "api:docs": NOTHING,
    "api:no_such_address": NOTHING,
    "login": NOTHING,
    "admin_login": NOTHING,
    "logout": NO_GET,
    "home": NOTHING,
    "case_list": NOTHING,
    "case_new": NOTHING,
    "case_page": NOTHING,
    "case_decide": NO_GET,
    "run_start": NO_GET,
    "run_page": PAGE,
    "run_cancel": NO_GET,
    "snapshot_page": NOTHING,
}


@pytest.fixture
def world() -> World:
    cast = make_cast()
    enable(cast.organization, *Feature.values)
    evidence = make_evidence(cast.organization, cast.ada)
    leave_answer(evidence.run)
    Run.objects.filter(pk=evidence.run.pk).update(stop_reason="truncated")
    evidence.run.refresh_from_db()
    return World(cast, evidence)


@pytest.fixture
def gated(world: World) -> GatedAnswer:
    found = answer_of(world.evidence.run)
    assert found is not None
    return found


@pytest.fixture
def ada(world: World) -> APIClient:
    actor = world.cast.actor(world.cast.ada)
    client = APIClient()
    client.force_login(actor.user)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(actor)}")
    return client


def suggestion(route: Route) -> str:
    return f'    "{route.name}": NOTHING,    # /{route.pattern}'


def test_every_route_is_in_the_table() -> None:
    missing = [route for name, route in ROUTES.items() if name not in TABLE]
    lines = "\n".join(map(suggestion, missing))
    assert not missing, (
        "Routes that TABLE in tests/research/test_output_gate_routes.py does not list."
        " Add for each what it gives out of what a model said, such as:\n"
        f"{lines}\nAn answer reaches a page, field or export by answer_of(run) alone."
    )


def test_the_table_lists_no_route_that_is_gone() -> None:
    gone = sorted(set(TABLE) - set(ROUTES))
    assert not gone, f"Remove these from TABLE, the URLconf has them no more: {gone}"


@pytest.mark.parametrize("name", sorted(set(TABLE) & set(ROUTES)))
def test_a_route_gives_out_what_the_table_says_and_nothing_hostile(
    world: World, ada: APIClient, gated: GatedAnswer, name: str
) -> None:
    response = ada.get(world.address(name, world.cast.organization.slug))
    content = response.content.decode()

    assert (response.status_code == 405) == (TABLE[name] == NO_GET)
    assert (MARKER in content) == (TABLE[name] in {PAGE, FIELDS, JOURNAL})
    assert hostile_in(response) == []
    if TABLE[name] == PAGE:
        assert gated.html in content
        assert gated.note in content
        assert all(escape(label) in content for label in gated.labels)
    if TABLE[name] == FIELDS:
        assert response.json()["answer"] == gated.to_json()
    if TABLE[name] == JOURNAL:
        reply = response.json()["items"][0]["payload"]["reply"]
        assert (reply["text"], reply["labels"][0]) == (gated.text, CUT)
        assert reply["citations_refused"] == dict(gated.refused or {})
        assert not {"raw", "parsed"} & set(reply)


def test_the_gated_answer_says_that_it_is_cut_and_what_was_refused(
    gated: GatedAnswer,
) -> None:
    assert gated.labels[0] == CUT
    assert gated.labels[1].startswith(REFUSED)
    assert [one.url for one in gated.citations] == ["https://example.org/a"]


def test_the_admin_site_shows_none_of_it(world: World) -> None:
    client = APIClient()
    client.force_login(make_user("root@example.org", superuser=True))
    for address in admin_addresses():
        response = client.get(address)
        assert response.status_code == 200, address
        assert MARKER not in response.content.decode(), address
        assert hostile_in(response) == [], address


def test_no_export_holds_it(world: World) -> None:
    evidence = load_evidence(world.evidence.dossier)
    printed = Console(file=io.StringIO(), width=100)
    print_dossier(evidence, printed)
    exports = [
        export_html(evidence),
        export_markdown(evidence),
        printed.file.getvalue(),  # type: ignore[attr-defined]
        json.dumps(dossier_as_json(evidence)),
    ]
    assert [MARKER in export for export in exports] == [False] * 4


def test_the_chain_holds_though_the_payload_is_shown_otherwise(world: World) -> None:
    assert broken_link(world.evidence.run) is None


def admin_addresses() -> list[str]:
    """The index, and for each model its list and its first row."""
    addresses = [reverse("admin:index")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses.append(reverse(f"{name}_changelist"))
        row = model._default_manager.first()
        if row is not None:
            addresses.append(reverse(f"{name}_change", args=[row.pk]))
    return addresses


def hostile_in(response: Any) -> list[str]:
    """What is active in a page, or not gated in fields."""
    content = response.content.decode()
    found = [SECRET_BLOCK] if SECRET_BLOCK in content else []
    if "json" in response.headers.get("Content-Type", ""):
        return found + list(in_fields(response.json()))
    if "html" in response.headers.get("Content-Type", ""):
        return found + list(in_page(content))
    return found + [form for form in (*MARKUP, *LINKS) if form in content]


def in_fields(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from in_fields(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from in_fields(inner)
    elif isinstance(value, str) and name == "html":
        yield from faults(value)
    elif isinstance(value, str):
        yield from (form for form in (*MARKUP, *LINKS) if form in value)


def in_page(content: str) -> Iterator[str]:
    for node in LexborHTMLParser(content).css("*"):
        attributes = node.attributes
        yield from (name for name in attributes if name.startswith("on"))
        if node.tag == "script" and "alert(1)" in node.text():
            yield "script"
        address = attributes.get("href") or attributes.get("src") or ""
        if address.startswith(("javascript:", "data:")) or "secret@" in address:
            yield address
