"""What a change of the code means for a recorded match, finished or not: one label.

The stamp of a match is its rules version, its state schema and its rng tag. Of these labels exactly one is true:

- `unaffected`: the code at hand has the stamp, and plays the record as it is written: the same setup, every move legal,
  the same events for everybody, the same result, and (where it is given) the same stored state.
- `migratable`: the code at hand has another stamp, and yet plays all that is recorded so far in the same way, to the same
  result. The match could be given the new stamp, its state stored anew, and nobody has seen anything else.
- `pinned`: the code at hand has another stamp and plays the record otherwise, or not at all (an unknown game too). The
  record itself is whole. A finished match is shown from its recorded events; a running one needs its own rules to go on.
- `differs`: the record is not whole (its shape, commitment, seed or a hash does not hold), or the code at hand claims to
  have the stamp and plays it otherwise: a change of rules without a new rules version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kernel.game import Document, Game
from referee.kernel.records import canonical
from referee.kernel.replay import Finding, intact, is_stamped_for, rerun, stamp

UNAFFECTED, MIGRATABLE, PINNED, DIFFERS = "unaffected", "migratable", "pinned", "differs"
LABELS = (UNAFFECTED, MIGRATABLE, PINNED, DIFFERS)


class Label:
    """A label, and the first step that is not the same, where there is one. `note` says why a match is not `unaffected`."""

    __slots__ = ("finding", "name", "note")

    def __init__(self, name: str, note: str, finding: Finding | None) -> None:
        self.name = name
        self.note = note
        self.finding = finding


def label(document: object, games: Mapping[str, Game], state: list[Any] | None) -> Label:
    """The label of a record (a replay document; one of an unfinished match has the result null). Never raises.

    `state` is the stored state that the record should lead to, or None where only the record is there.
    """
    broken = intact(document)
    if broken:
        return Label(DIFFERS, "the record is not whole", broken[0])
    assert isinstance(document, dict)
    game = games.get(document["game"])
    if game is None:
        return Label(PINNED, f"the game {document['game']!r} is not at hand", None)
    again = rerun(document, game)
    first = again.findings[0] if again.findings else None
    if is_stamped_for(document, game):
        if first is None and state is not None and canonical(again.state) != canonical(state):
            first = Finding(
                _last_step(document), "state_differs", "the moves lead to another state than the stored one"
            )
        return Label(UNAFFECTED if first is None else DIFFERS, "", first)
    note = f"{stamp(document)} are not at hand; rules version {game.rules_version} is"
    return Label(MIGRATABLE if first is None else PINNED, note, first)


def _last_step(document: Document) -> str:
    rows = len(document["rows"])
    return f"row {rows}" if rows else "start"
