"""Features are off unless everything says on."""

import pytest

from accounts.errors import BadInput, FeatureOff, NotAllowed
from accounts.models import AuditEntry, Feature, OrganizationFeature, PlatformSwitch
from accounts.permissions import OPERATOR
from accounts.queries import feature_enabled, operator_for, require_feature
from accounts.services import set_feature, set_platform_switch
from tests.factories.accounts import Cast, enable, make_cast, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.mark.parametrize("feature", [*Feature.values, "", "admin", "MCP_RESEARCH"])
def test_every_feature_is_off_at_first(cast: Cast, feature: str) -> None:
    assert not feature_enabled(cast.organization, feature)
    with pytest.raises(FeatureOff):
        require_feature(cast.organization, feature)


def test_a_feature_is_on_for_the_organization_that_switched_it_on(cast: Cast) -> None:
    enable(cast.organization, Feature.MCP_RESEARCH)

    assert feature_enabled(cast.organization, "mcp_research")
    require_feature(cast.organization, "mcp_research")
    assert not feature_enabled(cast.other_organization, "mcp_research")
    assert not feature_enabled(cast.organization, "mcp_approval")


def test_an_unknown_feature_is_off_even_if_a_row_says_on(cast: Cast) -> None:
    OrganizationFeature.objects.create(
        organization=cast.organization,
        feature="teleport",
        enabled=True,
        changed_by=cast.ada,
    )

    assert not feature_enabled(cast.organization, "teleport")


def test_a_feature_is_switched_off_again_and_both_acts_are_on_record(
    cast: Cast,
) -> None:
    enable(cast.organization, Feature.CHAT)
    set_feature(by=cast.actor(cast.ada), feature=Feature.CHAT, enabled=False)

    with pytest.raises(FeatureOff, match=r"organization .* chat"):
        require_feature(cast.organization, Feature.CHAT)
    entries = AuditEntry.objects.for_organization(cast.organization)
    acts = entries.filter(target="chat").order_by("pk")
    assert [act.action for act in acts] == ["feature.on", "feature.off"]


def test_the_kill_switch_beats_every_organization(cast: Cast) -> None:
    enable(cast.organization, Feature.CHAT, Feature.MCP_RESEARCH)
    operator = make_user(superuser=True)
    set_platform_switch(by=operator, feature=Feature.CHAT, off=True, reason="incident")

    assert not feature_enabled(cast.organization, Feature.CHAT)
    assert feature_enabled(cast.organization, Feature.MCP_RESEARCH)
    with pytest.raises(FeatureOff, match=r"platform .* chat"):
        require_feature(cast.organization, Feature.CHAT)

    set_platform_switch(by=operator, feature=Feature.CHAT, off=False)
    assert feature_enabled(cast.organization, Feature.CHAT)
    assert not feature_enabled(cast.other_organization, Feature.CHAT)


def test_who_may_not_manage_features_changes_none(cast: Cast) -> None:
    for user in (cast.ben, cast.mia):
        with pytest.raises(NotAllowed):
            set_feature(by=cast.actor(user), feature=Feature.CHAT, enabled=True)
    assert not OrganizationFeature.objects.exists()


def test_an_unknown_feature_is_not_switched(cast: Cast) -> None:
    operator = make_user(superuser=True)
    with pytest.raises(BadInput) as refused:
        set_feature(by=cast.actor(cast.ada), feature="teleport", enabled=True)
    assert refused.value.field == "feature"
    with pytest.raises(BadInput):
        set_platform_switch(by=operator, feature="teleport", off=True)


def test_only_an_operator_touches_the_kill_switch(cast: Cast) -> None:
    gone = make_user(superuser=True, is_active=False)
    for user in (cast.ada, gone):
        with pytest.raises(NotAllowed):
            set_platform_switch(by=user, feature=Feature.CHAT, off=True)
    assert not PlatformSwitch.objects.exists()


def test_an_operators_act_is_recorded_as_one(cast: Cast) -> None:
    by = operator_for(make_user(superuser=True), cast.organization)
    row = set_feature(by=by, feature=Feature.CHAT, enabled=True)

    assert row.changed_by == by.user
    assert f'"as":"{OPERATOR}"' in AuditEntry.objects.filter(target="chat").get().detail
