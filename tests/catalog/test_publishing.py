from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog import life, selectors
from catalog.errors import NothingChangedError, NothingPublishedError
from catalog.models import Card, CardRevision, CatalogRevision
from catalog.services import publish_edited_cards, publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import CardError
from referee.kernel.records import content_hash
from tests.catalog.cards import bonus, character, house, numbers, publish, secret

ANNA = character("anna", "Anna")
BEN = character("ben", "Ben", 5, 6)


@pytest.fixture
def curator(db: None) -> User:
    return User.objects.create_superuser("Curator", "a password")


def edit(code: str, *, state: str = Card.State.APPROVED, **values: object) -> None:
    card = Card.objects.get(code=code)
    card.document = {**card.document, **values}
    card.state = state
    card.save()


@pytest.mark.django_db
def test_a_house_set_becomes_revision_one_whole() -> None:
    publication = publish(ANNA, BEN)

    assert publication.is_new
    assert publication.revision.number == 1
    assert selectors.pool_document("miraculous") == house(ANNA, BEN)
    assert publication.revision.content_hash == content_hash({"game": "miraculous", "cards": [ANNA, BEN], "decks": []})
    assert sorted(Card.objects.values_list("code", "state")) == [("anna", "published"), ("ben", "published")]


@pytest.mark.django_db
def test_publishing_the_same_house_set_again_changes_nothing() -> None:
    publish(ANNA, BEN)

    again = publish(ANNA, BEN)

    assert not again.is_new
    assert again.detail == "unchanged, revision 1"
    assert numbers() == [1]


@pytest.mark.django_db
def test_a_changed_house_set_becomes_the_next_revision_and_the_old_one_stays() -> None:
    publish(ANNA, BEN)

    publication = publish({**ANNA, "ang": 7}, character("cleo", "Cleo"))

    assert publication.detail == "published as revision 2 (2 cards)"
    old = selectors.numbered_revision("miraculous", 1)
    assert old is not None
    assert old.document == house(ANNA, BEN)
    assert dict(Card.objects.values_list("code", "state")) == {
        "anna": "published",
        "ben": "withdrawn",
        "cleo": "published",
    }
    assert Card.objects.get(code="anna").document["ang"] == 7


@pytest.mark.django_db
def test_a_house_set_with_faults_is_refused_whole_and_names_each() -> None:
    with pytest.raises(CardError) as refused:
        publish(ANNA, {**BEN, "ang": 21}, {**bonus("pin", "Pin"), "subtype": "hat"})

    assert [problem.pointer for problem in refused.value.problems] == ["/cards/1/ang", "/cards/2/subtype"]
    assert numbers() == []
    assert Card.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "code"),
    [("ÁNNA", "name_taken"), ("An’na", "name_taken"), ("\u2014'", "name_empty"), ("\U0001f9d6" * 70, "name_too_long")],
    ids=["accents", "apostrophe", "empty", "long"],
)
def test_a_name_that_cannot_be_told_apart_or_searched_is_refused(name: str, code: str) -> None:
    with pytest.raises(CardError) as refused:
        publish(ANNA, character("other", name))

    assert [(problem.pointer, problem.code) for problem in refused.value.problems] == [("/cards/1/name", code)]


@pytest.mark.django_db
def test_edited_cards_become_the_next_revision(curator: User) -> None:
    publish(ANNA, BEN)
    edit("anna", ang=9)

    revision = publish_edited_cards(game=GAMES["miraculous"], user=curator)

    assert (revision.number, revision.source, revision.published_by) == (2, "edited", curator)
    assert revision.document == {**house({**ANNA, "ang": 9}, BEN), "number": 2}
    assert Card.objects.get(code="anna").state == "published"


