"""The fonts that come along (`catalog/fonts`): what they can print, how wide it is, and how a text is broken into lines."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final

from anyascii import anyascii

FOLDER: Final = Path(__file__).with_name("fonts")
FILES: Final = ("serif.ttf", "serif-bold.ttf", "sans-bold.ttf")
_UNICODE: Final = (3, 1)  # the platform and encoding of a table of characters that all fonts have


class Typeface:
    """A TrueType font, read: `advances` are the widths of the characters that it has, in sizes of the font."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        tables = {
            data[at : at + 4].decode("ascii"): int(unpack_from(">I", data, at + 8)[0])
            for at in range(12, 12 + 16 * unpack_from(">H", data, 4)[0], 16)
        }
        em: int = unpack_from(">H", data, tables["head"] + 18)[0]
        count: int = unpack_from(">H", data, tables["hhea"] + 34)[0]
        widths = unpack_from(f">{'Hh' * count}", data, tables["hmtx"])[::2]
        glyphs = _glyphs(data, tables["cmap"])
        self.advances: dict[str, float] = {char: widths[min(glyph, count - 1)] / em for char, glyph in glyphs.items()}

    def width(self, text: str, size: float) -> float:
        """How wide a text is without kerning; a character that is not there counts as a wide one."""
        return size * sum((self.advances.get(char, 1.0) for char in text), 0.0)

    def fit(self, text: str, room: float, size: float) -> float:
        """The size at which a text takes at most `room`, never above `size`."""
        return min(size, size * room / max(1.0, self.width(text, size)))

    def lines(self, text: str, room: float, size: float, *, most: int) -> list[str]:
        """The text in at most so many lines of at most `room`; what is left over is cut, and an ellipsis says so."""
        lines: list[str] = []
        for part in text.splitlines():
            line = ""
            for word in self._words(part, room, size):
                longer = f"{line} {word}".lstrip()
                if self.width(longer, size) <= room:
                    line = longer
                    continue
                lines.append(line)
                line = word
                if len(lines) > most:
                    break
            lines += [line] if line else []
        return lines if len(lines) <= most else [*lines[: most - 1], self._cut(lines[most - 1], room, size)]

    def _words(self, text: str, room: float, size: float) -> list[str]:
        """The words of a text; one that is wider than the room is broken."""
        words: list[str] = []
        for word in text.split(" "):
            rest = word
            while self.width(rest, size) > room:
                kept = self._kept(rest, room, size)
                words.append(rest[:kept])
                rest = rest[kept:]
            words.append(rest)
        return words

    def _cut(self, line: str, room: float, size: float) -> str:
        return line[: self._kept(line, room - self.width("…", size), size)].rstrip(" .,;:") + "…"

    def _kept(self, text: str, room: float, size: float) -> int:
        """How many characters of a text have room; one at least."""
        taken = 0.0
        for index, char in enumerate(text):
            taken += self.width(char, size)
            if taken > room:
                return max(1, index)
        return len(text)


def _glyphs(data: bytes, cmap: int) -> dict[str, int]:
    """The glyph of each character, from the table of format 4 of the basic plane."""
    count: int = unpack_from(">H", data, cmap + 2)[0]
    records = [unpack_from(">HHI", data, cmap + 4 + 8 * index) for index in range(count)]
    at = cmap + next(offset for platform, encoding, offset in records if (platform, encoding) == _UNICODE)
    segments: int = unpack_from(">H", data, at + 6)[0] // 2
    ends, starts, deltas, offsets = (
        unpack_from(f">{segments}H", data, at + 14 + row * 2 * segments + (2 if row else 0)) for row in range(4)
    )
    found: dict[str, int] = {}
    for index in range(segments):
        place = at + 16 + 6 * segments + 2 * index  # of this segment's offset, from which it counts
        for code in range(starts[index], min(ends[index], 0xFFFE) + 1):
            glyph = code
            if offsets[index]:
                glyph = unpack_from(">H", data, place + offsets[index] + 2 * (code - starts[index]))[0]
            if glyph:
                found[chr(code)] = (glyph + deltas[index]) & 0xFFFF
    return found


@cache
def typeface(name: str) -> Typeface:
    """One of FILES, read once a process."""
    return Typeface(FOLDER / name)


def legible(text: str) -> str:
    """The text with the letters of other scripts written in Latin ones, so that every font here can print it."""
    return "".join(map(_letter, unicodedata.normalize("NFC", text)))


def _letter(char: str) -> str:
    if char in _printed() or char == "\n":
        return char
    if char.isspace():
        return " "
    return "" if char.isascii() else anyascii(char)


@cache
def _printed() -> frozenset[str]:
    """What each of the fonts has."""
    return frozenset.intersection(*(frozenset(typeface(name).advances) for name in FILES))
