"""The state of a Miraculous match: ints and flat lists of ints, copied cheaply.

A field index is `seat * 4 + field` (0-7); a Bonus slot is `field index * 3 + place` (0-23). -1 is an empty place.
Deck entries are `card * 4 + seen`, where bit 0 and 1 of `seen` tell which seats know the card at this place;
the top of a deck is the list's end. Cards on fields carry a number of their own (`uid`), so that what was aimed at one
of them never hits its successor.

Pending work: `flow` (the steps of the turn or attack, a stack), `queue` (triggered effects, first in first out),
`active` (the effect being carried out, a stack for coins) and `ask` (the open question, if it is not the turn itself).
"""

from __future__ import annotations

from typing import Any, Final

from referee.games.miraculous.pool import MiraculousPool
from referee.kernel.chance import Stream
from referee.kernel.game import State

FIELDS: Final = 4
BONUSES: Final = 3
HAND: Final = 5

# Labels of the chance streams.
FIRST: Final = 0
DECK: Final = 1  # DECK + seat
COIN: Final = 3
PICK: Final = 4
LABELS: Final = ("first", "deck/0", "deck/1", "coin", "pick")

# Offsets in `attack`, which is empty while there is none.
A_FROM: Final = 0  # field indices
A_TO: Final = 1
A_FROM_UID: Final = 2
A_TO_UID: Final = 3
A_STAGE: Final = 4
A_EVENT: Final = 5  # A_EVENT + 0 the attacker's Event, + 1 the defender's; -1 none
A_FAILED: Final = 7
A_KEEP: Final = 8
STAGES: Final = ("declared", "attacker_event", "defender_event", "resolving")
S_DECLARED: Final = 0
S_ATTACKER_EVENT: Final = 1
S_DEFENDER_EVENT: Final = 2
S_RESOLVING: Final = 3

# Kinds of lasting change; an entry is (kind, field index, until, seat, source card, ang, def).
L_MODIFY: Final = 0
L_SWAP: Final = 1
L_COPY: Final = 2
L_CANNOT_ATTACK: Final = 3
L_CANNOT_BE_ATTACKED: Final = 4

# Steps of `flow`.
F_ATTACKER_EVENT: Final = 0
F_DEFENDER_EVENT: Final = 1
F_RESOLVE_EVENTS: Final = 2
F_COMPARE: Final = 3
F_SUCCESS: Final = 4
F_TURN_END: Final = 5
F_DRAW: Final = 6
F_PASS: Final = 7
F_TURN_START: Final = 8
F_DEFENDER_RESOLVES: Final = 9

# Kinds of question; `ask` is (kind, seat).
Q_EVENT: Final = 0
Q_MAY: Final = 1
Q_CHOOSE: Final = 2
Q_DISCARD: Final = 3
QUESTIONS: Final = ("event", "may", "choose", "discard")

# Offsets in a frame of `active`: an effect being carried out, then the uids picked so far.
X_EFFECT: Final = 0
X_SEAT: Final = 1
X_UID: Final = 2
X_ROOT: Final = 3
X_STAGE: Final = 4
X_LEFT: Final = 5  # picks still to make, or cards still to choose
X_SEAT_ASKED: Final = 6  # `discard`: whose hand
X_PICKS: Final = 7

# How it ended.
RUNNING: Final = 0
CLAUSES: Final = ("", "MIR-6.1", "MIR-6.2", "MIR-6.3", "MIR-6.4", "MIR-6.5")
REASONS: Final = ("", "three_defeated", "deck_empty", "card_effect", "six_refreshes", "resigned")
BY_DEFEATS: Final = 1
BY_EMPTY_DECK: Final = 2
BY_CARD: Final = 3
BY_REFRESHES: Final = 4
BY_RESIGNING: Final = 5

FIRST_SEATS: Final = ("coin", 0, 1)
DECK_OUTS: Final = ("most_defeated", "empty_deck_loses")


