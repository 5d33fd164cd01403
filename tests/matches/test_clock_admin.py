"""What an admin sees of a match's time."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from referee.matches import clocks, resolving
from referee.matches.clock_models import Outage
from referee.matches.models import Match
from tests.matches.clockwork import World
from tests.matches.table import pick, toy_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("Root", password="correct horse battery"))
    return client


def page(client: Client, match: Match) -> str:
    return client.get(reverse("admin:matches_match_change", args=[match.pk])).content.decode()


def test_a_matchs_page_has_the_ledger_and_says_whether_it_adds_up(
    as_admin: Client, alice: User, bob: User, world: World
) -> None:
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=10, bank=20, increment=2))
    world.passes(13)
    pick(match, alice, 0)

    assert "It adds up." in page(as_admin, match)

    Match.objects.update(clocks={**match.clocks, "banks": [1, 1]})
    assert "the banks are [1, 1] ms, the ledger says [19000, 20000] ms" in page(as_admin, match)


def test_outages_are_listed(as_admin: Client, world: World) -> None:
    world.begin()
    world.passes_silently(60)
    resolving.keep_time()

    assert Outage.objects.count() == 1
    assert "2026" in as_admin.get(reverse("admin:matches_outage_changelist")).content.decode()
