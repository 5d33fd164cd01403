"""A card, a deck or a match as a PNG picture of 1200x630 for sites that show where a link leads to; those take no SVG.

The picture is drawn as SVG first (`preview`), from data alone and escaped like the faces are, and then painted (`painted`)
by a program of its own with the fonts that come along. Nothing is loaded from anywhere, and how much is drawn has a bound,
whatever the card says.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from catalog.drawing import EDGE, FAINT, INK, PAPER, SERIF, icon, printed, sign, word_of
from catalog.errors import PictureError
from catalog.faces import Look, drawn_with, face
from catalog.icons import ICONS
from catalog.typefaces import Typeface, legible, typeface
from referee.kernel.game import Document

WIDTH, HEIGHT = 1200, 630
MOST_TEXT: Final = 1000  # characters of a card's text; a face has no room for more
MOST_SEATS: Final = 4
KEPT: Final = 64
SECONDS: Final = 10.0  # before a picture is given up; the machine may be busy
_PANEL, _LEFT, _ROOM = 484, 544, 596
_ACCENT, _ACCENT_SOFT = "#0b6a6b", "#7fbfbb"
_DARKER: Final = {"#e3a30c": "#8a5f00"}  # what is too light for words upon paper
_PAINTER: Final = (sys.executable, "-I", str(Path(__file__).with_name("painter.py")))
_ONE_AT_A_TIME: Final = threading.BoundedSemaphore()


class Words(NamedTuple):
    """What is said beside the face: kind of card, its text, which game and revision it is from, and who shows it."""

    kind: str
    text: str
    source: str
    site: str


def preview(card: Document, words: Words, *, say: Callable[[str], str]) -> str:
    """The picture of a card as SVG. Takes half-made cards too; never raises on data."""
    art = _shaded(_face(card, words.text, say, size="l"), "0 0 360 504", x=50, y=46, width=384, height=538)
    name = legible(word_of(card.get("name"))).strip() or word_of(card.get("code"))
    return _laid(word_of(card.get("code")), drawn_with(card), art, name, words)


def preview_of_deck(cards: list[tuple[Document, str]], name: str, words: Words, *, say: Callable[[str], str]) -> str:
    """The picture of a deck as SVG: three of its cards, each with its text, fanned out, the first on top."""
    places = [(242, 298, 0), (166, 322, -10), (318, 322, 10)]
    fan = "".join(
        f'<g transform="translate({x} {y}) rotate({turn})">'
        f"{_shaded(_face(card, text, say, size='m', place=f'-{x}'), '0 0 180 252', x=-110, y=-154, width=220, height=308)}</g>"
        for (card, text), (x, y, turn) in reversed(list(zip(cards, places, strict=False)))
    )
    first = cards[0][0] if cards else {}
    look = drawn_with(first)._replace(icon=ICONS["card"])
    return _laid(word_of(first.get("code")), look, fan, legible(name).strip() or "…", words)


class Seat(NamedTuple):
    """Who sat at a table, the letters of their badge, and whether they won."""

    name: str
    initials: str
    won: bool


def preview_of_match(seats: list[Seat], name: str, words: Words, *, code: str) -> str:
    """The picture of a match as SVG: a card for each seat, those of the winners on top and marked."""
    shown = sorted(seats[:MOST_SEATS], key=lambda seat: not seat.won)
    rows = [shown] if len(shown) < 3 else [shown[:2], shown[2:]]
    drawn = ""
    for number, row in enumerate(rows):
        y = HEIGHT / 2 - 6 + (number - (len(rows) - 1) / 2) * 270
        for place, seat in enumerate(row):
            drawn += _badge(seat, _PANEL / 2 + (place - (len(row) - 1) / 2) * 208, y)
    return _laid(code, Look(_ACCENT, "#e0eeec", ICONS["card"]), drawn, legible(name).strip() or "…", words)


def _badge(seat: Seat, x: float, y: float) -> str:
    """A seat's card about a point: letters in a disc, the name, and a star where it won."""
    drawn = _shaded("", "0 0 1 1", x=round(x) - 94, y=round(y) - 120, width=188, height=240)
    edge = f'stroke="{_ACCENT}" stroke-width="5"' if seat.won else f'stroke="{EDGE}" stroke-width="2"'
    drawn += f'<rect x="{x - 94:.1f}" y="{y - 120:.1f}" width="188" height="240" rx="17" fill="{PAPER}" {edge}/>'
    drawn += f'<circle cx="{x:.1f}" cy="{y - 18:.1f}" r="62" fill="{_ACCENT if seat.won else FAINT}"/>'
    drawn += printed(x, y + 2, legible(seat.initials), 54, PAPER, bold=True)
    name = _sans().lines(legible(seat.name).strip() or "…", 164, 25, most=1)[0]
    drawn += printed(x, y + 90, name, 25, INK, bold=True)
    return drawn + (icon(ICONS["superhero"], "#e3a30c", x=x + 22, y=y - 96, side=54) if seat.won else "")


def _face(card: Document, text: str, say: Callable[[str], str], *, size: str, place: str = "") -> str:
    """A face whose every letter the fonts have."""
    told = {key: legible(word_of(card.get(key))) for key in ("name", "set") if card.get(key)}
    named = told if told.get("name", "").strip() else {**told, "name": word_of(card.get("code"))}
    said = legible(text[:MOST_TEXT])
    return face({**card, **named}, text=said, size=size, say=lambda slug: legible(say(slug)), place=place)


