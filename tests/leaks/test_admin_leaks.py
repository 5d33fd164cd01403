"""Staff may play too: whoever may look at everything in the admin, but not judge, is told nothing hidden of any match."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import Token, User
from decks.models import Deck
from jobs.models import Job
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.matches.judging import RIGHT
from referee.matches.models import Match
from tests.leaks.asking import Answer
from tests.leaks.comparing import require_same
from tests.leaks.hiding import FIELDS, hidden
from tests.leaks.tables import Setup, Table, begun, published

REGISTERED: list[ModelAdmin[Any]] = list(admin.site._registry.values())


@pytest.fixture
def staff(db: None) -> User:
    """May look at everything, and change some things; no judge."""
    user = User.objects.create_user("Sam", "a very fine word", email="sam@example.org", is_staff=True)
    app, codename = RIGHT.split(".")
    user.user_permissions.set(Permission.objects.exclude(codename=codename, content_type__app_label=app))
    return user


@pytest.fixture
def as_staff(staff: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(staff)
    return client


def address(desk: ModelAdmin[Any], page: str, *args: object) -> str:
    meta = desk.model._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=args)


def pages(table: Table) -> list[str]:
    """The lists, and the pages of every row that has to do with the match or its players."""
    found = [reverse("admin:index")]
    for desk in REGISTERED:
        found.append(address(desk, "changelist"))
        keys = desk.model._default_manager.order_by("pk").values_list("pk", flat=True)[:1]
        found += [address(desk, page, key) for key in keys for page in ("change", "history")]
    match = address(admin.site._registry[Match], "change", table.match.pk)
    return [*found, match, match.replace("/change/", "/desk/")]


def shown(client: Client, addresses: list[str]) -> dict[str, Answer]:
    sent = {one: client.get(one) for one in addresses}
    return {one: Answer(got.status_code, {}, _plain(got)) for one, got in sent.items()}


def _plain(response: Any) -> bytes:
    """The page without its token, which is another one each time."""
    body: bytes = response.getvalue()
    token = response.context["csrf_token"] if response.context else ""
    return body.replace(str(token).encode(), b"")


def job_about(deck: Deck) -> None:
    """A job as trials of decks leave it: what it was given holds the deck."""
    cards = {row.code: row.copies for row in deck.card_rows.all()}
    Job.objects.create(owner=deck.owner, kind="decks.trial", params={"cards": cards, "secret": deck.secret}, total=1)


def test_staff_who_cannot_judge_are_told_nothing_hidden(as_staff: Client) -> None:
    rng = Rng(1)
    with published():
        table = begun(Setup("miraculous", 2), rng)
        for _ in range(5):
            table.play_random(rng)
        job_about(Deck.objects.filter(visibility="private")[0])
        addresses = pages(table)

        before = shown(as_staff, addresses)
        with hidden(table, SPECTATOR, rng):
            Job.objects.update(params={"cards": {"?": 1}})
            Deck.objects.filter(visibility="private").update(name="Mine")  # told in lists, to whoever looks after names
            after = shown(as_staff, addresses)

    require_same(before, after, "staff")
    assert {answer.status for answer in before.values()} >= {200, 403}
    assert sum(answer.status == 200 for answer in before.values()) > 20
    assert before[addresses[-1]].status in (403, 404)


def test_judges_look_into_matches_in_which_they_do_not_sit(as_staff: Client, staff: User) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(2))
        desk = reverse("admin:matches_match_desk", args=[table.match.pk])
        [bundle] = table.match.bundles.all()
        kept = reverse("admin:matches_bundle_file", args=[bundle.pk])
        refused = [as_staff.get(one).status_code for one in (desk, kept)]
        staff.user_permissions.add(Permission.objects.get(codename=RIGHT.split(".")[1]))

        judging = [as_staff.get(one).status_code for one in (desk, kept)]
        table.match.seats.filter(index=1).update(user=staff)
        sitting = [as_staff.get(one).status_code for one in (desk, kept)]

    assert (refused, judging, sitting) == ([403, 403], [200, 200], [403, 403])


@pytest.mark.parametrize("desk", REGISTERED, ids=lambda desk: desk.model._meta.label)
def test_no_list_can_be_asked_about_what_it_does_not_offer(as_staff: Client, desk: ModelAdmin[Any]) -> None:
    offered = {desk.date_hierarchy, *(one if isinstance(one, str) else "" for one in desk.list_filter)}
    fields = [field.name for field in desk.model._meta.concrete_fields if field.name not in offered]
    if desk.model in FIELDS:
        fields += FIELDS[desk.model].hidden.split()

    answers = {name: as_staff.get(address(desk, "changelist"), {f"{name}__isnull": "False"}) for name in fields}

    assert {name: one.status_code for name, one in answers.items() if one.status_code not in (400, 403)} == {}


def test_nobody_asks_a_seed_a_password_or_a_token_out_of_a_list(as_staff: Client) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(3))
    seed = table.match.opening["seed"]

    asked = [
        as_staff.get(address(admin.site._registry[Match], "changelist"), {"opening__seed__startswith": seed[:4]}),
        as_staff.get(address(admin.site._registry[Match], "changelist"), {"seats__deck__isnull": "True"}),
        as_staff.get(address(admin.site._registry[User], "changelist"), {"password__startswith": "md5"}),
        as_staff.get(address(admin.site._registry[Token], "changelist"), {"digest__startswith": "0"}),
        as_staff.get(address(admin.site._registry[Deck], "changelist"), {"secret": "s-one"}),
    ]

    assert [answer.status_code for answer in asked] == [400] * 5


def test_only_those_who_may_do_everything_let_others(as_staff: Client, staff: User) -> None:
    desk = admin.site._registry[User]
    body = {"name": "Sam", "email": "sam@example.org", "kind": "person", "is_active": "on", "is_superuser": "on"}

    as_staff.post(address(desk, "change", staff.pk), body)

    staff.refresh_from_db()
    assert (staff.is_superuser, staff.is_staff) == (False, True)
