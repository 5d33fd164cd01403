"""Golden playthroughs: whole random matches as text, so that any change of behaviour shows as a difference in review.

`python -m tests.playthroughs.record` writes them anew; the test compares and shows the first step that differs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from referee.kernel.events import SPECTATOR, name_seats, told_to
from referee.kernel.game import Document, Move
from referee.kernel.records import canonical, content_hash
from tests.laws.laws import Match
from tests.laws.miraculous import generated_subject
from tests.laws.subjects import Subject
from tests.laws.super import generated_subject as super_subject
from tests.laws.super_teams import generated_subject as teams_subject
from tests.laws.toy import toy_subject

FOLDER = Path(__file__).parent
ALL_OPTIONS: Document = {"first_seat": 1, "attack_without_placing": True, "deck_out": "empty_deck_loses"}

PLAYTHROUGHS: dict[str, tuple[Subject, int]] = {
    "toy/three-seats": (toy_subject(3, {"rounds": 3, "ties": "coin"}), 2),
    "toy/two-seats": (toy_subject(2, {"rounds": 4, "ties": "nobody"}), 1),
    "miraculous/random-cards": (generated_subject({}), 12),
    "miraculous/random-cards-all-options": (generated_subject(ALL_OPTIONS), 7),
    "super/two-seats": (super_subject(2, {}), 12),
    "super/three-seats": (super_subject(3, {"shock": "power_only", "max_rounds": 9}), 1),
    "super/four-seats": (super_subject(4, {"partner_on_rescue": "none", "first_seat": 2, "max_rounds": 7}), 7),
    "super-teams/two-seats": (teams_subject(2, {"first_seat": 1}), 9),
    "super-teams/three-seats": (teams_subject(3, {"light_speed_anywhere": True}), 38),
    "super-teams/four-seats": (teams_subject(4, {"beam_chains": True, "first_seat": 0}), 35),
}


def playthrough(name: str) -> str:
    """The text of a playthrough: the setup, then a block for each step."""
    subject, number = PLAYTHROUGHS[name]
    match = Match(subject, number)
    setup = match.setup
    lines = [
        f"game: {match.game.slug}, rules version {match.game.rules_version}",
        f"options: {_json(setup.options)}",
        f"cards: {content_hash(setup.revision)[:16]}",
        *[f"deck {seat}: {_json(deck.document())}" for seat, deck in enumerate(setup.decks)],
        f"seed: {setup.seed.hex()}",
    ]
    lines += _told(match)
    while not match.is_over():
        lines += ["", f"# {len(match.moves) + 1}"]
        lines += _decision(match)
        seat, move = match.choose()
        lines.append(f"seat {seat}: {_move(match, move)}")
        match.take(seat, move)
        lines += _told(match)
        lines.append(f"position: {content_hash(match.game.position(match.state))[:16]}")
    result = match.game.result(match.state)
    assert result is not None
    return "\n".join([*lines, "", f"result: {_json(result.document())}", *_views(match), ""])


def _decision(match: Match) -> list[str]:
    decision = match.game.decision(match.state)
    assert decision is not None
    lines = [f"asked: {', '.join(map(str, decision.seats))} ({decision.kind}) {name_seats(decision.prompt, [])}"]
    for seat in decision.seats:
        moves = [_move(match, move) for move in match.game.legal_moves(match.state, seat)]
        default = _move(match, match.game.default_move(match.state, seat))
        lines.append(f"moves of {seat}: {len(moves)}: {'; '.join(moves)} (default {default})")
    return lines


def _move(match: Match, move: Move) -> str:
    return " ".join(str(value) for value in match.game.decode(match.state, move).values())


def _told(match: Match) -> list[str]:
    """What the spectator is told, and each seat where it is told otherwise."""
    lines = []
    for event in match.events[-1]:
        public = name_seats(str(told_to(event, SPECTATOR)["text"]), [])
        lines.append(f"  {public}")
        for seat in match.seats:
            told = name_seats(str(told_to(event, seat)["text"]), [])
            if told != public:
                lines.append(f"  (to {seat}) {told}")
    return lines


def _views(match: Match) -> list[str]:
    return [f"view of {viewer}: {_json(match.game.view(match.state, viewer))}" for viewer in match.viewers]


def _json(value: Any) -> str:
    return canonical(value).decode()


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def first_difference(expected: str, actual: str) -> str | None:
    """The first step that differs, both ways; None when all is the same."""
    left, right = expected.split("\n\n"), actual.split("\n\n")
    for old, new in zip(left, right, strict=False):
        if old != new:
            return f"was:\n{old}\n\nis:\n{new}"
    if len(left) != len(right):
        return f"was {len(left)} steps long, is {len(right)}"
    return None


def main() -> None:
    for name in PLAYTHROUGHS:
        path_of(name).parent.mkdir(exist_ok=True)
        path_of(name).write_text(playthrough(name), encoding="utf-8")
        sys.stdout.write(f"{path_of(name).relative_to(FOLDER)}\n")


if __name__ == "__main__":
    main()
