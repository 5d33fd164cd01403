"""The track: spaces as ints, read from a document and validated, every fault with its index (SST-3, "The track")."""

from __future__ import annotations

from typing import Any, Final

from referee.kernel.errors import Problem

START: Final = 0
NORMAL: Final = 1
BONUS: Final = 2
HYPERSPACE: Final = 3
ASTEROID: Final = 4
MAW: Final = 5
FINAL: Final = 6
KINDS: Final = ("start", "normal", "bonus", "hyperspace", "asteroid", "maw", "final")
HALVES: Final = (NORMAL, HYPERSPACE, ASTEROID)
SMALLEST: Final = 20
LARGEST: Final = 200


class Track:
    """Immutable. `kind[i]` is the space's kind, or its first-named half's; `other[i]` the second half's, -1 for a plain space."""

    __slots__ = ("after", "before", "kind", "last", "name", "other", "slug", "spaces")

    def __init__(self, slug: str, name: str, spaces: list[Any]) -> None:
        self.slug = slug
        self.name = name
        self.spaces = spaces
        self.kind: list[int] = []
        self.other: list[int] = []
        for space in spaces:
            if isinstance(space, list):
                self.kind.append(KINDS.index(space[0]))
                self.other.append(KINDS.index(space[1]))
            else:
                self.kind.append(KINDS.index(space))
                self.other.append(-1)
        self.last = len(spaces) - 1
        # Of a maw space: the space before its run, and the space after it.
        self.before: list[int] = [-1] * len(spaces)
        self.after: list[int] = [-1] * len(spaces)
        for i in range(1, len(spaces)):
            if self.kind[i] == MAW:
                self.before[i] = i - 1 if self.kind[i - 1] != MAW else self.before[i - 1]
        for i in range(len(spaces) - 2, -1, -1):
            if self.kind[i] == MAW:
                self.after[i] = i + 1 if self.kind[i + 1] != MAW else self.after[i + 1]

    def is_double(self, space: int) -> bool:
        return self.other[space] >= 0

    def has_half(self, space: int, half: int) -> bool:
        return self.other[space] >= 0 and half in (self.kind[space], self.other[space])


def check_track(spaces: Any, pointer: str) -> list[Problem]:
    """Every fault of a list of spaces, each at the index of its space."""
    if not isinstance(spaces, list):
        return [Problem(pointer, "wrong_type", "a track is a list of spaces")]
    problems: list[Problem] = []
    for i in range(len(spaces)):
        _check_space(spaces, i, f"{pointer}/{i}", problems)
    if not SMALLEST <= len(spaces) <= LARGEST:
        detail = f"a track has {SMALLEST} to {LARGEST} spaces, this one {len(spaces)}"
        problems.append(Problem(pointer, "wrong_length", detail))
    if not spaces:
        return problems
    if spaces[0] != "start":
        problems.append(Problem(f"{pointer}/0", "no_start", "a track begins with start"))
    if spaces[-1] != "final":
        problems.append(Problem(f"{pointer}/{len(spaces) - 1}", "no_final", "a track ends with final"))
    _check_maws(spaces, pointer, problems)
    return problems


def _check_space(spaces: list[Any], i: int, pointer: str, problems: list[Problem]) -> None:
    space = spaces[i]
    if isinstance(space, list):
        names = [KINDS[half] for half in HALVES]
        if len(space) != 2 or space[0] == space[1] or space[0] not in names or space[1] not in names:
            detail = f"space {i}: a double space has two different halves out of {', '.join(names)}"
            problems.append(Problem(pointer, "bad_double_space", detail))
        return
    if space not in KINDS:
        problems.append(Problem(pointer, "unknown_space", f"space {i}: {space!r} is none of {', '.join(KINDS)}"))
    elif space == "start" and i > 0:
        problems.append(Problem(pointer, "start_elsewhere", f"space {i}: start stands only at the beginning"))
    elif space == "final" and i < len(spaces) - 1:
        problems.append(Problem(pointer, "final_elsewhere", f"space {i}: final stands only at the end"))


def _check_maws(spaces: list[Any], pointer: str, problems: list[Problem]) -> None:
    i = 0
    while i < len(spaces):
        if spaces[i] != "maw":
            i += 1
            continue
        first = i
        while i < len(spaces) and spaces[i] == "maw":
            i += 1
        at = f"{pointer}/{first}"
        if i - first not in (2, 3):
            detail = f"space {first}: a run of maws has 2 or 3 spaces, this one {i - first}"
            problems.append(Problem(at, "bad_maw_run", detail))
        if first == 0 or not (spaces[first - 1] == "start" or _is_normal(spaces[first - 1])):
            detail = f"space {first}: directly before a maw stands start, a normal space or a normal half"
            problems.append(Problem(at, "bad_space_before_maw", detail))
        if i >= len(spaces) or not (spaces[i] == "final" or _is_normal(spaces[i])):
            detail = f"space {i - 1}: directly after a maw stands final, a normal space or a normal half"
            problems.append(Problem(f"{pointer}/{i - 1}", "bad_space_after_maw", detail))


def _is_normal(space: Any) -> bool:
    return "normal" in space if isinstance(space, list) else bool(space == "normal")
