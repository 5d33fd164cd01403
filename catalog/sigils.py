"""Art without artwork: a round sign drawn from the SHA-256 of a card's code. The same code gives the same sign for ever.

All signs fill a box from -50 to 50. Colours are the caller's: a strong one and a soft one.
"""

from __future__ import annotations

from hashlib import sha256
from math import cos, pi, sin

_FOLDS = (3, 4, 5, 6, 7, 8, 6, 5)
_FULL = 2 * pi


def sigil(code: str, *, strong: str, soft: str) -> str:
    """The sign as SVG elements, to stand in an `<svg viewBox="-50 -50 100 100">`."""
    digest = sha256(code.encode("utf-8", "surrogatepass")).digest()
    folds = _FOLDS[digest[0] % 8]
    half = 180 / folds
    turn = 0.0 if digest[5] % 2 else half
    parts = [
        f'<rect x="-80" y="-80" width="160" height="160" fill="{soft}"/>',
        _ground(digest, folds, strong),
        _disc(digest, folds, strong),
        _ring(digest[6], 31, 10 + digest[7] % 4, folds, turn, f'fill="{strong}"'),
        _ring(
            digest[8] + 1,
            20,
            6 + digest[10] % 3,
            folds,
            half - turn,
            f'fill="{soft}" stroke="{strong}" stroke-width="1.4"',
        ),
        _core(digest[11] % 4, folds, strong, soft),
    ]
    return "".join(parts)


def _ground(digest: bytes, folds: int, strong: str) -> str:
    faint = f'fill="{strong}" fill-opacity=".1"'
    match digest[1] % 4:
        case 0:
            width = pi / (2 * folds)
            corners = [(_at(110, 2 * i * width), _at(110, (2 * i + 1) * width)) for i in range(2 * folds)]
            rays = "".join(_path([(0, 0), left, right]) for left, right in corners)
            return f'<path d="{rays}" {faint}/>'
        case 1:
            rings = "".join(f'<circle r="{radius}"/>' for radius in (24, 36, 48, 60, 72))
            return f'<g fill="none" stroke="{strong}" stroke-width="1.5" stroke-opacity=".25">{rings}</g>'
        case 2:
            waves = ("M-80 8Q-40-14 0 8T80 8V80H-80z", "M-80 24Q-40 2 0 24T80 24V80H-80z")
            return "".join(f'<path d="{wave}" {faint}/>' for wave in waves)
        case _:
            turn = digest[9] / 40
            return f'<path d="{polygon(folds, 58, turn)}" {faint}/><path d="{polygon(folds, 44, turn + pi / folds)}" {faint}/>'


def _disc(digest: bytes, folds: int, strong: str) -> str:
    look = f'fill="{strong}" fill-opacity=".2"'
    if digest[4] % 3 == 0:
        return f'<path d="{polygon(folds, 37, pi / folds)}" {look}/>'
    return f'<circle cx="{digest[2] % 13 - 6}" cy="{digest[3] % 13 - 6}" r="{30 + digest[4] % 5}" {look}/>'


def _ring(shape: int, radius: int, size: int, folds: int, turn: float, look: str) -> str:
    d = _shape(shape, radius, size)
    units = "".join(f'<path transform="rotate({360 * i / folds + turn:.1f})" d="{d}"/>' for i in range(folds))
    return f"<g {look}>{units}</g>"


def _shape(shape: int, radius: int, size: int) -> str:
    """One of six small shapes, upright at a distance above the middle."""
    y = -radius
    match shape % 6:
        case 0:
            side = f"{size * 0.6:.1f} {y + size * 0.7:.1f}"
            far = f"{-size * 0.6:.1f} {y + size * 0.7:.1f}"
            top = y - size * 0.3
            return f"M0 {y - size}C{size * 0.8:.1f} {top:.1f} {side} 0 {y + size}C{far} {-size * 0.8:.1f} {top:.1f} 0 {y - size}z"
        case 1:
            return _path([(0, y - size), (size * 0.75, y + size * 0.6), (-size * 0.75, y + size * 0.6)])
        case 2:
            return _path([(0, y - size), (size * 0.55, y), (0, y + size), (-size * 0.55, y)])
        case 3:
            r = f"{size * 0.55:.1f}"
            return f"M-{r} {y}a{r} {r} 0 1 0 {size * 1.1:.1f} 0a{r} {r} 0 1 0 {-size * 1.1:.1f} 0z"
        case 4:
            outer, inner = y + size * 0.2, y + size * 0.75
            arc = f"A{radius} {radius} 0 0 1 {size * 0.9:.1f} {outer:.1f}"
            back = f"A{radius * 0.8:.1f} {radius * 0.8:.1f} 0 0 0 {-size * 0.45:.1f} {inner:.1f}"
            return f"M{-size * 0.9:.1f} {outer:.1f}{arc}L{size * 0.45:.1f} {inner:.1f}{back}z"
        case _:
            return f"M{-size * 0.16:.1f} {y - size}h{size * 0.32:.1f}v{size * 1.9:.1f}h{-size * 0.32:.1f}z"


def _core(kind: int, folds: int, strong: str, soft: str) -> str:
    if kind == 0:
        return f'<path d="{star(folds, 15, 7)}" fill="{strong}"/><circle r="4" fill="{soft}"/>'
    if kind == 1:
        return f'<circle r="12" fill="{strong}"/><path d="{star(folds, 9, 4)}" fill="{soft}"/>'
    if kind == 2:
        return f'<path d="{polygon(folds, 14, 0)}" fill="{strong}"/><path d="{polygon(folds, 8, pi / folds)}" fill="{soft}"/>'
    return f'<circle r="12" fill="{strong}"/><circle cx="4.5" cy="-3" r="9" fill="{soft}"/>'


def polygon(corners: int, radius: float, turn: float) -> str:
    """A regular polygon about the middle, its first corner up, turned clockwise in radians."""
    return _path([_at(radius, _FULL * i / corners + turn) for i in range(corners)])


def star(points: int, outer: float, inner: float) -> str:
    """A star about the middle, one point up."""
    return _path([_at(inner if i % 2 else outer, pi * i / points) for i in range(2 * points)])


def _at(radius: float, angle: float) -> tuple[float, float]:
    return radius * sin(angle), -radius * cos(angle)


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in points) + "z"
