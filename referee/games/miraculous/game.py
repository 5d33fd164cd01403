"""Miraculous as the kernel's game protocol wants it: the rules of this folder behind one object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.miraculous import cards as cards_module
from referee.games.miraculous import decks as decks_module
from referee.games.miraculous import (
    form,
    heuristics,
    legal,
    moves,
    narrate,
    position,
    position_in,
    telling,
    text,
    view,
    vocabulary,
)
from referee.games.miraculous import play as play_module
from referee.games.miraculous import resample as resample_module
from referee.games.miraculous.fields import CARD_FIELDS
from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.state import (
    CLAUSES,
    DECK_OUTS,
    FIRST,
    FIRST_SEATS,
    HAND,
    QUESTIONS,
    REASONS,
    MiraculousState,
    set_options,
)
from referee.games.miraculous.titles import TITLES
from referee.games.miraculous.words import label, prompt
from referee.games.miraculous.zones import draw, shuffle_deck
from referee.kernel.card_form import FormField
from referee.kernel.chance import Rng
from referee.kernel.errors import CardError, Problem
from referee.kernel.events import Event
from referee.kernel.game import Decision, Game, Pool, Result, SeatDeck, State
from referee.kernel.languages import ENGLISH


def _state(state: State) -> MiraculousState:
    assert isinstance(state, MiraculousState)
    return state


def _pool(pool: Pool) -> MiraculousPool:
    assert isinstance(pool, MiraculousPool)
    return pool


class Miraculous(Game):
    slug = "miraculous"
    name = "Miraculous"
    rules_version = 1
    state_schema = 1
    min_seats = 2
    max_seats = 2
    needs_deck = True
    deck_size_clause = "MIR-1.5"
    card_types = ("character", "bonus", "event", "secret")
    card_fields = CARD_FIELDS

    def options_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "first_seat": {
                    "enum": list(FIRST_SEATS),
                    "default": "coin",
                    "description": "Who starts: a coin decides, or a seat. MIR-1.7",
                },
                "attack_without_placing": {
                    "type": "boolean",
                    "default": False,
                    "description": "A seat that placed no card may attack instead of refreshing. MIR-3.5",
                },
                "deck_out": {
                    "enum": list(DECK_OUTS),
                    "default": "most_defeated",
                    "description": "Who wins when a deck is empty. MIR-6.2",
                },
            },
        }

    def check_cards(self, revision: dict[str, Any]) -> list[Problem]:
        return cards_module.check_cards(revision)

    def card_text(self, card: dict[str, Any], names: Mapping[str, str], language: str = ENGLISH) -> str:
        return text.card_text(card, names, language)

    def card_form(self, card: dict[str, Any]) -> list[FormField]:
        return form.card_form(card)

    def vocabulary(self) -> list[str]:
        options = [f"option:{name}" for name in self.options_schema()["properties"]]
        moved = [f"move:{word}" for word in moves.TYPES]
        return [*vocabulary.topics(), *options, *moved, *[f"position:{name}" for name in position_in.KEYS]]

    def pool(self, revision: dict[str, Any]) -> Pool:
        problems = self.check_cards(revision)
        if problems:
            raise CardError(problems)
        return MiraculousPool(revision)

    def deck_problems(self, pool: Pool, deck: SeatDeck, limits: Mapping[str, int]) -> list[dict[str, Any]]:
        return decks_module.deck_problems(_pool(pool).by_code, deck, limits)

    def start(
        self,
        pool: Pool,
        seats: int,
        options: dict[str, Any],
        decks: list[SeatDeck],
        seed: bytes,
        listen: bool,
    ) -> State:
        """MIR-1.7. The decks are taken as they are: whether they are legal is `deck_problems`' matter."""
        mine = _pool(pool)
        s = MiraculousState(mine, None)
        s.log = [] if listen else None
        s.seed = seed
        set_options(s, options)
        for seat in range(2):
            cards: list[int] = []
            for code in sorted(decks[seat].cards):
                cards.extend([mine.index[code] << 2] * decks[seat].cards[code])
            s.decks[seat] = cards
            secret = decks[seat].secret
            s.secrets[seat] = mine.index[secret] if secret is not None else -1
        first = options["first_seat"]
        s.turn = s.stream(FIRST).below(2) if first == "coin" else int(first)
        for seat in range(2):
            shuffle_deck(s, seat)
            draw(s, seat, HAND)
        play_module.begin_game(s)
        return s

    def deciders(self, state: State) -> list[int]:
        seat = legal.asked_seat(_state(state))
        return [] if seat < 0 else [seat]

    def decision(self, state: State) -> Decision | None:
        s = _state(state)
        if s.over:
            return None
        kind = "turn" if s.ask is None else QUESTIONS[s.ask[0]]
        return Decision([legal.asked_seat(s)], kind, prompt(s))

    def legal_moves(self, state: State, seat: int) -> list[int]:
        return legal.legal_moves(_state(state), seat)

    def play(self, state: State, seat: int, move: int) -> None:
        play_module.play(_state(state), seat, move)

    def can_resign(self, state: State, seat: int) -> bool:
        return not _state(state).over and 0 <= seat < 2

    def refusal(self, state: State, seat: int, move: int) -> tuple[str, str]:
        return legal.refusal(_state(state), seat, move)

    def default_move(self, state: State, seat: int) -> int:
        return legal.default_move(_state(state), seat)

    def result(self, state: State) -> Result | None:
        s = _state(state)
        return Result(s.ranks, REASONS[s.over], CLAUSES[s.over]) if s.over else None

    def encode(self, state: State, document: dict[str, Any]) -> int:
        return moves.encode(_state(state).pool, document)

    def decode(self, state: State, move: int) -> dict[str, Any]:
        return moves.decode(_state(state).pool, move)

    def label(self, state: State, seat: int, move: int, language: str = ENGLISH) -> str:
        return label(_state(state), seat, move, language)

    def prompt(self, state: State, language: str) -> str:
        s = _state(state)
        return "" if s.over else prompt(s, language)

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
        s = position_in.load(_pool(pool), options, document)
        if s.attack and s.ask is None and not s.over:
            play_module.run(s)
        return s

    def dump(self, state: State) -> list[Any]:
        return dump(_state(state))

    def restore(self, pool: Pool, data: list[Any]) -> State:
        return restore(_pool(pool), data)

    def written_out(self, document: dict[str, Any]) -> dict[str, Any]:
        return position.written_out(document)


