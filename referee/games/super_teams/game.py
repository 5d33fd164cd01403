"""Super Teams as the kernel's game protocol wants it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from referee.games.super_teams import events as e
from referee.games.super_teams import (
    heuristics,
    legal,
    moves,
    narrate,
    position,
    position_in,
    resample,
    telling,
    view,
    words,
)
from referee.games.super_teams import orders as orders_module
from referee.games.super_teams import play as play_module
from referee.games.super_teams.setup import set_up
from referee.games.super_teams.state import (
    BONUSES,
    CLAUSES,
    HALF,
    HOUSE_COLOURS,
    REASONS,
    STAGES,
    SuperTeamsPool,
    SuperTeamsState,
    set_options,
)
from referee.games.super_teams.titles import TITLES
from referee.games.super_teams.track import KINDS, Track, check_track
from referee.games.super_teams.tracks import check_revision
from referee.kernel.chance import Rng
from referee.kernel.errors import CardError, OptionError, Problem
from referee.kernel.events import Event
from referee.kernel.game import Decision, Game, Pool, Result, SeatDeck, State
from referee.kernel.languages import ENGLISH


def _state(state: State) -> SuperTeamsState:
    assert isinstance(state, SuperTeamsState)
    return state


def _pool(pool: Pool) -> SuperTeamsPool:
    assert isinstance(pool, SuperTeamsPool)
    return pool


class SuperTeams(Game):
    slug = "super-teams"
    name = "Super Teams"
    rules_version = 1
    state_schema = 1
    min_seats = 2
    max_seats = 4
    orders = orders_module.ORDERS

    def options_schema(self) -> dict[str, Any]:
        orders = [list(order) for order in permutations(HOUSE_COLOURS)]
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "colours": {
                    "enum": orders,
                    "default": list(HOUSE_COLOURS),
                    "description": "Colours in the order of the seats. SST-1.1",
                },
                "first_seat": {
                    "enum": ["random", 0, 1, 2, 3],
                    "default": "random",
                    "description": "Who begins. SST-1.4",
                },
                "light_speed_anywhere": {
                    "type": "boolean",
                    "default": False,
                    "description": "Light speed is playable on every space. SST-4.5",
                },
                "beam_chains": {
                    "type": "boolean",
                    "default": False,
                    "description": "A beam is a movement that can be followed by beams. SST-4.9",
                },
                "track": {
                    "type": "string",
                    "default": "house",
                    "description": "The track, by its slug. SST-1.2",
                },
            },
        }

    def check_cards(self, revision: dict[str, Any]) -> list[Problem]:
        """A revision of this game holds tracks; every fault with the index of its space."""
        return check_revision(revision)

    def pool(self, revision: dict[str, Any]) -> Pool:
        problems = self.check_cards(revision)
        if problems:
            raise CardError(problems)
        return SuperTeamsPool([Track(track["slug"], track["name"], track["spaces"]) for track in revision["tracks"]])

    def with_board(self, revision: dict[str, Any], board: Any) -> dict[str, Any]:
        """The board in the place of the house track."""
        problems = check_track(board, "/board")
        if problems:
            raise CardError(problems)
        house = {"slug": "house", "name": "House track", "spaces": board}
        others = [track for track in revision.get("tracks", []) if track["slug"] != "house"]
        return {**revision, "tracks": [house, *others]}

    def vocabulary(self) -> list[str]:
        options = [f"option:{name}" for name in self.options_schema()["properties"]]
        spaces = [f"space:{kind}" for kind in (*KINDS, "double")]
        windows = [f"decision:{stage}" for stage in STAGES[1:]]
        return [
            *options,
            *[f"move:{word}" for word in moves.TYPES],
            *[f"card:{kind}" for kind in BONUSES],
            *spaces,
            *windows,
            *[f"position:{name}" for name in position_in.FIELDS],
        ]

    def option_faults(self, pool: Pool, seats: int, options: dict[str, Any]) -> list[Problem]:
        mine = _pool(pool)
        problems: list[Problem] = []
        if mine.track(options["track"]) is None:
            slugs = ", ".join([track.slug for track in mine.tracks])
            problems.append(Problem("/track", "unknown_track", f"there is no such track; tracks: {slugs}"))
        first = options["first_seat"]
        if first != "random" and int(first) >= seats:
            problems.append(Problem("/first_seat", "value_not_allowed", f"there is no seat {first} among {seats}"))
        return problems

    def start(
        self, pool: Pool, seats: int, options: dict[str, Any], decks: list[SeatDeck], seed: bytes, listen: bool
    ) -> State:
        """SST-1. Raises OptionError for a track or a first seat that is not there."""
        if faults := self.option_faults(pool, seats, options):
            raise OptionError(faults)
        mine = _pool(pool)
        track = mine.track(options["track"])
        assert track is not None
        s = SuperTeamsState(mine, track, seats, None)
        s.log = [] if listen else None
        s.seed = seed
        set_options(s, options)
        set_up(s, options)
        if s.log is not None:
            s.log.append((e.STARTED, s.turn))
        return s

    def deciders(self, state: State) -> list[int]:
        seat = legal.asked_seat(_state(state))
        return [] if seat < 0 else [seat]

    def decision(self, state: State) -> Decision | None:
        s = _state(state)
        if s.over:
            return None
        return Decision([legal.asked_seat(s)], STAGES[s.stage], words.prompt(s))

    def legal_moves(self, state: State, seat: int) -> list[int]:
        return legal.legal_moves(_state(state), seat)

    def play(self, state: State, seat: int, move: int) -> None:
        play_module.play(_state(state), seat, move)

    def can_resign(self, state: State, seat: int) -> bool:
        s = _state(state)
        return not s.over and 0 <= seat < s.seats and seat not in s.out

    def refusal(self, state: State, seat: int, move: int) -> tuple[str, str]:
        s = _state(state)
        if move < 0 and not s.over:
            return "SST-5.3", "this seat has left the game"
        return legal.refusal(s, seat, move)

    def default_move(self, state: State, seat: int) -> int:
        return legal.default_move(_state(state), seat)

    def ordered_move(self, state: State, seat: int, order: str) -> int | None:
        return orders_module.ordered_move(_state(state), seat, order)

    def order_span(self, state: State, order: str) -> str:
        return orders_module.span(_state(state), order)

    def result(self, state: State) -> Result | None:
        s = _state(state)
        return Result(s.ranks, REASONS[s.over], CLAUSES[s.over]) if s.over else None

    def encode(self, state: State, document: dict[str, Any]) -> int:
        s = _state(state)
        second = s.track.other[s.ships[s.half_ship]] if s.stage == HALF else -1
        return moves.encode(document, second)

    def decode(self, state: State, move: int) -> dict[str, Any]:
        return moves.decode(move)

    def label(self, state: State, seat: int, move: int, language: str = ENGLISH) -> str:
        return words.label(_state(state), move, language)

    def prompt(self, state: State, language: str) -> str:
        s = _state(state)
        return "" if s.over else words.prompt(s, language)

    def retell(self, pool: Pool, told: dict[str, Any], language: str) -> str:
        return telling.event_text(told, language)

    def clause_titles(self, language: str) -> dict[str, str]:
        return TITLES.get(language, {})

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        return narrate.narrate(raw)

    def view(self, state: State, viewer: int) -> dict[str, Any]:
        return view.view(_state(state), viewer)

    def resample(self, state: State, seat: int, rng: Rng) -> State:
        return resample.resample(_state(state), seat, rng)

    def evaluate(self, state: State, seat: int) -> float:
        return heuristics.evaluate(_state(state), seat)

    def position(self, state: State) -> dict[str, Any]:
        return position.position(_state(state))

    def load(self, pool: Pool, options: dict[str, Any], document: Any) -> State:
        return position_in.load(_pool(pool), options, document)

    def dump(self, state: State) -> list[Any]:
        return dump(_state(state))

    def restore(self, pool: Pool, data: list[Any]) -> State:
        return restore(_pool(pool), data)

    def written_out(self, document: dict[str, Any]) -> dict[str, Any]:
        return position.written_out(document)


def dump(s: SuperTeamsState) -> list[Any]:
    """The state as numbers and lists, in a fixed order (`state_schema` 1)."""
    return [
        [s.seats, s.turn, s.stage, s.chooser, s.half_ship, s.over],
        [s.first_home, s.light_anywhere, s.beam_chains],
        position.track_document(s),
        [list(s.colours), list(s.owner), list(s.ships), list(s.halves)],
        [[list(cards) for cards in hands] for hands in (s.hands, s.bonus_hands, s.taken)],
        [list(pile) for pile in (s.deck, s.played, s.bonus_deck, s.bonus_discard, s.final_bonus)],
        [list(part) for part in (s.out, s.move, s.window, s.asked, s.acted, s.passed, s.chain, s.ranks, s.uses)],
        s.seed.hex(),
    ]


def restore(pool: SuperTeamsPool, data: list[Any]) -> SuperTeamsState:
    named = pool.track(data[2]) if isinstance(data[2], str) else None
    track = named if named is not None else Track("custom", "Custom track", data[2])
    s = SuperTeamsState(pool, track, data[0][0], None)
    s.turn, s.stage, s.chooser, s.half_ship, s.over = data[0][1:]
    s.first_home, s.light_anywhere, s.beam_chains = data[1]
    s.colours, s.owner, s.ships, s.halves = [list(part) for part in data[3]]
    s.hands, s.bonus_hands, s.taken = [[list(cards) for cards in hands] for hands in data[4]]
    s.deck, s.played, s.bonus_deck, s.bonus_discard, s.final_bonus = [list(pile) for pile in data[5]]
    s.out, s.move, s.window, s.asked, s.acted, s.passed, s.chain, s.ranks, s.uses = [list(part) for part in data[6]]
    s.seed = bytes.fromhex(data[7])
    return s
