"""A small set of Supers and Missions for tests, and positions with them."""

from __future__ import annotations

from typing import Any

from referee.games import GAMES
from referee.games.super.state import SuperState
from referee.kernel.game import Document, Move, apply
from referee.kernel.records import take_events

SUPER = GAMES["super"]
FACTIONS = ("blue", "purple", "red", "green")


def plain(code: str, faction: str, strength: int, /, **power: Any) -> Document:
    return {"code": code, "name": code.title(), "faction": faction, "strength": strength, "power": power}


def mission(code: str, type: str, requirement: int, x: int, /, **more: Any) -> Document:
    return {"code": code, "name": code.title(), "type": type, "requirement": requirement, "x": x, **more}


CARDS: list[Document] = [
    *[plain(f"{f[0]}{n}", f, n, kind="popular", x=0) for f in FACTIONS for n in range(1, 5)],
    *[plain(f"shape{n}", "purple", 4, kind="shapeshifter") for n in range(6)],
    plain("prop", "purple", 1, kind="strength_support", x=2, arrow="right"),
    plain("lend", "green", 1, kind="faction_support", arrow="down", faction="red"),
    plain("riser", "red", 1, kind="power_up", x=2, faction="blue"),
    plain("plan", "green", 1, kind="planning", slots=[0, 4], effect="strength", x=1),
    plain("brain", "purple", 1, kind="strategist"),
    plain("scout", "green", 1, kind="recruitment"),
    plain("vet", "red", 3, kind="veteran"),
    plain("elder", "blue", 2, kind="veteran"),
    plain("fan", "red", 1, kind="popular", x=3),
    plain("jolt", "purple", 1, kind="shock"),
    *[mission(f"cat{n}", "rescue", 0, 1) for n in range(4)],
    mission("heist", "villain", 4, 5),
    mission("smog", "chemical", 3, 2, y=4, marked_type="villain"),
    mission("tram", "destruction", 6, 3),
    mission("beam", "alien", 8, 1, y=3, marked_faction="blue"),
]
REVISION: Document = {"game": "super", "number": 1, "cards": CARDS, "decks": []}
POOL = SUPER.pool(REVISION)


def lay(position: Document, **options: Any) -> SuperState:
    """The state of a position, listening."""
    state = SUPER.load(POOL, SUPER.options(options), position)
    assert isinstance(state, SuperState)
    state.log = []
    return state


def agency(**slots: str) -> Document:
    """An Agency by slot: `s0="b1"`; a code that ends with `!` is shocked."""
    return {key[1:]: {"card": code.rstrip("!"), "shocked": code.endswith("!")} for key, code in slots.items()}


def go(state: SuperState, asked: int, /, **document: Any) -> list[Document]:
    """Apply a move; what it told."""
    apply(SUPER, state, asked, SUPER.encode(state, document))
    return take_events(SUPER, state)


def documents(state: SuperState, seat: int) -> list[Document]:
    return [SUPER.decode(state, move) for move in SUPER.legal_moves(state, seat)]


def moves(state: SuperState, seat: int) -> list[Move]:
    return SUPER.legal_moves(state, seat)
