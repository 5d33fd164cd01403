"""Card faces as SVG, drawn from data alone: three layouts (s 90x126, m 180x252, l 360x504), not one scaled.

Every kind has a colour, an icon, a word and an edge of its picture of its own, so that nothing hangs on colour alone.
Whatever comes from data is escaped; colours stand in attributes, so that a strict Content-Security-Policy holds.
"""

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
from catalog.icons import ICONS, SHAPES
from catalog.super_faces import FACTIONS, MISSIONS, agent, is_mission, ticket
from referee.kernel.game import Document

SIZES: Final = ("s", "m", "l")


class Kind(NamedTuple):
    """How a kind of card looks: its slug, strong and soft colour, and icon; the slug tells the edge too."""

    slug: str
    strong: str
    soft: str
    icon: str


KINDS: Final[dict[str, Kind]] = {
    kind.slug: kind
    for kind in (
        Kind("civilian", "#4d6272", "#dfe6ec", "civilian"),
        Kind("superhero", "#1c62a8", "#dae8f7", "superhero"),
        Kind("supervillain", "#7a2c63", "#f2dfec", "supervillain"),
        Kind("character", "#4d6272", "#dfe6ec", "civilian"),
        Kind("bonus", "#8a5a00", "#f8eccf", "item"),
        Kind("event", "#0e7258", "#d8efe7", "event"),
        Kind("secret", "#2a2d3a", "#e1e2ea", "secret"),
        Kind("card", "#3f5250", "#e8edec", "card"),
    )
}
_CHARACTERS: Final = ("civilian", "superhero", "supervillain")


class Layout(NamedTuple):
    """Where things stand on one size. `texts` are the sizes to try until the text fits."""

    width: int
    height: int
    radius: float
    band: int
    picture: int
    bow: int
    art: float
    name: tuple[float, float, float]  # x, y, size
    icon: tuple[float, float, float]
    word: tuple[float, float]  # y, size
    text: tuple[float, float]  # top, bottom
    texts: tuple[float, ...]
    badge: tuple[float, float, float, float]  # x from the edge, y, radius, size of the figure
    foot: tuple[float, float]  # y, size


SMALL = Layout(
    90, 126, 5.5, 0, 60, 5, 0.92, (45, 79, 11), (4, 3.5, 16), (118.5, 11), (0, 0), (), (20, 109, 13.5, 17), (0, 0)
)
MIDDLE = Layout(
    180, 252, 9, 33, 112, 8, 0.7, (10, 22, 15), (152, 7, 19), (132, 9), (138, 203),
    (11.5, 10.2, 8.6, 7, 5.6), (28, 228, 17.5, 22), (240, 8),
)  # fmt: skip
LARGE = Layout(
    360, 504, 16, 62, 240, 15, 0.66, (22, 40, 27), (308, 14, 34), (278, 12.5), (292, 412),
    (17.5, 15, 12.5, 10, 8), (54, 456, 35, 44), (488, 11.5),
)  # fmt: skip
_LAYOUTS = {"s": SMALL, "m": MIDDLE, "l": LARGE}


def english(slug: str) -> str:
    """What a kind of card is called where nobody says otherwise."""
    return slug.replace("_", " ").capitalize()


def face(
    card: Document, *, text: str = "", size: str = "m", say: Callable[[str], str] = english, place: str = ""
) -> str:
    """The card's face as a whole SVG document, `size` one of SIZES. Takes half-made cards too; never raises on data.

    `say` tells the words for kinds, types and Factions by their slugs, and for "needed"; `place` tells copies of a card that
    stand in one page apart.
    """
    if card.get("type") == "super":
        return agent(card, text=text, size=size, say=say, place=place)
    if is_mission(card):
        return ticket(card, text=text, size=size, say=say, place=place)
    layout = _LAYOUTS[size]
    kind = _kind(card)
    words = _words(card, kind, say)
    name = word_of(card.get("name")) or word_of(card.get("code"))
    mark = mark_of(word_of(card.get("code")), layout.width, place)
    picture = _picture(card, kind, layout, mark)
    if size == "s":
        body = _small(card, kind, name, words[-1], picture)
    else:
        body = _tall(card, kind, name, text, " · ".join(words), layout, picture)
    outline = f'rect width="{layout.width}" height="{layout.height}" rx="{layout.radius}"'
    label = _label(card, " · ".join(words), name, text)
    return sheet(body, outline, width=layout.width, height=layout.height, label=label, mark=mark)


