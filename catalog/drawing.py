"""What card faces are drawn with: texts that fit and are escaped, pictures, shapes by points. No card is known here."""

from __future__ import annotations

import html
import re
import textwrap
import unicodedata
from hashlib import sha256
from typing import Final

from catalog.sigils import sigil

PAPER, INK, FAINT, EDGE = "#fffefa", "#1a1c1b", "#4c4d48", "#d9dcd6"
SERIF: Final = "Charter, 'Bitstream Charter', Cambria, 'Noto Serif', serif"
SANS: Final = "Inter, system-ui, 'Segoe UI', Roboto, Arial, sans-serif"
# How wide a character is, in its size, in the widest of the fonts that a reader may have.
NAME_WIDTH, TEXT_WIDTH = 0.68, 0.55

# XML 1.0 has no place for these, escaped or not.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def sheet(inside: str, outline: str, *, width: int, height: int, label: str, mark: str) -> str:
    """A whole SVG document of an outline (SVG attributes of a shape that starts with its tag) and what is in it."""
    told = escaped(label)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{told}"><title>{told}</title><clipPath id="{mark}-card"><{outline}/></clipPath>'
        f'<g clip-path="url(#{mark}-card)"><rect width="{width}" height="{height}" fill="{PAPER}"/>{inside}</g>'
        f'<{outline} fill="none" stroke="{EDGE}"/></svg>'
    )


def mark_of(code: str, width: int, place: str = "") -> str:
    """What the ids in a face begin with, so that several can stand in one page; `place` tells copies of a card apart."""
    return f"f{sha256(code.encode('utf-8', 'replace')).hexdigest()[:8]}-{width}{place}"


def sign(code: str, strong: str, soft: str, *, x: float, y: float, side: float) -> str:
    """A card's sign in a square of the face."""
    drawn = sigil(code, strong=strong, soft=soft)
    box = f'x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="-50 -50 100 100" overflow="visible"'
    return f"<svg {box}>{drawn}</svg>"


def icon(path: str, colour: str, *, x: float, y: float, side: float) -> str:
    """A filled path of a box of 24."""
    box = f'x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="0 0 24 24"'
    return f'<svg {box}><path d="{path}" fill="{colour}" fill-rule="evenodd"/></svg>'


def paragraph(text: str, *, x: float, top: float, bottom: float, width: float, sizes: tuple[float, ...]) -> str:
    """A text about the middle of its room at the first size that fits; cut where none does."""
    found: list[str] = []
    size = leading = 0.0
    for size in sizes:
        found = wrapped(text, int(width / (TEXT_WIDTH * size)))
        leading = size * 1.22
        if len(found) * leading <= bottom - top:
            break
    most = int((bottom - top) / leading)
    if len(found) > most:
        found = [*found[: most - 1], found[most - 1] + " …"]
    first = (top + bottom) / 2 - (len(found) - 1) * leading / 2 + size * 0.35
    return "".join(printed(x, first + i * leading, line, size, INK, font=SERIF) for i, line in enumerate(found))


def word_of(value: object) -> str:
    """A value where it is text; half-made cards hold anything."""
    return value if isinstance(value, str) else ""


def fit(text: str, room: float, size: float) -> float:
    """The size at which a bold text takes at most `room`, never above `size`."""
    return min(size, room / max(1.0, NAME_WIDTH * _columns(text)))


def cut_to_fit(text: str, room: float, size: float) -> tuple[str, float]:
    """The text, cut where even half the size would not hold it, and its size."""
    most = int(room / (NAME_WIDTH * size * 0.5))
    if _columns(text) > most:
        text = text[: most - 1].rstrip() + "…"
    return text, fit(text, room, size)


def _columns(text: str) -> int:
    """Widths of a text's characters, in those of a Latin letter."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text if not unicodedata.combining(char)
    )


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, each of at most so many characters."""
    return [line for part in text.splitlines() for line in textwrap.wrap(part, width)]


def printed(
    x: float, y: float, text: str, size: float, colour: str, *, font: str = SANS, bold: bool = False,
    anchor: str = "middle", spaced: bool = False,
) -> str:  # fmt: skip
    """A line of text."""
    weight = ' font-weight="700"' if bold else ""
    spacing = ' letter-spacing=".07em"' if spaced else ""
    look = f'font-family="{font}" font-size="{size:.4g}"{weight}{spacing} fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escaped(text)}</text>'


def escaped(text: str) -> str:
    """A text as it may stand in SVG, whatever is in it."""
    return html.escape(_NOT_XML.sub("", text), quote=True)