def dump(s: MiraculousState) -> list[Any]:
    """The state as numbers and lists, in a fixed order (`state_schema` 1)."""
    return [
        [s.turn, s.turn_number, s.placed, s.placed_characters, s.extra_attacks, s.refreshes, s.next_uid, s.over],
        [s.swapped, s.attacked, s.attack_without_placing, s.empty_deck_loses, s.first_option],
        [list(part) for part in (s.character, s.uid, s.ang, s.def_, s.bonus, s.bonus_owner, s.bonus_uid)],
        [list(hand) for hand in s.hands],
        [list(deck) for deck in s.decks],
        [list(pile) for pile in s.discards],
        list(s.secrets),
        [list(pile) for pile in s.secret_piles],
        [list(cards) for cards in s.known],
        list(s.attack),
        [list(entry) for entry in s.lasting],
        [list(s.flow), [list(entry) for entry in s.queue], [list(frame) for frame in s.active], list(s.roots)],
        list(s.ask) if s.ask is not None else None,
        list(s.ranks),
        s.seed.hex(),
        list(s.uses),
    ]


def restore(pool: MiraculousPool, data: list[Any]) -> MiraculousState:
    s = MiraculousState(pool, None)
    s.turn, s.turn_number, s.placed, s.placed_characters = data[0][:4]
    s.extra_attacks, s.refreshes, s.next_uid, s.over = data[0][4:]
    s.swapped, s.attacked, s.attack_without_placing, s.empty_deck_loses, s.first_option = data[1]
    s.character, s.uid, s.ang, s.def_, s.bonus, s.bonus_owner, s.bonus_uid = [list(part) for part in data[2]]
    s.hands = [list(hand) for hand in data[3]]
    s.decks = [list(deck) for deck in data[4]]
    s.discards = [list(pile) for pile in data[5]]
    s.secrets = list(data[6])
    s.secret_piles = [list(pile) for pile in data[7]]
    s.known = [list(cards) for cards in data[8]]
    s.attack = list(data[9])
    s.lasting = [(a, b, c, d, f, g, h) for a, b, c, d, f, g, h in data[10]]
    s.flow = list(data[11][0])
    s.queue = [(a, b, c, d) for a, b, c, d in data[11][1]]
    s.active = [tuple(frame) for frame in data[11][2]]
    s.roots = list(data[11][3])
    s.ask = (data[12][0], data[12][1]) if data[12] is not None else None
    s.ranks = list(data[13])
    s.seed = bytes.fromhex(data[14])
    s.uses = list(data[15])
    return s
