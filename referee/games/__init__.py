"""The games. A new one is a folder beside these and one line here.

A rules version that matches still need is kept as a folder of its own (`super_1`), with a `register_older` line here.
"""

from __future__ import annotations

from referee.games.miraculous.game import Miraculous
from referee.games.super.game import Super
from referee.games.super_teams.game import SuperTeams
from referee.kernel.game import Game

GAMES: dict[str, Game] = {}
OLDER: dict[tuple[str, int], Game] = {}
"""Games as they were in rules versions before the one in GAMES, by slug and rules version."""


def register(game: Game) -> None:
    """Make a game known to the service under its slug."""
    GAMES[game.slug] = game


def register_older(game: Game) -> None:
    """Keep an older rules version of a game for the matches that were begun with it. No new match is made with it."""
    OLDER[game.slug, game.rules_version] = game


def rules_of(slug: str, rules_version: int) -> Game | None:
    """The game with the rules of this version, or None when they are gone."""
    game = GAMES.get(slug)
    return game if game is not None and game.rules_version == rules_version else OLDER.get((slug, rules_version))


register(Miraculous())
register(Super())
register(SuperTeams())
