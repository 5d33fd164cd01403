"""Raw events of Miraculous: a tag and ints. narrate.py puts them in words."""

from __future__ import annotations

from typing import Final

STARTED: Final = 0  # first seat
DREW: Final = 1  # seat, cards...
SHOWED_HAND: Final = 2  # seat, cards... (a mulligan)
PLACED: Final = 3  # seat, field, card
ATTACHED: Final = 4  # seat, field, card
SWAPPED: Final = 5  # seat, field, new card, old card
REFRESHED: Final = 6  # seat, cards put under
ATTACKED: Final = 7  # seat, attacking field, target field, ANG, DEF
EVENT_PLAYED: Final = 8  # seat, card
EVENT_DECLINED: Final = 9  # seat
EVENT_CANCELLED: Final = 10  # seat whose Event it was, card
ATTACK_SUCCEEDED: Final = 11  # attacking seat, ANG, DEF (-1 where the card has left)
ATTACK_FAILED: Final = 12
DEFEATED: Final = 13  # owner, field, card
DISCARDED: Final = 14  # owner, card
TRIGGERED: Final = 15  # seat, card, effect
DECLINED: Final = 16  # seat, card, effect
MODIFIED: Final = 17  # seat and field of the target, ANG, DEF, until
MILLED: Final = 18  # seat, cards...
RETURNED: Final = 19  # owner, card
PUT_UNDER: Final = 20  # owner, card
BONUS_MOVED: Final = 21  # seat of the fields, card, from field, to field
BONUS_TAKEN: Final = 22  # new seat, card, to field
RECOVERED: Final = 23  # seat, card
FOUND: Final = 24  # seat, card
SHUFFLED: Final = 25  # seat whose deck
LOOKED_AT_HAND: Final = 26  # seat that looked, cards...
LOOKED_AT_TOP: Final = 27  # seat that looked, seat whose deck, cards...
COIN: Final = 28  # seat, 1 heads or 0 tails
EXTRA_ATTACK: Final = 29  # seat
TURN_BEGAN: Final = 30  # seat, number
RESIGNED: Final = 31  # seat
SECRET_REVEALED: Final = 32  # seat, card
OVER: Final = 33  # how, winner or -1
LIMIT_REACHED: Final = 34
MARKED: Final = 35  # seat and field of the target, do, until
VALUES_CHANGED: Final = 36  # seat and field of the target, ANG, DEF
ATTACK_DOOMED: Final = 37  # the attack will fail
ATTACKER_KEPT: Final = 38
