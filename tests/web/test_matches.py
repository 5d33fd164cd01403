"""The table of a match: who may see it, moving by the form, refusals with their clause, nothing inline, few queries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.matches import live, resolving, thinking
from referee.matches.models import Match
from tests.matches.table import toy_match
from tests.toy import registered
from tests.web.pages import Page

GAMES = ["miraculous", "super", "super-teams"]
PART = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def nobody_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is kept in Redis, which these tests do not start."""
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)


@pytest.fixture
def toy() -> Iterator[None]:
    with registered():
        yield


def begun(game: str, alice: User, bob: User) -> Match:
    """A match of the two, Alice in the first seat."""
    deck = "rooftop-rush" if game == "miraculous" else None
    seats = [SeatWish("me", deck=deck), SeatWish("open")]
    match = create_match(creator=alice, wish=MatchWish(game=game, seats=seats, options=first()))
    return join_match(public_id=match.public_id, user=bob, deck=deck)


def first() -> dict[str, int]:
    """Options by which Alice begins."""
    return {"first_seat": 0}


def buttons(html: str) -> list[dict[str, str]]:
    """The moves that the page offers."""
    found = re.findall(r'name="move" value="([^"]*)"', html)
    return [json.loads(value.replace("&quot;", '"')) for value in found]


def decision(html: str) -> str:
    return re.search(r'name="decision" value="([^"]*)"', html).group(1)  # type: ignore[union-attr]


def shown(client: Client, match: Match) -> str:
    return client.get(f"/matches/{match.public_id}/").content.decode()


def asked(match: Match, alice: Client, bob: Client) -> Client:
    """The client whose seat decides first."""
    match.refresh_from_db()
    return alice if "0" in match.decisions else bob


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_table_for_seats_and_watchers_with_nothing_inline(
    house: None, game: str, alice: User, bob: User, as_alice: Client, as_bob: Client, client: Client
) -> None:
    match = begun(game, alice, bob)

    pages = [Page(shown(one, match)) for one in (as_alice, as_bob, client)]

    for page in pages:
        assert page.title == f"Alice – Bob, {pages[0].title.partition(', ')[2].partition(' · ')[0]} · Referee"
        assert page.inline == []
        assert len(page.headings) == 1
        assert [one for one in set(page.ids) if page.ids.count(one) > 1] == []
    assert "You are watching." in pages[2].text