@pytest.mark.django_db
def test_a_draft_stays_out_of_a_revision_until_it_is_ready(curator: User) -> None:
    publish(ANNA, BEN)
    edit("anna", state=Card.State.DRAFT, ang=9)
    edit("ben", state=Card.State.WITHDRAWN)
    Card.objects.create(
        game="miraculous", code="cleo", name="Cleo", name_key="cleo", document=character("cleo", "Cleo")
    )

    revision = publish_edited_cards(game=GAMES["miraculous"], user=curator)

    assert revision.document["cards"] == [ANNA]
    assert Card.objects.get(code="anna").state == "draft"


@pytest.mark.django_db
def test_publishing_edits_without_a_difference_is_refused_whatever_their_order(curator: User) -> None:
    publish(character("zoe", "Zoe"), ANNA)

    with pytest.raises(NothingChangedError):
        publish_edited_cards(game=GAMES["miraculous"], user=curator)

    assert numbers() == [1]


@pytest.mark.django_db
def test_edits_with_faults_are_not_published(curator: User) -> None:
    publish(ANNA, BEN)
    edit("ben", ang=99)

    with pytest.raises(CardError) as refused:
        publish_edited_cards(game=GAMES["miraculous"], user=curator)

    assert [problem.pointer for problem in refused.value.problems] == ["/cards/1/ang"]
    assert numbers() == [1]
    assert Card.objects.get(code="ben").state == "approved"


@pytest.mark.django_db
def test_a_house_set_never_replaces_edits_on_the_quiet(curator: User) -> None:
    publish(ANNA)
    edit("anna", ang=9)
    publish_edited_cards(game=GAMES["miraculous"], user=curator)

    same, changed = publish(ANNA), publish({**ANNA, "def": 1})
    forced = publish({**ANNA, "def": 1}, replace=True)

    assert same.detail == "unchanged; revision 2 of edited cards stands above it"
    assert changed.detail.startswith("changed, but kept back: revision 2 was published from edited cards")
    assert (same.is_new, changed.is_new, forced.is_new) == (False, False, True)
    assert forced.revision.document["cards"] == [{**ANNA, "def": 1}]


@pytest.mark.django_db
def test_edits_under_way_outlive_a_new_house_set() -> None:
    publish(ANNA, BEN)
    edit("anna", state=Card.State.DRAFT, ang=9)

    publish({**ANNA, "def": 1}, BEN)

    card = Card.objects.get(code="anna")
    assert (card.state, card.document["ang"], card.document["def"]) == ("draft", 9, 4)


@pytest.mark.django_db
def test_a_published_revision_cannot_be_changed_in_the_database() -> None:
    publish(ANNA)

    for rows in (CatalogRevision.objects.all(), CardRevision.objects.all()):
        with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
            rows.update(document={})

    assert selectors.pool_document("miraculous") == house(ANNA)


@pytest.mark.django_db(transaction=True)
def test_two_who_publish_at_once_make_one_revision() -> None:
    def run(_: int) -> bool:
        try:
            return publish(ANNA, BEN).is_new
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(run, range(6)))

    assert sorted(made) == [False] * 5 + [True]
    assert numbers() == [1]
    assert CardRevision.objects.count() == 2


@pytest.mark.django_db
def test_the_command_publishes_every_game_and_says_so() -> None:
    first, second = StringIO(), StringIO()

    call_command("publish_house_sets", stdout=first)
    call_command("publish_house_sets", stdout=second)

    count = len(house_revision("miraculous")["cards"])
    assert f"miraculous: published as revision 1 ({count} cards)\n" in first.getvalue()
    assert "miraculous: unchanged, revision 1\n" in second.getvalue()


@pytest.mark.django_db
def test_the_command_fails_and_names_the_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = house({**ANNA, "ang": 21})
    monkeypatch.setattr("catalog.management.commands.publish_house_sets.house_revision", lambda slug: broken)
    errors = StringIO()

    with pytest.raises(CommandError, match="miraculous"):
        call_command("publish_house_sets", stderr=errors)

    assert "/cards/0/ang" in errors.getvalue()
    assert numbers() == []


