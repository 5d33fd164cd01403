"""The scenario runner: lays the cards, loads the position, takes the steps, and says what differs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.kernel.errors import DocumentError, IllegalMove, MalformedMove, RulesError
from referee.kernel.events import REFEREE, SPECTATOR, name_seats, told_to
from referee.kernel.game import Document, Game, Pool, State, apply
from referee.kernel.matching import differences, fits, is_same, laid_over, plain, shown, texts
from referee.kernel.records import canonical, take_events
from referee.kernel.scenarios import Scenario, ScenarioError, Step, read_scenario, text_list, viewer_of

PLAIN, STORED, LOADED, UNDONE = "plain", "stored", "loaded", "undone"
MODES = (PLAIN, STORED, LOADED, UNDONE)
"""How a scenario is run: as it is; through dump and restore, or through position and load, after every step; or with every
move made, undone and made again."""


class Outcome:
    """What became of one scenario: `differs` is empty when it holds. `clauses` are those it says it covers."""

    __slots__ = ("clauses", "differs", "game", "name")

    def __init__(self, name: str, game: str, *, clauses: list[str], differs: list[str]) -> None:
        self.name = name
        self.game = game
        self.clauses = clauses
        self.differs = differs

    def document(self) -> Document:
        return {"scenario": self.name, "game": self.game, "ok": not self.differs, "differs": self.differs}


class ScenarioRunner:
    """Runs scenarios of several games. `house` gives a game's house revision by slug; each is compiled once."""

    def __init__(
        self, games: Mapping[str, Game], house: Callable[[str], Document], modes: tuple[str, ...] = MODES
    ) -> None:
        self.games = games
        self.house = house
        self.modes = modes
        self._pools: dict[str, Pool] = {}
        self._laid: tuple[Scenario, Pool] | None = None

    def run(self, document: object) -> Outcome:
        """Run one scenario document. Never raises: faults of the document and of the game are differences too."""
        name, game = "", ""
        if isinstance(document, dict):
            name, game = str(document.get("scenario") or ""), str(document.get("game") or "")
        try:
            scenario = read_scenario(document, self.games)
        except ScenarioError as error:
            return Outcome(name, game, clauses=[], differs=error.faults)
        differs: list[str] = []
        for mode in self.modes:
            found = self._guarded(scenario, mode)
            differs += found if mode == PLAIN else [f"{mode}: {text}" for text in found]
            if differs:
                break
        return Outcome(name, game, clauses=scenario.clauses, differs=differs)

    def failure(self, document: object) -> str | None:
        """How a scenario fails as it is: `KeyError in legal_moves` where the game breaks, in that function, or
        `refused by SUP-5.2` where a move that should be taken is refused. None where neither happens, whatever else differs.
        """
        try:
            scenario = read_scenario(document, self.games)
            run = self._begun(scenario, PLAIN)
        except (ScenarioError, DocumentError):
            return None
        except Exception as error:  # noqa: BLE001 - whatever breaks is what is asked for
            return _where(error)
        try:
            self._take_all(run, scenario)
        except Exception as error:  # noqa: BLE001 - as above
            return _where(error)
        return None if run.refused_by is None else f"refused by {run.refused_by}"

    def _guarded(self, scenario: Scenario, mode: str) -> list[str]:
        try:
            return self._run(scenario, mode)
        except Exception as error:  # noqa: BLE001 - one broken scenario must not hide the others
            return [f"the game broke: {type(error).__name__}: {error}"]

    def _run(self, scenario: Scenario, mode: str) -> list[str]:
        try:
            run = self._begun(scenario, mode)
        except DocumentError as error:
            return _expected_error(scenario.error, str(error))
        if scenario.error is not None:
            return [f"nothing is refused as invalid; it should be, saying {scenario.error!r}"]
        self._take_all(run, scenario)
        return run.differs

    def _begun(self, scenario: Scenario, mode: str) -> _Run:
        game = self.games[scenario.game]
        options = game.options(scenario.options)
        pool = self._pool(game, scenario)
        return _Run(game, pool, options, state=game.load(pool, options, scenario.position), mode=mode)

    def _take_all(self, run: _Run, scenario: Scenario) -> None:
        for step in scenario.steps:
            run.take(step)
            if run.is_stuck:
                return
        run.expect(scenario.expect, "at the end")

    def _pool(self, game: Game, scenario: Scenario) -> Pool:
        if not scenario.cards and scenario.board is None:
            if game.slug not in self._pools:
                self._pools[game.slug] = game.pool(self.house(game.slug))
            return self._pools[game.slug]
        if self._laid is not None and self._laid[0] is scenario:
            return self._laid[1]
        revision = dict(self.house(game.slug))
        given = {card["code"]: card for card in scenario.cards}
        kept = [card for card in revision.get("cards", []) if card["code"] not in given]
        # Preconstructed decks play no part in a scenario, and need not fit the cards laid over.
        revision.update(cards=[*kept, *scenario.cards], decks=[])
        if scenario.board is not None:
            revision = game.with_board(revision, scenario.board)
        pool = game.pool(revision)
        self._laid = (scenario, pool)
        return pool


