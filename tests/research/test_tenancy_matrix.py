"""Nobody reaches another organization's things: every route, every method.

The URLconf is walked, so a new route fails here until TABLE says what these get:

    anonymous   no credentials
    outsider    Cy, signed in with a browser, of another organization
    program     Cy's API token, with every scope

All three ask for Ada's things, in an organization that has every feature on.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from rest_framework.test import APIClient

from accounts.models import Feature, Organization
from research.models import Ask, Case, Decision, Run
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import EvidenceRows, make_evidence
from tests.research.api.clients import token_for

SECRET = "harbour-secret-5b1f"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Expect:
    """The status that each of the three gets."""

    anonymous: int
    outsider: int
    program: int


PUBLIC = Expect(200, 200, 200)
NOWHERE = Expect(404, 404, 404)
# A thing of ours over REST, where a browser's session counts for nothing.
API_OURS = Expect(401, 401, 404)
# A list over REST: Cy's program sees, or makes, its own organization's things.
API_LIST = Expect(401, 401, 200)
# A page of ours, where a token counts for nothing: it is sent to sign in.
PAGE_OURS = Expect(302, 404, 302)

TABLE: dict[str, dict[str, Expect]] = {
    "api:researchers": {"GET": API_LIST},
    "api:runs": {"POST": Expect(401, 401, 202)},
    "api:run": {"GET": API_OURS},
    "api:events": {"GET": API_OURS},
    "api:cancel": {"POST": API_OURS},
    "api:cases": {"GET": API_LIST, "POST": Expect(401, 401, 201)},
    "api:case": {"GET": API_OURS},
    "api:decisions": {"POST": API_OURS},
    "api:dossier": {"GET": API_OURS},
    "api:snapshot": {"GET": API_OURS},
    "api:snapshot_text": {"GET": API_OURS},
    "api:schema": {"GET": PUBLIC},
    "api:docs": {"GET": PUBLIC},
    "api:no_such_address": dict.fromkeys(METHODS, NOWHERE),
    # Whoever is signed in is sent on.
    "login": {"GET": Expect(200, 302, 200), "POST": Expect(400, 302, 400)},
    "admin_login": {"GET": PUBLIC, "POST": Expect(400, 400, 400)},
    "logout": {"POST": Expect(302, 302, 302)},
    "home": {"GET": Expect(302, 302, 302)},
    "case_list": {"GET": PAGE_OURS},
    "case_new": {"GET": PAGE_OURS, "POST": PAGE_OURS},
    "case_page": {"GET": PAGE_OURS},
    "case_decide": {"POST": PAGE_OURS},
    "run_start": {"POST": PAGE_OURS},
    "run_page": {"GET": PAGE_OURS},
    "run_cancel": {"POST": PAGE_OURS},
    "snapshot_page": {"GET": PAGE_OURS},
}
# Only where reversing a route's name gives no address.
ADDRESSES = {"api:no_such_address": "/api/v1/nowhere"}
# What makes a call good enough to be refused for its organization alone.
BODIES: dict[str, Any] = {
    "api:runs": {"subject": "pkg:pypi/bleach"},
    "api:cases": {"subject": "pkg:pypi/bleach", "justification": "We need it."},
    "api:decisions": {
        "verdict": "denied",
        "rationale": "No longer maintained.",
        "evidence_digest": "0" * 64,
    },
}


@dataclass(frozen=True)
class Route:
    """One line of the URLconf: its full name, its pattern, its parameters."""

    name: str
    pattern: str
    parameters: tuple[str, ...]

    @property
    def suggestion(self) -> str:
        kind = "API_OURS" if self.name.startswith("api:") else "PAGE_OURS"
        return f'    "{self.name}": {{"GET": {kind}}},    # /{self.pattern}'


def walk(
    patterns: list[Any],
    namespace: str = "",
    prefix: str = "",
    given: tuple[str, ...] = (),
) -> Iterator[Route]:
    """Every route but the admin site's."""
    for entry in patterns:
        pattern = prefix + str(entry.pattern)
        parameters = (*given, *entry.pattern.converters)
        if isinstance(entry, URLPattern):
            name = f"{namespace}{entry.name or pattern}"
            yield Route(name, pattern, parameters)
        elif isinstance(entry, URLResolver) and entry.namespace != "admin":
            inner = f"{entry.namespace}:" if entry.namespace else ""
            yield from walk(entry.url_patterns, namespace + inner, pattern, parameters)


ROUTES = {route.name: route for route in walk(get_resolver().url_patterns)}


@dataclass(frozen=True)
class World:
    """Ada's organization with evidence, and Cy outside of it."""

    cast: Cast
    evidence: EvidenceRows

    def address(self, name: str, slug: str) -> str:
        if name in ADDRESSES:
            return ADDRESSES[name]
        values = {
            "slug": slug,
            "case_id": self.evidence.case.public_id,
            "run_id": self.evidence.run.public_id,
            "dossier_id": self.evidence.dossier.public_id,
            "snapshot_id": self.evidence.snapshot.public_id,
        }
        missing = set(ROUTES[name].parameters) - set(values)
        assert not missing, f"World.address has no value for {missing}; add it."
        chosen = {key: values[key] for key in ROUTES[name].parameters}
        return reverse(name, kwargs=chosen)

    def client(self, caller: str) -> Client:
        client = APIClient()
        if caller == "outsider":
            client.force_login(self.cast.cy)
        if caller == "program":
            token = token_for(self.cast.actor(self.cast.cy))
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return client


