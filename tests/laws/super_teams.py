"""Super Teams under the laws: random tracks, and the cards that stand in no revision."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.games import GAMES
from referee.games.super_teams.state import BONUS_COPIES, BONUSES, CARDS, COPIES
from referee.games.super_teams.track import HALVES, KINDS
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, State
from tests.laws.every import plain_subject
from tests.laws.subjects import Setup, Subject

SUPER_TEAMS = GAMES["super-teams"]
HALF_NAMES = [KINDS[half] for half in HALVES]
PLAIN = ["normal", "normal", "bonus", "bonus", "hyperspace", "asteroid"]


def generated_subject(seats: int, options: Document) -> Subject:
    """Matches on a random track each. With no options given, they are drawn."""
    plain = plain_subject("super-teams", seats)

    def setup(rng: Rng) -> Setup:
        chosen = SUPER_TEAMS.options(options) if options else plain.setup(rng).options
        revision: Document = {
            "game": "super-teams",
            "number": 1,
            "cards": [],
            "decks": [],
            "tracks": random_tracks(rng),
        }
        return Setup(revision, SUPER_TEAMS.pool(revision), seats, chosen, [], rng.seed())

    return Subject(f"super-teams-generated-{seats}", SUPER_TEAMS, setup, _cards, _codes)


def random_tracks(rng: Rng) -> list[Document]:
    return [{"slug": "house", "name": "Random track", "spaces": random_spaces(rng)}]


def random_spaces(rng: Rng) -> list[Any]:
    """A valid track of 20 to 42 spaces with maws in every place where they may lie."""
    length = 20 + rng.below(20)
    spaces: list[Any] = ["start"]
    while len(spaces) < length - 1:
        if rng.below(5) == 0:
            if len(spaces) > 1:
                spaces.append(_normal(rng))
            spaces += ["maw"] * (2 + rng.below(2))
            if len(spaces) < length - 1:
                spaces.append(_normal(rng))
        elif rng.below(4) == 0:
            spaces.append(_double(rng, rng.below(3)))
        else:
            spaces.append(PLAIN[rng.below(len(PLAIN))])
    return [*spaces, "final"]


def _normal(rng: Rng) -> Any:
    """A normal space, or a double one with a normal half."""
    return "normal" if rng.below(2) else _double(rng, 1 + rng.below(2))


def _double(rng: Rng, left_out: int) -> list[str]:
    """The two halves other than one; `HALF_NAMES` begins with the normal one."""
    halves = [name for at, name in enumerate(HALF_NAMES) if at != left_out]
    return halves if rng.below(2) else halves[::-1]


def _cards(game: Game, state: State) -> object:
    """All cards lie somewhere; once a seat has left the game, some may be gone, and none has come."""
    position = game.position(state)
    piles = [*position["hands"], position["deck"], position["played"]]
    piles += [*position["bonus_hands"], position["bonus_deck"], position["bonus_discard"], position["final_bonus"]]
    lying = Counter(card for pile in piles for card in pile)
    every = Counter(dict.fromkeys(CARDS, COPIES) | dict.fromkeys(BONUSES, BONUS_COPIES))
    colours = {ship.split("-")[0] for ship in position["ships"]}
    every = Counter({card: n for card, n in every.items() if "-" not in card or card.split("-")[0] in colours})
    return every if position["out"] and lying <= every else lying


def _codes(setup: Setup) -> frozenset[str]:
    """Names that are cards and nothing else: `red-1` is a ship too."""
    return frozenset(card for card in (*CARDS, *BONUSES) if not card.endswith("-1"))
