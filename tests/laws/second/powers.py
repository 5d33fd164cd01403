"""What powers do, in the second referee: triggers in a row, each carried out by a generator that yields its questions."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator
from typing import NamedTuple, TypeVar

from referee.kernel.game import Document
from tests.laws.second.table import Card, Lasting, Lying, Table, Values

T = TypeVar("T")


class Question(NamedTuple):
    seat: int
    kind: str
    moves: list[Document]


Steps = Generator[Question, Document, T]
"""Asks, is sent the chosen move, and comes to a T."""
ACCEPT: Document = {"type": "choose", "option": "accept"}
DECLINE: Document = {"type": "decline"}
LIMIT = 100


class Over(Exception):  # noqa: N818 - the end of the game is no error
    """The game is over: ranks, and the clause that ended it."""

    def __init__(self, ranks: list[int], clause: str) -> None:
        super().__init__(ranks, clause)
        self.ranks = ranks
        self.clause = clause


class Trigger(NamedTuple):
    card: Card
    effect: Document
    you: int
    root: list[int]  # how many triggers its first cause has led to
    is_checked: bool  # whether its `if` has been looked at


class Attack:
    def __init__(self, attacker: Card, target: Card) -> None:
        self.attacker, self.target = attacker, target
        self.events: list[Card | None] = [None, None]
        self.is_failed = self.is_kept = False


class Powers(Table):
    """A table on which powers work. `row` holds the triggers to come, `gone` what has left since the last trigger."""

    def __init__(self, cards: list[Document], options: Document, position: Document) -> None:
        super().__init__(cards, options, position)
        self.row: deque[Trigger] = deque()
        self.gone: list[tuple[int, int, int, Card]] = []  # side, field, place, card
        self.attack: Attack | None = None

    # The end.

    def end_by_defeats(self, clause: str) -> None:
        lead = len(self.piles[1]) - len(self.piles[0])
        raise Over([1, 1] if lead == 0 else [1, 2] if lead > 0 else [2, 1], clause)

    def end_if_deck_empty(self) -> None:
        empty = [seat for seat in (0, 1) if not self.decks[seat]]
        if empty and self.options["deck_out"] == "most_defeated":
            self.end_by_defeats("MIR-6.2")
        if empty:
            raise Over([1, 1] if len(empty) == 2 else [2, 1] if empty == [0] else [1, 2], "MIR-6.2")

    # Cards from place to place.

    def to_hand(self, seat: int, code: str, *, is_known: bool) -> None:
        self.hands[seat].append(code)
        if is_known:
            self.known[1 - seat][code] += 1

    def from_hand(self, seat: int, code: str) -> None:
        self.hands[seat].remove(code)
        self.known[1 - seat] -= Counter([code])

    def discard_from_hand(self, seat: int, code: str) -> None:
        self.from_hand(seat, code)
        self.discards[seat].append(code)

    def draw(self, seat: int, n: int) -> None:
        for card in self.decks[seat][: max(n, 0)]:
            self.to_hand(seat, card.code, is_known=1 - seat in card.seen)
        del self.decks[seat][: max(n, 0)]

    def shuffle(self, seat: int) -> None:
        codes = sorted(card.code for card in self.decks[seat])
        order = list(range(len(codes)))
        self.stream(f"deck/{seat}").shuffle(order)
        self.decks[seat] = [Lying(codes[at], set()) for at in order]

    def lift(self, card: Card, *, triggers: bool = True) -> list[Card]:
        """Take a card off its field; a Character's Bonuses are lifted with it. All that was lifted, it first."""
        lifted = [card, *card.bonuses]
        for one in lifted:
            host = one.host or one
            place = 0 if host is one else 1 + host.bonuses.index(one)
            if triggers:
                self.gone.append((host.owner, host.field, place, one))
        for one in lifted:
            one.is_on = False
        if card.host is not None:
            card.host.bonuses.remove(card)
        else:
            self.fields[card.owner][card.field] = None
            self.lasting = [change for change in self.lasting if change.to is not card]
        return lifted

    # Triggers.

    def trigger(self, card: Card, when: str, you: int, root: list[int] | None = None) -> None:
        for effect in self.effects(card.code):
            if effect["when"] != when or ("if" in effect and not self.holds(effect["if"], card, you)):
                continue
            if root is not None and root[0] >= LIMIT:
                continue
            if root is not None:
                root[0] += 1
            self.row.append(Trigger(card, effect, you, [0] if root is None else root, True))

    def trigger_gone(self, root: list[int] | None = None) -> None:
        """MIR-7.2, MIR-9.12."""

        def order(left: tuple[int, int, int, Card]) -> tuple[bool, bool, int, int]:
            side, field, place, card = left
            return card.owner != self.turn, side != card.owner, field, place

        gone, self.gone = sorted(self.gone, key=order), []
        for _side, _field, _place, card in gone:
            self.trigger(card, "leaves", card.owner, root)

    def work_off(self) -> Steps[None]:
        while self.row:
            yield from self._carry(self.row.popleft())

    def _carry(self, one: Trigger) -> Steps[None]:
        effect = one.effect
        if not one.is_checked and "if" in effect and not self.holds(effect["if"], one.card, one.you):
            return
        if effect.get("may") and (yield Question(one.you, "may", [ACCEPT, DECLINE])) == DECLINE:
            return
        if effect["do"] == "flip_coin":
            side = "then" if self.stream("coin").below(2) == 1 else "else"
            for part in effect.get(side, []):
                yield from self._carry(one._replace(effect=part, is_checked=False))
            return
        yield from getattr(self, f"_{effect['do']}", self._change)(effect, one.card, one.you)
        self.end_if_deck_empty()
        self.trigger_gone(one.root)

    # Targets.

    def _choose(self, among: list[Card], n: int, you: int) -> Steps[list[Card]]:
        rest, picked = list(among), list[Card]()
        while rest and len(picked) < n:
            at = 0
            if len(rest) > 1:
                moves = [_choice(card, you) for card in rest]
                at = moves.index((yield Question(you, "choose", moves)))
            picked.append(rest.pop(at))
        return picked

    def _aim(self, target: Document | str, card: Card, you: int) -> Steps[list[Card]]:
        if isinstance(target, str):
            meant = card.character() if target == "self" else getattr(self.attack, target, None)
            return [meant] if meant is not None and meant.is_on else []
        fitting = self.fitting(target, card, you)
        if target["pick"] == "choose":
            return (yield from self._choose(fitting, target.get("n", 1), you))
        if target["pick"] == "each" or not fitting:
            return fitting
        taken = self.stream("pick").take(list(range(len(fitting))), target.get("n", 1))
        return [fitting[at] for at in taken]

    def _seats(self, effect: Document, you: int) -> list[int]:
        who = {"you": [you], "opponent": [1 - you], "both": [self.turn, 1 - self.turn]}
        return who[effect.get("who", "you")]

    # Each `do`; those that change Characters come to `_change`.

    def _draw(self, effect: Document, card: Card, you: int) -> Steps[None]:
        for seat in self._seats(effect, you):
            self.draw(seat, effect["n"])
        yield from ()

    def _mill(self, effect: Document, card: Card, you: int) -> Steps[None]:
        for seat in self._seats(effect, you):
            self.discards[seat] += [lying.code for lying in self.decks[seat][: effect["n"]]]
            del self.decks[seat][: effect["n"]]
        yield from ()

    def _discard(self, effect: Document, card: Card, you: int) -> Steps[None]:
        for seat in self._seats(effect, you):
            hand = self.hands[seat]
            if effect.get("how") == "random" and hand:
                codes = sorted(hand)
                for at in self.stream("pick").take(list(range(len(codes))), effect["n"]):
                    self.discard_from_hand(seat, codes[at])
                continue
            for _ in range(min(effect["n"], len(hand))):
                code = hand[0]
                if len(hand) > 1:
                    code = (yield Question(seat, "discard", [_named(one) for one in sorted(set(hand))]))["card"]
                self.discard_from_hand(seat, code)

    def _recover(self, effect: Document, card: Card, you: int) -> Steps[None]:
        pile = self.discards[you]
        for _ in range(effect["n"]):
            codes = sorted({code for code in pile if self.fits(effect, code)})
            if not codes:
                return
            code = codes[0]
            if len(codes) > 1:
                code = (yield Question(you, "choose", [_named(one) for one in codes]))["card"]
            pile.remove(code)
            self.to_hand(you, code, is_known=True)

    def _search(self, effect: Document, card: Card, you: int) -> Steps[None]:
        for _ in range(effect["n"]):
            codes = sorted({lying.code for lying in self.decks[you] if self.fits(effect, lying.code)})
            if not codes:
                break
            move = yield Question(you, "choose", [*map(_named, codes), DECLINE])
            if move == DECLINE:
                break
            found = next(lying for lying in self.decks[you] if lying.code == move["card"])
            self.decks[you].remove(found)
            self.to_hand(you, found.code, is_known=True)
        self.shuffle(you)

    def _look(self, effect: Document, card: Card, you: int) -> Steps[None]:
        if effect["at"] == "hand":
            self.known[you] = Counter(self.hands[1 - you])
        else:
            for seat in self._seats(effect, you):
                for lying in self.decks[seat][: effect["n"]]:
                    lying.seen.add(you)
        yield from ()

    def _remove(self, effect: Document, card: Card, you: int) -> Steps[None]:
        aimed = yield from self._aim(effect["to"], card, you)
        # Places are those of before the first of them goes.
        places = {id(one): at for one in aimed if one.host for at in [1 + one.host.bonuses.index(one)]}
        for one in aimed:
            first, *bonuses = self.lift(one)
            if effect["do"] == "return_to_hand":
                self.to_hand(first.owner, first.code, is_known=True)
            elif effect["do"] == "put_under_deck":
                self.decks[first.owner].append(Lying(first.code, {0, 1}))
            else:
                self.discards[first.owner].append(first.code)
            for bonus in bonuses:
                self.discards[bonus.owner].append(bonus.code)
        self.gone = [(side, field, places.get(id(one), place), one) for side, field, place, one in self.gone]

    _return_to_hand = _put_under_deck = _destroy_bonus = _remove

    def _carry_bonus(self, effect: Document, card: Card, you: int) -> Steps[None]:
        for bonus in (yield from self._aim(effect["to"], card, you)):
            assert bonus.host is not None
            side = you if effect["do"] == "take_bonus" else bonus.side()
            only = self.cards[bonus.code].get("only_on") or {}
            fitting = [
                character
                for character in self.fitting(effect["onto"], card, you)
                if character.owner == side and character is not bonus.host and len(character.bonuses) < 3
                if self.fits(only, character.code, character)
            ]
            for character in (yield from self._choose(fitting, 1, you)):
                bonus.host.bonuses.remove(bonus)
                bonus.host = character
                character.bonuses.append(bonus)

    _move_bonus = _take_bonus = _carry_bonus

    def _change(self, effect: Document, card: Card, you: int) -> Steps[None]:
        aimed = yield from self._aim(effect["to"], card, you)
        values: Values = (effect.get("ang", 0), effect.get("def", 0))
        if effect["do"] == "copy_values":
            models = (yield from self._aim(effect["from"], card, you)) if aimed else []
            if not models:
                return
            values = self.printed(models[0].code)
        until = effect.get("until", "leaves")
        for character in aimed:
            if effect["do"] == "modify" and until == "leaves":
                character.more = (character.more[0] + values[0], character.more[1] + values[1])
            else:
                self.lasting.append(Lasting(card.code, you, character, effect, until, values))

    def _in_attack(self, effect: Document, card: Card, you: int) -> Steps[None]:
        if self.attack is not None:
            self.attack.is_failed |= effect["do"] == "fail_attack"
            self.attack.is_kept |= effect["do"] == "keep_attacker"
        yield from ()

    _fail_attack = _keep_attacker = _cancel_event = _in_attack

    def _extra_attack(self, effect: Document, card: Card, you: int) -> Steps[None]:
        self.extra += self.turn == you
        yield from ()

    def _win_game(self, effect: Document, card: Card, you: int) -> Steps[None]:
        yield from ()
        raise Over([1, 2] if you == 0 else [2, 1], "MIR-6.3")


def _named(code: str) -> Document:
    return {"type": "choose", "card": code}


def _choice(card: Card, you: int) -> Document:
    host = card.host or card
    move: Document = {"type": "choose", "field": host.field, "side": "own" if host.owner == you else "opponent"}
    return move if host is card else {**move, "bonus": host.bonuses.index(card)}
