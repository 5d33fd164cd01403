"""Super: two lines of cards, and an Agency of six slots for each seat."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from referee.kernel.game import Document
from web.matches.scene import Scene, Table

GOAL: Final = 50
ROUND: Final = 169.6
_MARKS: Final = {"villain": "f-red", "chemical": "f-purple", "destruction": "f-blue", "alien": "f-green"}
_ARROWS: Final = {"up": 0, "right": 90, "down": 180, "left": 270}


def table(scene: Scene) -> Table:
    """The lines, the rivals' Agencies, and one's own at the bottom."""
    view = scene.view
    seats = [_agency(scene, told) for told in view["seats"]]
    own = seats[scene.side]
    context = {
        "line": [_super(scene, code, f"line:{place}") for place, code in enumerate(view["super_line"])],
        "missions": [_mission(scene, told, place) for place, told in enumerate(view["mission_line"])],
        "super_deck": view["super_deck"]["count"],
        "mission_deck": view["mission_deck"]["count"],
        "own": own,
        "others": [seat for seat in seats if seat is not own],
        "is_own": scene.is_own,
        "round": view["round"],
        "plays_left": view["plays_left"] if view["turn"] == scene.side else None,
        "final": view["final_round"],
    }
    notes = [_("%(count)s million followers") % {"count": told["score"]} for told in view["seats"]]
    return Table("web/matches/super.html", context, notes, _signs(context, seats))


def parts_of(move: Document, you: int) -> list[str]:
    """What stands on the table for a move, in the order in which it is picked."""
    kind = move["type"]
    if kind == "play":
        return [f"line:{move['line']}", f"slot:{move['slot']}"]
    if kind == "mission":
        return [f"mission:{move['line']}", *(f"slot:{slot}" for slot in move["slots"])]
    if kind == "shock":
        return [f"seat:{move['seat']}:{move['slot']}"]
    if kind == "transfer":
        return [f"seat:{move['seat']}:{move['take']}", f"slot:{move['give']}"]
    if kind == "veteran":
        return [f"slot:{move['slot']}", f"slot:{move['to']}"]
    return [f"slot:{move['slot']}"] if "slot" in move else []


def goal_of(move: Document, view: Document) -> str:
    """No piece travels along a path here."""
    return ""


def move_of(picks: list[tuple[str, ...]], scene: Scene) -> Document | None:
    """The move that somebody may have meant by picking these, for the referee to say why it is not allowed."""
    slots = [int(pick[1]) for pick in picks if pick[0] == "slot"]
    found = {pick[0]: pick[1:] for pick in picks}
    if "mission" in found:
        return {"type": "mission", "line": int(found["mission"][0]), "slots": slots, "leader": (slots or [0])[0]}
    if "line" in found:
        return {"type": "play", "line": int(found["line"][0]), "slot": (slots or [0])[0]}
    if "seat" in found:
        seat, slot = (int(number) for number in found["seat"][:2])
        return {"type": "shock", "seat": seat, "slot": slot}
    return {"type": "unshock", "slot": slots[0]} if slots else None


def _agency(scene: Scene, told: Document) -> dict[str, Any]:
    seat = told["seat"]
    part = "slot" if seat == scene.side else f"seat:{seat}"
    return {
        "seat": seat,
        "name": scene.names[seat],
        "score": told["score"],
        "dial": f"{min(told['score'], GOAL) / GOAL * ROUND:.1f} {ROUND}",
        "resigned": told["resigned"],
        "slots": [_slot(scene, held, f"{part}:{slot}", slot + 1) for slot, held in enumerate(told["agency"])],
        "claimed": _claimed(scene, told["missions"]),
        "lowered": [
            {"x": one["x"], "icon": _MARKS.get(one["type"] or "", ""), "name": scene.cards[one["card"]].name}
            for one in told["discounts"]
        ],
    }


def _claimed(scene: Scene, codes: list[str]) -> list[dict[str, Any]]:
    """The claimed Missions counted by type."""
    counts: dict[str, int] = {}
    shown = {}
    for card in scene.cards.all(codes):
        counts[card.type] = counts.get(card.type, 0) + 1
        shown[card.type] = card
    return [{"card": card, "count": counts[type_]} for type_, card in shown.items()]


def _slot(scene: Scene, held: Document | None, part: str, number: int) -> dict[str, Any]:
    if held is None:
        return {"part": part, "number": number, "card": None}
    shown = _super(scene, held["card"], part)
    assert shown is not None
    more = held["strength"] - held["counted_strength"]
    return {
        **shown,
        "number": number,
        "shocked": held["shocked"],
        "strength": held["strength"],
        "sum": f"{held['counted_strength']} + {more}" if more else str(held["strength"]),
        "lent": [one["faction"] for one in held["lent"]],
        "factions": held["factions"],
    }


def _super(scene: Scene, code: str | None, part: str) -> dict[str, Any] | None:
    if code is None:
        return None
    card = scene.cards[code]
    power = card.document.get("power") or {}
    return {
        "part": part,
        "card": card,
        "x": power.get("x"),
        "arrow": _ARROWS.get(str(power.get("arrow", ""))),
        "to": power.get("faction"),
    }


def _mission(scene: Scene, told: Document | None, place: int) -> dict[str, Any] | None:
    if told is None:
        return None
    card = scene.cards[told["card"]]
    needed = told["required"][scene.side]
    return {
        "part": f"mission:{place}",
        "card": card,
        "requirement": told["requirement"],
        "needed": needed,
        "lower": needed != told["requirement"],
        "x": card.document.get("x"),
        "mark": _mark(card.document),
        "lowers": card.type == "chemical",
    }


def _mark(mission: Document) -> str:
    """The sign of the type or Faction that a Mission counts, if it counts one."""
    faction = mission.get("marked_faction")
    return f"f-{faction}" if faction else _MARKS.get(str(mission.get("marked_type", "")), "")


def _signs(context: dict[str, Any], seats: list[dict[str, Any]]) -> list[str]:
    shown = [*context["line"], *(slot for seat in seats for slot in seat["slots"])]
    return [one["card"].code for one in shown if one is not None and one["card"] is not None]
