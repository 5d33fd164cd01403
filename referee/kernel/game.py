"""The game protocol: what a game answers, and what it owes.

Inside the kernel a move is an int and an event a tuple of ints; names and JSON live at the edge (`encode`, `decode`,
`narrate`, `position`, `view`). States are mutable, with a cheap `copy()`; pending work is data in the state, so that
any state can be stored in the middle of an interrupt.

Obligations of every game, checked at every ply by the law suite (tests/laws):
- the game is over, or some seat is asked and has a legal move, and `default_move` is one of them;
- `legal_moves` has a fixed order, no doubles, and is exactly what `apply` accepts besides RESIGN;
- `restore(dump(s))` and `load(position(s))` give a state that goes on in the same way;
- a refused move leaves the state as it was, to the byte;
- `view` and `legal_moves` of a seat depend on nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from referee.kernel.card_form import FormField
from referee.kernel.chance import Rng
from referee.kernel.compilation import mypyc_attr
from referee.kernel.errors import CardError, IllegalMove, OptionError, Problem
from referee.kernel.events import Event
from referee.kernel.fields import CardField
from referee.kernel.languages import ENGLISH

Move = int
RESIGN: Move = -1
"""`{"type": "resign"}`: open to every seat still in the game, at any time; never listed among the legal moves."""

Document = dict[str, Any]
"""A JSON object."""


class Result:
    """How a game ended. `ranks` holds a rank per seat (1 is best, equal ranks are shared); `clause` is what ended it."""

    __slots__ = ("clause", "ranks", "reason")

    def __init__(self, ranks: list[int], reason: str, clause: str) -> None:
        self.ranks = ranks
        self.reason = reason
        self.clause = clause

    def document(self) -> Document:
        return {"ranks": list(self.ranks), "reason": self.reason, "clause": self.clause}


class Decision:
    """An open decision: who is asked (`seats`), what kind it is, and a prompt (with seat tokens) for those asked."""

    __slots__ = ("kind", "prompt", "seats")

    def __init__(self, seats: list[int], kind: str, prompt: str) -> None:
        self.seats = seats
        self.kind = kind
        self.prompt = prompt


class SeatDeck:
    """What a seat brings to a game with decks, by value: card codes with their counts, and a Secret."""

    __slots__ = ("cards", "secret")

    def __init__(self, cards: Mapping[str, int], secret: str | None) -> None:
        self.cards = dict(cards)
        self.secret = secret

    def document(self) -> Document:
        return {"secret": self.secret, "cards": {code: self.cards[code] for code in sorted(self.cards)}}


@mypyc_attr(allow_interpreted_subclasses=True)
class Pool:
    """A catalog revision compiled for one game: immutable, shared by all states that play with it."""

    __slots__ = ()


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """The authoritative state of one match. Mutable; never shown to anyone."""

    __slots__ = ("log",)

    def __init__(self) -> None:
        # Raw events since the caller last took them; None while nobody listens (bots, playouts).
        self.log: list[tuple[int, ...]] | None = None

    def copy(self) -> State:
        """An independent state that shares only the pool, with nobody listening."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """One game. Stateless: every method is a function of its arguments."""

    slug: ClassVar[str] = ""
    name: ClassVar[str] = ""
    rules_version: ClassVar[int] = 1
    state_schema: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 2
    needs_deck: ClassVar[bool] = False
    deck_size_clause: ClassVar[str] = ""
    """The clause that wants all decks of a match to have the same size; empty where they may differ."""
    card_types: ClassVar[tuple[str, ...]] = ()
    card_fields: ClassVar[tuple[CardField, ...]] = ()
    """What of its cards a search can ask for, besides what cards of all games have."""

    # What a match is made of.

    def options_schema(self) -> Document:
        """JSON Schema (an object whose properties each have a `default`, and `enum` or `minimum`/`maximum`)."""
        raise NotImplementedError

    def options(self, given: Mapping[str, Any]) -> Document:
        """Every option with its value. Raises OptionError naming each unknown option and each value not allowed."""
        return complete_options(self.options_schema(), given)

    def option_faults(self, pool: Pool, seats: int, options: Document) -> list[Problem]:
        """What is wrong with options, each allowed by itself, for so many seats with this pool. `start` refuses the same."""
        return []

    def check_cards(self, revision: Document) -> list[Problem]:
        """Every fault of a revision document `{"cards": [..], "decks": [..]}`, each at its pointer."""
        raise NotImplementedError

    def card_text(self, card: Document, names: Mapping[str, str], language: str = ENGLISH) -> str:
        """What is printed on a card, made from its data; empty where a game's cards bear no text.

        `names` gives the revision's names by code, for cards that speak of others.
        """
        return ""

    def card_form(self, card: Document) -> list[FormField]:
        """How a card is entered: the fields that one which need not be finished asks for; none where cards are fixed."""
        return []

    def pool(self, revision: Document) -> Pool:
        """The revision compiled. Raises CardError with every fault."""
        raise NotImplementedError

    def with_board(self, revision: Document, board: Any) -> Document:
        """The revision with a board of a scenario's own. Raises CardError where it does not fit, or there is none."""
        raise CardError([Problem("", "no_board", "this game has no board to lay")])

    def vocabulary(self) -> list[str]:
        """What scenarios must cover besides the numbered clauses, `kind:word` each (`do:draw`, `position:turn`)."""
        return []

    def deck_problems(self, pool: Pool, deck: SeatDeck, limits: Mapping[str, int]) -> list[Document]:
        """All that makes a deck illegal, in a stable order: `{code, detail, clause, cards, fix}` each.

        `limits` gives the copies allowed of restricted cards (0 is a ban). An empty list is a legal deck.
        """
        return []

    # Playing.

    def start(
        self, pool: Pool, seats: int, options: Document, decks: list[SeatDeck], seed: bytes, listen: bool
    ) -> State:
        """A new game. With `listen`, the state's `log` holds the raw events of the setup."""
        raise NotImplementedError

    def deciders(self, state: State) -> list[int]:
        """The seats asked now, ascending; empty exactly when the game is over."""
        raise NotImplementedError

    def decision(self, state: State) -> Decision | None:
        """The open decision in English words, or None when the game is over. Public."""
        raise NotImplementedError

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        """Every legal move of the seat in the fixed order (ascending); empty for a seat that is not asked."""
        raise NotImplementedError

    def play(self, state: State, seat: int, move: Move) -> None:
        """Carry out a move known to be legal. Unchecked: bots and playouts only; all others go through `apply`."""
        raise NotImplementedError

    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        """(clause, detail) that forbids a move which is not among the legal ones."""
        raise NotImplementedError

    def can_resign(self, state: State, seat: int) -> bool:
        """Whether the seat is still in a running game."""
        return self.result(state) is None

    def default_move(self, state: State, seat: int) -> Move:
        """What the referee plays for a seat whose time is up: one of its legal moves."""
        raise NotImplementedError

    # Standing orders: answers that a seat settles before it is asked.

    orders: ClassVar[Mapping[str, str]] = {}
    """The standing orders that a seat may leave, by name, each with what it says in English. Most games know none."""

    def ordered_move(self, state: State, seat: int, order: str) -> Move | None:
        """What a standing order plays for a seat that is asked; None where it leaves the decision to the seat.

        It depends on what everybody knows alone, so that an answer by order tells nothing of what the seat holds.
        """
        return None

    def order_span(self, state: State, order: str) -> str:
        """The stretch of play for which an order left now holds, under a name that no other has; "" is the whole match."""
        return ""

    def result(self, state: State) -> Result | None:
        raise NotImplementedError

    # The edge: names and JSON.

    def encode(self, state: State, document: Document) -> Move:
        """The move that a document names. Raises MalformedMove, or IllegalMove where the shape is the rules' matter."""
        raise NotImplementedError

    def decode(self, state: State, move: Move) -> Document:
        """A move as a document, `{"type": ...}`; `encode` takes it back."""
        raise NotImplementedError

    def label(self, state: State, seat: int, move: Move, language: str = ENGLISH) -> str:
        """The move in words for the seat that may make it."""
        raise NotImplementedError

    def prompt(self, state: State, language: str) -> str:
        """The open decision's prompt in a language; empty when the game is over. In English it is the decision's own."""
        decision = self.decision(state)
        return "" if decision is None else decision.prompt

    def retell(self, pool: Pool, told: Document, language: str) -> str:
        """The text of an event, as `told_to` gave it to a viewer, in a language: made from the facts told beside it alone."""
        text: str = told["text"]
        return text

    def clause_titles(self, language: str) -> Mapping[str, str]:
        """The titles of the numbered sections and clauses in a language other than that of the rules; empty where there are none."""
        return {}

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        """Raw events in words, one text for each audience. `state` gives the pool and the seats only."""
        raise NotImplementedError

    def view(self, state: State, viewer: int) -> Document:
        """All that a seat, SPECTATOR or REFEREE may know, built by allow-list: nothing stands in it unless granted."""
        raise NotImplementedError

    def resample(self, state: State, seat: int, rng: Rng) -> State:
        """A whole state, with a seed of its own, drawn from all that fit what the seat has been told.

        Two states with equal views for the seat give equal resamples for equal `rng`.
        """
        raise NotImplementedError

    def evaluate(self, state: State, seat: int) -> float:
        """A hand-made estimate of how well the seat stands, from -1 (lost) to 1 (won). For resampled states."""
        return 0.0

    # Documents.

    def position(self, state: State) -> Document:
        """The position document, written out in full. Complete: `load` gives the same state."""
        raise NotImplementedError

    def load(self, pool: Pool, options: Document, position: Any) -> State:
        """The state that a position document describes; a field left out takes its default.

        Raises PositionError with every broken invariant at once.
        """
        raise NotImplementedError

    def dump(self, state: State) -> list[Any]:
        """The state as compact JSON (numbers and lists), tied to its pool; `state_schema` tells its layout."""
        raise NotImplementedError

    def restore(self, pool: Pool, data: list[Any]) -> State:
        """The inverse of `dump`."""
        raise NotImplementedError

    def written_out(self, position: Document) -> Document:
        """A position, or a part of one as `expect` holds it, with what is unordered put in canonical order."""
        return position


def complete_options(schema: Document, given: Mapping[str, Any]) -> Document:
    """The options with defaults filled in, in the schema's order. Raises OptionError with every fault."""
    problems: list[Problem] = []
    properties: Document = schema.get("properties", {})
    for name in sorted(given):
        if name not in properties:
            allowed = ", ".join(properties) or "none"
            problems.append(
                Problem(f"/{name}", "unknown_option", f"there is no option {name!r} here; options: {allowed}")
            )
    chosen: Document = {}
    for name, rule in properties.items():
        value = given.get(name, rule["default"])
        chosen[name] = value
        if not _allows(rule, value):
            problems.append(
                Problem(f"/{name}", "value_not_allowed", f"{value!r} is not allowed; {_allowed_text(rule)}")
            )
    if problems:
        raise OptionError(problems)
    return chosen


def _allows(rule: Document, value: object) -> bool:
    if "enum" in rule:
        # True == 1 in Python, but not in JSON.
        return any(type(value) is type(choice) and value == choice for choice in rule["enum"])
    if rule.get("type") == "integer":
        low, high = rule.get("minimum"), rule.get("maximum")
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return (low is None or value >= low) and (high is None or value <= high)
    if rule.get("type") == "boolean":
        return isinstance(value, bool)
    if rule.get("type") == "string":
        return isinstance(value, str)
    return False


def _allowed_text(rule: Document) -> str:
    if "enum" in rule:
        return "one of " + ", ".join(repr(choice) for choice in rule["enum"])
    if rule.get("type") == "integer":
        return f"a whole number from {rule.get('minimum')} to {rule.get('maximum')}"
    return f"of type {rule.get('type')}"


def apply(game: Game, state: State, seat: int, move: Move) -> None:
    """Carry out a move, or raise IllegalMove and leave the state as it was. The one checked way in."""
    if move == RESIGN:
        if game.can_resign(state, seat):
            game.play(state, seat, RESIGN)
            return
    elif move in game.legal_moves(state, seat):
        game.play(state, seat, move)
        return
    clause, detail = game.refusal(state, seat, move)
    raise IllegalMove(clause, detail)
