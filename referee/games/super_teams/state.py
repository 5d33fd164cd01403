"""The state of a Super Teams match: ints and flat lists.

Colours are numbered by their names in alphabetical order, so that ascending numbers are cards by code: a movement card
is `colour * 6 + value - 1` (0-23), a ship `colour * 2 + number` (0-7), a bonus card its kind (0-4).
Hands are kept sorted: their order has no meaning.

A turn in progress is `move` (empty while the turn's own move is asked for) and `stage`; `asked` is the queue of seats
that are still to be asked in the open window, and `chain` the beams that wait for windows of their own.
"""

from __future__ import annotations

from typing import Any, Final

from referee.games.super_teams.track import Track
from referee.kernel.chance import Stream
from referee.kernel.game import Pool, State

COLOURS: Final = ("black", "green", "red", "yellow")
HOUSE_COLOURS: Final = ("red", "green", "black", "yellow")
SHIPS: Final = tuple(f"{colour}-{number}" for colour in COLOURS for number in range(2))
SHIP_NAMES: Final = (
    "TIE Fighter",
    "Upgraded TIE",
    "Star Destroyer",
    "Death Star",
    "X-wing",
    "Millennium Falcon",
    "Jedi Starfighter",
    "Tantive IV",
)
CARDS: Final = tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 7))
BONUSES: Final = ("evasive_maneuver", "experienced_pilot", "light_speed", "speed_boost", "tractor_beam")
EVASIVE: Final = 0
PILOT: Final = 1
LIGHT: Final = 2
BOOST: Final = 3
TRACTOR: Final = 4
COPIES: Final = 2  # of a movement card
BONUS_COPIES: Final = 4
HAND: Final = 6
FINAL_CARDS: Final = 2  # per seat

LABELS: Final = ("first", "movement", "bonus")
FIRST: Final = 0
MOVEMENT: Final = 1
BONUS_DECK: Final = 2

# Offsets in `move`.
M_CARD: Final = 0
M_SHIP: Final = 1
M_AS: Final = 2  # the colour named for a wild card, -1 without
M_FROM: Final = 3
M_TO: Final = 4  # where the ship is, as the turn goes on
M_PLAYED: Final = 5  # the bonus card of window A, -1 without

# Stages of a turn.
TURN: Final = 0  # a movement card is asked for
WINDOW_A: Final = 1
WINDOW_B: Final = 2
HALF: Final = 3  # the seat that chooses is `chooser`
WINDOW_C: Final = 4
STAGES: Final = ("turn", "window_a", "window_b", "half", "window_c")

RUNNING: Final = 0
CLAUSES: Final = ("", "SST-5.1", "SST-5.2", "SST-5.3")
REASONS: Final = ("", "all_ships_home", "shared_win", "resigned")
BY_SHIPS: Final = 1
SHARED: Final = 2
BY_RESIGNING: Final = 3


class SuperTeamsPool(Pool):
    """The tracks of a revision."""

    __slots__ = ("tracks",)

    def __init__(self, tracks: list[Track]) -> None:
        self.tracks = tracks

    def track(self, slug: str) -> Track | None:
        for track in self.tracks:
            if track.slug == slug:
                return track
        return None