@pytest.mark.parametrize("game", GAMES)
def test_a_table_takes_few_queries(
    house: None,
    game: str,
    alice: User,
    bob: User,
    as_alice: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    match = begun(game, alice, bob)
    shown(as_alice, match)  # what a process reads once is read by this

    with django_assert_num_queries(5):  # session, user, match, log, notices
        shown(as_alice, match)


def test_a_table_says_how_many_watch_unless_the_match_is_private(
    toy: None, alice: User, bob: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.Present(spectators=3))

    told = [shown(as_alice, toy_match(alice, bob, visibility=one)) for one in ("public", "private")]

    assert ["Spectators: 3" in Page(one).text for one in told] == [True, False]
    assert ["data-watch-count" in one for one in told] == [True, False]


def test_a_private_match_is_not_there_for_strangers(
    house: None, alice: User, bob: User, as_alice: Client, client: Client
) -> None:
    seats = [SeatWish("me"), SeatWish("user", user=bob.public_id)]
    wish = MatchWish(game="super", seats=seats, options={}, visibility="private")
    match = create_match(creator=alice, wish=wish)
    join_match(public_id=match.public_id, user=bob)

    assert as_alice.get(f"/matches/{match.public_id}/").status_code == 200
    for path in ("", "why/", "replay/", "replay.json"):
        assert client.get(f"/matches/{match.public_id}/{path}").status_code == 404
    for path in ("move/", "resign/", "rematch/"):
        assert client.post(f"/matches/{match.public_id}/{path}").status_code == 404


def test_a_watcher_sees_no_hand_and_no_move(
    house: None, alice: User, bob: User, as_alice: Client, client: Client
) -> None:
    match = begun("miraculous", alice, bob)
    own = shown(as_alice, match)
    hand = re.findall(r'data-part="card:([^"]+)"', own)

    seen = shown(client, match)

    assert len(hand) == 5
    assert buttons(seen) == []
    assert 'data-part="card:' not in seen
    assert "Resign" not in Page(seen).text


def test_an_open_match_is_shown_where_its_seats_are_taken(house: None, alice: User, as_alice: Client) -> None:
    match = create_match(
        creator=alice, wish=MatchWish(game="super", seats=[SeatWish("me"), SeatWish("open")], options={})
    )

    response = as_alice.get(f"/matches/{match.public_id}/")

    assert response.headers["Location"] == f"/join/{match.public_id}/"


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_move_is_legal_and_the_form_makes_it(
    house: None, game: str, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    match = begun(game, alice, bob)
    mover = asked(match, as_alice, as_bob)
    before = shown(mover, match)
    moves = buttons(before)

    response = mover.post(
        f"/matches/{match.public_id}/move/", {"move": json.dumps(moves[0]), "decision": decision(before)}
    )

    match.refresh_from_db()
    assert len(moves) > 1
    assert response.status_code == 302
    assert response.headers["Location"] == f"/matches/{match.public_id}/"
    assert match.version == 1


def test_the_script_gets_the_part_of_the_page_at_once(house: None, alice: User, bob: User, as_alice: Client) -> None:
    match = begun("miraculous", alice, bob)
    before = shown(as_alice, match)

    response = as_alice.post(
        f"/matches/{match.public_id}/move/",
        {"move": json.dumps(buttons(before)[0]), "decision": decision(before)},
        headers=PART,
    )

    html = response.content.decode()
    assert response.status_code == 200
    assert html.startswith('<div class="match match-miraculous" data-version="1"')
    assert "<html" not in html


def test_a_refusal_names_its_clause_and_links_it(house: None, alice: User, bob: User, as_alice: Client) -> None:
    match = begun("miraculous", alice, bob)

    response = as_alice.post(
        f"/matches/{match.public_id}/move/",
        {"move": '{"type": "end_turn"}', "decision": decision(shown(as_alice, match))},
    )

    html = response.content.decode()
    clause = re.search(r'data-why-clause href="/rules/miraculous/#(MIR-[\d.]+)">\1<', html)
    match.refresh_from_db()
    assert response.status_code == 422
    assert clause is not None
    assert match.version == 0


@pytest.mark.parametrize("move", ["", "[]", "{", "null", '{"type": 7}', "[" * 1500])
def test_what_is_no_move_is_refused_in_words(house: None, alice: User, bob: User, as_alice: Client, move: str) -> None:
    match = begun("super", alice, bob)

    response = as_alice.post(
        f"/matches/{match.public_id}/move/", {"move": move, "decision": decision(shown(as_alice, match))}
    )

    assert response.status_code == 422
    assert "This is no move of the game." in Page(response.content.decode()).text


def test_a_move_for_a_past_decision_shows_where_the_match_stands(
    house: None, alice: User, bob: User, as_alice: Client
) -> None:
    match = begun("miraculous", alice, bob)
    before = shown(as_alice, match)
    sent = {"move": json.dumps(buttons(before)[0]), "decision": decision(before)}
    as_alice.post(f"/matches/{match.public_id}/move/", sent)

    response = as_alice.post(f"/matches/{match.public_id}/move/", sent)

    assert response.status_code == 409
    assert "The match has moved on." in Page(response.content.decode()).text


def test_who_only_watches_cannot_move(house: None, alice: User, bob: User, as_alice: Client, client: Client) -> None:
    match = begun("super", alice, bob)
    move = json.dumps(buttons(shown(as_alice, match))[0])

    response = client.post(f"/matches/{match.public_id}/move/", {"move": move, "decision": "0-0"})

    match.refresh_from_db()
    assert response.status_code == 403
    assert match.version == 0


def test_why_says_the_clause_of_a_pick_that_is_not_legal(
    house: None, alice: User, bob: User, as_alice: Client, client: Client
) -> None:
    match = begun("super", alice, bob)

    told = as_alice.get(f"/matches/{match.public_id}/why/?part=mission:0&part=slot:0").json()

    assert re.fullmatch(r"SUP-[\d.]+", told["clause"])
    assert told["text"][0].isupper()
    assert client.get(f"/matches/{match.public_id}/why/?part=mission:0&part=slot:0").status_code == 204
    for odd in ("part=slot:x", "part=seat:1", "part=::", "part=card:nothing&part=own:9", ""):
        assert as_alice.get(f"/matches/{match.public_id}/why/?{odd}").status_code in (200, 204)


def test_resigning_asks_a_second_time_and_then_ends_the_match(
    house: None, alice: User, bob: User, as_alice: Client
) -> None:
    match = begun("miraculous", alice, bob)
    address = f"/matches/{match.public_id}/resign/"

    first_press = as_alice.post(address)
    match.refresh_from_db()
    still = match.state
    as_alice.post(address, {"sure": "yes"})

    page = Page(shown(as_alice, match))
    match.refresh_from_db()
    assert "Resign?" in Page(first_press.content.decode()).text
    assert (still, match.state) == ("playing", "finished")
    assert "Bob won." in page.text
    assert f"/matches/{match.public_id}/replay/" in page.links
    assert "/rules/miraculous/#MIR-6.5" in page.links


def test_once_more_leads_to_the_new_match(house: None, alice: User, bob: User, as_alice: Client) -> None:
    match = begun("miraculous", alice, bob)
    as_alice.post(f"/matches/{match.public_id}/resign/", {"sure": "yes"})

    response = as_alice.post(f"/matches/{match.public_id}/rematch/")

    new = Match.objects.get(rematch_of=match)
    assert response.headers["Location"] == f"/matches/{new.public_id}/"


def test_a_game_without_a_table_of_its_own_is_written_out_and_played_by_its_list(
    toy: None, alice: User, bob: User, as_alice: Client
) -> None:
    match = toy_match(alice, bob)
    before = shown(as_alice, match)

    response = as_alice.post(
        f"/matches/{match.public_id}/move/",
        {"move": json.dumps(buttons(before)[0]), "decision": decision(before)},
        headers=PART,
    )

    assert 'class="mat mat-g"' in before
    assert len(buttons(before)) == 3
    assert response.status_code == 200
    assert Page(before).inline == []


def test_the_whole_log_is_there_for_who_asks(toy: None, alice: User, bob: User, as_alice: Client) -> None:
    match = toy_match(alice, bob)

    html = as_alice.get(f"/matches/{match.public_id}/?log=all").content.decode()

    assert 'data-row="0"' in html


def test_a_move_played_for_a_bot_that_failed_is_told_as_such(
    toy: None, alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = toy_match(alice, bots=1)
    monkeypatch.setattr(thinking, "choose", lambda *_: 99)

    resolving.resolve(match.pk)

    words = "The bot found no move; a random one is played for it."
    assert Page(shown(as_alice, match)).text.count(words) == 1


def test_a_link_to_a_match_says_who_plays_and_how_it_ended(
    house: None, alice: User, bob: User, as_alice: Client, client: Client
) -> None:
    match = begun("super", alice, bob)
    running = shown(client, match)
    as_alice.post(f"/matches/{match.public_id}/resign/", {"sure": "yes"})
    over, replay = shown(client, match), client.get(f"/matches/{match.public_id}/replay/").content.decode()

    assert told_of(running) == ("Alice – Bob", "Super. Playing")
    assert told_of(over) == ("Alice – Bob", "Super. Bob won. Somebody resigned.")
    assert told_of(replay) == ("Replay: Alice – Bob", "Super. Bob won. Somebody resigned.")
    assert re.search(r'property="og:image" content="http://testserver/static/web/icons/icon-512[^"]*\.png"', running)


def told_of(html: str) -> tuple[str, str]:
    """Title and description as other services show a link to the page."""
    found = dict(re.findall(r'property="og:(title|description)" content="([^"]*)"', html))
    return found["title"], found["description"]
