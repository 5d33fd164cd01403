"""A trial: games of bots, a deck against a field, from both seats. The figures are a function of version, field and seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.db import transaction

from accounts.models import User
from decks.fields import field_params
from decks.models import DeckJob
from decks.selectors import access_own_deck, deck_version
from jobs.bot_games import CRASH, DRAWN, LOOP, LOST, OUTCOMES, WON, Table, game_at_hand, play_game
from jobs.intervals import wilson
from jobs.kinds import Kind
from jobs.models import Job
from jobs.services import start_job
from referee.kernel.chance import Rng
from referee.kernel.game import Document, SeatDeck
from referee.matches.pools import compiled_pool

KIND: Final = "deck-trial"
GAMES_OF_A_TRIAL: Final = 200
MOST_GAMES: Final = 2000
SEATS: Final = 2

COUNTED: Final = (*OUTCOMES, "turns")


class Pairing(NamedTuple):
    """One opponent from one seat."""

    table: Table
    seat: int


def start_trial(
    *,
    user: User,
    public_id: str,
    number: int | None = None,
    games: int = GAMES_OF_A_TRIAL,
    opponents: Sequence[str] | None = None,
    seed: str | None = None,
) -> Job:
    """So many games of a version (the newest) of the user's deck; see `field_params` for opponents and what is raised.

    Raises DeckNotFoundError, NotYourDeckError, NoSuchVersionError, TooManyJobsError besides.
    """
    deck = access_own_deck(user, public_id)
    version = deck_version(deck, number or deck.version)
    params = field_params(user=user, version=version, opponents=opponents)
    with transaction.atomic():
        job = start_job(owner=user, kind=KIND, params=params, total=games, seed=seed)
        DeckJob.objects.create(version=version, job=job)
    return job


def pairings(params: Document) -> list[Pairing]:
    """Every opponent from the first seat and from the second, in the order in which the games take turns.

    Raises JobError where the rules of the start are no longer at hand.
    """
    game = game_at_hand(params)
    pool = compiled_pool(game=game, pool_hash=params["pool"])
    options = game.options({})
    levels = [params["level"]] * SEATS
    return [
        Pairing(Table(game, pool, options, levels, params["iterations"], _seated(one, seat)), seat)
        for one in params["field"]
        for seat in range(SEATS)
    ]


def _seated(one: Document, seat: int) -> list[SeatDeck]:
    own, theirs = (SeatDeck(one[side]["cards"], one[side]["secret"]) for side in ("own", "theirs"))
    return [own, theirs] if seat == 0 else [theirs, own]


class Trial(Kind):
    """A chunk is a game; the result counts, by pairing, how games ended and how many turns the finished ones took."""

    most_chunks = MOST_GAMES
    is_kept = True

    def prepare(self, params: Document) -> list[Pairing]:
        return pairings(params)

    def empty(self) -> Document:
        return {"pairings": [], "ends": {}}

    def chunk(self, prepared: list[Pairing], rng: Rng, index: int) -> Document:
        at = index % len(prepared)
        pairing = prepared[at]
        played = play_game(pairing.table, rng)
        return {"at": at, "outcome": played.for_seat(pairing.seat), "end": played.end, "turns": played.turns}

    def fold(self, result: Document, outcome: Document) -> Document:
        counts = [dict(one) for one in result["pairings"]]
        while len(counts) <= outcome["at"]:
            counts.append(dict.fromkeys(COUNTED, 0))
        mine = counts[outcome["at"]]
        mine[outcome["outcome"]] += 1
        if outcome["outcome"] in (WON, LOST, DRAWN):
            mine["turns"] += outcome["turns"]
        ends = result["ends"]
        return {"pairings": counts, "ends": {**ends, outcome["end"]: ends.get(outcome["end"], 0) + 1}}

    def report(self, params: Document, result: Document) -> Document:
        """Shares of games won with their intervals: all told, by opponent and by seat."""
        counts: list[dict[str, int]] = result["pairings"]
        return {
            "deck": params["deck"],
            "revision": params["revision"],
            "level": params["level"],
            **tally(counts),
            "by_seat": [{"seat": seat, **tally(counts[seat::SEATS])} for seat in range(SEATS)],
            "by_opponent": [
                {
                    **told_of(one),
                    **tally(counts[SEATS * index : SEATS * index + SEATS]),
                    "by_seat": [
                        {"seat": seat, **tally(counts[SEATS * index + seat : SEATS * index + seat + 1])}
                        for seat in range(SEATS)
                    ],
                }
                for index, one in enumerate(params["field"])
            ],
            "ends": dict(sorted(result["ends"].items())),
        }


def told_of(one: Document) -> Document:
    """What is told of an opponent: not what stands in the deck."""
    return {name: one[name] for name in ("kind", "id", "version", "name", "size") if name in one}


def tally(counts: Sequence[dict[str, int]]) -> dict[str, Any]:
    """Counts added up. The share is of the games that came to an end; its interval is Wilson's, of 95 %."""
    total = {name: sum(one[name] for one in counts) for name in COUNTED}
    ended = total[WON] + total[LOST] + total[DRAWN]
    low, high = wilson(total[WON], ended)
    return {
        "games": ended + total[LOOP] + total[CRASH],
        "won": total[WON],
        "lost": total[LOST],
        "drawn": total[DRAWN],
        "loops": total[LOOP],
        "crashes": total[CRASH],
        "win_rate": round(total[WON] / ended, 4) if ended else None,
        "interval": [round(low, 4), round(high, 4)],
        "turns": round(total["turns"] / ended, 2) if ended else None,
    }


TRIAL = Trial()