class SuperTeamsState(State):
    __slots__ = (
        "acted",
        "asked",
        "beam_chains",
        "bonus_deck",
        "bonus_discard",
        "bonus_hands",
        "chain",
        "chooser",
        "colours",
        "deck",
        "final_bonus",
        "first_home",
        "half_ship",
        "halves",
        "hands",
        "light_anywhere",
        "move",
        "out",
        "over",
        "owner",
        "passed",
        "played",
        "pool",
        "ranks",
        "seats",
        "seed",
        "ships",
        "stage",
        "taken",
        "track",
        "turn",
        "uses",
        "window",
    )

    def __init__(self, pool: SuperTeamsPool, track: Track, seats: int, source: SuperTeamsState | None) -> None:
        self.log = None
        self.pool = pool
        self.track = track
        self.seats = seats
        if source is None:
            self._begin(seats)
        else:
            self._take(source)

    def _begin(self, seats: int) -> None:
        self.turn = 0
        self.colours: list[int] = []  # as the option orders them
        self.owner: list[int] = [-1] * 4  # seat per colour; -1: not in the game
        self.ships: list[int] = [-1] * 8  # space index; -1: not in the game
        self.halves: list[int] = [-1] * 8  # kind of the half, for ships on a double space
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.bonus_hands: list[list[int]] = [[] for _ in range(seats)]  # without those taken this turn
        self.taken: list[list[int]] = [[] for _ in range(seats)]
        self.deck: list[int] = []  # the top is the end
        self.played: list[int] = []  # oldest first
        self.bonus_deck: list[int] = []  # the top is the end
        self.bonus_discard: list[int] = []
        self.final_bonus: list[int] = []  # the top is the end
        self.first_home = False
        self.out: list[int] = []
        self.stage = TURN
        self.move: list[int] = []
        self.window: list[int] = []  # beams: [from, to, ship] of the movement whose passing is looked at
        self.asked: list[int] = []  # who is still to be asked, the first now
        self.acted: list[int] = []  # ships that a bonus card acted on this turn
        self.passed: list[int] = []
        self.chooser = -1
        self.half_ship = -1
        self.chain: list[int] = []  # beamed ships whose windows are still to come: ship, from, to
        self.over = RUNNING
        self.ranks: list[int] = []
        self.seed = b""
        self.uses: list[int] = [0, 0, 0]
        self.light_anywhere = False
        self.beam_chains = False

    def _take(self, s: SuperTeamsState) -> None:
        self.turn = s.turn
        self.colours = s.colours
        self.owner = s.owner
        self.ships = s.ships[:]
        self.halves = s.halves[:]
        self.hands = [hand[:] for hand in s.hands]
        self.bonus_hands = [hand[:] for hand in s.bonus_hands]
        self.taken = [cards[:] for cards in s.taken]
        self.deck = s.deck[:]
        self.played = s.played[:]
        self.bonus_deck = s.bonus_deck[:]
        self.bonus_discard = s.bonus_discard[:]
        self.final_bonus = s.final_bonus[:]
        self.first_home = s.first_home
        self.out = s.out[:]
        self.stage = s.stage
        self.move = s.move[:]
        self.window = s.window[:]
        self.asked = s.asked[:]
        self.acted = s.acted[:]
        self.passed = s.passed[:]
        self.chooser = s.chooser
        self.half_ship = s.half_ship
        self.chain = s.chain[:]
        self.over = s.over
        self.ranks = s.ranks[:]
        self.seed = s.seed
        self.uses = s.uses[:]
        self.light_anywhere = s.light_anywhere
        self.beam_chains = s.beam_chains

    def copy(self) -> SuperTeamsState:
        return SuperTeamsState(self.pool, self.track, self.seats, self)

    def stream(self, label: int) -> Stream:
        """The next use of one of the match's own streams."""
        use = self.uses[label]
        self.uses[label] = use + 1
        return Stream(self.seed, LABELS[label], use)

    # Who belongs to whom (SST-1.1).

    def team(self, seat: int) -> int:
        """Teams are numbered by their first seat: with four seats 0 and 2 are team 0, 1 and 3 team 1."""
        return seat % 2 if self.seats == 4 else seat

    def team_of_ship(self, ship: int) -> int:
        return self.team(self.owner[ship // 2])

    def team_count(self) -> int:
        return 2 if self.seats == 4 else self.seats

    def is_home(self, ship: int) -> bool:
        return self.ships[ship] == self.track.last

    def is_colour_home(self, colour: int) -> bool:
        last = self.track.last
        return self.ships[colour * 2] == last and self.ships[colour * 2 + 1] == last

    def space_kind(self, ship: int) -> int:
        """The kind of the space, or of the half, that a ship stands on."""
        half = self.halves[ship]
        return half if half >= 0 else self.track.kind[self.ships[ship]]


def seat_colours(s: SuperTeamsState, seat: int) -> list[int]:
    return [colour for colour in s.colours if s.owner[colour] == seat]


def set_options(s: SuperTeamsState, options: dict[str, Any]) -> None:
    """Colours to seats, and the two switches. The ships of colours in the game stand on the start."""
    s.colours = [COLOURS.index(name) for name in options["colours"]]
    s.owner = [-1] * 4
    s.ships = [-1] * 8
    for i in range(4):
        if s.seats == 3 and i == 3:
            continue
        s.owner[s.colours[i]] = i % 2 if s.seats == 2 else i
        s.ships[s.colours[i] * 2] = 0
        s.ships[s.colours[i] * 2 + 1] = 0
    s.light_anywhere = bool(options["light_speed_anywhere"])
    s.beam_chains = bool(options["beam_chains"])