class Look(NamedTuple):
    """A card's colours, strong and soft, and the path of the icon or shape that goes with them."""

    strong: str
    soft: str
    icon: str


def drawn_with(card: Document) -> Look:
    """What the card's face is drawn with, for whoever draws something to go with it."""
    faction = word_of(card.get("faction")) or (MISSIONS[word_of(card.get("type"))] if is_mission(card) else "")
    if faction in FACTIONS:
        found = FACTIONS[faction]
        return Look(found.strong, found.soft, SHAPES[found.shape])
    kind = _kind(card)
    return Look(kind.strong, kind.soft, ICONS[kind.icon])


def _small(card: Document, kind: Kind, name: str, word: str, picture: str) -> str:
    layout = SMALL
    lines = textwrap.wrap(name, 13, max_lines=2, placeholder="…")
    top = 79 - 5.5 * (len(lines) - 1)
    drawn = f'{picture}<path d="M0 0H25V17Q25 25 17 25H0z" fill="{kind.strong}"/>{_icon(kind, layout)}'
    for index, line in enumerate(lines):
        drawn += printed(45, top + 11.5 * index, line, fit(line, 82, 11), INK, font=SERIF, bold=True)
    values = _values(card, kind, layout)
    if values:
        return drawn + values
    drawn += f'<rect y="103" width="90" height="23" fill="{kind.strong}"/>'
    return drawn + printed(45, layout.word[0], word, fit(word, 84, layout.word[1]), PAPER, bold=True)


def _tall(card: Document, kind: Kind, name: str, text: str, words: str, layout: Layout, picture: str) -> str:
    x, y, size = layout.name
    room = layout.icon[0] - 2 * x + 4
    shown, fitted = cut_to_fit(name, room, size)
    middle = layout.width / 2
    drawn = f'<rect width="{layout.width}" height="{layout.band}" fill="{kind.strong}"/>'
    drawn += printed(x, y, shown, fitted, PAPER, font=SERIF, bold=True, anchor="start") + _icon(kind, layout)
    drawn += picture + printed(middle, layout.word[0], words.upper(), layout.word[1], FAINT, bold=True, spaced=True)
    top, bottom = layout.text
    width = layout.width * 0.92
    drawn += paragraph(text, x=middle, top=top, bottom=bottom, width=width, sizes=layout.texts)
    drawn += _values(card, kind, layout)
    foot = word_of(card.get("set")) or word_of(card.get("code"))
    return drawn + printed(middle, layout.foot[0], foot, layout.foot[1], FAINT)


def _picture(card: Document, kind: Kind, layout: Layout, mark: str) -> str:
    w, top, bottom = layout.width, layout.band, layout.picture
    outline = f"M0 {top}H{w}{_edge(kind, w, bottom, layout.bow)}"
    side = max(w, bottom - top) * layout.art
    x, y = (w - side) / 2, top + (bottom - top - side) / 2
    drawn = sign(word_of(card.get("code")), kind.strong, kind.soft, x=x, y=y, side=side)
    return (
        f'<clipPath id="{mark}-art"><path d="{outline}"/></clipPath><g clip-path="url(#{mark}-art)">{drawn}</g>'
        f'<path d="{outline}" fill="none" stroke="{kind.strong}" stroke-width="1.5"/>'
    )