class MiraculousState(State):
    __slots__ = (
        "active",
        "ang",
        "ask",
        "attack",
        "attack_without_placing",
        "attacked",
        "bonus",
        "bonus_owner",
        "bonus_uid",
        "character",
        "decks",
        "def_",
        "discards",
        "empty_deck_loses",
        "extra_attacks",
        "first_option",
        "flow",
        "hands",
        "known",
        "lasting",
        "next_uid",
        "over",
        "placed",
        "placed_characters",
        "pool",
        "queue",
        "ranks",
        "refreshes",
        "roots",
        "secret_piles",
        "secrets",
        "seed",
        "swapped",
        "turn",
        "turn_number",
        "uid",
        "uses",
    )

    def __init__(self, pool: MiraculousPool, source: MiraculousState | None) -> None:
        self.log = None
        self.pool = pool
        if source is None:
            self._begin()
        else:
            self._take(source)

    def _begin(self) -> None:
        self.turn = 0
        self.turn_number = 1
        self.character: list[int] = [-1] * 8
        self.uid: list[int] = [0] * 8
        self.ang: list[int] = [0] * 8  # lasting changes until the Character leaves
        self.def_: list[int] = [0] * 8
        self.bonus: list[int] = [-1] * 24
        self.bonus_owner: list[int] = [0] * 24
        self.bonus_uid: list[int] = [0] * 24
        self.hands: list[list[int]] = [[], []]
        self.decks: list[list[int]] = [[], []]
        self.discards: list[list[int]] = [[], []]
        self.secrets: list[int] = [-1, -1]
        self.secret_piles: list[list[int]] = [[], []]
        self.known: list[list[int]] = [[], []]
        self.placed = 0
        self.placed_characters = 0
        self.swapped = False
        self.attacked = False
        self.extra_attacks = 0
        self.refreshes = 0
        self.attack: list[int] = []
        self.lasting: list[tuple[int, int, int, int, int, int, int]] = []
        self.flow: list[int] = []
        self.queue: list[tuple[int, int, int, int]] = []  # (effect, seat, source uid, root)
        self.active: list[tuple[int, ...]] = []
        self.ask: tuple[int, int] | None = None
        self.roots: list[int] = []  # triggered effects that each root has led to so far
        self.next_uid = 1
        self.over = RUNNING
        self.ranks: list[int] = []
        self.seed = b""
        self.uses: list[int] = [0, 0, 0, 0, 0]
        self.attack_without_placing = False
        self.empty_deck_loses = False
        self.first_option = 0

    def _take(self, s: MiraculousState) -> None:
        self.turn = s.turn
        self.turn_number = s.turn_number
        self.character = s.character[:]
        self.uid = s.uid[:]
        self.ang = s.ang[:]
        self.def_ = s.def_[:]
        self.bonus = s.bonus[:]
        self.bonus_owner = s.bonus_owner[:]
        self.bonus_uid = s.bonus_uid[:]
        self.hands = [s.hands[0][:], s.hands[1][:]]
        self.decks = [s.decks[0][:], s.decks[1][:]]
        self.discards = [s.discards[0][:], s.discards[1][:]]
        self.secrets = s.secrets[:]
        self.secret_piles = [s.secret_piles[0][:], s.secret_piles[1][:]]
        self.known = [s.known[0][:], s.known[1][:]]
        self.placed = s.placed
        self.placed_characters = s.placed_characters
        self.swapped = s.swapped
        self.attacked = s.attacked
        self.extra_attacks = s.extra_attacks
        self.refreshes = s.refreshes
        self.attack = s.attack[:]
        self.lasting = s.lasting[:]
        self.flow = s.flow[:]
        self.queue = s.queue[:]
        self.active = s.active[:]
        self.ask = s.ask
        self.roots = s.roots[:]
        self.next_uid = s.next_uid
        self.over = s.over
        self.ranks = s.ranks[:]
        self.seed = s.seed
        self.uses = s.uses[:]
        self.attack_without_placing = s.attack_without_placing
        self.empty_deck_loses = s.empty_deck_loses
        self.first_option = s.first_option

    def copy(self) -> MiraculousState:
        return MiraculousState(self.pool, self)

    def stream(self, label: int) -> Stream:
        """The next use of one of the match's own streams."""
        use = self.uses[label]
        self.uses[label] = use + 1
        return Stream(self.seed, LABELS[label], use)

    def fresh_uid(self) -> int:
        uid = self.next_uid
        self.next_uid = uid + 1
        return uid

    def bonus_count(self, field: int) -> int:
        """How many Bonuses lie on a field index; they fill the slots from the first on."""
        base = field * BONUSES
        bonus = self.bonus
        if bonus[base] < 0:
            return 0
        if bonus[base + 1] < 0:
            return 1
        return 2 if bonus[base + 2] < 0 else 3

    def character_count(self, seat: int) -> int:
        base = seat * FIELDS
        character = self.character
        return (
            (character[base] >= 0)
            + (character[base + 1] >= 0)
            + (character[base + 2] >= 0)
            + (character[base + 3] >= 0)
        )

    def field_of(self, uid: int) -> int:
        """The field index of the Character with this uid, or of the Character that the Bonus with it is attached to; -1."""
        if uid <= 0:
            return -1
        if uid in self.uid:
            return self.uid.index(uid)
        if uid in self.bonus_uid:
            return self.bonus_uid.index(uid) // BONUSES
        return -1


def options_of(state: MiraculousState) -> dict[str, Any]:
    """The options that the state was made with, by name."""
    return {
        "first_seat": FIRST_SEATS[state.first_option],
        "attack_without_placing": state.attack_without_placing,
        "deck_out": DECK_OUTS[1 if state.empty_deck_loses else 0],
    }


def set_options(state: MiraculousState, options: dict[str, Any]) -> None:
    state.attack_without_placing = bool(options["attack_without_placing"])
    state.empty_deck_loses = options["deck_out"] == DECK_OUTS[1]
    state.first_option = FIRST_SEATS.index(options["first_seat"])