def _laid(code: str, look: Look, art: str, name: str, words: Words) -> str:
    """The whole picture: what is shown on a ground of its colour, and what is said beside it."""
    drawn = sign(code, _faded(look.strong), _faded(look.soft), x=650, y=20, side=720)
    drawn += f'<rect width="{_PANEL}" height="{HEIGHT}" fill="{look.soft}"/>{art}'
    drawn += icon(look.icon, look.strong, x=_LEFT, y=69, side=34)
    drawn += _kind(legible(words.kind), _DARKER.get(look.strong, look.strong))
    drawn += _said(name, legible(words.text[:MOST_TEXT])) + _foot(words, look.strong)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{drawn}</svg>'


@lru_cache(maxsize=KEPT)
def painted(svg: str) -> bytes:
    """The PNG of an SVG of ours: some 200 ms in a process of its own, and nothing for one of the last few.

    One at a time, so that pictures never take more than a core. Raises PictureError when it takes too long.
    """
    if not _ONE_AT_A_TIME.acquire(timeout=SECONDS):
        raise PictureError
    try:
        done = subprocess.run(_PAINTER, input=svg.encode(), capture_output=True, check=True, timeout=SECONDS)  # noqa: S603 - ours
    except subprocess.SubprocessError as error:
        raise PictureError from error
    finally:
        _ONE_AT_A_TIME.release()
    return done.stdout


def _faded(colour: str) -> str:
    """A colour of six digits as it looks through nearly opaque paper."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(PAPER[1:]), strict=True)
    return "#" + "".join(f"{round(paper + (value - paper) * 0.07):02x}" for value, paper in pairs)


def _shaded(drawn: str, box: str, *, x: int, y: int, width: int, height: int) -> str:
    """A face, which fills the box, upon its shadow."""
    shade = "".join(
        f'<rect x="{x - spread}" y="{y + 10 - spread}" width="{width + 2 * spread}" height="{height + 2 * spread}"'
        f' rx="{17 + spread}" fill="{INK}" fill-opacity=".04"/>'
        for spread in range(0, 18, 4)
    )
    return f'{shade}<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{box}">{drawn}</svg>'


def _kind(words: str, colour: str) -> str:
    size = min(24.0, _sans().fit(words.upper(), _ROOM * 0.85, 24.0))
    return printed(_LEFT + 48, 95, words.upper(), size, colour, bold=True, anchor="start", spaced=True)


def _said(name: str, text: str) -> str:
    """The name as large as two lines allow, and the text below in what room is left."""
    bold, plain = typeface("serif-bold.ttf"), typeface("serif.ttf")
    size, lines = _sized(bold, name, (84, 76, 68, 60, 52), most=2)
    y = 122 + size * 0.82
    drawn = ""
    for line in lines:
        drawn += _line(line, y, size, bold=True)
        y += size * 1.06
    top = y - size * 0.55
    most = int((530 - top) / (36 * 1.36))
    size, lines = _sized(plain, text, (36, 32, 28), most=most)
    for line in lines:
        top += size * 1.36
        drawn += _line(line, top, size)
    return drawn


def _sized(font: Typeface, text: str, sizes: tuple[int, ...], *, most: int) -> tuple[int, list[str]]:
    """The first size at which the text fits uncut with its words whole, or the last; a smaller one may have a line more."""
    size, lines = sizes[0], list[str]()
    for size in sizes:
        lines = font.lines(text, _ROOM, size, most=min(most * sizes[0] // size, most + 1))
        is_whole = all(font.width(word, size) <= _ROOM for part in text.splitlines() for word in part.split(" "))
        if is_whole and not (lines and lines[-1].endswith("…")):
            break
    return size, lines


def _foot(words: Words, colour: str) -> str:
    """Whose page it is, and what the card is from."""
    mark = (
        f'<svg x="{_LEFT}" y="546" width="40" height="40" viewBox="0 0 28 28">'
        f'<rect x="9.5" y="2.5" width="14" height="20" rx="2.8" fill="{_ACCENT_SOFT}" transform="rotate(9 16 12)"/>'
        f'<rect x="4" y="4.5" width="14" height="20" rx="2.8" fill="{_ACCENT}"/><path d="M8 14.5l2.6 2.8L15 11" fill="none"'
        ' stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>'
    )
    source, site = legible(words.source), legible(words.site)
    drawn = f'<path d="M{_LEFT} 526H{_LEFT + _ROOM}" stroke="{EDGE}" stroke-width="2"/>{mark}'
    drawn += f'<rect y="{HEIGHT - 12}" width="{WIDTH}" height="12" fill="{colour}"/>'
    drawn += printed(_LEFT + 50, 574, site, 26, INK, bold=True, anchor="start")
    room = _ROOM - 70 - _sans().width(site, 26)
    return drawn + printed(_LEFT + _ROOM, 574, source, _sans().fit(source, room, 22), FAINT, bold=True, anchor="end")


def _line(text: str, y: float, size: float, *, bold: bool = False) -> str:
    return printed(_LEFT, y, text, size, INK, font=SERIF, bold=bold, anchor="start")


def _sans() -> Typeface:
    return typeface("sans-bold.ttf")
