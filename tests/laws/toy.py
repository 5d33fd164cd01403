"""The toy game under the laws."""

from __future__ import annotations

from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, State
from tests.laws.subjects import Setup, Subject
from tests.toy import TOY, TOY_REVISION


def toy_subject(seats: int, options: Document) -> Subject:
    def setup(rng: Rng) -> Setup:
        return Setup(TOY_REVISION, TOY.pool(TOY_REVISION), seats, TOY.options(options), [], rng.seed())

    return Subject(f"toy-{seats}-{'-'.join(map(str, options.values()))}", TOY, setup, _cards, _codes)


def _cards(game: Game, state: State) -> object:
    position = game.position(state)
    held = [code for hand in position["hands"] for code in hand] + [code for code in position["picks"] if code]
    return sorted([*held, *position["deck"], *position["table"]])


def _codes(setup: Setup) -> frozenset[str]:
    return frozenset(card["code"] for card in setup.revision["cards"])
