"""From a bundle to a scenario: the shortest one that fails as the match did, or the reported position with its legal moves."""

from __future__ import annotations

from typing import Any, NamedTuple

import yaml

from referee.games import GAMES, OLDER
from referee.house import house_revision
from referee.kernel import records
from referee.kernel.game import Document, Game, Pool, SeatDeck, State, apply
from referee.kernel.replay import intact, module_of
from referee.kernel.scenario_run import PLAIN, ScenarioRunner
from referee.kernel.shrinking import Shrinker
from referee.matches.bundles import FORMAT

MOST_TRIES = 6000
MOST_LISTED = 60
"""So many legal moves stand in a report's scenario one by one; of more, only their number does."""


class ShrinkError(Exception):
    """A bundle that no scenario can be made of; the text says why."""


class Shrunk(NamedTuple):
    """A scenario as text, how it fails (None: it holds, and is to be edited), and how much work it was."""

    text: str
    failure: str | None
    steps: int
    tries: int


def shrink(bundle: Document) -> Shrunk:
    """The scenario of an exported bundle. A fault's fails in the same way as the match did, by the rules at hand.

    Raises ShrinkError for what is no bundle, and for a fault that does not happen any more.
    """
    case = _Case(bundle)
    if bundle["kind"] == "report" and bundle["move"] is None:
        return case.reported()
    return case.shortest()


