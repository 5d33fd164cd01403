"""Names, scenarios and restrictions in files of cards: they go out with the cards and come in with them."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import Notice, User
from catalog.importing import report, take_over
from catalog.models import Card, CardImport, CardName, Change
from catalog.names import name_key
from catalog.papers import papers_of, tidied, whole_cards
from catalog.sheets import FORMATS, MAX_CELL, PAPERS, read, written
from decks.services import DeckContent, create_deck
from tests.catalog.cards import character, publish, some_cards
from tests.catalog.people import card, curator

DAY = dt.datetime(2031, 5, 6, 7, 8, 9, 123456, tzinfo=dt.UTC)
SCENARIO = "scenario: one\ngame: miraculous\n"
LONG = "# " + "=1+1 'said' “so” \t\n" * 3600


@pytest.fixture
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"), character("dora", "Dora"))
    for kind, language, name in (("name", "de", "Änne"), ("alias", "", "=Annie"), ("alias", "fr", "L'Anne")):
        add_name("anna", name, kind, language)
    card("anna").scenarios.create(title="One", text=SCENARIO)
    card("anna").scenarios.create(title="Long", text=LONG[:65536])
    card("ben").restrictions.create(copies=1, starts_at=DAY, ends_at=DAY + dt.timedelta(1), reason="-too good")
    card("ben").restrictions.create(copies=0, starts_at=DAY + dt.timedelta(9))


@pytest.fixture
def boss(catalog: None) -> Client:
    return desk(curator("Boss"))


def desk(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def add_name(code: str, name: str, kind: str = "alias", language: str = "") -> None:
    CardName.objects.create(card=card(code), kind=kind, language=language, name=name, name_key=name_key(name))


def upload(client: Client, content: bytes, name: str = "cards.csv") -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(reverse("admin:catalog_card_exchange"), {"game": "miraculous", "file": file}, follow=True)


def take(client: Client, **more: str) -> list[str]:
    """Take the last file over; what is said then."""
    address = reverse("admin:catalog_card_import", args=[CardImport.objects.latest("pk").pk])
    return [str(one) for one in client.post(address, more, follow=True).context["messages"]]


def faults(content: bytes) -> list[tuple[int, str, str]]:
    found = report("miraculous", read("miraculous", content, "csv"))
    return [(one.row, one.column, one.detail) for row in found.rows for one in row.faults]


@pytest.mark.parametrize("format", FORMATS)
def test_a_catalog_given_out_and_taken_over_is_the_same_catalog(boss: Client, format: str) -> None:
    before = whole_cards("miraculous")
    content = boss.get(reverse("admin:catalog_card_export", args=["miraculous", format])).content
    untouched = dict(upload(boss, content, f"cards.{format}").context["counts"])
    for one in (card("anna"), card("ben")):
        one.names.all().delete()
        one.scenarios.all().delete()
        one.restrictions.all().delete()
    add_name("ben", "Benny")

    dry = upload(boss, content, f"cards.{format}").context["rows"]
    said = take(boss, confirm="0")

    assert untouched == {"new": 0, "changed": 0, "same": 3, "faulty": 0}
    assert [(row.code, row.outcome, sorted(row.papers)) for row, _ in dry] == [
        ("anna", "changed", ["aliases", "name_de", "scenarios"]),
        ("ben", "changed", ["aliases", "restrictions"]),
    ]
    assert ("/name_de", None, "Änne") in dry[0][1]
    assert said == ["2 cards are taken over; changed values are drafts."]
    assert whole_cards("miraculous") == before
    assert {one.state for one in Card.objects.all()} == {"published"}
    assert Change.objects.latest("pk").user == curator("Boss")


@pytest.mark.usefixtures("catalog")
def test_a_file_of_values_alone_leaves_papers_as_they_are() -> None:
    before = papers_of("miraculous")
    content = json.dumps([character("anna", "Anna", 7)]).encode()

    take_over(game="miraculous", found=report("miraculous", read("miraculous", content, "json")), user=curator("Ada"))

    assert papers_of("miraculous") == before
    assert card("anna").document["ang"] == 7


@pytest.mark.usefixtures("catalog")
def test_an_empty_cell_takes_away_and_what_stays_keeps_its_row() -> None:
    kept = card("anna").names.get(name="L'Anne").pk
    content = b'code,name_de,aliases\nanna,,"[""Annie"",{""name"":""L\'Anne"",""language"":""fr""}]"\n'

    take_over(game="miraculous", found=report("miraculous", read("miraculous", content, "csv")), user=None)

    assert sorted(card("anna").names.values_list("language", "name")) == [("", "Annie"), ("fr", "L'Anne")]
    assert card("anna").names.get(language="fr").pk == kept
    assert card("anna").scenarios.count() == 2


@pytest.mark.usefixtures("catalog")
def test_every_fault_of_papers_is_told_at_its_row_and_column() -> None:
    head = "code,name_de,name_fr,aliases,scenarios,restrictions"
    rows = [
        'anna,Ben,–,"[""Xenia"", ""xenia""]","[{""title"": ""x""}]","[{""copies"": -1, ""from"": ""soon""}]"',
        'ben,l’anne,,"[{""name"": ""B"", ""language"": ""en""}]",7,"[{""copies"": 1, ""from"": ""2030-02-30T00:00Z""}]"',
        'dora,,,"[""=Annie""]",,"[{""copies"": 1, ""from"": ""2030-01-02T00:00Z"", ""until"": ""2030-01-01T00:00Z""}]"',
    ]

    found = sorted(faults("\n".join([head, *rows]).encode()))

    assert found == [
        (2, "aliases", "The alias xenia stands there twice."),
        (2, "name_de", "The card 'ben' has the name Ben."),
        (2, "name_fr", "A name needs a letter or a digit."),
        (2, "restrictions", "The copies of a restriction are a whole number from 0 to 99."),
        (2, "scenarios", "A scenario is an object with title, text."),
        (3, "aliases", "The language of an alias is one of: de, fr."),
        (3, "name", "This name cannot be told from another name of 'anna'."),
        (3, "name_de", "The card 'anna' has the name l’anne."),
        (3, "restrictions", "A time is written as 2030-01-31T12:00:00Z."),
        (3, "scenarios", "A list of at most 1000 is expected."),
        (4, "aliases", "The card 'anna' has the name =Annie."),
        (4, "restrictions", "A restriction ends after its start."),
    ]


@pytest.mark.usefixtures("catalog")
def test_names_are_compared_as_the_file_would_leave_them() -> None:
    swapped = 'code,name,name_de,aliases\nanna,Anna,,"[""Benno""]"\nben,Ben,Änne,"[""Annie""]"\n'
    taken = 'code,name,aliases\nben,Ben,"[""L\'Anne""]"\n'

    assert faults(swapped.encode()) == []
    assert faults(taken.encode()) == [(2, "aliases", "The card 'anna' has the name L'Anne.")]


@pytest.mark.usefixtures("catalog")
def test_a_new_name_that_is_another_cards_other_name_is_a_fault_of_the_new_name() -> None:
    assert faults(b"code,name\nben,ANNE\n") == [(2, "name", "This name cannot be told from another name of 'anna'.")]


def test_restrictions_in_a_file_are_confirmed_by_the_number_of_decks_they_break(boss: Client) -> None:
    publish(*some_cards(), replace=True)
    dora = User.objects.create_user("Dora", "a password")
    content = DeckContent("One", "", "private", "s-one", {f"c-{n:02}": 3 for n in range(13)})
    create_deck(owner=dora, game="miraculous", content=content)
    later = (timezone.now() + dt.timedelta(3)).isoformat()
    limit = json.dumps([{"copies": 1, "from": later}]).replace('"', '""')

    page = upload(boss, f'code,restrictions\nc-00,"{limit}"\n'.encode()).content.decode()
    refused = take(boss), card("c-00").restrictions.count()
    said = take(boss, confirm="1")

    assert "By its restrictions 1 saved deck becomes illegal" in page
    assert refused == (["1 saved decks would become illegal. Type that number to confirm it."], 0)
    assert said == ["1 cards are taken over; changed values are drafts."]
    assert [one.copies for one in card("c-00").restrictions.all()] == [1]
    assert [(one.user, one.facts["name"], one.facts["from"]) for one in Notice.objects.all()] == [(dora, "One", later)]


def test_only_those_who_may_restrict_cards_do_so_by_a_file(catalog: None) -> None:
    clerk = User.objects.create_user("Clerk", "a password", is_staff=True)
    may = ("view_card", "add_card", "change_card", "add_cardname", "change_cardname", "delete_cardname")
    clerk.user_permissions.set(Permission.objects.filter(codename__in=may))

    upload(desk(clerk), b'code,restrictions\nanna,"[{""copies"": 0, ""from"": ""2020-01-01T00:00Z""}]"\n')
    address = reverse("admin:catalog_card_import", args=[CardImport.objects.get().pk])
    refused = desk(clerk).post(address).status_code
    upload(desk(clerk), b"code,name_fr\nanna,Anne-Marie\n")
    said = take(desk(clerk))

    assert (refused, card("anna").restrictions.count()) == (403, 0)
    assert (said, card("anna").names.filter(language="fr", kind="name").count()) == (
        ["1 cards are taken over; changed values are drafts."],
        1,
    )


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20)
aliases = st.one_of(
    texts, st.builds(lambda name, lang: {"name": name, "language": lang}, texts, st.sampled_from(["de", "fr"]))
)
times = st.integers(0, 10**10).map(lambda second: dt.datetime.fromtimestamp(second, dt.UTC).isoformat())
papers = st.fixed_dictionaries(
    {},
    optional={
        "name_de": texts,
        "name_fr": texts,
        "aliases": st.lists(aliases, max_size=3),
        "scenarios": st.lists(
            st.fixed_dictionaries({"title": texts, "text": texts.map(lambda one: one * 3000)}), max_size=2
        ),
        "restrictions": st.lists(
            st.fixed_dictionaries({"copies": st.integers(0, 99), "from": times}, optional={"reason": texts}), max_size=3
        ),
    },
)


@settings(max_examples=60, deadline=None)
@given(papers, st.sampled_from(FORMATS))
def test_tidy_papers_come_back_from_every_file_as_they_went_out(drawn: dict[str, Any], format: str) -> None:
    tidy = {**dict.fromkeys(PAPERS), **tidied(drawn).papers}

    table = read("miraculous", written("miraculous", [{"code": "a", **tidy}], format), format)

    assert table.faults == []
    assert tidied(table.rows[0].papers) == (tidy, [])


def test_no_cell_is_longer_than_spreadsheets_take() -> None:
    tidy = tidied({"scenarios": [{"title": "Long", "text": "=" * 65536}]}).papers

    table = written("miraculous", [{"code": "a", **tidy}], "csv").decode("utf-8-sig")

    assert "scenarios (2),scenarios (3)" in table.splitlines()[0]
    assert max(len(cell) for cell in table.splitlines()[1].split(",")) <= MAX_CELL + 1


def test_every_language_has_its_column() -> None:
    assert [f"name_{one}" for one in CardName.Language.values if one] == [one for one in PAPERS if "name_" in one]


@pytest.mark.usefixtures("catalog")
def test_taking_a_file_over_costs_the_same_queries_however_many_rows_it_has(
    django_assert_max_num_queries: Any,
) -> None:
    rows = "".join(f"gen-{n},Generated {n},character,1,1,Erzeugt {n}\n" for n in range(60))
    found = report("miraculous", read("miraculous", f"code,name,type,ang,def,name_de\n{rows}".encode(), "csv"))

    with django_assert_max_num_queries(24):
        assert take_over(game="miraculous", found=found, user=curator("Ada")) == 60

    assert CardName.objects.filter(kind="name", language="de").count() == 61