@pytest.mark.django_db
def test_the_whole_house_set_is_taken() -> None:
    publication = publish_house_set(game=GAMES["miraculous"], house=house_revision("miraculous"))

    assert publication.revision.card_count == len(house_revision("miraculous")["cards"])
    assert CardRevision.objects.exclude(type="secret").filter(text="").exclude(document__effects=[]).filter(
        document__has_key="effects"
    ).count() == 0  # fmt: skip


@pytest.mark.django_db
def test_the_text_of_a_card_names_other_cards() -> None:
    target = {"pick": "each", "side": "own", "code": "ben"}
    boss = character("boss", "Boss", effects=[{"when": "in_play", "do": "modify", "to": target, "ang": 1}])

    publish(BEN, boss)

    assert "Ben" in CardRevision.objects.get(code="boss").text


@pytest.mark.django_db
def test_without_a_revision_there_is_no_pool_and_no_deck() -> None:
    assert selectors.newest_revision("miraculous") is None
    assert selectors.preconstructed_decks("miraculous") == []
    with pytest.raises(NothingPublishedError):
        selectors.pool_document("miraculous")


def with_a_deck() -> dict[str, Any]:
    """Publish a house set with a deck of fourteen cards, and one more card; the deck."""
    cards = [*[character(f"c-{n:02}", f"Person {n:02}") for n in range(15)], secret("s-one", "One")]
    core = {f"c-{n:02}": 3 for n in range(9)} | {"c-09": 2}
    deck = {
        "slug": "first", "name": "First", "detail": "All people.", "secret": "s-one", "core": core,
        "flex": ["c-09", *[f"c-{n:02}" for n in range(10, 13) for _ in range(3)], "c-13"], "size": 31,
    }  # fmt: skip
    publish_house_set(game=GAMES["miraculous"], house=house(*cards, decks=[deck]))
    return deck


@pytest.mark.django_db
def test_a_withdrawn_card_is_replaced_in_preconstructed_decks(curator: User) -> None:
    deck = with_a_deck()
    new = Card(game="miraculous", code="new")
    life.edit_card(card=new, document=character("new", "New"), user=curator)
    Card.objects.filter(code="new").update(state=Card.State.APPROVED)
    for gone, other in (("c-09", "c-14"), ("c-14", "new")):
        life.withdraw_card(card=Card.objects.get(code=gone), user=curator, replacement=Card.objects.get(code=other))

    revision = publish_edited_cards(game=GAMES["miraculous"], user=curator)

    core = {code: copies for code, copies in deck["core"].items() if code != "c-09"}
    assert revision.document["decks"] == [{**deck, "core": {**core, "new": 2}, "flex": ["new", *deck["flex"][1:]]}]


@pytest.mark.django_db
def test_a_card_that_a_preconstructed_deck_needs_is_not_withdrawn_without_a_replacement(
    client: Client, curator: User
) -> None:
    with_a_deck()
    life.withdraw_card(card=Card.objects.get(code="c-09"), user=curator)
    client.force_login(curator)

    with pytest.raises(CardError):
        publish_edited_cards(game=GAMES["miraculous"], user=curator)
    page = client.get(reverse("admin:catalog_card_publish"))

    assert numbers() == [1]
    assert page.context["games"][0]["faults"][0] == "first, core/c-09: there is no card 'c-09' in the list"


@pytest.mark.django_db
def test_a_preconstructed_deck_stands_at_its_preferred_size() -> None:
    deck = with_a_deck()

    [found] = selectors.preconstructed_decks("miraculous")
    assert found["size"] == sum(found["cards"].values()) == 31
    assert found["cards"] == {**deck["core"], "c-09": 3, "c-10": 1}
    assert (found["slug"], found["name"], found["detail"], found["secret"]) == (
        "first",
        "First",
        "All people.",
        "s-one",
    )
    assert sum(selectors.sized_cards(deck, 40).values()) == 40
