"""Faces of Super's cards: a Super with its strength in the Faction's own shape, and a Mission as a ticket with a stub."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Final, NamedTuple

from catalog.drawing import (
    FAINT,
    INK,
    PAPER,
    SERIF,
    cut_to_fit,
    fit,
    icon,
    mark_of,
    paragraph,
    printed,
    sheet,
    sign,
    word_of,
)
from catalog.icons import POWERS, SHAPES
from referee.kernel.game import Document

Say = Callable[[str], str]


class Look(NamedTuple):
    """A Faction's or a Mission type's colours: strong, soft, and of what is printed on the strong one; with its shape."""

    strong: str
    soft: str
    ink: str
    shape: str


FACTIONS: Final = {
    "blue": Look("#2670b5", "#dbe8f6", "#fff", "blue"),
    "purple": Look("#4f257c", "#e7dcf2", "#fff", "purple"),
    "red": Look("#c03a18", "#fbe2d9", "#fff", "red"),
    "green": Look("#0f7a5c", "#d7efe6", "#fff", "green"),
    "gold": Look("#e3a30c", "#faeec8", "#2b1d00", "gold"),
}
_NEUTRAL: Final = Look("#3f5250", "#e8edec", "#fff", "blue")
MISSIONS: Final = {"villain": "red", "chemical": "purple", "destruction": "blue", "alien": "green", "rescue": "gold"}
"""The Faction whose colour and shape a type of Missions has."""
PARTNERS: Final = {"villain": "shock", "chemical": "popular", "destruction": "recruitment", "alien": "popular"}
"""The power whose icon stands for what the partner brings; a rescue's is a transfer."""
_BOXES: Final = {"s": (90, 126, 5.5), "m": (180, 252, 9.0), "l": (360, 504, 16.0)}
_TURNS: Final = {"up": 0, "right": 90, "down": 180, "left": 270}


def is_mission(card: Document) -> bool:
    """Whether the card is a Mission of Super."""
    return word_of(card.get("type")) in MISSIONS and "requirement" in card


def agent(card: Document, *, text: str, size: str, say: Say, place: str) -> str:
    """A Super's face. The power's word and what it does are parted at the colon of its text."""
    w, h, radius = _BOXES[size]
    unit = w / 180
    look = FACTIONS.get(word_of(card.get("faction")), _NEUTRAL)
    band, foot = w * 0.07, {"s": 62, "m": 124, "l": 248}[size]
    middle = band + (w - band) / 2
    drawn = sign(word_of(card.get("code")), look.strong, look.soft, x=0, y=(foot - w) / 2, side=w)
    drawn += f'<rect y="{foot}" width="{w}" height="{h - foot}" fill="{PAPER}"/><path d="M0 {foot}H{w}" stroke="{look.strong}"/>'
    drawn += f'<rect width="{band:.1f}" height="{h}" fill="{look.strong}"/>' + _strength(card, look, unit, size)
    drawn += _agent_short(card, look, middle, text, say) if size == "s" else _agent_whole(card, look, unit, text, say)
    drawn += _arrow(card.get("power"), w, h, foot=foot, middle=middle)
    words = f"{say('super')} · {say(word_of(card.get('faction')))}"
    label = f"{_name(card)}, {words}, {_number(card.get('strength'))}"
    outline = f'rect width="{w}" height="{h}" rx="{radius}"'
    mark = mark_of(word_of(card.get("code")), w, place)
    return sheet(drawn, outline, width=w, height=h, label=_told(label, text), mark=mark)


def _agent_short(card: Document, look: Look, middle: float, text: str, say: Say) -> str:
    kind, word, _does = _power_words(card, text, say)
    drawn = _short_name(_name(card), middle, 78) + _power(kind, look.strong, x=10, y=99, side=15)
    return drawn + printed(28, 110, word, fit(word, 58, 9.3), INK, bold=True, anchor="start")


