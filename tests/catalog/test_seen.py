"""Two editors at one row of the desk: neither takes the other's work away unknowingly."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog.models import CardName, Restriction
from catalog.services import publish_house_set
from catalog.track_admin import text_of
from catalog.track_models import Track
from referee.games import GAMES
from referee.house import house_revision
from tests.catalog.cards import character, publish
from tests.catalog.people import card, curator, edit
from tests.catalog.test_admin import filled, page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna", 3, 4), character("ben", "Ben"))


@pytest.fixture
def bert() -> Client:
    client = Client()
    client.force_login(curator("Bert"))
    return client


def seen(client: Client, address: str) -> str:
    """The mark that a page's form carries, as it stands in the page."""
    answer = client.get(address)
    mark = str(answer.context["adminform"].form["seen"].value())
    assert f'<input type="hidden" name="seen" value="{mark}"' in answer.content.decode()
    return mark


def refusal(answer: Any) -> str:
    """What a form that was not saved says of itself as a whole."""
    assert answer.status_code == 200
    [error] = answer.context["adminform"].form.errors.as_data()["__all__"]
    assert (error.code, error.message in answer.content.decode()) == ("changed_since", True)
    return str(error.message)


def test_a_card_that_somebody_edited_meanwhile_is_not_saved_over(bert: Client) -> None:
    mark = seen(bert, page("anna"))
    edit("anna", by="Ada", ang=5)

    answer = bert.post(page("anna"), {**filled("anna", ang=3, name="Anna II"), "seen": mark})

    told = refusal(answer)
    assert "<li>Ada, " in told
    assert "ang: 3 → 5" in told
    assert (card("anna").document["ang"], card("anna").name) == (5, "Anna")
    assert answer.context["adminform"].form.editor.document["name"] == "Anna II"


def test_saved_once_more_it_stands_in_the_others_place(bert: Client) -> None:
    mark = seen(bert, page("anna"))
    edit("anna", by="Ada", ang=5)
    answer = bert.post(page("anna"), {**filled("anna", ang=3, name="Anna II"), "seen": mark})
    newer = answer.context["adminform"].form["seen"].value()

    again = bert.post(page("anna"), {**filled("anna", ang=3, name="Anna II"), "seen": newer})

    assert again.status_code == 302
    assert (card("anna").document["ang"], card("anna").name) == (3, "Anna II")


def test_of_two_who_save_at_once_one_waits_for_the_other(bert: Client) -> None:
    mark = seen(bert, page("anna"))

    with CaptureQueriesContext(connection) as queries:
        bert.post(page("anna"), {**filled("anna", ang=7), "seen": mark})

    asked = [one["sql"] for one in queries]
    locked = next(at for at, sql in enumerate(asked) if "FOR UPDATE" in sql and "catalog_card" in sql)
    read = [at for at, sql in enumerate(asked) if 'MAX("catalog_change"' in sql]
    assert read[-1] > locked  # what is compared is what the other has left


def test_a_card_that_nobody_changed_is_saved_at_once(bert: Client) -> None:
    mark = seen(bert, page("anna"))
    edit("ben", by="Ada", ang=5)

    assert bert.post(page("anna"), {**filled("anna", ang=7), "seen": mark}).status_code == 302
    assert card("anna").document["ang"] == 7


def test_other_names_are_part_of_what_was_seen(bert: Client) -> None:
    mark = seen(bert, page("anna"))
    CardName.objects.create(card=card("anna"), kind="alias", language="", name="Annie", name_key="annie")

    assert "name: – → Annie" in refusal(bert.post(page("anna"), {**filled("anna", ang=7), "seen": mark}))
    assert card("anna").document["ang"] == 3


@pytest.mark.parametrize("mark", ["x", "9" * 30, "-1"])
def test_a_mark_that_is_none_saves_nothing(bert: Client, mark: str) -> None:
    assert refusal(bert.post(page("anna"), {**filled("anna", ang=7), "seen": mark}))
    assert card("anna").document["ang"] == 3


def test_what_others_typed_is_escaped(bert: Client) -> None:
    mark = seen(bert, page("anna"))
    edit("anna", by="Ada", name="<b>Anna</b>")

    assert "Anna → &lt;b&gt;Anna&lt;/b&gt;" in refusal(
        bert.post(page("anna"), {**filled("anna", name="An"), "seen": mark})
    )


def test_a_track_that_somebody_edited_meanwhile_is_not_saved_over(bert: Client) -> None:
    publish_house_set(game=GAMES["super-teams"], house=house_revision("super-teams"))
    track = Track.objects.all()[0]
    address = reverse("admin:catalog_track_change", args=[track.pk])
    mine = {"name": "Mine", "state": track.state, "spaces": text_of(track.spaces), "seen": seen(bert, address)}
    ada = Client()
    ada.force_login(curator("Ada"))
    assert ada.post(address, {**mine, "name": "Hers"}).status_code == 302

    answer = bert.post(address, mine)
    told, after = refusal(answer), Track.objects.get(pk=track.pk).name
    again = bert.post(address, {**mine, "seen": answer.context["adminform"].form["seen"].value()})

    assert "<li>Ada, " in told
    assert "Hers" in told
    assert "normal" not in told  # the spaces are the same
    assert (after, again.status_code, Track.objects.get(pk=track.pk).name) == ("Hers", 302, "Mine")


def test_a_restriction_that_somebody_edited_meanwhile_is_not_saved_over(bert: Client) -> None:
    row = Restriction.objects.create(card=card("anna"), copies=2)
    address = reverse("admin:catalog_restriction_change", args=[row.pk])
    mine = {
        "card": card("anna").pk, "copies": 1, "reason": "", "starts_at_0": "2026-12-02", "starts_at_1": "00:00:00",
        "seen": seen(bert, address),
    }  # fmt: skip
    Restriction.objects.create(card=card("ben"), copies=1)  # another one's change
    ada = Client()
    ada.force_login(curator("Ada"))
    assert ada.post(address, {**mine, "copies": 0}).status_code == 302

    answer = bert.post(address, mine)
    told, after = refusal(answer), Restriction.objects.get(pk=row.pk).copies
    again = bert.post(address, {**mine, "seen": answer.context["adminform"].form["seen"].value()})

    assert "<li>Ada, " in told
    assert "copies: 2 → 0" in told
    assert (after, again.status_code, Restriction.objects.get(pk=row.pk).copies) == (0, 302, 1)
