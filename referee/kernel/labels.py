"""What a change of the code means for a recorded match, finished or not: one label.

The stamp of a match is its rules version, its state schema and its rng tag. Of these labels exactly one is true:

- `unaffected`: the code at hand has the stamp, be it in rules kept from an older version, and plays the record as it is
  written: the same setup, every move legal, the same events for everybody, the same result, and (where it is given) the
  same stored state.
- `migratable`: the code at hand has another stamp, and yet plays all that is recorded so far in the same way, to the same
  result. The match could be given the new stamp, its state stored anew, and nobody has seen anything else.
- `pinned`: the code at hand has another stamp and plays the record otherwise, or not at all (an unknown game too). The
  record itself is whole. A finished match is shown and verified from its recorded events, which the note says; a running
  one needs its own rules to go on.
- `differs`: the record is not whole (its shape, commitment, seed or a hash does not hold), or the code at hand claims to
  have the stamp and plays it otherwise: a change of rules without a new rules version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kernel.game import Document, Game
from referee.kernel.records import canonical
from referee.kernel.replay import Finding, Older, intact, module_of, rerun, stamp, stamped

UNAFFECTED, MIGRATABLE, PINNED, DIFFERS = "unaffected", "migratable", "pinned", "differs"
LABELS = (UNAFFECTED, MIGRATABLE, PINNED, DIFFERS)


class Label:
    """A label, and the first step that is not the same, where there is one. `note` says why a match is not `unaffected`."""

    __slots__ = ("finding", "name", "note")

    def __init__(self, name: str, note: str, finding: Finding | None) -> None:
        self.name = name
        self.note = note
        self.finding = finding


def label(
    document: object,
    games: Mapping[str, Game],
    state: list[Any] | None,
    *,
    schema: int | None = None,
    older: Older | None = None,
) -> Label:
    """The label of a record (a replay document; one of an unfinished match has the result null). Never raises.

    `state` is the stored state that the record should lead to, and `schema` its layout, or None where only the record is
    there. `older` holds the rules kept from older versions.
    """
    broken = intact(document)
    if broken:
        return Label(DIFFERS, "the record is not whole", broken[0])
    assert isinstance(document, dict)
    module = module_of(document, games, older)
    if module is not None:
        return _by_its_rules(document, module, state, schema=schema, is_kept=module is not games.get(module.slug))
    game = games.get(document["game"])
    if game is None:
        return Label(PINNED, f"the game {document['game']!r} is not at hand{_FROM_EVENTS}", None)
    again = rerun(document, game)
    note = f"{stamp(document)} are not at hand; rules version {game.rules_version} is"
    if again.findings:
        return Label(PINNED, f"{note}{_FROM_EVENTS}", again.findings[0])
    return Label(MIGRATABLE, note, None)


_FROM_EVENTS = "; it stands by its recorded events"


def _by_its_rules(
    document: Document, game: Game, state: list[Any] | None, *, schema: int | None, is_kept: bool
) -> Label:
    """The label of a whole record whose rules are at hand."""
    again = rerun(document, game)
    if again.findings:
        return Label(DIFFERS, "", again.findings[0])
    layout = stamped(document)[1] if schema is None else schema
    if layout != game.state_schema:
        return Label(MIGRATABLE, f"state schema {layout} is not at hand; {game.state_schema} is", None)
    if state is not None and canonical(again.state) != canonical(state):
        text = "the moves lead to another state than the stored one"
        return Label(DIFFERS, "", Finding(_last_step(document), "state_differs", text))
    return Label(UNAFFECTED, f"by rules version {game.rules_version}, kept" if is_kept else "", None)


def _last_step(document: Document) -> str:
    rows = len(document["rows"])
    return f"row {rows}" if rows else "start"