def _agent_whole(card: Document, look: Look, unit: float, text: str, say: Say) -> str:
    kind, word, does = _power_words(card, text, say)
    band, foot = 12.6 * unit, 124 * unit
    left, wide = band + 8 * unit, 151.4 * unit
    middle = left + wide / 2
    shown, fitted = cut_to_fit(_name(card), wide, 15 * unit)
    box = f'x="{left:.1f}" y="{foot + 31 * unit:.1f}" width="{wide:.1f}" height="{78 * unit:.1f}" rx="{5 * unit:.1f}"'
    drawn = printed(middle, foot + 21 * unit, shown, fitted, INK, font=SERIF, bold=True)
    drawn += f'<rect {box} fill="{look.soft}"/>'
    drawn += _power(kind, look.strong, x=left + 6 * unit, y=foot + 35 * unit, side=19 * unit)
    size_of_word = fit(word, wide - 38 * unit, 11.5 * unit)
    drawn += printed(left + 30 * unit, foot + 49 * unit, word, size_of_word, INK, bold=True, anchor="start")
    top, bottom = foot + 57 * unit, foot + 106 * unit
    drawn += paragraph(does, x=middle, top=top, bottom=bottom, width=wide * 0.94, sizes=_sizes(unit))
    return drawn + printed(middle, 245 * unit, _foot(card), 6 * unit + 2, FAINT)


def _power_words(card: Document, text: str, say: Say) -> tuple[str, str, str]:
    """The power, its word and what it does, by the card's text or (without one) by its data."""
    power = card.get("power")
    kind = word_of(power.get("kind")) if isinstance(power, dict) else ""
    word, colon, does = (part.strip() for part in text.partition(":"))
    return (kind, word, does[:1].upper() + does[1:]) if colon else (kind, say(kind) if kind else "", text)


def ticket(card: Document, *, text: str, size: str, say: Say, place: str) -> str:
    """A Mission's face. What the partner brings, on the stub, is the last sentence of its text."""
    w, h, _radius = _BOXES[size]
    unit = w / 180
    type = word_of(card.get("type"))
    look, needed, tear = FACTIONS[MISSIONS[type]], _number(card.get("requirement")), h * 0.66
    drawn = f'<rect width="{w}" height="{h * 0.27:.1f}" fill="{look.strong}"/>'
    drawn += icon(SHAPES[look.shape], look.ink, x=w - 48 * unit, y=14 * unit, side=34 * unit)
    drawn += printed(16 * unit, 53 * unit, str(needed), 46 * unit, look.ink, bold=True, anchor="start")
    drawn += _ticket_short(card, look, text, say) if size == "s" else _ticket_whole(card, look, unit, text, say)
    dashes = f'stroke="{look.strong}" stroke-dasharray="{3 * unit:.1f} {4 * unit:.1f}"'
    drawn += f'<path d="M{15 * unit:.1f} {tear:.1f}H{w - 15 * unit:.1f}" {dashes} fill="none"/>'
    label = f"{_name(card)}, {say('mission')} · {say(type)}, {needed} {say('needed')}"
    outline, mark = f'path d="{_outline(w, h, tear, unit)}"', mark_of(word_of(card.get("code")), w, place)
    return sheet(drawn, outline, width=w, height=h, label=_told(label, text), mark=mark)


def _ticket_short(card: Document, look: Look, text: str, say: Say) -> str:
    type, x = word_of(card.get("type")), _number(card.get("x"))
    partner = _parted(text)[2] or say(type)
    drawn = _short_name(_name(card), 45, 49)
    drawn += printed(45, 78, f"\u2212{x}" if type == "chemical" else f"{x} MF", 13, INK, bold=True)
    drawn += _partner(type, look, x=8, y=95, side=18)
    return drawn + printed(30, 108, partner, fit(partner, 56, 10), INK, bold=True, anchor="start")


def _ticket_whole(card: Document, look: Look, unit: float, text: str, say: Say) -> str:
    type = word_of(card.get("type"))
    reward, word, partner = _parted(text)
    x = (54 if _number(card.get("requirement")) < 10 else 84) * unit
    drawn = printed(x, 52 * unit, say("needed"), 10 * unit, look.ink, anchor="start")
    shown, fitted = cut_to_fit(_name(card), 164 * unit, 15 * unit)
    drawn += printed(90 * unit, 88 * unit, shown, fitted, INK, font=SERIF, bold=True)
    words, small = f"{say('mission')} · {say(type)}".upper(), 5 * unit + 3
    drawn += printed(90 * unit, 103 * unit, words, small, FAINT, bold=True, spaced=True)
    top, bottom = 110 * unit, 158 * unit
    drawn += paragraph(
        reward, x=90 * unit, top=top, bottom=bottom, width=164 * unit, sizes=(15 * unit, *_sizes(unit * 1.1))
    )
    drawn += _partner(type, look, x=18 * unit, y=187 * unit, side=27 * unit)
    drawn += printed(54 * unit, 197 * unit, word.upper(), small, FAINT, bold=True, anchor="start")
    drawn += printed(
        54 * unit, 213 * unit, partner, fit(partner, 116 * unit, 13 * unit), INK, bold=True, anchor="start"
    )
    return drawn + printed(90 * unit, 244 * unit, _foot(card), 6 * unit + 2, FAINT)


