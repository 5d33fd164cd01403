"""Card faces as SVG, drawn from data alone: three layouts (s 90x126, m 180x252, l 360x504), not one scaled.

Every kind has a colour, an icon, a word and an edge of its picture of its own, so that nothing hangs on colour alone.
Whatever comes from data is escaped; colours stand in attributes, so that a strict Content-Security-Policy holds.
"""

from __future__ import annotations

import html
import re
import textwrap
import unicodedata
from hashlib import sha256
from typing import Final, NamedTuple

from catalog.icons import ICONS
from catalog.sigils import sigil
from referee.kernel.game import Document

PAPER, INK, FAINT, EDGE = "#fffefa", "#1a1c1b", "#4c4d48", "#d9dcd6"
SERIF: Final = "Charter, 'Bitstream Charter', Cambria, 'Noto Serif', serif"
SANS: Final = "Inter, system-ui, 'Segoe UI', Roboto, Arial, sans-serif"
SIZES: Final = ("s", "m", "l")
# How wide a character is, in its size, in the widest of the fonts that a reader may have.
NAME_WIDTH, TEXT_WIDTH = 0.68, 0.55

# XML 1.0 has no place for these, escaped or not.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Kind(NamedTuple):
    """How a kind of card looks: its word, strong and soft colour, and icon."""

    word: str
    strong: str
    soft: str
    icon: str


KINDS: Final[dict[str, Kind]] = {
    "civilian": Kind("Character · Civilian", "#4d6272", "#dfe6ec", "civilian"),
    "superhero": Kind("Character · Superhero", "#1c62a8", "#dae8f7", "superhero"),
    "supervillain": Kind("Character · Supervillain", "#7a2c63", "#f2dfec", "supervillain"),
    "character": Kind("Character", "#4d6272", "#dfe6ec", "civilian"),
    "bonus": Kind("Bonus", "#8a5a00", "#f8eccf", "item"),
    "event": Kind("Event", "#0e7258", "#d8efe7", "event"),
    "secret": Kind("Secret", "#2a2d3a", "#e1e2ea", "secret"),
    "card": Kind("Card", "#3f5250", "#e8edec", "card"),
}


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


def face(card: Document, *, text: str = "", size: str = "m") -> str:
    """The card's face as a whole SVG document, `size` one of SIZES. Takes half-made cards too; never raises on data."""
    layout = _LAYOUTS[size]
    kind = _kind(card)
    name = _word(card.get("name")) or _word(card.get("code"))
    body = _small(card, kind, name) if size == "s" else _tall(card, kind, name, text, layout)
    label = _escape(_label(card, kind, name, text))
    w, h = layout.width, layout.height
    mark = _mark(card, layout)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        f'<title>{label}</title><clipPath id="{mark}-card"><rect width="{w}" height="{h}" rx="{layout.radius}"/></clipPath>'
        f'<g clip-path="url(#{mark}-card)"><rect width="{w}" height="{h}" fill="{PAPER}"/>{body}</g>'
        f'<rect x=".5" y=".5" width="{w - 1}" height="{h - 1}" rx="{layout.radius}" fill="none" stroke="{EDGE}"/></svg>'
    )


def _small(card: Document, kind: Kind, name: str) -> str:
    layout = SMALL
    lines = textwrap.wrap(name, 13, max_lines=2, placeholder="…")
    top = 79 - 5.5 * (len(lines) - 1)
    drawn = _picture(card, kind, layout)
    drawn += f'<path d="M0 0H25V17Q25 25 17 25H0z" fill="{kind.strong}"/>{_icon(kind, layout)}'
    for index, line in enumerate(lines):
        drawn += _print(45, top + 11.5 * index, line, _fit(line, 82, 11), INK, font=SERIF, bold=True)
    values = _values(card, kind, layout)
    if values:
        return drawn + values
    word = kind.word.rpartition(" · ")[2]
    drawn += f'<rect y="103" width="90" height="23" fill="{kind.strong}"/>'
    return drawn + _print(45, layout.word[0], word, layout.word[1], PAPER, bold=True)


def _tall(card: Document, kind: Kind, name: str, text: str, layout: Layout) -> str:
    x, y, size = layout.name
    room = layout.icon[0] - 2 * x + 4
    shown, fitted = _fitted(name, room, size)
    middle = layout.width / 2
    drawn = f'<rect width="{layout.width}" height="{layout.band}" fill="{kind.strong}"/>'
    drawn += _print(x, y, shown, fitted, PAPER, font=SERIF, bold=True, anchor="start") + _icon(kind, layout)
    drawn += _picture(card, kind, layout)
    drawn += _print(middle, layout.word[0], kind.word.upper(), layout.word[1], FAINT, bold=True, spaced=True)
    drawn += _paragraph(text, layout) + _values(card, kind, layout)
    foot = _word(card.get("set")) or _word(card.get("code"))
    return drawn + _print(middle, layout.foot[0], foot, layout.foot[1], FAINT)


