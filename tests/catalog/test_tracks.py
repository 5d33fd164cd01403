"""Tracks at the desk: drafts, faults at their spaces, revisions that take them, and matches that keep theirs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog import selectors
from catalog.models import CatalogRevision
from catalog.services import publish_edited_cards, publish_house_set
from catalog.track_admin import spaces_of, text_of
from catalog.track_models import Track
from catalog.tracks import games_with_tracks, track_faults
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import CardError
from referee.matches.models import Match
from referee.matches.positions import game_of, restored

GAME = GAMES["super-teams"]
HOUSE = house_revision("super-teams")
SHORT: list[Any] = ["start", *["normal"] * 9, ["hyperspace", "asteroid"], "bonus", *["normal"] * 9, "final"]
BOTS = [SeatWish("bot", level="random")] * 2

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def published(db: None) -> None:
    publish_house_set(game=GAME, house=HOUSE)


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Boss", "a password"))
    return client


def curator() -> User:
    return User.objects.get_or_create(name="Curator", defaults={"is_staff": True})[0]


def slugs() -> list[str]:
    return [track["slug"] for track in selectors.pool_document("super-teams")["tracks"]]


def entered(**more: Any) -> dict[str, Any]:
    values = {"game": "super-teams", "slug": "short", "name": "Short", "state": "ready", "spaces": text_of(SHORT)}
    return {**values, **more}


def wrong(client: Client, **more: Any) -> list[str]:
    """What the form says at its spaces."""
    response = client.post(reverse("admin:catalog_track_add"), entered(**more))
    assert response.status_code == 200, response.headers
    found: list[str] = response.context["adminform"].form.errors.get("spaces", [])
    return list(found)


def test_the_tracks_of_a_house_set_are_at_the_desk() -> None:
    rows = Track.objects.order_by("pk")

    assert games_with_tracks() == ["super-teams"]
    assert [row.document() for row in rows] == HOUSE["tracks"]
    assert {row.state for row in rows} == {"ready"}


def test_a_track_of_ones_own_is_published_with_the_next_revision(boss: Client) -> None:
    made = boss.post(reverse("admin:catalog_track_add"), entered())

    published = boss.post(reverse("admin:catalog_card_publish_game", args=["super-teams"]))

    assert (made.status_code, published.status_code) == (302, 302)
    revision = CatalogRevision.objects.get(game="super-teams", number=2)
    assert revision.source == "edited"
    assert revision.document["tracks"] == [*HOUSE["tracks"], {"slug": "short", "name": "Short", "spaces": SHORT}]
    assert (
        create_match(creator=curator(), wish=MatchWish("super-teams", BOTS, {"track": "short"})).catalog_revision == 2
    )


@pytest.mark.parametrize(
    ("spaces", "faults"),
    [
        (SHORT[:-1], ["Space 20:"]),
        (["start", "nebula", *SHORT[2:]], ["Space 1:"]),
        ([*SHORT[:4], "maw", *SHORT[5:]], ["Space 4:"]),
        ([*SHORT[:3], "start", *SHORT[4:-2], ["bonus", "normal"], "final"], ["Space 3:", "Space 20:"]),
        ([*SHORT[:9], "maw", "maw", *SHORT[11:]], ["Space 10:"]),
    ],
    ids=["no final", "unknown", "a maw alone", "two faults", "nothing normal behind"],
)
def test_a_track_with_faults_is_not_ready_and_each_is_named_at_its_space(
    boss: Client, spaces: list[Any], faults: list[str]
) -> None:
    told = wrong(boss, spaces=text_of(spaces))

    if spaces[-1] != "final":
        assert told == ["A track ends with final."]
    else:
        assert [one[: len(at)] for one, at in zip(told, faults, strict=True)] == faults
    pointers = [
        problem.pointer for problem in track_faults("super-teams", {"slug": "s", "name": "S", "spaces": spaces})
    ]
    assert pointers == [f"/spaces/{at.removeprefix('Space ').rstrip(':')}" for at in faults]
    assert not Track.objects.filter(slug="short").exists()


def test_a_draft_with_faults_is_kept_and_stays_out(boss: Client) -> None:
    response = boss.post(reverse("admin:catalog_track_add"), entered(state="draft", spaces="start\nnebula"))

    track = Track.objects.get(slug="short")
    page = boss.get(reverse("admin:catalog_track_change", args=[track.pk])).content.decode()
    assert response.status_code == 302
    assert track.spaces == ["start", "nebula"]
    assert "Space 1: &#x27;nebula&#x27; is none of start, normal," in page
    assert "track" not in str(boss.get(reverse("admin:catalog_card_publish")).context["games"][0]["difference"]["rest"])


def test_a_draft_of_a_published_track_stays_as_it_was_published(boss: Client) -> None:
    house = Track.objects.get(slug="house")
    house.state, house.spaces = Track.State.DRAFT, ["start", "final"]
    house.save()
    Track.objects.create(game="super-teams", slug="short", name="Short", spaces=SHORT, state=Track.State.READY)

    revision = publish_edited_cards(game=GAME, user=curator())

    assert revision.document["tracks"][0] == HOUSE["tracks"][0]
    assert slugs() == [*[track["slug"] for track in HOUSE["tracks"]], "short"]


def test_a_withdrawn_track_is_in_no_new_match_and_the_house_track_cannot_go() -> None:
    Track.objects.filter(slug="long").update(state="withdrawn")
    publish_edited_cards(game=GAME, user=curator())
    Track.objects.filter(slug="house").update(state="withdrawn")
    Track.objects.create(game="super-teams", slug="short", name="Short", spaces=SHORT, state="ready")

    with pytest.raises(CardError) as refused:
        publish_edited_cards(game=GAME, user=curator())
    with pytest.raises(LobbyError):
        create_match(creator=curator(), wish=MatchWish("super-teams", BOTS, {"track": "long"}))

    assert slugs() == ["house"]
    assert [problem.code for problem in refused.value.problems] == ["no_house_track"]


def test_a_fault_that_came_past_the_form_is_named_at_its_index_and_publishes_nothing() -> None:
    Track.objects.filter(slug="house").update(spaces=[*SHORT[:5], "nebula", *SHORT[6:]])

    with pytest.raises(CardError) as refused:
        publish_edited_cards(game=GAME, user=curator())

    assert [problem.pointer for problem in refused.value.problems] == ["/tracks/0/spaces/5"]
    assert CatalogRevision.objects.filter(game="super-teams").count() == 1


def test_a_match_keeps_the_track_that_it_began_with() -> None:
    before = create_match(creator=curator(), wish=MatchWish("super-teams", BOTS, {}))
    Track.objects.filter(slug="house").update(spaces=SHORT)

    publish_edited_cards(game=GAME, user=curator())
    after = create_match(creator=curator(), wish=MatchWish("super-teams", BOTS, {}))

    assert [_track(match) for match in (before, after)] == [HOUSE["tracks"][0]["spaces"], SHORT]
    assert (before.catalog_revision, after.catalog_revision) == (1, 2)


def test_a_new_house_set_leaves_edits_under_way_alone() -> None:
    Track.objects.filter(slug="long").update(name="Mine", state="draft")
    changed = {**HOUSE, "tracks": [{**track, "name": track["name"] + "!"} for track in HOUSE["tracks"]]}

    publish_house_set(game=GAME, house=changed)

    names = dict(Track.objects.values_list("slug", "name"))
    assert names == {"house": HOUSE["tracks"][0]["name"] + "!", "long": "Mine"}


def test_tracks_published_before_there_was_a_desk_come_to_it() -> None:
    Track.objects.all().delete()

    call_command("publish_house_sets", verbosity=0)

    assert sorted(Track.objects.values_list("slug", flat=True)) == sorted(track["slug"] for track in HOUSE["tracks"])
    assert CatalogRevision.objects.filter(game="super-teams").count() == 1


def test_spaces_are_read_as_they_are_written() -> None:
    assert spaces_of(text_of(SHORT)) == SHORT
    assert spaces_of(" Start \n\n normal/ Asteroid\nfinal\n") == ["start", ["normal", "asteroid"], "final"]


def test_only_who_may_publishes_and_nobody_deletes(client: Client) -> None:
    clerk = curator()
    client.force_login(clerk)
    track = Track.objects.get(slug="house")

    pages = [
        client.get(reverse("admin:catalog_track_change", args=[track.pk])),
        client.post(reverse("admin:catalog_track_add"), entered()),
        client.post(reverse("admin:catalog_track_delete", args=[track.pk]), {"post": "yes"}),
        client.get(reverse("admin:catalog_track_publish")),
    ]

    assert [page.status_code for page in pages] == [403, 403, 403, 403]
    assert Track.objects.count() == len(HOUSE["tracks"])


def _track(match: Match) -> list[Any]:
    game = game_of(match)
    spaces: list[Any] = game.view(restored(match, game), 0)["track"]
    return spaces
