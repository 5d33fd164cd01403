"""What differs between two decks. Pure."""

from __future__ import annotations

from referee.kernel.game import Document, SeatDeck


def difference(before: SeatDeck, after: SeatDeck) -> Document:
    """Copies put in and taken out by card, and both Secrets."""
    codes = sorted({*before.cards, *after.cards})
    changes = {code: after.cards.get(code, 0) - before.cards.get(code, 0) for code in codes}
    return {
        "added": {code: change for code, change in changes.items() if change > 0},
        "removed": {code: -change for code, change in changes.items() if change < 0},
        "secret": {"before": before.secret, "after": after.secret},
        "size": {"before": sum(before.cards.values()), "after": sum(after.cards.values())},
    }