@pytest.fixture
def world(db: None) -> World:
    cast = make_cast()
    for organization in (cast.organization, cast.other_organization):
        enable(organization, *Feature.values)
    evidence = make_evidence(
        cast.organization,
        cast.ada,
        text=f"{SECRET} stands in this text.",
        answers=[("q", f"{SECRET}?", [f"{SECRET} stands in this text."])],
        case_fields={"title": f"{SECRET} title"},
    )
    Ask.objects.create(
        case=evidence.case, asked_by=cast.mia, justification=f"{SECRET} reason"
    )
    return World(cast, evidence)


def test_every_route_is_in_the_table() -> None:
    missing = [route for name, route in ROUTES.items() if name not in TABLE]
    lines = "\n".join(route.suggestion for route in missing)
    assert not missing, (
        "Routes that TABLE in tests/research/test_tenancy_matrix.py does not list."
        " Add for each what a stranger gets, by method, such as:\n"
        f"{lines}\nA parameter other than the ids there needs a value in World.address;"
        " a call over REST that needs a body has it in BODIES."
    )


def test_the_table_lists_no_route_that_is_gone() -> None:
    gone = sorted(set(TABLE) - set(ROUTES))
    assert not gone, f"Remove these from TABLE, the URLconf has them no more: {gone}"


CALLS = [
    (name, method)
    for name, methods in TABLE.items()
    if name in ROUTES
    for method in methods
]
CALLS_OF_PAGES = [call for call in CALLS if "slug" in ROUTES[call[0]].parameters]


@pytest.mark.parametrize("caller", ["anonymous", "outsider", "program"])
@pytest.mark.parametrize(("name", "method"), CALLS)
def test_a_stranger_gets_what_the_table_says(
    world: World, name: str, method: str, caller: str
) -> None:
    before = rows_of(world.cast.organization)
    address = world.address(name, world.cast.organization.slug)
    response = call(world.client(caller), method, address, BODIES.get(name))
    assert response.status_code == getattr(TABLE[name][method], caller)
    assert not told(response, world)
    assert rows_of(world.cast.organization) == before


@pytest.mark.parametrize(("name", "method"), CALLS_OF_PAGES)
def test_ones_own_organization_is_no_way_to_anothers_things(
    world: World, name: str, method: str
) -> None:
    before = rows_of(world.cast.organization)
    address = world.address(name, world.cast.other_organization.slug)
    response = call(world.client("outsider"), method, address, BODIES.get(name))
    if len(ROUTES[name].parameters) > 1:
        assert response.status_code == 404
    assert not told(response, world)
    assert rows_of(world.cast.organization) == before


@pytest.mark.parametrize("name", sorted(set(TABLE) & set(ROUTES)))
def test_a_method_that_is_not_listed_is_refused_to_the_owner_too(
    world: World, name: str
) -> None:
    ada = world.cast.actor(world.cast.ada)
    for method in METHODS:
        client = APIClient()
        client.force_login(ada.user)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(ada)}")
        if method not in TABLE[name]:
            address = world.address(name, ada.organization.slug)
            response = call(client, method, address, None)
            assert response.status_code == 405, f"{method} {address}"


def test_the_owner_does_reach_what_the_others_do_not(world: World) -> None:
    ada = world.cast.actor(world.cast.ada)
    client = APIClient()
    client.force_login(ada.user)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(ada)}")
    for name, methods in TABLE.items():
        if "GET" in methods and methods["GET"] in (API_OURS, PAGE_OURS):
            address = world.address(name, ada.organization.slug)
            assert client.get(address).status_code == 200, address


def test_the_admin_site_sends_everyone_but_staff_to_its_login(world: World) -> None:
    for person in (world.cast.ada, world.cast.cy):
        client = Client()
        client.force_login(person)
        for address in admin_addresses():
            response = client.get(address)
            assert response.status_code == 302
            assert response["Location"].startswith(reverse("admin:login"))


def admin_addresses() -> list[str]:
    lists = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    ]
    return [reverse("admin:index"), *lists]


def call(client: Client, method: str, address: str, body: Any) -> Any:
    raw = json.dumps(body).encode() if body is not None else b""
    kind = "application/json" if body is not None else "application/octet-stream"
    return client.generic(method, address, raw, kind)


def told(response: Any, world: World) -> bool:
    """Whether the answer holds anything of Ada's organization but what was asked."""
    content = response.content.decode()
    ours = (SECRET, world.cast.ada.email, world.evidence.citations[0].public_id)
    return any(word in content for word in ours)


def rows_of(organization: Organization) -> dict[str, Any]:
    """What a stranger's call must leave as it was."""
    cases = Case.objects.for_organization(organization)
    runs = Run.objects.for_organization(organization)
    return {
        "cases": list(cases.values_list("public_id", "status")),
        "runs": list(runs.values_list("public_id", "status", "cancel_requested_at")),
        "asks": Ask.objects.for_organization(organization).count(),
        "decisions": Decision.objects.for_organization(organization).count(),
    }
