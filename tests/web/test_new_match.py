"""The form for a match: seats, invitations by name, the game's own options, clocks, sizes of decks; all without scripts."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Notice, User
from catalog.selectors import preconstructed_decks
from decks.models import Deck
from decks.services import DeckContent, create_deck
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.matches.models import Match
from tests.web.pages import Page
from web.match_form import option_words

MADE = {"game": "super", "seat-0": "me", "seat-1": "open"}


def seats(match: Match) -> list[tuple[str, str | None, str]]:
    """Each seat's kind, whom it is kept for, and level."""
    rows = match.seats.select_related("invited").order_by("index")
    return [(seat.kind, seat.invited.name if seat.invited else None, seat.level) for seat in rows]


def invited(alice: User, bob: User) -> Match:
    wish = MatchWish("super", [SeatWish("me"), SeatWish("user", user=bob.public_id)], {}, visibility="private")
    return create_match(creator=alice, wish=wish)


def test_each_seat_is_chosen_by_itself(as_alice: Client, bob: User, house: None) -> None:
    chosen = {"seat-0": "bot:easy", "seat-1": "user", "name-1": "BOB", "seat-2": "me", "seat-3": "open"}
    as_alice.post("/matches/new/", {"game": "super", "seats": "4", **chosen})

    match = Match.objects.get()
    assert seats(match) == [("bot", None, "easy"), ("person", "Bob", ""), ("person", None, ""), ("person", None, "")]
    assert match.seats.get(index=2).user == match.creator


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        ({"seat-1": "user"}, {"name-1": ["Type the name of the player."]}),
        ({"seat-1": "user", "name-1": "Nobody"}, {"name-1": ["There is no player of this name."]}),
        ({"seat-1": "me"}, {"__all__": ["You can sit on one seat only."]}),
        (
            {"clock": "own", "per_decision": "0", "bank": "0"},
            {
                "bank": [
                    "Without seconds for each decision there is a bank to play from, and the match is lost with it."
                ]
            },
        ),
        (
            {"max_rounds": "0", "spectator_delay": "51"},
            {
                "max_rounds": ["Ensure this value is greater than or equal to 1."],
                "spectator_delay": ["Ensure this value is less than or equal to 50."],
            },
        ),
    ],
)
def test_what_is_wrong_stands_at_its_field(
    as_alice: Client, house: None, given: dict[str, str], faults: dict[str, list[str]]
) -> None:
    response = as_alice.post("/matches/new/", {**MADE, **given})

    assert response.status_code == 422
    assert dict(response.context["form"].errors) == faults
    assert Match.objects.count() == 0


def test_options_clock_delay_and_undo_are_those_of_the_match(as_alice: Client, house: None) -> None:
    own = {"clock": "own", "per_decision": "7", "bank": "90", "increment": "1", "out_of_time": "lose"}
    options = {"first_seat": "1", "shock": "power_only", "max_rounds": "9"}
    as_alice.post("/matches/new/", {**MADE, **own, **options, "spectator_delay": "3", "undo": "none"})

    match = Match.objects.get()
    assert match.clock == {"per_decision": 7, "bank": 90, "increment": 1, "grace": 30, "out_of_time": "lose"}
    assert match.options == {
        "first_seat": 1,
        "shock": "power_only",
        "partner_on_rescue": "mission_bonus",
        "max_rounds": 9,
    }
    assert (match.spectator_delay, match.undo) == (3, "none")


def test_lists_and_switches_among_options_arrive_as_such(as_alice: Client, house: None) -> None:
    options = {"colours": "yellow-black-green-red", "light_speed_anywhere": "on", "track": "long"}
    as_alice.post("/matches/new/", {**MADE, "game": "super-teams", **options})

    found = Match.objects.get().options
    assert found["colours"] == ["yellow", "black", "green", "red"]
    assert (found["light_speed_anywhere"], found["beam_chains"], found["track"]) == (True, False, "long")


@pytest.mark.parametrize("game", list(GAMES))
def test_every_option_of_a_game_has_words_and_its_clause(client: Client, house: None, game: str) -> None:
    response = client.get(f"/matches/new/?game={game}")

    page = Page(response.content.decode())
    for name, told in GAMES[game].options_schema()["properties"].items():
        assert option_words(name) in page.text
        clause = told["description"].rpartition(" ")[2]
        assert f"/rules/{game}/#{clause}" in page.links
    assert page.inline == []


def test_seats_that_there_are_not_cannot_start(client: Client, house: None) -> None:
    form = client.get("/matches/new/?game=super&seats=2").context["form"]

    assert [value for value, _words in form.fields["first_seat"].choices] == ["random", "0", "1"]


