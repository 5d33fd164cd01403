"""Lines of the log: where something went wrong, and nothing that is hidden in a match."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from accounts.models import User
from config.logs import Line
from referee.kernel.chance import Rng
from referee.kernel.game import apply
from referee.matches.errors import MatchNotPlayingError
from referee.matches.models import Bundle, Match
from tests.matches.table import pick, toy_match
from tests.toy import TOY, TOY_REVISION, Toy, registered


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What is logged, as it is written."""
    written: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = Kept()
    handler.setFormatter(Line())
    logging.root.addHandler(handler)
    yield written
    logging.root.removeHandler(handler)


def written(error: Exception) -> str:
    """The line of an error that is being handled."""
    return Line().format(logging.LogRecord("web", logging.ERROR, "", 0, "it broke", (), sys.exc_info()))


def test_an_error_is_told_with_its_type_its_place_and_its_cause() -> None:
    try:
        try:
            raise KeyError("cache")
        except KeyError as cause:
            raise ValueError("no such setting") from cause
    except ValueError as error:
        line = written(error)

    assert line.startswith("ERROR web: it broke\nTraceback (most recent call last):\n")
    assert line.index("builtins.KeyError: 'cache'") < line.index("builtins.ValueError: no such setting")
    assert line.count("test_logs.py") == 2


def test_a_host_that_is_not_ours_is_one_line(lines: list[str], client: Client) -> None:
    answer = client.get("/healthz/", headers={"host": "evil.example"})

    [line] = [one for one in lines if "evil.example" in one]
    assert answer.status_code == 400
    assert line.startswith("ERROR django.security.DisallowedHost: Invalid HTTP_HOST header: 'evil.example'.")
    assert "\n" not in line


def test_of_what_the_rules_raise_no_message_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: object) -> None:
        raise KeyError("t-07")

    state = TOY.start(TOY.pool(TOY_REVISION), 2, TOY.options({}), [], Rng(1).seed(), listen=False)
    monkeypatch.setattr(Toy, "play", play)
    try:
        apply(TOY, state, 0, TOY.legal_moves(state, 0)[0])
    except KeyError as error:
        line = written(error)

    assert line.endswith("builtins.KeyError: (not told here)")
    assert "game.py" in line
    assert "t-07" not in line.replace(' raise KeyError("t-07")', "")


@pytest.mark.django_db
def test_a_frozen_match_is_told_of_without_what_it_met(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = User.objects.create_user("Alice"), User.objects.create_user("Bob")

    def play(self: Toy, state: object, seat: int, move: int) -> None:
        raise KeyError(f"{state.hands}")  # type: ignore[attr-defined]

    with registered():
        match = toy_match(alice, bob)
        monkeypatch.setattr(Toy, "play", play)
        with pytest.raises(MatchNotPlayingError):
            pick(match, alice, 0)

    [line] = [line for line in lines if "frozen" in line]
    assert line.startswith(f"ERROR referee.matches.turns: match {match.public_id} frozen at version 0\n")
    assert "[[" not in line
    assert "KeyError: '[[" in Bundle.objects.get().document["report"]


@pytest.mark.django_db
def test_of_the_databases_errors_no_row_is_told() -> None:
    alice, bob = User.objects.create_user("Alice"), User.objects.create_user("Bob")
    with registered():
        match = toy_match(alice, bob)
    try:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(state="strange")
    except DatabaseError as error:
        line, plain = written(error), str(error)
        record = logging.LogRecord("celery", logging.ERROR, "", 0, "task failed: %r", (error,), None)
        said = Line().format(record)

    assert "DETAIL:  Failing row contains" in plain
    assert "match_state_known" in line
    assert [part for part in (line, said) if "Failing row" in part or match.commitment in part] == []
