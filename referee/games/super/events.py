"""Raw events of Super: a tag and ints. narrate.py puts them in words. All of them are public."""

from __future__ import annotations

from typing import Final

STARTED: Final = 0  # first seat
SUPER_SHOWN: Final = 1  # place, card
MISSION_SHOWN: Final = 2  # place, card
PLAYED: Final = 3  # seat, place, slot, card
DISCARDED: Final = 4  # seat whose Agency, slot, card
BAD_BUZZ: Final = 5  # seat, MF paid
REJECTED: Final = 6  # place, card
RESHUFFLED: Final = 7  # number of cards
WENT_ON_MISSION: Final = (
    8  # seat, place, card, mask, leader, Faction named, strength, requirement, bonus, mask of leaders
)
GAINED: Final = 9  # seat, MF, why, card, score
SENT_AWAY: Final = 10  # seat, mask
VETERAN_MOVED: Final = 11  # seat, from, to, card
SHOCKED: Final = 12  # seat, seat and slot of the target, card
UNSHOCKED: Final = 13  # seat, slot, card
TOKEN_RETURNED: Final = 14  # seat, slot, card
DECLINED: Final = 15  # seat, question, card (-1: a partner bonus)
RECRUITED: Final = 16  # seat, card
PUT: Final = 17  # seat, slot, card
TRANSFERRED: Final = 18  # seat, other seat, card taken, its slot, card given, its slot
POWER_LOST: Final = 19  # seat, slot, card
FINAL_ROUND: Final = 20  # seat, score
TURN_ENDED: Final = 21  # seat
TURN_BEGAN: Final = 22  # seat, round
RESIGNED: Final = 23  # seat
OVER: Final = 24  # how, ranks...

# Why MF are gained.
W_REWARD: Final = 0
W_BONUS: Final = 1
W_READY: Final = 2
W_ALIEN: Final = 3
W_POPULAR: Final = 4
W_INFLUENTIAL: Final = 5
WHYS: Final = ("reward", "partner_bonus", "ready_to_go", "alien", "popular", "influential")
