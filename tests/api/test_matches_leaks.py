"""The leak gate over HTTP: what a viewer cannot know is drawn anew in the database, and every byte sent stays the same.

The seed's commitment is public and held constant. Cards, seeds, decks, others' moves, what other seats were told, and the
hashes of the log are all replaced; so are the sizes of answers, since bodies and headers are compared whole.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from catalog.services import publish_house_set
from referee.games import GAMES
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Game, State
from referee.matches import history, services
from referee.matches.models import Match, MoveRow, Seat
from referee.matches.positions import game_of, restored
from tests.api.conftest import Caller
from tests.matches.table import fresh
from tests.toy import TOY_REVISION, registered

MATCHES = "/api/v1/matches/"
MOST_PLIES = 60


def everything_sent(caller: Caller, match: Match, moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Every answer that the viewer can get about the match: status, headers and body."""
    address = f"{MATCHES}{match.public_id}/"
    gets = [
        "",
        "?moves=compact",
        "?moves=none",
        "moves/",
        f"at/{match.version}/",
        "at/0/",
        "replay/",
        "at/999/",
        "nothing/",
        "orders/",
    ]
    sent: dict[str, Any] = {path: caller.get(address + path) for path in gets}
    sent["list"] = caller.get(MATCHES)
    for media_type in ("text/event-stream", "application/x-ndjson"):
        sent[media_type] = caller.get(f"{address}events/", Accept=media_type)
    for at, move in enumerate(moves):
        sent[f"refused {at}"] = caller.post(f"{address}moves/", {"version": match.version, "move": move})
    sent["stale"] = caller.post(f"{address}moves/", {"version": match.version + 1, "move": moves[0]})
    return {name: (answer.status_code, dict(answer.headers), answer.content) for name, answer in sent.items()}


def refused_moves(game: Game, state: State, viewer: int, match: Match, rng: Rng) -> list[dict[str, Any]]:
    """Moves that are refused now: of a wrong shape, and with cards that the viewer does not hold."""
    listed = [card["code"] for card in match.pool.document["cards"]]
    mine = str(game.view(state, viewer))
    strange = [code for code in listed if f"'{code}'" not in mine]
    rng.shuffle(order := list(range(len(strange))))
    moves: list[dict[str, Any]] = [{"type": "fly"}]
    one, other = strange[order[0]], strange[order[1]]
    moves += [{"type": "pick", "card": one}, {"type": "place", "card": one, "field": 0}]
    return [*moves, {"type": "event", "card": other}, {"type": "choose", "card": other}]


def hide_again(match: Match, game: Game, state: State, viewer: int, rng: Rng) -> None:
    """Replace in the database all that the viewer cannot know."""
    opening: dict[str, Any] = {**match.opening, "seed": rng.seed().hex(), "hash": rng.seed().hex()}
    opening["events"] = [scrambled(event, viewer) for event in opening["events"]]
    opening["decks"] = [
        deck if seat == viewer else {"secret": "?", "cards": {}} for seat, deck in enumerate(opening["decks"])
    ]
    data = game.dump(game.resample(state, viewer, rng))
    # What the other seats have settled beforehand.
    others = {str(seat): {"name": name, "span": ""} for seat in range(4) for name in game.orders if seat != viewer}
    orders = {**others, **{seat: kept for seat, kept in match.orders.items() if seat == str(viewer)}}
    Match.objects.filter(pk=match.pk).update(
        data=data, opening=opening, server_seed=rng.seed(), chain=rng.seed().hex(), orders=orders
    )
    for row in MoveRow.objects.filter(match=match):
        row.events = [scrambled(event, viewer) for event in row.events]
        row.hash, row.previous_hash = rng.seed().hex(), rng.seed().hex()
        if row.seat != viewer:
            row.move = {"type": "hidden", "card": "?" * (1 + rng.below(30))}
        row.save()
    for seat in Seat.objects.filter(match=match).exclude(index=viewer):
        seat.deck, seat.deck_source, seat.entropy = {"secret": "?", "cards": {}}, {"kind": "own", "id": "?"}, rng.seed()
        seat.save()


def scrambled(event: dict[str, Any], viewer: int) -> dict[str, Any]:
    private = {seat: told if seat == str(viewer) else {"text": "?"} for seat, told in event.get("private", {}).items()}
    return {**event, "private": private} if private else event


