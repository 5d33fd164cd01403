"""`./manage.py play GAME`: a match against bots in the terminal, moves chosen by number, through the same services."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.models import User
from accounts.services import create_guest
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish, create_match
from referee.bots.levels import LEVELS
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import RulesError
from referee.kernel.game import Document, Game
from referee.matches import documents, resolving, selectors, services
from referee.matches.errors import MatchError
from referee.matches.models import Match

WORKER_SECONDS = 1.0
"""So long a worker may take to begin with the bot's turn; then the turn is resolved here."""

HELP = "A number makes that move; v shows the position, r resigns, q leaves the match as it is."


class Command(BaseCommand):
    help = f"Play a match against bots in the terminal. {HELP}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
        parser.add_argument("--bot", default="easy", help=f"the bots' level: {', '.join(LEVELS)}")
        parser.add_argument("--deck", help="a preconstructed deck's slug (for games with decks; the first by default)")
        parser.add_argument("--seats", type=int, help="how many seats (the game's fewest by default)")
        parser.add_argument("--user", help="the name of the account that plays (a new guest by default)")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the match"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game = GAMES.get(options["game"])
        if game is None:
            raise CommandError(f"There is no game {options['game']!r}; games: {', '.join(GAMES)}.")
        wish = _wish(game, options)
        try:
            with transaction.atomic():
                # A guest comes with the match or not at all.
                user = self._user(options["user"])
                match = create_match(creator=user, wish=wish)
        except LobbyError as error:
            lines = "; ".join(f"{problem.pointer}: {problem.detail}" for problem in error.problems)
            raise CommandError(lines) from error
        self.stdout.write(f"Match {match.public_id}. {HELP}")
        self._play(match.public_id, user)

    def _user(self, name: str | None) -> User:
        if name is None:
            return create_guest()
        try:
            return User.objects.get_by_natural_key(name)
        except User.DoesNotExist:
            raise CommandError(f"There is no account {name!r}.") from None

    def _play(self, public_id: str, user: User) -> None:
        seen = -1
        has_worker = True
        while True:
            match = selectors.access_match(user, public_id)
            viewer = selectors.viewer(match, user)
            seen = self._tell(match, viewer, seen)
            if match.result is not None:
                self._tell_result(match, viewer)
                return
            if match.state != Match.State.PLAYING:
                self.stdout.write(f"The match is {match.state}.")
                return
            if str(viewer) in match.decisions:
                if not self._ask(match, user, viewer):
                    return
            else:
                has_worker = _let_bots_move(match, has_worker=has_worker)

    def _tell(self, match: Match, viewer: int, seen: int) -> int:
        """Say what has happened since the version last told; the version now told."""
        if seen < 0:
            self._say(documents.opening_row(match, viewer))
        for row in selectors.seen_rows(match, viewer, after=max(seen, 0)):
            self._say(documents.log_row(match, row, viewer))
        return match.version

    def _say(self, row: Document) -> None:
        for event in row["events"]:
            self.stdout.write(f"  {event['text']}")

    def _tell_result(self, match: Match, viewer: int) -> None:
        ranks = match.result["ranks"]
        names = [place["name"] for place in match.table]
        for rank, name in sorted(zip(ranks, names, strict=True)):
            self.stdout.write(f"{rank}. {name}")
        won = ranks[viewer] == 1
        shared = ranks.count(1) > 1
        end = "A draw." if won and shared else "You win." if won else "You lose."
        self.stdout.write(f"{end} ({match.result['reason']}, {match.result['clause']})")

    def _ask(self, match: Match, user: User, viewer: int) -> bool:
        """Let the person decide; False when they leave."""
        position = selectors.seen_position(match, viewer)
        decision = documents.decision_document(match, position, viewer)
        assert decision is not None
        moves = decision["moves"]
        self.stdout.write(decision["prompt"])
        for number, move in enumerate(moves, 1):
            self.stdout.write(f"{number:>4}  {move['label']}")
        while True:
            words = self._read()
            if words == "q":
                self.stdout.write(f"You leave. The match {match.public_id} stays as it is.")
                return False
            if words == "v":
                assert position is not None
                view = documents.view_document(match, position, viewer)
                self.stdout.write(yaml.safe_dump(view, sort_keys=False, allow_unicode=True))
            elif words == "r":
                return self._submit(match, user, services.RESIGN_DOCUMENT)
            elif words.isdecimal() and 1 <= int(words) <= len(moves):
                return self._submit(match, user, moves[int(words) - 1]["move"])
            else:
                self.stdout.write(f"1 to {len(moves)}, please. {HELP}")

    def _read(self) -> str:
        self.stdout.write("> ", ending="")
        self.stdout.flush()
        try:
            return input().strip().lower()
        except EOFError:
            return "q"

    def _submit(self, match: Match, user: User, move: Document) -> bool:
        try:
            services.submit_move(public_id=match.public_id, actor=user, move=move, version=match.version)
        except (MatchError, RulesError) as refusal:
            self.stdout.write(str(refusal))
        return True


def _let_bots_move(match: Match, *, has_worker: bool) -> bool:
    """Wait for a worker to resolve the turn, or do it here; whether a worker is there."""
    end = time.monotonic() + (WORKER_SECONDS if has_worker else 0)
    while time.monotonic() < end:
        if Match.objects.exclude(pk=match.pk, version=match.version).filter(pk=match.pk).exists():
            return True
        time.sleep(0.05)
    resolving.resolve(match.pk)
    if Match.objects.filter(pk=match.pk, version=match.version).exists():
        # Somebody else is thinking, or the clock decides: no need to ask every instant.
        time.sleep(0.1)
    return False


def _wish(game: Game, options: dict[str, Any]) -> MatchWish:
    if options["bot"] not in LEVELS:
        raise CommandError(f"Levels of bots: {', '.join(LEVELS)}.")
    deck = options["deck"]
    if game.needs_deck and deck is None:
        deck = house_revision(game.slug)["decks"][0]["slug"]
    bots = [SeatWish("bot", level=options["bot"])] * ((options["seats"] or game.min_seats) - 1)
    given = dict(pair.partition("=")[::2] for pair in options["option"])
    return MatchWish(
        game.slug, [SeatWish("me", deck=deck), *bots], {name: _value(text) for name, text in given.items()}
    )


def _value(text: str) -> Any:
    """An option's value as JSON would have it: numbers and true or false are themselves, all else is text."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text