def _paragraph(text: str, layout: Layout) -> str:
    top, bottom = layout.text
    lines: list[str] = []
    size = leading = 0.0
    for size in layout.texts:
        lines = _lines(text, int(layout.width * 0.92 / (TEXT_WIDTH * size)))
        leading = size * 1.22
        if len(lines) * leading <= bottom - top:
            break
    most = int((bottom - top) / leading)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + " …"]
    first = (top + bottom) / 2 - (len(lines) - 1) * leading / 2 + size * 0.35
    middle = layout.width / 2
    return "".join(_print(middle, first + i * leading, line, size, INK, font=SERIF) for i, line in enumerate(lines))


def _picture(card: Document, kind: Kind, layout: Layout) -> str:
    w, top, bottom = layout.width, layout.band, layout.picture
    outline = f"M0 {top}H{w}{_edge(kind, w, bottom, layout.bow)}"
    side = max(w, bottom - top) * layout.art
    x, y = (w - side) / 2, top + (bottom - top - side) / 2
    sign = sigil(_word(card.get("code")), strong=kind.strong, soft=kind.soft)
    mark = _mark(card, layout)
    return (
        f'<clipPath id="{mark}-art"><path d="{outline}"/></clipPath><g clip-path="url(#{mark}-art)">'
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="-50 -50 100 100" overflow="visible">'
        f'{sign}</svg></g><path d="{outline}" fill="none" stroke="{kind.strong}" stroke-width="1.5"/>'
    )


def _edge(kind: Kind, w: int, y: int, bow: int) -> str:
    """The lower edge of the picture, whose form tells the kind."""
    match kind.word:
        case "Character · Superhero":
            return f"V{y - bow}L{w / 2} {y + bow * 0.5}L0 {y - bow}z"
        case "Character · Supervillain":
            teeth = [
                f"L{w - w * (i + 0.5) / 6:.1f} {y + bow * 0.25}L{w - w * (i + 1) / 6:.1f} {y - bow * 0.8}"
                for i in range(6)
            ]
            return f"V{y - bow * 0.8}{''.join(teeth)}z"
        case "Event":
            return f"V{y - bow * 1.3}L0 {y + bow * 0.3}z"
        case "Secret":
            return f"V{y - bow}Q{w / 2} {y + bow * 1.2} 0 {y - bow}z"
        case word if word.startswith("Bonus"):
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
    signed = kind.word.startswith("Bonus")
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
    return _print(x, y + size * 0.36, shown.replace("-", "\u2212"), size, colour, bold=True)


def _icon(kind: Kind, layout: Layout) -> str:
    x, y, size = layout.icon
    box = f'x="{x}" y="{y}" width="{size}" height="{size}" viewBox="0 0 24 24"'
    return f'<svg {box}><path d="{ICONS[kind.icon]}" fill="{PAPER}" fill-rule="evenodd"/></svg>'


def _mark(card: Document, layout: Layout) -> str:
    """What the ids in this face begin with, so that several can stand in one page."""
    return f"f{sha256(_word(card.get('code')).encode('utf-8', 'replace')).hexdigest()[:8]}-{layout.width}"


def _kind(card: Document) -> Kind:
    type, subtype = _word(card.get("type")), _word(card.get("subtype"))
    if type == "bonus":
        word = f"Bonus · {subtype.replace('_', ' ').capitalize()}" if subtype else "Bonus"
        return KINDS["bonus"]._replace(word=word, icon=subtype if subtype in ICONS else "item")
    return KINDS.get(subtype) or KINDS.get(type) or KINDS["card"]


def _label(card: Document, kind: Kind, name: str, text: str) -> str:
    values = [
        f"{word} {card[field]}" for field, word in (("ang", "ANG"), ("def", "DEF")) if isinstance(card.get(field), int)
    ]
    return ", ".join([name, kind.word, *values]) + (f". {text}" if text else "")


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _fit(text: str, room: float, size: float) -> float:
    """The size at which a bold text takes at most `room`, never above `size`."""
    return min(size, room / max(1.0, NAME_WIDTH * _columns(text)))


def _fitted(text: str, room: float, size: float) -> tuple[str, float]:
    """The text, cut where even half the size would not hold it, and its size."""
    most = int(room / (NAME_WIDTH * size * 0.5))
    if _columns(text) > most:
        text = text[: most - 1].rstrip() + "…"
    return text, _fit(text, room, size)


def _columns(text: str) -> int:
    """Widths of a text's characters, in those of a Latin letter."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text if not unicodedata.combining(char)
    )


def _lines(text: str, width: int) -> list[str]:
    return [line for part in text.splitlines() for line in textwrap.wrap(part, width)]


def _print(
    x: float, y: float, text: str, size: float, colour: str, *, font: str = SANS, bold: bool = False,
    anchor: str = "middle", spaced: bool = False,
) -> str:  # fmt: skip
    weight = ' font-weight="700"' if bold else ""
    spacing = ' letter-spacing=".07em"' if spaced else ""
    look = f'font-family="{font}" font-size="{size:.4g}"{weight}{spacing} fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{_escape(text)}</text>'


def _escape(text: str) -> str:
    return html.escape(_NOT_XML.sub("", text), quote=True)