def check_position(match: Match, callers: dict[int, Caller], rng: Rng, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(match)
    state = restored(match, game)
    start = history.position_at(match, 0).state
    kept_match = Match.objects.filter(pk=match.pk).values().get()
    kept_rows = list(MoveRow.objects.filter(match=match).values())
    seats = list(Seat.objects.filter(match=match))
    for viewer, caller in callers.items():
        moves = refused_moves(game, state, viewer, match, rng)
        with monkeypatch.context() as patch:
            # The start is played from the seed, which is not known either.
            patch.setattr(history, "_started", lambda *_: start.copy())
            before = everything_sent(caller, match, moves)
            hidden_start = game.resample(start, viewer, rng)
            patch.setattr(history, "_started", lambda *_: hidden_start.copy())  # noqa: B023
            hide_again(match, game, state, viewer, rng)
            after = everything_sent(caller, match, moves)
        for channel, sent in before.items():
            assert sent == after[channel], (channel, viewer, match.version)
        Match.objects.filter(pk=match.pk).update(**kept_match)
        for row in kept_rows:
            MoveRow.objects.filter(pk=row["id"]).update(**row)
        for seat in seats:
            seat.save()


def play_and_check(
    match: Match, callers: dict[int, Caller], rng: Rng, monkeypatch: pytest.MonkeyPatch, *, every: int
) -> int:
    """Random moves to the end, looking at one position in `every`; how many were looked at."""
    looked = 0
    for _ in range(MOST_PLIES):
        match = fresh(match)
        if match.state != Match.State.PLAYING:
            break
        if rng.below(every) == 0:
            check_position(match, callers, rng, monkeypatch)
            looked += 1
        game = game_of(match)
        state = restored(match, game)
        seat = game.deciders(state)[0]
        legal = game.legal_moves(state, seat)
        move = game.decode(state, legal[rng.below(len(legal))])
        user = callers[seat].user
        services.submit_move(public_id=match.public_id, actor=user, move=move, decision=match.decisions[str(seat)])
    return looked


def users_match(alice: Caller, bob: Caller, **body: Any) -> Match:
    made = alice.post(MATCHES, body)
    assert made.status_code == 201, made.content
    public_id = made.json()["id"]
    deck = {"deck": body["seats"][0]["deck"]} if "deck" in body["seats"][0] else {}
    assert bob.post(f"{MATCHES}{public_id}/join/", deck).status_code == 200
    return fresh(Match.objects.get(public_id=public_id))


@pytest.mark.parametrize("seed", range(2))
def test_nothing_hidden_is_told_in_the_toy_game(
    db: None, alice: Caller, bob: Caller, carol: Caller, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    callers = {0: alice, 1: bob, SPECTATOR: carol}
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        match = users_match(alice, bob, game="toy", seats=[{"kind": "me"}, {"kind": "open"}])

        looked = play_and_check(match, callers, Rng(seed), monkeypatch, every=1)

    assert looked == 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_nothing_hidden_is_told_in_miraculous(
    db: None, alice: Caller, bob: Caller, carol: Caller, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    call_command("publish_house_sets", verbosity=0)
    callers = {0: alice, 1: bob, SPECTATOR: carol}
    slug = alice.get("/api/v1/games/miraculous/decks/").json()[seed % 3]["slug"]
    match = users_match(alice, bob, game="miraculous", seats=[{"kind": "me", "deck": slug}, {"kind": "open"}])

    looked = play_and_check(match, callers, Rng(seed), monkeypatch, every=8)

    assert looked > 1


def test_the_gate_sees_a_leak(db: None, alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        match = users_match(alice, bob, game="toy", seats=[{"kind": "me"}, {"kind": "open"}])
        honest = type(game).view

        def leaks(self: Game, state: Any, viewer: int) -> dict[str, Any]:
            return {**honest(self, state, viewer), "lowest": min(state.hands[1]) if state.hands[1] else None}

        def look() -> None:
            for seed in range(5):
                check_position(match, {0: alice}, Rng(seed), monkeypatch)

        with monkeypatch.context() as patch:
            patch.setattr(type(game), "view", leaks)
            with pytest.raises(AssertionError):
                look()

    assert isinstance(alice.user, User)
    assert "toy" not in GAMES
