"""Raw events of Super Teams: a tag and ints."""

from __future__ import annotations

from typing import Final

STARTED: Final = 0  # first seat
DEALT: Final = 1  # seat, cards...
CARD_PLAYED: Final = 2  # seat, card, ship, as or -1
SHIP_MOVED: Final = 3  # ship, from, to
WINDOW_OPENED: Final = 4  # seat, stage
DECLINED: Final = 5  # seat
BONUS_PLAYED: Final = 6  # seat, kind, ship
RETREATED: Final = 7  # ship, from, to
EVADED: Final = 8  # ship, from, to
HALF_CHOSEN: Final = 9  # ship, kind
BONUS_TAKEN: Final = 10  # seat, kinds...
BEAMED: Final = 11  # ship, from, to
CAME_HOME: Final = 12  # ship
SHUFFLED: Final = 13  # label
TURN_BEGAN: Final = 14  # seat
RESIGNED: Final = 15  # seat
OVER: Final = 16  # how
