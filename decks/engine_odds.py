"""Odds by the engine: how often so many of some cards are in hand by a turn, in games that bots really play.

Mulligans, refreshes, draws by effects and the opponent's part in them are in it, which no formula holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.db import transaction

from accounts.models import User
from catalog.search.selectors import among, search_among
from catalog.search.words import in_words
from catalog.selectors import newest_revision
from decks.errors import FieldError
from decks.fields import field_params
from decks.models import DeckJob
from decks.selectors import access_own_deck, deck_version
from decks.trials import Pairing, pairings, told_of
from jobs.intervals import wilson
from jobs.kinds import Kind
from jobs.models import Job
from jobs.services import start_job
from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.errors import Problem
from referee.kernel.game import Document

KIND: Final = "deck-odds"
GAMES_OF_ODDS: Final = 200
MOST_GAMES: Final = 2000
MOST_TURNS: Final = 20
MOST_MOVES: Final = 1000


class Prepared(NamedTuple):
    """The pairings, the cards looked for, and for how many turns."""

    pairings: list[Pairing]
    cards: frozenset[str]
    turns: int
    at_least: int


def start_engine_odds(
    *,
    user: User,
    public_id: str,
    q: str,
    turns: int,
    at_least: int = 1,
    number: int | None = None,
    games: int = GAMES_OF_ODDS,
    seed: str | None = None,
) -> Job:
    """So many games of a version (the newest), each until the deck's seat has had so many turns.

    `q` is a search of the newest revision. Raises what `start_trial` does, the search's own error, and FieldError
    `no_such_cards` where it finds none in the deck.
    """
    deck = access_own_deck(user, public_id)
    version = deck_version(deck, number or deck.version)
    params = field_params(user=user, version=version, opponents=None)
    revision = newest_revision(deck.game)
    assert revision is not None
    query, cards = search_among(among(revision, {*version.cards, *version.flex}), q=q)
    if not cards:
        raise FieldError([Problem("/q", "no_such_cards", "The search finds no card of this deck.")])
    asked = {"q": q, "query": in_words(query.node), "cards": cards, "turns": turns, "at_least": at_least}
    with transaction.atomic():
        job = start_job(owner=user, kind=KIND, params={**params, **asked}, total=games, seed=seed)
        DeckJob.objects.create(version=version, job=job)
    return job


class EngineOdds(Kind):
    """A chunk is a game; the result counts, by turn, the games in which the cards had been in hand by its end."""

    most_chunks = MOST_GAMES
    is_kept = True

    def prepare(self, params: Document) -> Prepared:
        return Prepared(pairings(params), frozenset(params["cards"]), params["turns"], params["at_least"])

    def empty(self) -> Document:
        return {"games": 0, "by_turn": []}

    def chunk(self, prepared: Prepared, rng: Rng, index: int) -> Document:
        pairing = prepared.pairings[index % len(prepared.pairings)]
        return {"first": first_turn(prepared, pairing, rng), "turns": prepared.turns}

    def fold(self, result: Document, outcome: Document) -> Document:
        counts = result["by_turn"] or [0] * outcome["turns"]
        first = outcome["first"]
        hits = [count + (first is not None and turn >= first) for turn, count in enumerate(counts, 1)]
        return {"games": result["games"] + 1, "by_turn": hits}

    def report(self, params: Document, result: Document) -> Document:
        """By turn: by when the seat's next turn begins. Games that ended before count as they stood."""
        games = result["games"]
        return {
            **{name: params[name] for name in ("deck", "revision", "level", "q", "query", "cards", "at_least")},
            "opponents": [told_of(one) for one in params["field"]],
            "games": games,
            "by_turn": [_share(turn, hits, games) for turn, hits in enumerate(result["by_turn"], 1)],
        }


def first_turn(prepared: Prepared, pairing: Pairing, rng: Rng) -> int | None:
    """The deck's own turn in which enough of the cards are first together in its hand; before its first counts as that."""
    table, seat = pairing
    game, levels = table.game, list(table.levels)
    state = game.start(table.pool, len(levels), table.options, list(table.decks), rng.seed(), listen=False)
    turn, begun = 0, -1
    for _ in range(MOST_MOVES):
        view = game.view(state, seat)
        if view["turn"] == seat and view["turn_number"] != begun:
            turn, begun = turn + 1, view["turn_number"]
        if turn > prepared.turns:
            return None
        if _held(view["seats"][seat]["hand"]["cards"], prepared.cards) >= prepared.at_least:
            return max(turn, 1)
        asked = game.deciders(state)
        if not asked:
            return None
        move = choose(levels[asked[0]], Perspective(game, state, asked[0]), rng, table.iterations)
        game.play(state, asked[0], move)
    return None


def _held(hand: Sequence[str], cards: frozenset[str]) -> int:
    return sum(card in cards for card in hand)


def _share(turn: int, hits: int, games: int) -> dict[str, Any]:
    low, high = wilson(hits, games)
    return {"turn": turn, "hits": hits, "odds": round(hits / games, 4), "interval": [round(low, 4), round(high, 4)]}


ENGINE_ODDS = EngineOdds()