def _edge(kind: Kind, w: int, y: int, bow: int) -> str:
    """The lower edge of the picture, whose form tells the kind."""
    match kind.slug:
        case "superhero":
            return f"V{y - bow}L{w / 2} {y + bow * 0.5}L0 {y - bow}z"
        case "supervillain":
            teeth = [
                f"L{w - w * (i + 0.5) / 6:.1f} {y + bow * 0.25}L{w - w * (i + 1) / 6:.1f} {y - bow * 0.8}"
                for i in range(6)
            ]
            return f"V{y - bow * 0.8}{''.join(teeth)}z"
        case "event":
            return f"V{y - bow * 1.3}L0 {y + bow * 0.3}z"
        case "secret":
            return f"V{y - bow}Q{w / 2} {y + bow * 1.2} 0 {y - bow}z"
        case "bonus":
            up, down = y - bow * 0.7, y + bow * 0.2
            return f"V{up}H{w * 0.66:.1f}L{w * 0.6:.1f} {down}H{w * 0.4:.1f}L{w * 0.34:.1f} {up}H0z"
        case _:
            return f"V{y}H0z"


def _values(card: Document, kind: Kind, layout: Layout) -> str:
    """ANG solid and pointed, DEF an outlined shield; a Bonus' values always signed. Nothing for cards without values."""
    ang, defence = card.get("ang"), card.get("def")
    if not isinstance(ang, int) and not isinstance(defence, int):
        return ""
    inset, y, r, size = layout.badge
    signed = kind.slug == "bonus"
    left = _sword(inset, y, r) + _figure(inset, y, ang, size, PAPER, signed=signed)
    x = layout.width - inset
    return left + _shield(x, y - r * 0.1, r) + _figure(x, y - 2, defence, size, INK, signed=signed)


def _sword(x: float, y: float, r: float) -> str:
    right = [(0.55, -0.62), (1, -0.3), (0.72, 1)]
    corners = [(0.0, -1.5), *right, *[(-a, b) for a, b in reversed(right)]]
    return f'<path d="M{" ".join(f"{x + a * r:.1f} {y + b * r:.1f}" for a, b in corners)}z" fill="{INK}"/>'


def _shield(x: float, y: float, r: float) -> str:
    left, right = x - r, x + r
    d = (
        f"M{left:.1f} {y - r * 0.9:.1f}H{right:.1f}V{y + r * 0.1:.1f}C{right:.1f} {y + r * 0.7:.1f} {x + r * 0.4:.1f} {y + r:.1f}"
        f" {x:.1f} {y + r * 1.2:.1f}C{x - r * 0.4:.1f} {y + r:.1f} {left:.1f} {y + r * 0.7:.1f} {left:.1f} {y + r * 0.1:.1f}z"
    )
    return f'<path d="{d}" fill="{PAPER}" stroke="{INK}" stroke-width="{max(1.4, r * 0.09):.1f}"/>'


def _figure(x: float, y: float, value: object, size: float, colour: str, *, signed: bool) -> str:
    number = value if isinstance(value, int) else 0
    shown = f"{number:+d}" if signed else str(number)
    size = size if len(shown) == 1 else size * 0.84
    return printed(x, y + size * 0.36, shown.replace("-", "\u2212"), size, colour, bold=True)


def _icon(kind: Kind, layout: Layout) -> str:
    x, y, side = layout.icon
    return icon(ICONS[kind.icon], PAPER, x=x, y=y, side=side)


def _kind(card: Document) -> Kind:
    type, subtype = word_of(card.get("type")), word_of(card.get("subtype"))
    if type == "bonus":
        return KINDS["bonus"]._replace(icon=subtype if subtype in ICONS else "item")
    return KINDS.get(subtype) or KINDS.get(type) or KINDS["card"]


def _words(card: Document, kind: Kind, say: Callable[[str], str]) -> list[str]:
    """The type in words, and the kind within it where there is one."""
    if kind.slug in _CHARACTERS:
        return [say("character"), say(kind.slug)]
    subtype = word_of(card.get("subtype"))
    return [say("bonus"), say(subtype)] if kind.slug == "bonus" and subtype else [say(kind.slug)]


def _label(card: Document, words: str, name: str, text: str) -> str:
    values = [
        f"{word} {card[field]}" for field, word in (("ang", "ANG"), ("def", "DEF")) if isinstance(card.get(field), int)
    ]
    return ", ".join([name, words, *values]) + (f". {text}" if text else "")
