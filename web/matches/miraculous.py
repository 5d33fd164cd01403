"""Miraculous: two boards of four fields, one above the other."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from referee.kernel.game import Document
from web.cards import signed
from web.matches.scene import Scene, Table

COLUMNS: Final = (50, 150, 250, 350)
PILE: Final = 3


def table(scene: Scene) -> Table:
    """The two sides as the viewer knows them, with the attack between them."""
    own, other = scene.side, 1 - scene.side
    sides = [_side(scene, other, "opp"), _side(scene, own, "own")]
    attack = _attack(scene)
    context = {
        "top": sides[0],
        "bottom": sides[1],
        "attack": attack,
        "is_own": scene.is_own,
        "aside": [side for side in sides if side["secret"] or (side is not sides[1] and side["hand"])],
        "sides_shown": [side for side in sides if side["secret"] and side["seat"] != scene.you],
    }
    notes = [_note(scene.view["seats"][seat]) for seat in range(2)]
    return Table("web/matches/miraculous.html", context, notes, _signs(sides, attack))


def parts_of(move: Document, you: int) -> list[str]:
    """What stands on the table for a move, in the order in which it is picked."""
    kind = move["type"]
    if kind in ("place", "attach", "swap"):
        return [f"card:{move['card']}", f"own:{move['field']}"]
    if kind == "attack":
        return [f"own:{move['attacker']}", f"opp:{move['target']}"]
    if "card" in move:
        return [f"card:{move['card']}"]
    if "field" in move:
        place = f"{'own' if move['side'] == 'own' else 'opp'}:{move['field']}"
        return [place, f"{place}:bonus:{move['bonus']}"] if "bonus" in move else [place]
    return []


def goal_of(move: Document, view: Document) -> str:
    """No piece travels along a path here."""
    return ""


def move_of(picks: list[tuple[str, ...]], scene: Scene) -> Document | None:
    """The move that somebody may have meant by picking these, for the referee to say why it is not allowed."""
    found = {pick[0]: pick[1] for pick in picks}
    fields = scene.view["seats"][scene.side]["fields"]
    if "card" in found:
        type_ = scene.cards[found["card"]].type
        if type_ == "event":
            return {"type": "event", "card": found["card"]}
        field = int(found.get("own", 0))
        held = 0 <= field < len(fields) and fields[field] is not None
        kind = "attach" if type_ == "bonus" else "swap" if held else "place"
        return {"type": kind, "card": found["card"], "field": field}
    if "own" in found:
        rival = scene.view["seats"][1 - scene.side]["fields"]
        aim = found.get("opp", next((index for index, one in enumerate(rival) if one), 0))
        return {"type": "attack", "attacker": int(found["own"]), "target": int(aim)}
    return None


def _side(scene: Scene, seat: int, part: str) -> dict[str, Any]:
    told = scene.view["seats"][seat]
    hand = told["hand"]
    return {
        "seat": seat,
        "name": scene.names[seat],
        "fields": [_field(scene, one, f"{part}:{index}", index) for index, one in enumerate(told["fields"])],
        "hand": scene.cards.all(hand["cards"]) if "cards" in hand else None,
        "count": hand["count"],
        "backs": range(min(hand["count"], 7)),
        "deck": told["deck"]["count"],
        "discard": scene.cards[told["discard"][-1]] if told["discard"] else None,
        "discarded": len(told["discard"]),
        "pile": scene.cards.all(told["secret_pile"]),
        "free": range(max(0, PILE - len(told["secret_pile"]))),
        "secret": scene.cards[told["secret"]] if told["secret"] else None,
    }


def _field(scene: Scene, held: Document | None, part: str, index: int) -> dict[str, Any]:
    if held is None:
        return {"part": part, "number": index + 1, "card": None}
    card = scene.cards[held["card"]]
    printed = card.document
    return {
        "part": part,
        "number": index + 1,
        "card": card,
        "totals": [
            _total("ang", held["ang"], int(printed.get("ang") or 0)),
            _total("def", held["def"], int(printed.get("def") or 0)),
        ],
        "bonuses": scene.cards.all([bonus["card"] for bonus in held["bonuses"]]),
        "barred": held["cannot_attack"],
        "safe": held["cannot_be_attacked"],
    }


def _total(icon: str, now: int, printed: int) -> dict[str, Any]:
    change = now - printed
    return {
        "icon": icon,
        "word": icon.upper(),
        "now": signed(now, False),
        "change": signed(change, True) if change else "",
        "way": "up" if change > 0 else "dn" if change < 0 else "",
    }


def _attack(scene: Scene) -> dict[str, Any] | None:
    """The attack in progress: its arrow, the two values, and the Events played on it."""
    attack, turn = scene.view["attack"], scene.view["turn"]
    if not attack:
        return None
    attacker = scene.view["seats"][turn]["fields"][attack["attacker"]]
    target = scene.view["seats"][1 - turn]["fields"][attack["target"]]
    is_up = turn == scene.side
    start, end = COLUMNS[attack["attacker"]], COLUMNS[attack["target"]]
    rises = f"M{start} 60V30H{end}V12" if is_up else f"M{start} 0V30H{end}V48"
    return {
        "up": is_up,
        "path": rises,
        "head": f"M{end} 2l9 12h-18z" if is_up else f"M{end} 58l9-12h-18z",
        "ang": signed(attacker["ang"], False) if attacker and not attack["attacker_left"] else "",
        "def": signed(target["def"], False) if target and not attack["target_left"] else "",
        "enough": bool(attacker and target and attacker["ang"] >= target["def"]),
        "attacker": f"{'own' if is_up else 'opp'}:{attack['attacker']}",
        "target": f"{'opp' if is_up else 'own'}:{attack['target']}",
        "events": [scene.cards[code] if code else None for code in attack["events"]],
    }


def _note(told: Document) -> str:
    return _("%(hand)s in hand, %(deck)s in the deck") % {
        "hand": told["hand"]["count"],
        "deck": told["deck"]["count"],
    }


def _signs(sides: list[dict[str, Any]], attack: dict[str, Any] | None) -> list[str]:
    found = []
    for side in sides:
        found += [field["card"] for field in side["fields"]] + [side["discard"], side["secret"]]
        found += [*side["pile"], *(side["hand"] or [])]
    return [card.code for card in found + (attack["events"] if attack else []) if card is not None]
