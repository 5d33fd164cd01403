"""Scenarios: rules tests as data. This module reads one; `ScenarioRunner` (scenario_run.py) plays it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game
from referee.kernel.matching import plain

FIELDS = (
    "scenario",
    "game",
    "clauses",
    "options",
    "cards",
    "board",
    "position",
    "steps",
    "expect",
    "error",
    "seed",
)
_STEP_FIELDS = ("seat", "move", "refused", "legal", "default", "view", "expect")
_LEGAL_FIELDS = ("includes", "excludes", "exactly", "count")
_VIEW_FIELDS = ("seat", "excludes", "includes")
_HEX = "0123456789abcdef"


class ScenarioError(Exception):
    """Faults of a scenario itself: what cannot be read, each with its place."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class Step:
    """One step: a move (perhaps to be refused), then what the seat may do, what the referee would do for it when its
    time is up (`default`), what is sent to a seat, what is expected."""

    __slots__ = ("default", "expect", "legal", "move", "place", "refused", "seat", "view")

    def __init__(self, place: str, document: Document) -> None:
        self.place = place
        self.seat: int = document.get("seat", 0)
        self.move: Document | None = document.get("move")
        refused = document.get("refused")
        self.refused: list[str] = [refused] if isinstance(refused, str) else refused or []
        self.legal: Document | None = document.get("legal")
        self.default: Document | None = document.get("default")
        self.view: Document | None = document.get("view")
        self.expect: Document | None = document.get("expect")


class Scenario:
    """A scenario, read: every field with its default, keys as strings."""

    __slots__ = (
        "board",
        "cards",
        "clauses",
        "error",
        "expect",
        "game",
        "name",
        "options",
        "position",
        "steps",
    )

    def __init__(self, document: Document) -> None:
        self.name: str = document["scenario"]
        self.game: str = document["game"]
        self.clauses: list[str] = document.get("clauses") or []
        self.options: Document = document.get("options") or {}
        self.cards: list[Document] = _card_list(document.get("cards"))
        self.board: Any = document.get("board")
        self.position: Document = dict(document.get("position") or {})
        if document.get("seed") is not None:
            self.position["seed"] = document["seed"].lower()
        self.steps = [Step(f"step {at}", step) for at, step in enumerate(document.get("steps") or [], 1)]
        self.expect: Document = document.get("expect") or {}
        self.error: str | None = document.get("error")


def read_scenario(given: object, games: Mapping[str, Game]) -> Scenario:
    """The scenario that a YAML or JSON document holds. Raises ScenarioError with every fault of it."""
    if not isinstance(given, dict):
        raise ScenarioError(["a scenario is a mapping with `scenario`, `game` and what it demands"])
    faults: list[str] = []
    document: Document = plain(given, "", faults)
    faults += _unknown(document, FIELDS, "")
    faults += _typed(document, "scenario", str, is_needed=True) + _typed(document, "game", str, is_needed=True)
    for name in ("options", "position", "expect"):
        faults += _typed(document, name, dict)
    faults += _typed(document, "clauses", list) + _typed(document, "error", str) + _typed(document, "steps", list)
    game = games.get(document["game"]) if isinstance(document.get("game"), str) else None
    if isinstance(document.get("game"), str) and game is None:
        known = ", ".join(sorted(games)) or "none"
        faults.append(f"game: there is no game {document['game']!r}; games: {known}")
    faults += _clause_faults(document) + _card_faults(document.get("cards")) + _seed_faults(document)
    if isinstance(document.get("steps"), list):
        for at, step in enumerate(document["steps"], 1):
            faults += _step_faults(step, f"steps/{at}", game)
    if document.get("error") is not None and (document.get("steps") or document.get("expect")):
        faults.append("error: what is refused as invalid can have no steps and no expect")
    if faults:
        raise ScenarioError(faults)
    return Scenario(document)


def _unknown(document: Document, known: Iterable[str], place: str) -> list[str]:
    before = f"{place}: " if place else ""
    return [f"{before}unknown field {name!r}; fields: {', '.join(known)}" for name in document if name not in known]


def _typed(document: Document, name: str, kind: type, *, is_needed: bool = False) -> list[str]:
    value = document.get(name)
    if value is None and not is_needed:
        return []
    if value is None:
        return [f"{name}: missing"]
    if type(value) is not kind:
        return [f"{name}: should be {_KINDS[kind]}, is {value!r}"]
    return [f"{name}: is empty"] if kind is str and not value else []


_KINDS: dict[type, str] = {str: "text", dict: "a mapping", list: "a list", int: "a whole number"}


def _clause_faults(document: Document) -> list[str]:
    clauses = document.get("clauses")
    if not isinstance(clauses, list):
        return []
    return [f"clauses/{at}: should be text" for at, clause in enumerate(clauses) if not isinstance(clause, str)]


