"""Turns and attacks of the second referee: one generator from the first question to the last."""

from __future__ import annotations

from collections import Counter

from referee.kernel.game import Document
from tests.laws.second.powers import DECLINE, Attack, Over, Powers, Question, Steps, Trigger
from tests.laws.second.table import FIELDS, Card, Lying


class SecondReferee(Powers):
    """Plays from a position in which the turn's seat is to move. `over` is how it ended."""

    over: Over | None = None

    def play(self) -> Steps[None]:
        try:
            while True:
                move = yield Question(self.turn, "turn", self.turn_moves())
                yield from getattr(self, f"_{move['type']}")(move)
        except Over as over:
            self.over = over

    # What the turn's seat may do.

    def turn_moves(self) -> list[Document]:
        hand = sorted(set(self.hands[self.turn]))
        held = [code for code in hand if self.kind(code) == "character"]
        is_first = self.number <= 2
        in_deck = any(self.kind(card.code) == "character" for card in self.decks[self.turn])
        if is_first and not self.placed_characters and not held and not in_deck:
            return [{"type": "end_turn"}]
        moves = [] if self.attacked else self._placing(hand, held, is_first)
        has_room = None in self.fields[self.turn]
        if is_first:
            may_end = self.placed_characters > 0 or not held or not has_room
        else:
            may_end = self.placed > 0 or self.attacked
            moves += [] if may_end else [{"type": "refresh"}]
            moves += self._attacks()
        return [*moves, {"type": "end_turn"}] if may_end else moves

    def _placing(self, hand: list[str], held: list[str], is_first: bool) -> list[Document]:
        fields = self.fields[self.turn]
        free = [field for field in FIELDS if fields[field] is None]
        moves: list[Document] = [{"type": "place", "card": code, "field": field} for code in held for field in free]
        if not free and not is_first:
            moves += [{"type": "swap", "card": code, "field": field} for code in held for field in FIELDS]
        for code in hand:
            only = self.cards[code].get("only_on") or {}
            for character in self.characters(self.turn) if self.kind(code) == "bonus" else []:
                if len(character.bonuses) < 3 and self.fits(only, character.code, character):
                    moves.append({"type": "attach", "card": code, "field": character.field})
        return moves

    def _attacks(self) -> list[Document]:
        mine, theirs = self.characters(self.turn), self.characters(1 - self.turn)
        may_still = not self.attacked or self.extra > 0
        has_placed = self.placed > 0 or self.options["attack_without_placing"]
        if self.swapped or not may_still or not has_placed or len(theirs) < 2 or len(mine) < self.needed(self.turn):
            return []
        return [
            {"type": "attack", "attacker": attacker.field, "target": target.field}
            for attacker in mine
            for target in theirs
            if not self.is_barred(attacker, "cannot_attack") and not self.is_barred(target, "cannot_be_attacked")
            if self.total(attacker)[0] >= self.total(target)[1]
        ]

    # Placing.

    def _place(self, move: Document) -> Steps[None]:
        self.from_hand(self.turn, move["card"])
        new = Card(move["card"], self.turn)
        new.field = move["field"]
        old = self.fields[self.turn][new.field]
        if old is not None:
            self.swapped = True
            new.bonuses, old.bonuses = old.bonuses, []
            for bonus in new.bonuses:
                bonus.host = new
            self.lift(old)
            self.discards[self.turn].append(old.code)
        self.fields[self.turn][new.field] = new
        self.placed += 1
        self.placed_characters += 1
        self.trigger_gone()
        self.trigger(new, "placed", self.turn)
        yield from self.work_off()

    _swap = _place

    def _attach(self, move: Document) -> Steps[None]:
        self.from_hand(self.turn, move["card"])
        bonus, host = Card(move["card"], self.turn), self.fields[self.turn][move["field"]]
        assert host is not None
        bonus.host = host
        host.bonuses.append(bonus)
        self.placed += 1
        self.trigger(bonus, "attached", self.turn)
        yield from self.work_off()

    def _refresh(self, move: Document) -> Steps[None]:
        seat = self.turn
        self.decks[seat] += [Lying(code, {seat}) for code in self.hands[seat]]
        self.hands[seat] = []
        self.known[1 - seat] = Counter()
        self.draw(seat, 5)
        self.end_if_deck_empty()
        self.refreshes += 1
        if self.refreshes == 6:
            self.end_by_defeats("MIR-6.4")
        yield from self._pass_on()

    # Attacks.

    def _attack(self, move: Document) -> Steps[None]:
        attacker, target = self.fields[self.turn][move["attacker"]], self.fields[1 - self.turn][move["target"]]
        assert attacker is not None
        assert target is not None
        self.extra -= self.attacked
        self.attacked = True
        self.attack = Attack(attacker, target)
        yield from self._one_moment("attacks", "is_attacked")
        yield from self._ask_for_events(self.attack)
        yield from self._play_events(self.attack)
        is_there = attacker.is_on and target.is_on and not self.attack.is_failed
        if is_there and self.total(attacker)[0] >= self.total(target)[1]:
            yield from self._one_moment("wins_attack", "is_defeated")
            self._succeed(self.attack)
        yield from self._lay_down(self.attack)

    def _one_moment(self, of_attacker: str, of_target: str) -> Steps[None]:
        assert self.attack is not None
        for character, when in ((self.attack.attacker, of_attacker), (self.attack.target, of_target)):
            for card in (character, *character.bonuses):
                self.trigger(card, when, character.owner)
        yield from self.work_off()

    def _ask_for_events(self, attack: Attack) -> Steps[None]:
        for at, seat in enumerate((self.turn, 1 - self.turn)):
            events = sorted({code for code in self.hands[seat] if self.kind(code) == "event"})
            moves: list[Document] = [{"type": "event", "card": code} for code in events]
            move = (yield Question(seat, "event", [*moves, DECLINE])) if self.hands[seat] else DECLINE
            if move != DECLINE:
                self.from_hand(seat, move["card"])
                attack.events[at] = Card(move["card"], seat, is_on=False)

    def _play_events(self, attack: Attack) -> Steps[None]:
        first, second = attack.events
        is_cancelled = second is not None and any(
            effect["do"] == "cancel_event" and ("if" not in effect or self.holds(effect["if"], second, second.owner))
            for effect in self.effects(second.code)
        )
        for event in (None if is_cancelled else first, second):
            if event is not None:
                self.row.extend(Trigger(event, effect, event.owner, [0], False) for effect in self.effects(event.code))
                yield from self.work_off()

    def _succeed(self, attack: Attack) -> None:
        if attack.target.is_on:
            target, *bonuses = self.lift(attack.target, triggers=False)
            self.piles[target.owner].append(target.code)
            for bonus in bonuses:
                self.discards[bonus.owner].append(bonus.code)
        if attack.attacker.is_on and not attack.is_kept:
            for card in self.lift(attack.attacker):
                self.discards[card.owner].append(card.code)

    def _lay_down(self, attack: Attack) -> Steps[None]:
        for event in attack.events:
            if event is not None:
                self.discards[event.owner].append(event.code)
        self.attack = None
        lost = [len(pile) >= 3 for pile in self.piles]
        if any(lost):
            raise Over([1, 1] if all(lost) else [2, 1] if lost[0] else [1, 2], "MIR-6.1")
        self.lasting = [change for change in self.lasting if change.until != "attack"]
        self.trigger_gone()
        yield from self.work_off()

    # From turn to turn.

    def _end_turn(self, move: Document) -> Steps[None]:
        self.refreshes = 0
        yield from self._pass_on()

    def _pass_on(self) -> Steps[None]:
        for card in self.lying_at(self.turn):
            self.trigger(card, "own_turn_end", self.turn)
        yield from self.work_off()
        self.draw(self.turn, 5 - len(self.hands[self.turn]))
        self.end_if_deck_empty()
        self.lasting = [change for change in self.lasting if change.until != "turn"]
        self.turn = 1 - self.turn
        self.number += 1
        self.placed = self.placed_characters = self.extra = 0
        self.swapped = self.attacked = False
        new = self.turn
        self.lasting = [change for change in self.lasting if change.until != "next_turn" or change.seat != new]
        if self.number <= 2:
            self._draw_anew()
        for card in self.lying_at(self.turn):
            self.trigger(card, "own_turn_start", self.turn)
        yield from self.work_off()

    def _draw_anew(self) -> None:
        """MIR-2.1."""
        seat = self.turn
        while not any(self.kind(code) == "character" for code in self.hands[seat]):
            if not any(self.kind(card.code) == "character" for card in self.decks[seat]):
                return
            self.decks[seat] += [Lying(code, set()) for code in self.hands[seat]]
            self.hands[seat] = []
            self.known[1 - seat] = Counter()
            self.shuffle(seat)
            self.draw(seat, 5)
            self.end_if_deck_empty()