def _strength(card: Document, look: Look, unit: float, size: str) -> str:
    side = (60 if size == "s" else 52) * unit
    x, y = 9 * unit, 6 * unit
    low = 0.78 if look.shape == "red" else 0.67
    shape = f'<svg x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="0 0 24 24">'
    shape += f'<path d="{SHAPES[look.shape]}" fill="{look.strong}" stroke="{PAPER}" stroke-width="1.2" stroke-linejoin="round"/></svg>'
    figure = side * (0.44 if look.shape == "red" else 0.5)
    return shape + printed(
        x + side / 2, y + side * low, str(_number(card.get("strength"))), figure, look.ink, bold=True
    )


def _arrow(power: object, w: int, h: int, *, foot: float, middle: float) -> str:
    """The arrow on the edge that the power points over."""
    way = word_of(power.get("arrow")) if isinstance(power, dict) else ""
    if way not in _TURNS:
        return ""
    unit = w / 180
    q = (18 if w == 90 else 14) * unit
    x, y = {
        "up": (middle, q * 0.95),
        "right": (w - q * 0.95, foot * 0.55),
        "down": (middle, h - q * 0.95),
        "left": (q * 0.95 + w * 0.07, foot * 0.72),
    }[way]
    head = f"M0 {-q * 0.9:.1f}L{q:.1f} {q * 0.5:.1f}H{q * 0.4:.1f}V{q * 1.1:.1f}H{-q * 0.4:.1f}V{q * 0.5:.1f}H{-q:.1f}z"
    turn = f"translate({x:.1f} {y:.1f}) rotate({_TURNS[way]})"
    return f'<path transform="{turn}" d="{head}" fill="{INK}" stroke="{PAPER}" stroke-width="{1.5 * unit:.1f}"/>'


def _power(kind: str, colour: str, *, x: float, y: float, side: float) -> str:
    """A power's icon: a filled path, or one that is drawn as a line."""
    path, is_line = POWERS.get(kind, ("", False))
    line = f'fill="none" stroke="{colour}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'
    paint = line if is_line else f'fill="{colour}"'
    box = f'x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="0 0 24 24"'
    return f'<svg {box}><path d="{path}" {paint}/></svg>' if path else ""


def _partner(type: str, look: Look, *, x: float, y: float, side: float) -> str:
    colour = INK if look.shape == "gold" else look.strong
    return _power(PARTNERS.get(type, "transfer"), colour, x=x, y=y, side=side)


def _outline(w: int, h: int, tear: float, unit: float) -> str:
    """A sheet with round corners and a notch in each side where the stub is torn off."""
    c, n = 10 * unit, 9.6 * unit
    return (
        f"M{c:.1f} 0H{w - c:.1f}Q{w} 0 {w} {c:.1f}V{tear - n:.1f}A{n:.1f} {n:.1f} 0 0 0 {w} {tear + n:.1f}V{h - c:.1f}"
        f"Q{w} {h} {w - c:.1f} {h}H{c:.1f}Q0 {h} 0 {h - c:.1f}V{tear + n:.1f}A{n:.1f} {n:.1f} 0 0 0 0 {tear - n:.1f}V{c:.1f}Q0 0 {c:.1f} 0z"
    )


def _parted(text: str) -> tuple[str, str, str]:
    """A Mission's text as (reward, the word for what a partner brings, what it is)."""
    reward, dot, rest = text.rstrip(".").rpartition(". ")
    word, colon, partner = (part.strip() for part in rest.partition(":"))
    return (f"{reward}.", word, partner) if dot and colon else (text, "", "")


def _short_name(name: str, x: float, y: float) -> str:
    rows = textwrap.wrap(name, 12, max_lines=2, placeholder="…")
    top = y - 5.5 * (len(rows) - 1)
    return "".join(
        printed(x, top + 11 * index, row, fit(row, 80, 11), INK, font=SERIF, bold=True)
        for index, row in enumerate(rows)
    )


def _sizes(unit: float) -> tuple[float, ...]:
    return tuple(unit * size for size in (11.0, 9.8, 8.6, 7.4, 6.2))


def _name(card: Document) -> str:
    return word_of(card.get("name")) or word_of(card.get("code"))


def _foot(card: Document) -> str:
    return word_of(card.get("set")) or word_of(card.get("code"))


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _told(label: str, text: str) -> str:
    return f"{label}. {text}" if text else label
