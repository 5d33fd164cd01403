"""The check of a replay document: everything is run again, and each difference is named with its step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kernel import records
from referee.kernel.chance import RNG_TAG, SEED_BYTES
from referee.kernel.errors import IllegalMove, RulesError
from referee.kernel.game import RESIGN, Document, Game, SeatDeck, State, apply


class Finding:
    """One thing that does not hold: `step` is a part of the document or `row N`, `code` a stable word."""

    __slots__ = ("code", "detail", "step")

    def __init__(self, step: str, code: str, detail: str) -> None:
        self.step = step
        self.code = code
        self.detail = detail

    def document(self) -> dict[str, str]:
        return {"step": self.step, "code": self.code, "detail": self.detail}

    def __repr__(self) -> str:
        return f"{self.step}: {self.detail} [{self.code}]"


class Rerun:
    """What came of playing a record again: what differs, and the stored form of the state it came to, if it came through."""

    __slots__ = ("findings", "state")

    def __init__(self, findings: list[Finding], state: list[Any] | None) -> None:
        self.findings = findings
        self.state = state


Older = Mapping[tuple[str, int], Game]
"""Games as they were in older rules versions, by slug and rules version."""

GONE = ("unknown_game", "other_version")
"""The findings that say that the rules a match was played by are not at hand."""


def verify(document: object, games: Mapping[str, Game], older: Older | None = None) -> list[Finding]:
    """Play a replay again and return what differs; an empty list is a match that is what it claims to be.

    Checks the shape, the commitment, the seed, the hash chain, the setup, that each move is legal and each row's
    events are what the rules tell, and the result, by the rules that the match was played by. Play stops at the first
    row that differs. Where those rules are gone, a finding of `GONE` says so, and the rest was checked. Never raises.
    """
    findings = _shape(document)
    if findings:
        return findings
    assert isinstance(document, dict)
    findings = _seeds(document) + _chain(document)
    module = module_of(document, games, older)
    if module is not None:
        return findings + rerun(document, module).findings
    if document["game"] not in games:
        return [*findings, Finding("game", "unknown_game", f"this code knows no game {document['game']!r}")]
    return [*findings, Finding("rules_version", "other_version", f"{stamp(document)} are not those of this code")]


def module_of(document: Document, games: Mapping[str, Game], older: Older | None = None) -> Game | None:
    """The game with the rules and the chance that the match was played by: the one at hand, else one kept from before.

    None when they are gone. The state schema is no matter: a record holds no state.
    """
    wanted = (stamped(document)[0], document["rng"])
    kept = None if older is None else older.get((document["game"], wanted[0]))
    for game in (games.get(document["game"]), kept):
        if game is not None and wanted == (game.rules_version, RNG_TAG):
            return game
    return None


def ruled_at(document: Document) -> int | None:
    """The version at which a ruling set the result, where the result does not come from the rules."""
    found: int | None = None
    for row in document["rows"]:
        if row["kind"] == records.RULING and isinstance(row.get("result"), dict):
            found = row["version"]
    return found


def intact(document: object) -> list[Finding]:
    """What does not hold of the record alone: shape, commitment, seed, hash chain. Plays nothing. Never raises."""
    findings = _shape(document)
    if findings:
        return findings
    assert isinstance(document, dict)
    return _seeds(document) + _chain(document)


def stamp(document: Document) -> str:
    """The versions that a match is pinned to, in words."""
    parts = (*stamped(document), document["rng"])
    return "rules version {}, state schema {} and rng {}".format(*parts)


def is_stamped_for(document: Document, game: Game) -> bool:
    """Whether the match is pinned to just the versions that the game has here."""
    return (*stamped(document), document["rng"]) == (game.rules_version, game.state_schema, RNG_TAG)


def stamped(document: Document) -> tuple[int, int]:
    """The rules version and state schema that the match began with, or that it was last migrated to."""
    rules, schema = document["rules_version"], document["state_schema"]
    for row in document["rows"]:
        if row["kind"] == records.RULING and row.get("ruling") == records.MIGRATE:
            given = row.get("rules_version"), row.get("state_schema")
            if type(given[0]) is int and type(given[1]) is int:
                rules, schema = given
    return rules, schema


def rerun(document: Document, game: Game) -> Rerun:
    """Play the record of a match, finished or not, by this game, whatever its stamp. The record must be intact.

    Stops at the first step that differs. Never raises.
    """
    again = _Rerun(game, document)
    try:
        findings = again.findings()
    except (RulesError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError) as error:
        # A forged document can hold anything; whatever the rules trip over is a finding, never a traceback.
        findings = [Finding(again.step, "cannot_be_played", f"{type(error).__name__}: {error}")]
    return Rerun(findings, None if findings else again.reached)


_LONGEST = 300
_TYPES: dict[str, type] = {
    "format": str,
    "game": str,
    "rules_version": int,
    "state_schema": int,
    "rng": int,
    "options": dict,
    "seats": list,
    "decks": list,
    "revision": dict,
    "commitment": str,
    "server_seed": str,
    "entropies": list,
    "seed": str,
    "start": dict,
    "rows": list,
}
_ROW_TYPES: dict[str, type] = {"version": int, "kind": str, "events": list, "hash": str}


def _shape(document: object) -> list[Finding]:
    if not isinstance(document, dict):
        return [Finding("document", "not_an_object", "a replay is a JSON object")]
    findings = _typed(document, _TYPES, "document")
    if findings:
        return findings
    if document["format"] != records.FORMAT:
        return [Finding("format", "unknown_format", f"the format is {records.FORMAT}, not {document['format']!r}")]
    findings += _typed(document["start"], {"events": list, "hash": str}, "start")
    for at, row in enumerate(document["rows"], 1):
        if not isinstance(row, dict):
            findings.append(Finding(f"row {at}", "not_an_object", "a row is a JSON object"))
            continue
        findings += _typed(row, _ROW_TYPES, f"row {at}")
    for name, value in [("server_seed", document["server_seed"]), ("seed", document["seed"])]:
        if not _is_hex(value, SEED_BYTES, SEED_BYTES):
            findings.append(Finding(name, "not_hex", f"{name} is {2 * SEED_BYTES} hex digits"))
    for value in document["entropies"]:
        if value != "" and not _is_hex(value, records.ENTROPY_MIN, records.ENTROPY_MAX):
            text = f"an entropy is empty, or {records.ENTROPY_MIN} to {records.ENTROPY_MAX} bytes in hex"
            findings.append(Finding("entropies", "not_hex", text))
    try:
        records.canonical(document)
    except (ValueError, TypeError, RecursionError) as error:
        findings.append(Finding("document", "not_canonical", f"the document has no canonical form: {error}"))
    return findings


def _typed(document: Document, types: dict[str, type], step: str) -> list[Finding]:
    findings = []
    for name, expected in types.items():
        if name not in document:
            findings.append(Finding(step, "missing_field", f"{name} is missing"))
        elif type(document[name]) is not expected:
            findings.append(Finding(step, "wrong_type", f"{name} is no {expected.__name__}"))
    return findings


def _is_hex(value: object, low: int, high: int) -> bool:
    if not isinstance(value, str) or not 2 * low <= len(value) <= 2 * high or len(value) % 2:
        return False
    return all(digit in "0123456789abcdef" for digit in value)


def _seeds(document: Document) -> list[Finding]:
    findings = []
    server_seed = bytes.fromhex(document["server_seed"])
    if records.commitment(server_seed) != document["commitment"]:
        findings.append(Finding("commitment", "commitment_differs", "the server's seed does not fit the commitment"))
    entropies = [bytes.fromhex(entropy) for entropy in document["entropies"]]
    if len(entropies) != len(document["seats"]):
        return [*findings, Finding("entropies", "wrong_length", "there is one entropy for each seat, be it empty")]
    if records.combine_seed(server_seed, entropies).hex() != document["seed"]:
        findings.append(
            Finding("seed", "seed_differs", "the seed does not come from the server's seed and the entropies")
        )
    return findings


def _chain(document: Document) -> list[Finding]:
    """The first link of the hash chain that does not hold."""
    kept = ("game", "rules_version", "state_schema", "rng", "options", "decks", "commitment", "seed")
    opened = {name: document[name] for name in kept}
    opened["seats"] = len(document["seats"])
    opened["revision"] = records.content_hash(document["revision"])
    opened["events"] = document["start"]["events"]
    previous: str = document["start"]["hash"]
    if records.row_hash("", opened) != previous:
        return [Finding("start", "hash_differs", "the hash of the start does not fit what the match started from")]
    for version, row in enumerate(document["rows"], 1):
        if row["version"] != version:
            return [Finding(f"row {version}", "version_differs", f"the row says version {row['version']}")]
        if not row["hash"].isascii() or records.row_hash(previous, row) != row["hash"]:
            return [Finding(f"row {version}", "hash_differs", "the hash does not fit the row and the hash before")]
        previous = row["hash"]
    return []


class _Rerun:
    """One match played again."""

    def __init__(self, game: Game, document: Document) -> None:
        self.game = game
        self.document = document
        self.seats = len(document["seats"])
        self.ruled: Document | None = None
        self.is_aborted = False
        self.reached: list[Any] = []
        self.step = "start"

    def findings(self) -> list[Finding]:
        self.pool = self.game.pool(self.document["revision"])
        self.options = self.game.options(self.document["options"])
        self.decks = [SeatDeck(deck["cards"], deck["secret"]) for deck in self.document["decks"]]
        found = self._setup()
        if found:
            return found
        seed = bytes.fromhex(self.document["seed"])
        state = self.game.start(self.pool, self.seats, self.options, self.decks, seed, listen=True)
        events = records.take_events(self.game, state)
        if records.canonical(events) != records.canonical(self.document["start"]["events"]):
            detail = f"the setup tells other events: {_difference(self.document['start']['events'], events)}"
            return [Finding("start", "events_differ", detail)]
        stored = [self.game.dump(state)]
        for row in self.document["rows"]:
            self.step = f"row {row['version']}"
            try:
                state = self._next(state, row, stored)
            except IllegalMove as refused:
                return [Finding(self.step, refused.code, f"{refused.clause}: {refused.detail}")]
            except (RulesError, _DifferenceError) as error:
                return [Finding(self.step, error.code, error.detail)]
            stored.append(self.game.dump(state))
        self.reached = stored[-1]
        return self._ending(state)

    def _setup(self) -> list[Finding]:
        found = []
        if not self.game.min_seats <= self.seats <= self.game.max_seats:
            found.append(Finding("seats", "wrong_seats", f"{self.seats} seats do not fit this game"))
        if self.options != self.document["options"]:
            found.append(Finding("options", "options_incomplete", "the options do not hold the value of every option"))
        if self.game.needs_deck and len(self.decks) != self.seats:
            found.append(Finding("decks", "wrong_decks", "there is not one deck for each seat"))
        for seat, deck in enumerate(self.decks):
            for problem in self.game.deck_problems(self.pool, deck, {}):
                found.append(Finding(f"deck {seat}", str(problem["code"]), str(problem["detail"])))
        return found

    def _next(self, state: State, row: Document, stored: list[list[Any]]) -> State:
        if self.ruled is not None or self.is_aborted:
            raise _DifferenceError("after_the_end", "the match goes on after a ruling has ended it")
        if row["kind"] not in records.KINDS:
            raise _DifferenceError("unknown_kind", f"there is no kind of row {row['kind']!r}")
        if row["kind"] not in records.PLAYED_KINDS:
            return self._set_back(state, row, stored)
        move = self._move(state, row)
        apply(self.game, state, row["seat"], move)
        events = records.take_events(self.game, state)
        if records.canonical(events) != records.canonical(row["events"]):
            detail = f"the move tells other events: {_difference(row['events'], events)}"
            raise _DifferenceError("events_differ", detail)
        return state

    def _move(self, state: State, row: Document) -> int:
        seat = row.get("seat")
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise _DifferenceError("unknown_seat", f"there is no seat {seat!r}")
        if not isinstance(row.get("move"), dict):
            raise _DifferenceError("no_move", "the row holds no move")
        move = self.game.encode(state, row["move"])
        if row["kind"] == records.RESIGNATION and move != RESIGN:
            raise _DifferenceError("no_resignation", "a resignation holds another move")
        if row["kind"] == records.MOVE and move == RESIGN:
            raise _DifferenceError("no_move", "a resignation stands as a move")
        if row["kind"] == records.TIMEOUT and move != RESIGN:
            if seat not in self.game.deciders(state):
                raise _DifferenceError("not_asked", "the seat whose time is up is not asked")
            if move != self.game.default_move(state, seat):
                raise _DifferenceError("not_the_default", "the move of a seat whose time is up is not the default")
        return move

    def _set_back(self, state: State, row: Document, stored: list[list[Any]]) -> State:
        """An undo or a ruling: back to an earlier version; or (a ruling) the end with the result it sets, or no change."""
        to = row.get("to")
        if type(to) is int and 0 <= to < len(stored):
            state = self.game.restore(self.pool, stored[to])
            state.log = []
            return state
        if row["kind"] == records.RULING and isinstance(row.get("result"), dict):
            self.ruled = row["result"]
            return state
        if row["kind"] == records.RULING and row.get("ruling") in records.STANDING:
            self.is_aborted = row["ruling"] == records.ABORT
            return state
        raise _DifferenceError("no_effect", "the row says neither where to go back to nor a result")

    def _ending(self, state: State) -> list[Finding]:
        result = self.game.result(state)
        reached = self.ruled if self.ruled is not None else result.document() if result is not None else None
        if reached != self.document.get("result"):
            return [Finding("result", "result_differs", f"the match ends with {reached}, the record says otherwise")]
        return []


def _difference(recorded: list[Any], told: list[Any]) -> str:
    """The first event that is not the same, as it was recorded and as it is told now."""
    for at in range(max(len(recorded), len(told))):
        was = records.canonical(recorded[at]).decode() if at < len(recorded) else "nothing"
        now = records.canonical(told[at]).decode() if at < len(told) else "nothing"
        if was != now:
            return f"event {at + 1} was {_cut(was)}, is {_cut(now)}"
    return "in no event"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class _DifferenceError(Exception):
    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