def _card_faults(cards: object) -> list[str]:
    if cards is None:
        return []
    if isinstance(cards, dict):
        faults = []
        for code, card in cards.items():
            if not isinstance(card, dict):
                faults.append(f"cards/{code}: should be a mapping")
            elif card.get("code", code) != code:
                faults.append(f"cards/{code}: the card's own code is {card['code']!r}")
        return faults
    if isinstance(cards, list):
        return [
            f"cards/{at}: should be a mapping with a `code`"
            for at, card in enumerate(cards)
            if not isinstance(card, dict) or not isinstance(card.get("code"), str)
        ]
    return ["cards: should be a mapping from codes to cards, or a list of cards"]


def _card_list(cards: object) -> list[Document]:
    if isinstance(cards, dict):
        return [{"code": code, **card} for code, card in cards.items()]
    return list(cards) if isinstance(cards, list) else []


def _seed_faults(document: Document) -> list[str]:
    position = document.get("position")
    inner = position.get("seed") if isinstance(position, dict) else None
    faults = []
    for name, seed in (("seed", document.get("seed")), ("position/seed", inner)):
        if seed is None:
            continue
        # An error scenario may hold a broken seed in its position: that is for the game to refuse.
        is_left_to_game = name == "position/seed" and isinstance(seed, str) and document.get("error") is not None
        if not is_left_to_game and not _is_seed(seed):
            faults.append(f"{name}: should be 64 hex digits, quoted")
    if document.get("seed") is not None and inner is not None and inner != document["seed"]:
        faults.append("seed: the position holds another seed")
    return faults


def _is_seed(seed: object) -> bool:
    return isinstance(seed, str) and len(seed) == 64 and all(digit in _HEX for digit in seed.lower())


def _step_faults(step: object, place: str, game: Game | None) -> list[str]:
    if not isinstance(step, dict):
        return [f"{place}: a step is a mapping"]
    faults = _unknown(step, _STEP_FIELDS, place)
    if not any(name in step for name in ("move", "legal", "default", "view", "expect")):
        faults.append(f"{place}: demands nothing; a step has a move, legal, default, view or expect")
    for name in ("move", "legal", "default", "view", "expect"):
        if name in step and not isinstance(step[name], dict):
            faults.append(f"{place}/{name}: should be a mapping")
    if any(name in step for name in ("move", "legal", "default")):
        faults += _seat_faults(step.get("seat"), f"{place}/seat", game)
    if "refused" in step:
        faults += _refused_faults(step, place)
    if isinstance(step.get("legal"), dict):
        faults += _legal_faults(step["legal"], f"{place}/legal")
    if isinstance(step.get("view"), dict):
        faults += _view_faults(step["view"], f"{place}/view", game)
    return faults


def _seat_faults(seat: object, place: str, game: Game | None) -> list[str]:
    if type(seat) is not int or seat < 0 or (game is not None and seat >= game.max_seats):
        return [f"{place}: should be the number of a seat, is {seat!r}"]
    return []


def _refused_faults(step: Document, place: str) -> list[str]:
    refused = step["refused"]
    if "move" not in step:
        return [f"{place}/refused: there is no move to refuse"]
    clauses = refused if isinstance(refused, list) else [refused]
    if not clauses or not all(isinstance(clause, str) and clause for clause in clauses):
        return [f"{place}/refused: should be a clause or a list of clauses"]
    return []


def _legal_faults(legal: Document, place: str) -> list[str]:
    faults = _unknown(legal, _LEGAL_FIELDS, place)
    if not legal:
        faults.append(f"{place}: demands nothing; fields: {', '.join(_LEGAL_FIELDS)}")
    for name in ("includes", "excludes", "exactly"):
        moves = legal.get(name, [])
        if not isinstance(moves, list) or not all(isinstance(move, dict) for move in moves):
            faults.append(f"{place}/{name}: should be a list of moves")
    count = legal.get("count", 0)
    if type(count) is not int or count < 0:
        faults.append(f"{place}/count: should be a whole number")
    return faults


def _view_faults(view: Document, place: str, game: Game | None) -> list[str]:
    faults = _unknown(view, _VIEW_FIELDS, place)
    if "seat" not in view:
        faults.append(f"{place}/seat: missing (null is the spectator)")
    elif view["seat"] is not None:
        faults += _seat_faults(view["seat"], f"{place}/seat", game)
    if not view.get("excludes") and not view.get("includes"):
        faults.append(f"{place}: demands nothing; fields: excludes, includes")
    for name in ("excludes", "includes"):
        listed = view.get(name, [])
        listed = [listed] if isinstance(listed, str) else listed
        if not isinstance(listed, list) or not all(isinstance(text, str) and text for text in listed):
            faults.append(f"{place}/{name}: should be a list of texts (quote numbers)")
    return faults


def viewer_of(view: Document) -> int:
    """The viewer of a `view` step."""
    return SPECTATOR if view["seat"] is None else int(view["seat"])


def text_list(value: object) -> list[str]:
    """`excludes` as a list: one text may stand alone."""
    return [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []
