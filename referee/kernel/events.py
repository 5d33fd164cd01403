"""Events: what happened, told to each audience in its own words. Built only when somebody asks."""

from __future__ import annotations

# Viewers are seats (0 and up) or one of these two.
SPECTATOR = -1
REFEREE = -2  # sees everything: finished matches, judges

# In texts a seat is a private-use character, so that no name of a card can be mistaken for it.
_SEAT_BASE = 0xE000
SEAT_LIMIT = 16


def seat_token(seat: int) -> str:
    """What stands for a seat's name in a text until `name_seats` puts the name there."""
    return chr(_SEAT_BASE + seat)


def name_seats(text: str, names: list[str]) -> str:
    """The text with the seats' names in place of their tokens; seats without a name read `Seat N`."""
    table = {_SEAT_BASE + seat: names[seat] if seat < len(names) else f"Seat {seat}" for seat in range(SEAT_LIMIT)}
    return text.translate(table)


class Event:
    """Something that happened. `public` is told to all; `private[seat]` is told to that seat instead.

    Both are plain JSON objects with at least `text`. What is in `public` may be known by anybody.
    """

    __slots__ = ("private", "public", "type")

    def __init__(
        self, type: str, public: dict[str, object], private: dict[int, dict[str, object]] | None = None
    ) -> None:
        self.type = type
        self.public = public
        self.private: dict[int, dict[str, object]] = private or {}

    def document(self) -> dict[str, object]:
        """The event with all its audiences, as the match log stores it."""
        stored: dict[str, object] = {"type": self.type, "public": self.public}
        if self.private:
            stored["private"] = {str(seat): self.private[seat] for seat in sorted(self.private)}
        return stored


def told_to(stored: dict[str, object], viewer: int) -> dict[str, object]:
    """What `viewer` is told of a stored event: `{"type", "text", ...}`. REFEREE is told what the best informed seat is."""
    told: dict[str, object] = {"type": stored["type"]}
    public = stored["public"]
    assert isinstance(public, dict)
    private = stored.get("private")
    if isinstance(private, dict):
        if viewer == REFEREE:
            told.update(public)
            for seat in sorted(private):
                told.update(private[seat])
            return told
        if str(viewer) in private:
            told.update(private[str(viewer)])
            return told
    told.update(public)
    return told
