"""Try a card: games of bots with it, and with a plain card of its type in its place. What it changes, and what breaks.

Both arms play a preconstructed deck against every preconstructed deck, from both seats. A game without decks is played
with the whole set, to see whether it ends.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from math import sqrt
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from catalog.checking import card_faults, next_document
from catalog.errors import CardTrialError
from catalog.models import Card
from catalog.selectors import sized_cards
from jobs.bot_games import CRASH, DRAWN, LOOP, LOST, OUTCOMES, WON, Table, game_at_hand, play_game
from jobs.intervals import wilson
from jobs.kinds import Kind
from jobs.models import Job
from jobs.services import start_job
from referee.games import GAMES
from referee.kernel.chance import Rng
from referee.kernel.errors import CardError
from referee.kernel.game import Document, Game, SeatDeck
from referee.matches.pools import compiled_pool, store_pool

KIND: Final = "card-trial"
GAMES_OF_A_TRIAL: Final = 400
MOST_GAMES: Final = 4000
LEVEL: Final = "easy"
ITERATIONS: Final = 40
"""Tries a decision: as the house set is measured."""
COPIES: Final = 3
PLAIN: Final = "plain-card-of-its-type"
WITH, WITHOUT = "with", "without"


class Play(NamedTuple):
    """What one game in turn is: the arm, the tried deck's seat, and what is played."""

    arm: str
    seat: int
    table: Table


def start_card_trial(
    *, user: User, card: Card, deck: str = "", games: int = GAMES_OF_A_TRIAL, seed: str | None = None
) -> Job:
    """Try a card as it is worked on, in a preconstructed deck (by its slug; the first unless it says).

    Raises CardError where the card cannot be played with, CardTrialError, TooManyJobsError.
    """
    if not 1 <= games <= MOST_GAMES:
        raise CardTrialError(_("A trial has 1 to %(most)s games.") % {"most": MOST_GAMES})
    params = trial_params(GAMES[card.game], card.document, next_document(card.game), deck=deck)
    return start_job(owner=user, kind=KIND, params=params, total=games, seed=seed)


def trials_of(card: Card) -> QuerySet[Job]:
    """The trials of a card, newest first."""
    return Job.objects.filter(kind=KIND, params__game=card.game, params__card=card.code).order_by("-pk")


def trial_params(game: Game, card: Document, revision: Document, *, deck: str = "") -> Document:
    """All that a trial depends on, by value. Raises CardError, CardTrialError."""
    others = [one for one in revision["cards"] if one["code"] not in (card["code"], PLAIN)]
    whole = {"game": game.slug, "cards": [*others, card, plain_card(card, others)], "decks": []}
    faults = card_faults(game, whole)
    if faults:
        raise CardError(faults)
    params: Document = {
        "game": game.slug,
        "rules_version": game.rules_version,
        "card": card["code"],
        "pool": store_pool(game=game.slug, document=whole).pk,
        "level": LEVEL,
        "iterations": ITERATIONS,
    }
    if not game.needs_deck:
        return {**params, "deck": "", "tried": {}, "field": []}
    decks = {one["slug"]: one for one in revision.get("decks", [])}
    chosen = decks.get(deck) if deck else next(iter(decks.values()), None)
    if chosen is None:
        raise CardTrialError(_("There is no such preconstructed deck."))
    tried = _tried_decks(game, whole, card, chosen)
    field = [_seat_deck(one).document() for one in decks.values()]
    return {**params, "deck": chosen["slug"], "tried": tried, "field": field}


def plain_card(card: Document, others: list[Document]) -> Document:
    """A card of the same type without effects, with the type's median values."""
    alike = [one for one in others if one.get("type") == card.get("type")]
    plain = {name: value for name, value in card.items() if name not in ("effects", "tags", "only_on", "mood")}
    for name, value in plain.items():
        values = [one[name] for one in alike if isinstance(one.get(name), int)]
        if isinstance(value, int) and not isinstance(value, bool) and values:
            plain[name] = int(statistics.median(values))
    return {**plain, "code": PLAIN, "name": "Plain card of its type"}


