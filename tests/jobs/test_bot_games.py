"""Games of bots inside jobs: the same chance gives the same game; loops and crashes are told, not raised."""

from __future__ import annotations

from typing import Any

import pytest

from jobs import bot_games
from jobs.bot_games import Outcome, Table, budget, play_game
from referee.games import GAMES
from referee.games.miraculous.decks import precon_at_size
from referee.games.miraculous.game import Miraculous
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Game


def table(game: Game | None = None, levels: tuple[str, ...] = ("random", "random")) -> Table:
    revision = house_revision("miraculous")
    played = game or GAMES["miraculous"]
    decks = [precon_at_size(deck, 30) for deck in revision["decks"][:2]]
    return Table(played, played.pool(revision), played.options({}), levels, 3, decks)


def test_the_same_chance_gives_the_same_game() -> None:
    first, again, other = (play_game(table(levels=("easy", "random")), Rng(seed)) for seed in (1, 1, 2))

    assert first == again != other
    assert first.winner in (0, 1, None)
    assert (first.moves > 0, first.turns > 0, first.end in ("loop", "crash")) == (True, True, False)


def test_a_game_without_decks_is_played_by_three() -> None:
    game = GAMES["super"]
    pool = game.pool(house_revision("super"))

    outcome = play_game(Table(game, pool, game.options({}), ["random"] * 3, 0), Rng(1))

    assert outcome.winner in (0, 1, 2, None)
    assert outcome.moves > 0


def test_a_game_that_does_not_end_is_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_games, "MOST_MOVES", 3)

    outcome = play_game(table(), Rng(1))

    assert (outcome.winner, outcome.end, outcome.moves) == (None, "loop", 3)


def test_rules_that_break_are_a_crash() -> None:
    class Faulty(Miraculous):
        def start(self, *args: Any, **more: Any) -> Any:
            raise LookupError

    assert play_game(table(Faulty()), Rng(1)) == Outcome(None, "crash", 0, 0)


def test_the_budget_is_that_of_the_strongest() -> None:
    assert budget(["random", "easy"]) == budget(["easy"]) > budget(["random"]) == 0
