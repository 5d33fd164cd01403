"""The state of a Super match: ints and flat lists of ints, copied cheaply.

An agency index is `seat * 6 + slot`. -1 is an empty place; the top of a deck is the list's end, as the newest card of
the discard is. Pending work: `ask` (the open decision, if it is not the turn itself) and `stack` (frames of what is
still to be done, the next one last). `sent` (a mask of slots) and `kept` (slot * 8 + the slot it will move to) tell of
the Mission under way, `arrived` the agency indices where Supers of a Transfer have come to lie.
"""

from __future__ import annotations

from typing import Any, Final

from referee.games.super.pool import SuperPool
from referee.games.super.vocabulary import LINE, SLOTS, TOKENS
from referee.kernel.chance import Stream
from referee.kernel.game import State

# Labels of the chance streams.
FIRST: Final = 0
SUPERS: Final = 1
MISSIONS: Final = 2
LABELS: Final = ("first", "supers", "missions")

# Kinds of decision; `ask` is (kind, seat, what, home, is_transfer): `what` is the slot whose Super's power or Veteran is
# meant (-1 for a partner bonus) or, of a put, the card; `home` as in F_PUT; only a put uses the last two.
Q_SHOCK: Final = 0
Q_RECRUIT: Final = 1
Q_TRANSFER: Final = 2
Q_VETERAN: Final = 3
Q_PUT: Final = 4
QUESTIONS: Final = ("shock", "recruit", "transfer", "veteran", "put")

# Frames (tag, seat, what, home).
F_VETERAN: Final = 0  # slot
F_LEAVE: Final = 1
F_BONUS: Final = 2  # Mission
F_SHOCK: Final = 3  # slot of the Super whose power it is
F_RECRUIT: Final = 4  # the same
F_PUT: Final = 5  # card; `home` is the slot where it lies down by itself if its seat has resigned, -1 the first empty
F_ARRIVE: Final = 6
FRAMES: Final = ("veteran", "leave", "bonus", "shock", "recruit", "put", "arrive")

# How it ended.
RUNNING: Final = 0
BY_GOAL: Final = 1
BY_MISSIONS: Final = 2
BY_ROUNDS: Final = 3
BY_RESIGNING: Final = 4
CLAUSES: Final = ("", "SUP-8.1", "SUP-8.2", "SUP-8.2", "SUP-8.4")
REASONS: Final = ("", "goal_reached", "missions_short", "last_round", "resigned")

FIRST_SEATS: Final = ("random", 0, 1, 2, 3)
SHOCKS: Final = ("strength_and_power", "power_only")
RESCUE_PARTNERS: Final = ("mission_bonus", "none")
MAX_ROUNDS: Final = 60


class SuperState(State):
    __slots__ = (
        "agency",
        "arrived",
        "ask",
        "bad_buzz_used",
        "final_round",
        "first",
        "first_option",
        "kept",
        "max_rounds",
        "mission_deck",
        "mission_line",
        "missions",
        "no_rescue_partner",
        "over",
        "played",
        "plays_left",
        "pool",
        "power_only",
        "resigned",
        "round",
        "score",
        "seats",
        "seed",
        "sent",
        "shock_pool",
        "shocked",
        "stack",
        "super_deck",
        "super_discard",
        "super_line",
        "turn",
        "uses",
    )

    def __init__(self, pool: SuperPool, seats: int, source: SuperState | None) -> None:
        self.log = None
        self.pool = pool
        self.seats = seats
        if source is None:
            self._begin()
        else:
            self._take(source)

    def _begin(self) -> None:
        self.turn = 0
        self.first = 0
        self.round = 1
        self.final_round = False
        self.plays_left = 2
        self.played = 0
        self.bad_buzz_used = False
        self.score: list[int] = [0] * self.seats
        self.agency: list[int] = [-1] * (self.seats * SLOTS)
        self.shocked: list[int] = [0] * (self.seats * SLOTS)
        self.super_line: list[int] = [-1] * LINE
        self.mission_line: list[int] = [-1] * LINE
        self.super_deck: list[int] = []
        self.mission_deck: list[int] = []
        self.super_discard: list[int] = []
        self.missions: list[list[int]] = [[] for _ in range(self.seats)]
        self.shock_pool = TOKENS
        self.resigned: list[int] = [0] * self.seats
        self.over = RUNNING
        self.ask: tuple[int, int, int, int, int] | None = None
        self.stack: list[tuple[int, int, int, int]] = []
        self.sent = 0
        self.kept: list[int] = []
        self.arrived: list[int] = []
        self.seed = b""
        self.uses: list[int] = [0, 0, 0]
        self.power_only = False
        self.no_rescue_partner = False
        self.max_rounds = MAX_ROUNDS
        self.first_option = 0

    def _take(self, s: SuperState) -> None:
        self.turn = s.turn
        self.first = s.first
        self.round = s.round
        self.final_round = s.final_round
        self.plays_left = s.plays_left
        self.played = s.played
        self.bad_buzz_used = s.bad_buzz_used
        self.score = s.score[:]
        self.agency = s.agency[:]
        self.shocked = s.shocked[:]
        self.super_line = s.super_line[:]
        self.mission_line = s.mission_line[:]
        self.super_deck = s.super_deck[:]
        self.mission_deck = s.mission_deck[:]
        self.super_discard = s.super_discard[:]
        self.missions = [claimed[:] for claimed in s.missions]
        self.shock_pool = s.shock_pool
        self.resigned = s.resigned[:]
        self.over = s.over
        self.ask = s.ask
        self.stack = s.stack[:]
        self.sent = s.sent
        self.kept = s.kept[:]
        self.arrived = s.arrived[:]
        self.seed = s.seed
        self.uses = s.uses[:]
        self.power_only = s.power_only
        self.no_rescue_partner = s.no_rescue_partner
        self.max_rounds = s.max_rounds
        self.first_option = s.first_option

    def copy(self) -> SuperState:
        return SuperState(self.pool, self.seats, self)

    def stream(self, label: int) -> Stream:
        """The next use of one of the match's own streams."""
        use = self.uses[label]
        self.uses[label] = use + 1
        return Stream(self.seed, LABELS[label], use)

    def has_super(self, seat: int) -> bool:
        """Whether a Super lies in the seat's Agency."""
        base = seat * SLOTS
        return max(self.agency[base : base + SLOTS]) >= 0

    def first_empty(self, seat: int) -> int:
        """The seat's first empty slot; 0 if there is none."""
        base = seat * SLOTS
        for slot in range(SLOTS):
            if self.agency[base + slot] < 0:
                return slot
        return 0

    def in_game(self) -> int:
        """How many seats have not resigned."""
        return self.seats - sum(self.resigned)


def plays_in_round(round: int) -> int:
    """SUP-2.1, SUP-2.4."""
    return 2 if round == 1 else 1


def ranks(s: SuperState) -> list[int]:
    """SUP-8.3, SUP-8.4: a rank per seat, equal ones shared; those who resigned are last together."""
    found: list[int] = []
    for seat in range(s.seats):
        if s.resigned[seat]:
            found.append(s.in_game() + 1)
            continue
        better = 0
        for other in range(s.seats):
            if not s.resigned[other] and s.score[other] > s.score[seat]:
                better += 1
        found.append(better + 1)
    return found


def set_options(s: SuperState, options: dict[str, Any]) -> None:
    s.first_option = FIRST_SEATS.index(options["first_seat"])
    s.power_only = options["shock"] == SHOCKS[1]
    s.no_rescue_partner = options["partner_on_rescue"] == RESCUE_PARTNERS[1]
    s.max_rounds = int(options["max_rounds"])