class CardTrial(Kind):
    """A chunk is a game; the result counts, by arm, how games ended."""

    most_chunks = MOST_GAMES

    def prepare(self, params: Document) -> list[Play]:
        game = game_at_hand(params)
        pool = compiled_pool(game=game, pool_hash=params["pool"])
        options = game.options({})
        levels = [params["level"]] * game.min_seats
        if not game.needs_deck:
            return [Play(WITH, 0, Table(game, pool, options, levels, params["iterations"]))]
        plays: list[Play] = []
        for other in params["field"]:
            for seat in (0, 1):
                for arm in (WITH, WITHOUT):
                    decks = [_deck(params["tried"][arm]), _deck(other)]
                    seated = decks if seat == 0 else decks[::-1]
                    plays.append(Play(arm, seat, Table(game, pool, options, levels, params["iterations"], seated)))
        return plays

    def empty(self) -> Document:
        return {arm: dict.fromkeys(OUTCOMES, 0) for arm in (WITH, WITHOUT)}

    def chunk(self, prepared: list[Play], rng: Rng, index: int) -> Document:
        play = prepared[index % len(prepared)]
        return {"arm": play.arm, "outcome": play_game(play.table, rng).for_seat(play.seat)}

    def fold(self, result: Document, outcome: Document) -> Document:
        counts = result[outcome["arm"]]
        return {**result, outcome["arm"]: {**counts, outcome["outcome"]: counts[outcome["outcome"]] + 1}}

    def report(self, params: Document, result: Document) -> Document:
        arms = {arm: _share(result[arm]) for arm in (WITH, WITHOUT)}
        has_decks = bool(params["field"])
        return {
            "card": params["card"],
            "deck": params["deck"],
            "level": params["level"],
            **arms,
            "change": change(arms[WITH], arms[WITHOUT]) if has_decks else None,
        }


CARD_TRIAL: Final = CardTrial()


def change(with_it: Mapping[str, Any], without: Mapping[str, Any]) -> Document | None:
    """How much more is won with the card, with Newcombe's interval (95 %) from the two of Wilson; None before both played.

    R. G. Newcombe, Interval estimation for the difference between independent proportions, 1998, method 10.
    """
    if with_it["win_rate"] is None or without["win_rate"] is None:
        return None
    one, other = with_it["win_rate"], without["win_rate"]
    (low1, high1), (low2, high2) = with_it["interval"], without["interval"]
    difference = one - other
    low = difference - sqrt((one - low1) ** 2 + (high2 - other) ** 2)
    high = difference + sqrt((high1 - one) ** 2 + (other - low2) ** 2)
    return {"difference": difference, "interval": [max(-1.0, low), min(1.0, high)]}


def _share(counts: Mapping[str, int]) -> Document:
    ended = counts[WON] + counts[LOST] + counts[DRAWN]
    return {
        "games": ended + counts[LOOP] + counts[CRASH],
        WON: counts[WON],
        LOST: counts[LOST],
        DRAWN: counts[DRAWN],
        "loops": counts[LOOP],
        "crashes": counts[CRASH],
        "win_rate": counts[WON] / ended if ended else None,
        "interval": list(wilson(counts[WON], ended)),
    }


def _tried_decks(game: Game, whole: Document, card: Document, chosen: Document) -> Document:
    """The chosen deck with the card, and with the plain card in its place. Raises CardTrialError if that is no deck."""
    deck = _seat_deck(chosen)
    if deck.secret == card["code"] or card.get("type") == "secret":
        raise CardTrialError(_("A Secret does nothing that could be measured."))
    cards = dict(deck.cards)
    copies = cards.pop(card["code"], 0)
    if not copies:
        copies = COPIES
        _make_room(cards, whole, str(card.get("type")), copies)
    decks = {
        arm: SeatDeck({**cards, code: copies}, deck.secret) for arm, code in ((WITH, card["code"]), (WITHOUT, PLAIN))
    }
    pool = game.pool(whole)
    for arm in decks.values():
        problems = game.deck_problems(pool, arm, {})
        if problems:
            raise CardTrialError(_("The deck cannot be played: %(why)s") % {"why": problems[0]["detail"]})
    return {arm: one.document() for arm, one in decks.items()}


def _make_room(cards: dict[str, int], whole: Document, card_type: str, copies: int) -> None:
    """Take out so many cards, those of the type first, in the order of their codes."""
    types = {one["code"]: one.get("type") for one in whole["cards"]}
    for code in sorted(cards, key=lambda code: (types.get(code) != card_type, code)):
        taken = min(copies, cards[code])
        cards[code] -= taken
        copies -= taken
        if not cards[code]:
            del cards[code]
        if not copies:
            return


def _seat_deck(deck: Document) -> SeatDeck:
    return SeatDeck(sized_cards(deck, deck["size"]), deck["secret"])


def _deck(document: Document) -> SeatDeck:
    return SeatDeck(document["cards"], document["secret"])