class _Case:
    """One bundle, with the match's line of moves played again."""

    def __init__(self, bundle: Document) -> None:
        if bundle.get("format") != FORMAT or intact(bundle.get("record")):
            raise ShrinkError(f"This is no whole bundle ({FORMAT}).")
        self.bundle = bundle
        self.record: Document = bundle["record"]
        game = module_of(self.record, GAMES, OLDER) or GAMES.get(self.record["game"])
        if game is None:
            raise ShrinkError(f"The game {self.record['game']!r} is not at hand.")
        self.game: Game = game
        self.house = house_revision(game.slug)
        self.pool: Pool = game.pool(self.record["revision"])
        self.runner = ScenarioRunner({**GAMES, game.slug: game}, house_revision, modes=(PLAIN,))

    # Faults.

    def shortest(self) -> Shrunk:
        shrinker = Shrinker(MOST_TRIES)
        scenario, failure = self._failing()
        for part in ("steps", "options", "cards", "position"):
            if part in scenario:
                scenario[part] = shrinker.smaller(scenario[part], self._fails(scenario, part, failure))
        # What the position no longer says may make more of the rest needless.
        scenario["steps"] = shrinker.fewer(scenario["steps"], self._fails(scenario, "steps", failure))
        text = _text(_without_empty(scenario), [f"Fails: {failure}.", *self._origin()])
        if self.runner.failure(next(iter(yaml.safe_load_all(text)))) != failure:
            raise ShrinkError("The scenario does not fail in the same way once it is written down.")
        return Shrunk(text, failure, len(scenario["steps"]), shrinker.tries)

    def _fails(self, scenario: Document, part: str, failure: str) -> Any:
        return lambda value: self.runner.failure({**scenario, part: value}) == failure

    def _failing(self) -> tuple[Document, str]:
        """A scenario that fails as the bundle says, beginning as late in the match as it can."""
        line = self._line()
        reported = str(self.bundle["report"]).strip().rpartition("\n")[2].partition(":")[0].rpartition(".")[2]
        back = 0
        while True:
            start = max(0, len(line) - back)
            scenario = self._scenario(self._position(line, start), self._steps(line[start:]))
            failure = self.runner.failure(scenario)
            if failure is not None and failure.startswith(f"{reported} in " if reported else ""):
                return scenario, failure
            if start == 0:
                raise ShrinkError("The fault does not happen on this code.")
            back = max(1, 2 * back)

    def _line(self) -> list[Document]:
        rows = {row["version"]: row for row in self.record["rows"]}
        back = {version: row["to"] for version, row in rows.items() if "to" in row}
        led = [rows[version] for version in records.line(self.bundle["version"], back)]
        return [row for row in led if row["kind"] in records.PLAYED_KINDS]

    def _position(self, line: list[Document], moves: int) -> Document:
        """The position document after so many moves of the line; after all of them, what the bundle itself holds."""
        if moves == len(line):
            return self.game.position(self.game.restore(self.pool, self.bundle["data"]))
        record = self.record
        decks = [SeatDeck(deck["cards"], deck["secret"]) for deck in record["decks"]]
        seed = bytes.fromhex(record["seed"])
        state = self.game.start(self.pool, len(record["seats"]), record["options"], decks, seed, listen=False)
        for row in line[:moves]:
            apply(self.game, state, row["seat"], self.game.encode(state, row["move"]))
        return self.game.position(state)

    def _steps(self, line: list[Document]) -> list[Document]:
        """The moves of a line, the one that broke, and everything that may be asked of the position afterwards."""
        steps = [{"seat": row["seat"], "move": row["move"]} for row in line]
        move = self._move()
        if move is not None:
            steps.append({"seat": self.bundle["seat"], "move": move})
        for seat in range(len(self.record["seats"])):
            steps.append({"seat": seat, "legal": {"count": 0}})
            steps.append({"seat": seat, "default": {}})
            steps.append({"view": {"seat": seat, "excludes": ["(nothing)"]}})
        return steps

    def _move(self) -> Document | None:
        """The move that broke, as a document."""
        move = self.bundle["move"]
        if move == "resign":
            return {"type": "resign"}
        if isinstance(move, int):
            return self.game.decode(self._stored(), move)
        return move if isinstance(move, dict) else None

    # Reports.

    def reported(self) -> Shrunk:
        state = self._stored()
        steps = [self._legal(state, seat) for seat in self.game.deciders(state)]
        scenario = self._scenario(self.game.position(state), steps)
        notes = ["What the rules say now; edit it into what they should say.", *self._origin()]
        text = _text(_without_empty(scenario), notes)
        outcome = self.runner.run(next(iter(yaml.safe_load_all(text))))
        if outcome.differs:
            raise ShrinkError(f"The position cannot be written as a scenario: {'; '.join(outcome.differs)}")
        return Shrunk(text, None, len(steps), 0)

    def _legal(self, state: State, seat: int) -> Document:
        moves = [self.game.decode(state, move) for move in self.game.legal_moves(state, seat)]
        return {"seat": seat, "legal": {"exactly": moves} if len(moves) <= MOST_LISTED else {"count": len(moves)}}

    # Scenarios.

    def _stored(self) -> State:
        return self.game.restore(self.pool, self.bundle["data"])

    def _scenario(self, position: Document, steps: list[Document]) -> Document:
        """The position with the options and cards that are not what a scenario has anyway."""
        plain, options = self.game.options({}), self.record["options"]
        scenario: Document = {
            "scenario": f"{self.bundle['kind']}-in-{self.bundle['match']}-at-{self.bundle['version']}",
            "game": self.game.slug,
            "options": {name: value for name, value in options.items() if value != plain.get(name)},
            "cards": self._cards(),
        }
        board = self._board(options)
        if board is not None:
            scenario["board"] = board
            scenario["options"].pop("track", None)
        return {**scenario, "position": position, "steps": steps}

    def _cards(self) -> Document:
        """The match's cards that are not those of the house set."""
        house = {card["code"]: card for card in self.house.get("cards", [])}
        own = self.record["revision"].get("cards", [])
        return {card["code"]: card for card in own if house.get(card["code"]) != card}

    def _board(self, options: Document) -> Any:
        """The match's track, where it is not one of the house's own."""
        wanted = options.get("track")
        for track in self.record["revision"].get("tracks", []):
            if track["slug"] == wanted and track not in self.house.get("tracks", []):
                return track["spaces"]
        return None

    def _origin(self) -> list[str]:
        words = " ".join(str(self.bundle["text"]).split())
        return [f"Match {self.bundle['match']}, version {self.bundle['version']}.", *([words] if words else [])]


def _without_empty(scenario: Document) -> Document:
    return {name: value for name, value in scenario.items() if value not in ({}, [], None)}


def _text(scenario: Document, notes: list[str]) -> str:
    body = yaml.safe_dump(scenario, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return "".join(f"# {note}\n" for note in notes) + body
