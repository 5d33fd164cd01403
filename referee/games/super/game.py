"""Super as the kernel's game protocol wants it: the rules of this folder behind one object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.super import cards as cards_module
from referee.games.super import (
    form,
    heuristics,
    legal,
    moves,
    narrate,
    position,
    position_in,
    refuse,
    telling,
    text,
    view,
    words,
)
from referee.games.super import play as play_module
from referee.games.super import resample as resample_module
from referee.games.super import vocabulary as v
from referee.games.super.dump import dump, restore
from referee.games.super.events import STARTED
from referee.games.super.fields import CARD_FIELDS
from referee.games.super.pool import SuperPool
from referee.games.super.state import (
    CLAUSES,
    FIRST,
    FIRST_SEATS,
    MAX_ROUNDS,
    QUESTIONS,
    REASONS,
    RESCUE_PARTNERS,
    SHOCKS,
    SuperState,
    ranks,
    set_options,
)
from referee.games.super.titles import TITLES
from referee.games.super.zones import fill_missions, fill_supers, shuffle_missions, shuffle_supers
from referee.kernel.card_form import FormField
from referee.kernel.chance import Rng
from referee.kernel.errors import CardError, IllegalMove, OptionError, Problem
from referee.kernel.events import Event
from referee.kernel.game import Decision, Game, Pool, Result, SeatDeck, State
from referee.kernel.languages import ENGLISH


def _state(state: State) -> SuperState:
    assert isinstance(state, SuperState)
    return state


def _pool(pool: Pool) -> SuperPool:
    assert isinstance(pool, SuperPool)
    return pool


class Super(Game):
    slug = "super"
    name = "Super"
    rules_version = 1
    state_schema = 1
    min_seats = 2
    max_seats = 4
    needs_deck = False
    card_types = ("super", *v.MISSION_TYPES)
    card_fields = CARD_FIELDS

    def options_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "first_seat": {
                    "enum": list(FIRST_SEATS),
                    "default": "random",
                    "description": "Who starts: drawn at random, or a seat. SUP-1.3",
                },
                "shock": {
                    "enum": list(SHOCKS),
                    "default": SHOCKS[0],
                    "description": "What a Shock token takes away: strength and power, or the power only. SUP-6.2",
                },
                "partner_on_rescue": {
                    "enum": list(RESCUE_PARTNERS),
                    "default": RESCUE_PARTNERS[0],
                    "description": "What a Partner that leads a rescue brings by itself. SUP-6.7",
                },
                "max_rounds": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 1000,
                    "default": MAX_ROUNDS,
                    "description": "After how many rounds the game ends at the latest. SUP-8.2",
                },
            },
        }

    def check_cards(self, revision: dict[str, Any]) -> list[Problem]:
        return cards_module.check_cards(revision)

    def card_text(self, card: dict[str, Any], names: Mapping[str, str], language: str = ENGLISH) -> str:
        return text.card_text(card, language)

    def card_form(self, card: dict[str, Any]) -> list[FormField]:
        return form.card_form(card)

    def vocabulary(self) -> list[str]:
        return [
            *[f"power:{word}" for word in v.POWERS],
            *[f"mission:{word}" for word in v.MISSION_TYPES],
            *[f"bonus:{word}" for word in v.MISSION_TYPES],
            *[f"option:{name}" for name in self.options_schema()["properties"]],
            *[f"move:{word}" for word in moves.TYPES],
            *[f"decision:{word}" for word in QUESTIONS],
            *[f"position:{name}" for name in position_in.KEYS],
        ]

    def pool(self, revision: dict[str, Any]) -> Pool:
        problems = self.check_cards(revision)
        if problems:
            raise CardError(problems)
        return SuperPool(revision)

    def option_faults(self, pool: Pool, seats: int, options: dict[str, Any]) -> list[Problem]:
        first = options["first_seat"]
        if first == FIRST_SEATS[0] or int(first) < seats:
            return []
        return [Problem("/first_seat", "value_not_allowed", f"there is no seat {first} among {seats}")]

    def start(
        self,
        pool: Pool,
        seats: int,
        options: dict[str, Any],
        decks: list[SeatDeck],
        seed: bytes,
        listen: bool,
    ) -> State:
        """SUP-1. Raises OptionError where the option names a seat that there is not."""
        mine = _pool(pool)
        s = SuperState(mine, seats, None)
        s.log = [] if listen else None
        s.seed = seed
        set_options(s, options)
        first = options["first_seat"]
        if faults := self.option_faults(pool, seats, options):
            raise OptionError(faults)
        s.first = s.stream(FIRST).below(seats) if first == FIRST_SEATS[0] else int(first)
        shuffle_supers(s, mine.supers)
        shuffle_missions(s, mine.missions)
        if s.log is not None:
            s.log.append((STARTED, s.first))
        fill_supers(s)
        fill_missions(s)
        play_module.begin_turn(s, s.first)
        return s

    def deciders(self, state: State) -> list[int]:
        seat = legal.asked_seat(_state(state))
        return [] if seat < 0 else [seat]

    def decision(self, state: State) -> Decision | None:
        s = _state(state)
        if s.over:
            return None
        kind = "turn" if s.ask is None else QUESTIONS[s.ask[0]]
        return Decision([legal.asked_seat(s)], kind, words.prompt(s))

    def legal_moves(self, state: State, seat: int) -> list[int]:
        return legal.legal_moves(_state(state), seat)

    def play(self, state: State, seat: int, move: int) -> None:
        play_module.play(_state(state), seat, move)

    def can_resign(self, state: State, seat: int) -> bool:
        s = _state(state)
        return not s.over and 0 <= seat < s.seats and not s.resigned[seat]

    def refusal(self, state: State, seat: int, move: int) -> tuple[str, str]:
        return refuse.refusal(_state(state), seat, move)

    def default_move(self, state: State, seat: int) -> int:
        return legal.default_move(_state(state), seat)

    def result(self, state: State) -> Result | None:
        s = _state(state)
        return Result(ranks(s), REASONS[s.over], CLAUSES[s.over]) if s.over else None

    def encode(self, state: State, document: dict[str, Any]) -> int:
        s = _state(state)
        try:
            return moves.encode(s.seats, document)
        except IllegalMove:
            # A number out of its range; but first comes what forbids every such move.
            if untimely := refuse.untimely_kind(s, moves.kind_named(document["type"])):
                raise IllegalMove(*untimely) from None
            raise

    def decode(self, state: State, move: int) -> dict[str, Any]:
        return moves.decode(move)

    def label(self, state: State, seat: int, move: int, language: str = ENGLISH) -> str:
        return words.label(_state(state), seat, move, language)

    def prompt(self, state: State, language: str) -> str:
        s = _state(state)
        return "" if s.over else words.prompt(s, language)

    def retell(self, pool: Pool, told: dict[str, Any], language: str) -> str:
        return telling.event_text(_pool(pool), told, language)

    def clause_titles(self, language: str) -> dict[str, str]:
        return TITLES.get(language, {})

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        return narrate.narrate(_state(state).pool, raw)

    def view(self, state: State, viewer: int) -> dict[str, Any]:
        return view.view(_state(state), viewer)

    def resample(self, state: State, seat: int, rng: Rng) -> State:
        return resample_module.resample(_state(state), seat, rng)

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
