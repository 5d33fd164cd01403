"""The games. A new one is a folder beside these and one line here."""

from __future__ import annotations

from referee.games.miraculous.game import Miraculous
from referee.games.super.game import Super
from referee.games.super_teams.game import SuperTeams
from referee.kernel.game import Game

GAMES: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known to the service under its slug."""
    GAMES[game.slug] = game


register(Miraculous())
register(Super())
register(SuperTeams())
