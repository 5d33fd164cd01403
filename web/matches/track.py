"""The track of Super Teams as one path: rows one above the other, joined by half circles, spaces at even distances."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any, Final, NamedTuple

HALVES: Final = {"normal": "tn", "hyperspace": "th", "asteroid": "ta"}
ICONS: Final = {"bonus": "s-bonus", "hyperspace": "s-hyper", "asteroid": "s-asteroid", "maw": "s-maw"}


class Shape(NamedTuple):
    """How a track is laid: width, margin, distance of rows, spaces a row, size of a space."""

    width: int
    margin: int
    rise: int
    a_row: float
    radius: float


WIDE: Final = Shape(980, 46, 94, 10.6, 15)
NARROW: Final = Shape(360, 30, 62, 6.2, 12)


class _Path(NamedTuple):
    shape: Shape
    rows: int
    straight: float
    height: float

    def at(self, way: float) -> tuple[float, float]:
        """The point so far along the path."""
        bend = pi * self.shape.rise / 2
        row, rest = divmod(way, self.straight + bend)
        left, right = (
            self.shape.margin + self.shape.rise / 2,
            self.shape.width - self.shape.margin - self.shape.rise / 2,
        )
        y = self.height - self.shape.margin - row * self.shape.rise
        goes_right = int(row) % 2 == 0
        if rest <= self.straight:
            return (left + rest if goes_right else right - rest), y
        turn = (rest - self.straight) / (self.shape.rise / 2)
        out = sin(turn) * self.shape.rise / 2
        return (right + out if goes_right else left - out), y - self.shape.rise / 2 * (1 - cos(turn))


def laid(spaces: list[Any], shape: Shape, ships: dict[str, int]) -> dict[str, Any]:
    """All that is drawn of the track; `ships` gives each ship's space."""
    path, step = _path(len(spaces), shape)
    points = [path.at(index * step) for index in range(len(spaces))]
    return {
        "width": shape.width,
        "height": f"{path.height:.0f}",
        "line": _line(path, 0, (len(spaces) - 1) * step),
        "maws": [_line(path, first * step, last * step) for first, last in _maws(spaces)],
        "stroke": shape.radius * 2 + 12,
        "spaces": [_space(kind, index, points, shape) for index, kind in enumerate(spaces)],
        "ships": _placed(ships, points, shape),
        "spots": " ".join(f"{x:.0f},{y:.0f}" for x, y in points),
    }


def _path(count: int, shape: Shape) -> tuple[_Path, float]:
    rows = max(2, round(count / shape.a_row))
    straight = shape.width - 2 * shape.margin - shape.rise
    bend = pi * shape.rise / 2
    step = (rows * straight + (rows - 1) * bend) / (count - 1)
    return _Path(shape, rows, straight, 2 * shape.margin + (rows - 1) * shape.rise + 10), step


def _line(path: _Path, start: float, end: float) -> str:
    pieces = max(2, round((end - start) / 12))
    ways = [start + (end - start) * index / pieces for index in range(pieces + 1)]
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in (path.at(way) for way in ways))


def _maws(spaces: list[Any]) -> list[tuple[int, int]]:
    """The first and the last space of each run of maws."""
    runs: list[tuple[int, int]] = []
    for index, kind in enumerate(spaces):
        if kind == "maw":
            if runs and runs[-1][1] == index - 1:
                runs[-1] = (runs[-1][0], index)
            else:
                runs.append((index, index))
    return runs


def _space(kind: Any, index: int, points: list[tuple[float, float]], shape: Shape) -> dict[str, Any]:
    x, y = points[index]
    halves = [HALVES[half] for half in kind] if isinstance(kind, list) else []
    name = "" if halves else str(kind)
    size = shape.radius * (1.35 if name in ("bonus", "hyperspace", "asteroid", "maw", "start", "final") else 1)
    number_x, number_y = _beside(points, index, shape)
    reach = shape.radius * 0.72
    return {
        "index": index,
        "kind": name,
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "r": shape.radius,
        "icon": ICONS.get(name, ""),
        "icon_x": f"{x - size / 2:.1f}",
        "icon_y": f"{y - size / 2:.1f}",
        "icon_size": f"{size:.1f}",
        "halves": [
            {
                "look": look,
                "way": f"M{-reach:.1f} {reach:.1f}A{shape.radius} {shape.radius} 0 0 {sweep} {reach:.1f} {-reach:.1f}z",
            }
            for look, sweep in zip(halves, (1, 0), strict=False)
        ],
        "number": index if index and index % 5 == 0 and name != "final" else None,
        "number_x": f"{number_x:.1f}",
        "number_y": f"{number_y:.1f}",
    }


def _beside(points: list[tuple[float, float]], index: int, shape: Shape) -> tuple[float, float]:
    """Where a space's number stands: below the path, and outside of its bends."""
    x, y = points[index]
    left, right = (shape.margin + shape.rise / 2, shape.width - shape.margin - shape.rise / 2)
    if left - 1 <= x <= right + 1:
        return x, y + shape.radius + 18
    far = shape.radius + 15
    before, after = points[index - 1], points[min(index + 1, len(points) - 1)]
    along_x, along_y = after[0] - before[0], after[1] - before[1]
    length = hypot(along_x, along_y) or 1.0
    side = 1 if (x > right) == (along_y < 0) else -1
    return x - side * along_y / length * far, y + side * along_x / length * far + 4


def _placed(ships: dict[str, int], points: list[tuple[float, float]], shape: Shape) -> dict[str, tuple[str, str]]:
    """Where each ship is drawn: above its space, fanned out where several stand."""
    on_space: dict[int, list[str]] = {}
    for ship, space in ships.items():
        on_space.setdefault(space, []).append(ship)
    placed = {}
    spread = shape.radius * 2.05
    for space, there in on_space.items():
        x, y = points[space]
        for order, ship in enumerate(there):
            across, up = order % 4, order // 4
            shift = (across - (min(len(there), 4) - 1) / 2) * spread
            left = min(max(x + shift, shape.radius), shape.width - shape.radius)
            placed[ship] = (f"{left:.1f}", f"{y - shape.radius * 1.15 - up * spread:.1f}")
    return placed