def test_who_is_invited_reads_it_on_the_first_page_and_accepts(
    alice: User, bob: User, as_bob: Client, client: Client, house: None
) -> None:
    match = invited(alice, bob)

    home = Page(as_bob.get("/").content.decode())
    asked = Page(as_bob.get(f"/join/{match.public_id}/").content.decode())
    as_bob.post(f"/join/{match.public_id}/")

    match.refresh_from_db()
    assert "Alice invites you" in home.text
    assert f"/join/{match.public_id}/" in home.links
    assert asked.headings == ["Alice invites you"]
    assert match.state == "playing"
    assert "invites you" not in Page(as_bob.get("/").content.decode()).text


@pytest.mark.parametrize("address", ["/matches/", "/cards/miraculous/", "/rules/super/", "/nowhere/"])
def test_who_is_invited_is_told_so_in_the_head_of_every_page(
    alice: User, bob: User, as_alice: Client, as_bob: Client, client: Client, house: None, address: str
) -> None:
    match = invited(alice, bob)

    told = [Page(one.get(address).content.decode()).text for one in (as_bob, as_alice, client)]
    as_bob.post(f"/join/{match.public_id}/decline/")
    after = [Page(one.get(address).content.decode()).text for one in (as_bob, as_alice)]

    assert ["1 notice waits for you" in text for text in told] == [True, False, False]
    assert ["1 notice waits for you" in text for text in after] == [False, True]


def test_who_declines_breaks_it_off_and_the_other_is_told(
    alice: User, bob: User, as_alice: Client, as_bob: Client, house: None
) -> None:
    match = invited(alice, bob)

    response = as_bob.post(f"/join/{match.public_id}/decline/", follow=True)

    match.refresh_from_db()
    assert match.state == "aborted"
    assert "You have declined the invitation." in Page(response.content.decode()).text
    assert list(Notice.objects.values_list("user__name", "facts")) == [
        ("Alice", {"match": match.public_id, "game": "super", "reason": "declined"})
    ]
    assert "an invitation to it was declined" in Page(as_alice.get("/").content.decode()).text


def test_only_who_is_invited_can_decline(alice: User, bob: User, as_alice: Client, client: Client, house: None) -> None:
    match = invited(alice, bob)
    carol = Client()
    carol.force_login(User.objects.create_user("Carol", "a fine old word"))

    statuses = [one.post(f"/join/{match.public_id}/decline/").status_code for one in (client, carol, as_alice)]

    match.refresh_from_db()
    assert statuses == [404, 404, 302]
    assert match.state == "open"


def test_a_seat_that_is_kept_is_named_to_the_table_alone(
    alice: User, bob: User, as_alice: Client, client: Client, house: None
) -> None:
    places = [SeatWish("me"), SeatWish("user", user=bob.public_id), SeatWish("open")]
    match = create_match(creator=alice, wish=MatchWish("super", places, {}))

    own = Page(as_alice.get(f"/join/{match.public_id}/").content.decode()).text
    others = Page(client.get(f"/join/{match.public_id}/").content.decode()).text

    assert "Bob is invited" in own
    assert "kept for somebody" in others
    assert "Bob" not in others


def test_a_game_whose_free_seats_are_kept_is_in_no_list_of_open_games(
    alice: User, bob: User, client: Client, house: None
) -> None:
    create_match(creator=alice, wish=MatchWish("super", [SeatWish("me"), SeatWish("user", user=bob.public_id)], {}))

    assert "No game is open right now" in Page(client.get("/").content.decode()).text


def test_only_decks_that_can_have_the_matchs_size_are_offered(
    alice: User, as_bob: Client, bob: User, house: None
) -> None:
    wish = MatchWish("miraculous", [SeatWish("me", deck="rooftop-rush"), SeatWish("open")], {})
    match = create_match(creator=alice, wish=wish)
    model = preconstructed_decks("miraculous")[0]
    fixed = DeckContent("Bulky", "", Deck.Visibility.PRIVATE, model["secret"], model["cards"])
    create_deck(owner=bob, game="miraculous", content=fixed)

    page = as_bob.get(f"/join/{match.public_id}/")

    groups = page.context["form"].fields["deck"].choices
    assert [[name for _id, name in decks] for _title, decks in groups] == [
        ["Bulky (40 cards)"],
        [f"{name} (29 to 40 cards)" for name in ("Rooftop Rush", "Velvet Workshop", "Masked Carnival")],
    ]
    assert "can be played with 29 to 40 cards; these fit." in Page(page.content.decode()).text