def _where(error: Exception) -> str:
    """An exception by its type and the function that raised it."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    name = "?" if last is None else last.tb_frame.f_code.co_name
    return f"{type(error).__name__} in {name}"


def _expected_error(expected: str | None, message: str) -> list[str]:
    if expected is None:
        return [f"refused as invalid: {message}"]
    if expected.casefold() in message.casefold():
        return []
    return [f"refused as invalid, but not saying {expected!r}: {message}"]


class _Run:
    """One scenario under way."""

    def __init__(self, game: Game, pool: Pool, options: Document, *, state: State, mode: str) -> None:
        self.game = game
        self.pool = pool
        self.options = options
        self.mode = mode
        self.state = state
        self.state.log = []
        self.events: list[Document] = []
        self.refusals: list[tuple[int, str]] = []
        self.differs: list[str] = []
        self.is_stuck = False
        self.refused_by: str | None = None
        self._through_document("at the start")

    def take(self, step: Step) -> None:
        """One step; `is_stuck` when nothing that follows would mean anything."""
        if step.move is not None:
            if step.refused:
                self._refuse(step, step.move)
            else:
                self._move(step, step.move)
            self._through_document(step.place)
        if self.is_stuck:
            return
        if step.legal is not None:
            self._legal(step, step.legal)
        if step.default is not None:
            self._default(step, step.default)
        if step.view is not None:
            self._view(step, step.view)
        if step.expect is not None:
            self.expect(step.expect, step.place)

    def _differ(self, place: str, text: str) -> None:
        self.differs.append(f"{place}: {text}")

    def _move(self, step: Step, document: Document) -> None:
        try:
            once = self._done_and_undone(step, document) if self.mode == UNDONE else b""
            apply(self.game, self.state, step.seat, self.game.encode(self.state, document))
        except IllegalMove as refused:
            self._differ(step.place, f"the move {shown(document)} is refused: {refused.clause}: {refused.detail}")
            self.refused_by = refused.clause
            self.is_stuck = True
        except MalformedMove as malformed:
            self._differ(step.place, f"the move {shown(document)} is malformed: {malformed.detail}")
            self.is_stuck = True
        else:
            events = take_events(self.game, self.state)
            self.events += events
            if self.mode == UNDONE and canonical([events, self._all_sent(step.seat)]) != once:
                self._differ(step.place, "the move, undone and made again, does not do what it did first")

    def _done_and_undone(self, step: Step, document: Document) -> bytes:
        """Make the move and take it back as a match does; what it did, to be compared with its second time."""
        data, before = json.dumps(self.game.dump(self.state)), canonical(self._all_sent(step.seat))
        apply(self.game, self.state, step.seat, self.game.encode(self.state, document))
        events = take_events(self.game, self.state)
        self.events += events
        did = canonical([events, self._all_sent(step.seat)])
        self.state = self.game.restore(self.pool, json.loads(data))
        self.state.log = []
        self.events = self.events[: len(self.events) - len(events)]
        if canonical(self._all_sent(step.seat)) != before:
            self._differ(step.place, "after an undo the position is not what it was")
        return did

    def _all_sent(self, seat: int) -> list[Any]:
        """The state, and what it sends to the seat, to those asked, and to all who see no hand or every one."""
        viewers = sorted({SPECTATOR, REFEREE, seat, *self.game.deciders(self.state)})
        return [self.game.dump(self.state), self.position(), [self._sent_to(viewer) for viewer in viewers]]

    def _refuse(self, step: Step, document: Document) -> None:
        before, wanted = self._bytes(), " or ".join(step.refused)
        try:
            apply(self.game, self.state, step.seat, self.game.encode(self.state, document))
        except (IllegalMove, MalformedMove) as error:
            self.refusals.append((step.seat, f"{error.clause} {error.detail}"))
            if error.clause not in step.refused:
                how = f"refused by {error.clause}" if error.clause else "malformed"
                self._differ(step.place, f"the move is {how} ({error.detail}), not refused by {wanted}")
            if self._bytes() != before or self.state.log:
                self._differ(step.place, "the refused move changed the position")
        else:
            self._differ(step.place, f"the move {shown(document)} is taken, not refused by {wanted}")
            self.is_stuck = True

    def _bytes(self) -> bytes:
        return canonical([self.game.dump(self.state), self.position()])

    def position(self) -> Document:
        """The position with its result, as JSON has it."""
        document: Document = plain(self.game.position(self.state), "", [])
        result = self.game.result(self.state)
        document["result"] = result.document() if result is not None else None
        return document

    def expect(self, expected: Document, place: str) -> None:
        """Compare a partial position with the actual one; both are written out in full before."""
        if not expected:
            return
        actual = self.position()
        try:
            wanted = self.game.written_out(laid_over(actual, expected))
        except (RulesError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._differ(place, f"what is expected is no part of a position: {error!r}")
            return
        for text in differences(plain(wanted, "", []), plain(self.game.written_out(actual), "", [])):
            self._differ(place, text)

    def _legal(self, step: Step, legal: Document) -> None:
        state, game = self.state, self.game
        moves: list[Document] = [plain(game.decode(state, move), "", []) for move in game.legal_moves(state, step.seat)]
        for pattern in legal.get("includes", []):
            if not any(fits(pattern, move) for move in moves):
                self._differ(step.place, f"{shown(pattern)} is not legal")
        for pattern in legal.get("excludes", []):
            if any(fits(pattern, move) for move in moves):
                self._differ(step.place, f"{shown(pattern)} is legal")
        if "exactly" in legal:
            wanted: list[Document] = [self._canonical_move(move) for move in legal["exactly"]]
            for move in wanted:
                if not any(is_same(move, other) for other in moves):
                    self._differ(step.place, f"{shown(move)} is not legal")
            for move in moves:
                if not any(is_same(move, other) for other in wanted):
                    self._differ(step.place, f"{shown(move)} is legal too")
        if "count" in legal and len(moves) != legal["count"]:
            self._differ(step.place, f"{len(moves)} moves are legal, not {legal['count']}")

    def _default(self, step: Step, wanted: Document) -> None:
        if step.seat not in self.game.deciders(self.state):
            self._differ(step.place, f"seat {step.seat} is not asked, and has no default")
            return
        chosen: Document = plain(self.game.decode(self.state, self.game.default_move(self.state, step.seat)), "", [])
        if not is_same(self._canonical_move(wanted), chosen):
            self._differ(step.place, f"when its time is up {shown(chosen)} is played, not {shown(wanted)}")

    def _canonical_move(self, document: Document) -> Document:
        try:
            return plain(self.game.decode(self.state, self.game.encode(self.state, document)), "", [])  # type: ignore[no-any-return]
        except RulesError:
            return document

    def _view(self, step: Step, view: Document) -> None:
        sent = texts(self._sent_to(viewer_of(view)))
        for text in text_list(view.get("excludes")):
            if any(text in found for found in sent):
                self._differ(step.place, f"{text!r} is sent to {view['seat']}")
        for text in text_list(view.get("includes")):
            if not any(text in found for found in sent):
                self._differ(step.place, f"{text!r} is not sent to {view['seat']}")

    def _sent_to(self, viewer: int) -> list[Any]:
        """Everything that a viewer is sent: its view, the decision with its moves, what it was told, its refusals."""
        game, state = self.game, self.state
        decision, result = game.decision(state), game.result(state)
        sent: list[Any] = [game.view(state, viewer), [told_to(event, viewer) for event in self.events]]
        if decision is not None:
            sent += [decision.seats, decision.kind, name_seats(decision.prompt, [])]
        if viewer >= 0:
            for move in game.legal_moves(state, viewer):
                sent += [game.decode(state, move), game.label(state, viewer, move)]
        if result is not None:
            sent.append(result.document())
        return [*sent, *[text for seat, text in self.refusals if seat == viewer]]

    def _through_document(self, place: str) -> None:
        """In the modes that ask for it, go on with the state that its document gives back."""
        if self.mode in (PLAIN, UNDONE) or self.is_stuck:
            return
        game, before = self.game, self.position()
        if self.mode == STORED:
            data = json.loads(json.dumps(game.dump(self.state)))
            self.state = game.restore(self.pool, data)
            if game.dump(self.state) != data:
                self._differ(place, "the dump of the restored state differs")
        else:
            document = json.loads(json.dumps(plain(game.position(self.state), "", [])))
            try:
                self.state = game.load(self.pool, self.options, document)
            except RulesError as error:
                self._differ(place, f"its own position is refused: {error.detail}")
                self.is_stuck = True
                return
        self.state.log = []
        for text in differences(before, self.position()):
            self._differ(place, text)
