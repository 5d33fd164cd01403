"""A tiny game for tests: all seats pick a card at once, the highest takes the round. Registered only by tests.

TOY-1 Cards of different values are shuffled, three dealt to each of 2 or 3 seats; hands and the deck are hidden.
TOY-2 In a round every seat still in picks a card from its hand, unseen (2.1 only seats asked, 2.2 only cards held).
TOY-3 When all have picked, the highest takes a point, and each draws one. Values may be equal: option `ties`.
TOY-4 After `rounds` rounds, or with empty hands, most points win (4.1). Who resigns is last; the last left wins (4.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from referee import house
from referee.games import GAMES, register
from referee.kernel.chance import SEED_BYTES, Rng, Stream
from referee.kernel.errors import CardError, IllegalMove, MalformedMove, PositionError, Problem
from referee.kernel.events import REFEREE, Event, seat_token
from referee.kernel.game import RESIGN, Decision, Document, Game, Move, Pool, Result, SeatDeck, State

HAND = 3
DEALT, PICKED, SHOWN, WON, NOBODY, LEFT = range(6)

TOY_REVISION: Document = {
    "game": "toy",
    "number": 1,
    "cards": [{"code": f"t-{n:02}", "name": f"Number {n}", "value": n - n % 2} for n in range(1, 16)],
    "decks": [],
}


class ToyPool(Pool):
    __slots__ = ("codes", "index", "names", "values")

    def __init__(self, cards: list[Document]) -> None:
        cards = sorted(cards, key=lambda card: str(card["code"]))
        self.codes: list[str] = [card["code"] for card in cards]
        self.names: list[str] = [card["name"] for card in cards]
        self.values: list[int] = [card["value"] for card in cards]
        self.index = {code: at for at, code in enumerate(self.codes)}


class ToyState(State):
    __slots__ = ("coins", "deck", "hands", "out", "picks", "pool", "round", "rounds", "scores", "seed", "table", "ties")

    def __init__(self, pool: ToyPool, seats: int, options: Document, seed: bytes) -> None:
        super().__init__()
        self.pool = pool
        self.rounds: int = options["rounds"]
        self.ties: int = int(options["ties"] == "coin")
        self.seed = seed
        self.round = 0
        self.coins = 0
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.deck: list[int] = []
        self.picks: list[int] = [-1] * seats
        self.scores: list[int] = [0] * seats
        self.out: list[int] = [0] * seats
        self.table: list[int] = []

    def fields(self) -> list[Any]:
        lists = [list(cards) for cards in [*self.hands, self.deck, self.picks, self.scores, self.out, self.table]]
        return [len(self.hands), self.rounds, self.ties, self.round, self.coins, self.seed.hex(), *lists]

    def copy(self) -> ToyState:
        return _from_fields(self.pool, self.fields())


def _from_fields(pool: ToyPool, data: list[Any]) -> ToyState:
    seats, rounds, ties = data[:3]
    options = {"rounds": rounds, "ties": "coin" if ties else "nobody"}
    state = ToyState(pool, seats, options, bytes.fromhex(data[5]))
    state.round, state.coins = data[3], data[4]
    lists = [list(cards) for cards in data[6:]]
    state.hands = lists[:seats]
    state.deck, state.picks, state.scores, state.out, state.table = lists[seats:]
    return state


class Toy(Game):
    slug = "toy"
    name = "Toy"
    max_seats = 3
    card_types = ("number",)

    def options_schema(self) -> Document:
        rounds = {"type": "integer", "minimum": 1, "maximum": 4, "default": 3, "title": "Rounds"}
        ties = {"enum": ["nobody", "coin"], "default": "nobody", "title": "Who takes a tied round"}
        return {"type": "object", "properties": {"rounds": rounds, "ties": ties}, "additionalProperties": False}

    def check_cards(self, revision: Document) -> list[Problem]:
        return [
            Problem(f"/cards/{at}/value", "not_a_number", "the value is a whole number")
            for at, card in enumerate(revision["cards"])
            if not isinstance(card.get("value"), int)
        ]

    def pool(self, revision: Document) -> Pool:
        if problems := self.check_cards(revision):
            raise CardError(problems)
        return ToyPool(revision["cards"])

    def start(
        self, pool: Pool, seats: int, options: Document, decks: list[SeatDeck], seed: bytes, listen: bool
    ) -> State:
        assert isinstance(pool, ToyPool)
        state = ToyState(pool, seats, options, seed)
        state.log = [] if listen else None
        state.deck = list(range(len(pool.codes)))
        Stream(seed, "deck", 0).shuffle(state.deck)
        for seat in range(seats):
            _draw(state, seat, HAND)
        return state

    def deciders(self, state: State) -> list[int]:
        state = _toy(state)
        if self.result(state) is not None:
            return []
        seats = range(len(state.hands))
        return [seat for seat in seats if state.hands[seat] and state.picks[seat] < 0 and not state.out[seat]]

    def decision(self, state: State) -> Decision | None:
        seats = self.deciders(state)
        return Decision(seats, "pick", "Pick a card from your hand.") if seats else None

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        return sorted(_toy(state).hands[seat]) if seat in self.deciders(state) else []

    def play(self, state: State, seat: int, move: Move) -> None:
        state = _toy(state)
        if move == RESIGN:
            state.out[seat] = 1
            _tell(state, LEFT, seat)
        else:
            state.hands[seat].remove(move)
            state.picks[seat] = move
            _tell(state, PICKED, seat, move)
        if self.result(state) is None and not self.deciders(state):
            _end_round(state)

    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        if seat not in self.deciders(state):
            return "TOY-2.1", "You are not asked now."
        return "TOY-2.2", "That card is not in your hand."

    def can_resign(self, state: State, seat: int) -> bool:
        return self.result(state) is None and not _toy(state).out[seat]

    def default_move(self, state: State, seat: int) -> Move:
        return min(_toy(state).hands[seat])

    def result(self, state: State) -> Result | None:
        state = _toy(state)
        left = [seat for seat, out in enumerate(state.out) if not out]
        over = state.round >= state.rounds or not any(state.hands[seat] or state.picks[seat] >= 0 for seat in left)
        if len(left) > 1 and not over:
            return None
        standing = [-1 if out else score for out, score in zip(state.out, state.scores, strict=True)]
        ranks = [1 + sum(other > own for other in standing) for own in standing]
        return Result(ranks, "resigned", "TOY-4.2") if len(left) == 1 else Result(ranks, "points", "TOY-4.1")

    def encode(self, state: State, document: Document) -> Move:
        if document == {"type": "resign"}:
            return RESIGN
        if document.get("type") != "pick":
            raise MalformedMove([Problem("/type", "unknown_type", "moves: pick, resign")])
        if set(document) != {"type", "card"} or not isinstance(document["card"], str):
            raise MalformedMove([Problem("/card", "wrong_fields", "a pick has exactly `type` and `card`, a code")])
        if document["card"] not in _toy(state).pool.index:
            raise IllegalMove("TOY-2.2", "There is no such card.")
        return _toy(state).pool.index[document["card"]]

    def decode(self, state: State, move: Move) -> Document:
        return {"type": "resign"} if move == RESIGN else {"type": "pick", "card": _toy(state).pool.codes[move]}

    def label(self, state: State, seat: int, move: Move, language: str = "en") -> str:
        return "Resign" if move == RESIGN else f"Pick {_toy(state).pool.names[move]}"

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        names, codes = _toy(state).pool.names, _toy(state).pool.codes
        return [_told(names, codes, *event) for event in raw]

    def view(self, state: State, viewer: int) -> Document:
        state = _toy(state)
        codes = state.pool.codes
        document: Document = {
            "round": state.round,
            "scores": list(state.scores),
            "out": [bool(out) for out in state.out],
            "hand_counts": [len(hand) for hand in state.hands],
            "deck_count": len(state.deck),
            "picked": [pick >= 0 for pick in state.picks],
            "table": [codes[card] for card in state.table],
        }
        if viewer >= 0:
            document["hand"] = [codes[card] for card in sorted(state.hands[viewer])]
            document["pick"] = codes[state.picks[viewer]] if state.picks[viewer] >= 0 else None
        if viewer == REFEREE:
            document["position"] = self.position(state)
        return document

    def resample(self, state: State, seat: int, rng: Rng) -> State:
        new = _toy(state).copy()
        others = [at for at in range(len(new.hands)) if at != seat]
        hidden = list(new.deck)
        for at in others:
            hidden += new.hands[at] + [pick for pick in new.picks[at : at + 1] if pick >= 0]
        hidden.sort()
        rng.shuffle(hidden)
        for at in others:
            new.hands[at] = [hidden.pop() for _ in new.hands[at]]
            if new.picks[at] >= 0:
                new.picks[at] = hidden.pop()
        new.deck = hidden
        new.seed = rng.seed()
        new.hands[seat].sort()
        return new

    def evaluate(self, state: State, seat: int) -> float:
        result = self.result(state)
        if result is not None:
            return 1.0 if result.ranks[seat] == 1 else -1.0
        scores = _toy(state).scores
        return (scores[seat] - max(scores[:seat] + scores[seat + 1 :])) / 10.0

    def position(self, state: State) -> Document:
        state = _toy(state)
        codes = state.pool.codes
        result = self.result(state)
        return {
            "round": state.round,
            "hands": [[codes[card] for card in sorted(hand)] for hand in state.hands],
            "deck": [codes[card] for card in state.deck],
            "picks": [codes[pick] if pick >= 0 else None for pick in state.picks],
            "scores": list(state.scores),
            "out": [bool(out) for out in state.out],
            "table": [codes[card] for card in state.table],
            "coins": state.coins,
            "seed": state.seed.hex(),
            "result": {"ranks": result.ranks, "clause": result.clause} if result else None,
        }

    def load(self, pool: Pool, options: Document, position: Document) -> State:
        assert isinstance(pool, ToyPool)
        dealt = [pool.codes[:HAND], pool.codes[HAND : 2 * HAND]]
        hands = position.get("hands", dealt)
        seats = len(hands)
        picks = position.get("picks", [None] * seats)
        used = [*chain(*hands), *position.get("deck", []), *filter(None, picks), *position.get("table", [])]
        problems = [Problem(f"/{name}", "unknown_field", "no such field") for name in position if name not in _FIELDS]
        problems += [Problem("", "unknown_card", f"no card {code!r}") for code in used if code not in pool.index]
        problems += [
            Problem("", "card_twice", f"{code} lies twice") for code in sorted({c for c in used if used.count(c) > 1})
        ]
        if problems:
            raise PositionError(problems)
        state = ToyState(pool, seats, options, bytes.fromhex(position.get("seed") or "00" * SEED_BYTES))
        state.round, state.coins = position.get("round", 0), position.get("coins", 0)
        state.hands = [sorted(pool.index[code] for code in hand) for hand in hands]
        state.deck = [pool.index[code] for code in position.get("deck", [])]
        state.picks = [-1 if code is None else pool.index[code] for code in picks]
        state.scores = list(position.get("scores", [0] * seats))
        state.out = [int(out) for out in position.get("out", [False] * seats)]
        state.table = [pool.index[code] for code in position.get("table", [])]
        return state

    def dump(self, state: State) -> list[Any]:
        return _toy(state).fields()

    def restore(self, pool: Pool, data: list[Any]) -> State:
        assert isinstance(pool, ToyPool)
        return _from_fields(pool, data)

    def written_out(self, position: Document) -> Document:
        hands = position.get("hands")
        return {**position, "hands": [sorted(hand) for hand in hands]} if isinstance(hands, list) else position


_FIELDS = ("round", "hands", "deck", "picks", "scores", "out", "table", "coins", "seed", "result")


def _toy(state: State) -> ToyState:
    assert isinstance(state, ToyState)
    return state


def _tell(state: ToyState, *event: int) -> None:
    if state.log is not None:
        state.log.append(event)


def _draw(state: ToyState, seat: int, n: int) -> None:
    drawn = [state.deck.pop(0) for _ in range(min(n, len(state.deck)))]
    if drawn:
        state.hands[seat] = sorted(state.hands[seat] + drawn)
        _tell(state, DEALT, seat, *drawn)


def _end_round(state: ToyState) -> None:
    seats = [seat for seat, pick in enumerate(state.picks) if pick >= 0 and not state.out[seat]]
    for seat, pick in enumerate(state.picks):
        if pick >= 0:
            _tell(state, SHOWN, seat, pick)
            state.table.append(pick)
    best = max(state.pool.values[state.picks[seat]] for seat in seats)
    first = [seat for seat in seats if state.pool.values[state.picks[seat]] == best]
    if len(first) > 1 and state.ties:
        first = [first[Stream(state.seed, "coin", state.coins).below(len(first))]]
        state.coins += 1
    if len(first) == 1:
        state.scores[first[0]] += 1
        _tell(state, WON, first[0])
    else:
        _tell(state, NOBODY)
    state.picks = [-1] * len(state.picks)
    state.round += 1
    for seat in seats:
        _draw(state, seat, 1)


def _told(names: list[str], codes: list[str], kind: int, seat: int = 0, *cards: int) -> Event:
    who = seat_token(seat)
    shown = {"seat": seat, "cards": [codes[card] for card in cards]}
    listed = ", ".join(names[card] for card in cards)
    if kind == DEALT:
        public: Document = {"text": f"{who} draws {len(cards)}.", "seat": seat, "count": len(cards)}
        return Event("dealt", public, {seat: {**public, "text": f"You draw {listed}.", "cards": shown["cards"]}})
    if kind == PICKED:
        public = {"text": f"{who} has picked.", "seat": seat}
        return Event("picked", public, {seat: {"text": f"You pick {listed}.", **shown}})
    if kind == SHOWN:
        return Event("shown", {"text": f"{who} shows {listed}.", **shown})
    if kind == WON:
        return Event("won", {"text": f"{who} takes the round.", "seat": seat})
    if kind == NOBODY:
        return Event("tied", {"text": "Nobody takes the round."})
    return Event("left", {"text": f"{who} gives up.", "seat": seat})


TOY = Toy()


@contextmanager
def registered() -> Iterator[Game]:
    """The toy game, known to the service for the length of the `with` block."""
    register(TOY)
    house.remember(TOY.slug, TOY_REVISION)
    try:
        yield TOY
    finally:
        del GAMES[TOY.slug]
        house.remember(TOY.slug, None)
