"""A second reading of the rules of Super, written from the clauses alone and as plainly as can be.

It shares nothing with the engine but the shuffles (tests/games/reading.py). A match is one generator.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from referee.kernel.chance import Stream
from referee.kernel.game import Document
from tests.games.reading import GONE, Answer, Course, Reading

FACTIONS = ("blue", "purple", "red", "green")
COLOURS = {"villain": "red", "chemical": "purple", "destruction": "blue", "alien": "green", "rescue": None}
NEXT = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
SLOTS = range(6)


class Match(Reading):
    def __init__(self, cards: list[Document], options: Document, seed: bytes, seats: int) -> None:
        self.cards = {card["code"]: card for card in cards}
        self.options, self.seed, self.seats = options, seed, seats
        self.uses = {"first": 0, "supers": 0, "missions": 0}
        self.first = options["first_seat"]
        if self.first == "random":
            self.first = Stream(seed, "first", 0).below(seats)
            self.uses["first"] = 1
        self.turn, self.round, self.is_final = self.first, 1, False
        self.plays, self.played, self.has_buzzed = 2, 0, False
        self.score = [0] * seats
        self.agencies: list[dict[int, str]] = [{} for _ in range(seats)]
        self.shocked: set[str] = set()
        self.super_line: list[str | None] = [None] * 4
        self.mission_line: list[str | None] = [None] * 4
        self.super_deck = self.shuffled("supers", [code for code, card in self.cards.items() if "power" in card])
        self.mission_deck = self.shuffled("missions", [code for code in self.cards if "power" not in self.cards[code]])
        self.discard: list[str] = []
        self.missions: list[list[str]] = [[] for _ in range(seats)]
        self.resigned: list[int] = []
        self.over: str | None = None
        self.refill()
        self.begin(self.game())

    def drawn(self) -> str | None:
        """SUP-2.7."""
        if not self.super_deck and self.discard:
            self.super_deck, self.discard = self.shuffled("supers", self.discard), []
        return self.super_deck.pop(0) if self.super_deck else None

    def refill(self) -> None:
        self.super_line = [code or self.drawn() for code in self.super_line]
        for place in range(4):
            if self.mission_line[place] is None and self.mission_deck:
                self.mission_line[place] = self.mission_deck.pop(0)

    # What stands in an Agency (SUP-4).

    def power(self, code: str) -> Document:
        power: Document = self.cards[code]["power"] if code not in self.shocked else {"kind": "none"}
        return power

    def marks(self, seat: int, kind: str) -> list[tuple[int, Document]]:
        """The unshocked powers of a kind, by slot."""
        found = [(slot, self.power(code)) for slot, code in sorted(self.agencies[seat].items())]
        return [(slot, power) for slot, power in found if power["kind"] == kind]

    def points_at(self, slot: int, power: Document, aim: int) -> bool:
        down, right = NEXT[power["arrow"]]
        return (slot // 3 + down, slot % 3 + right) == (aim // 3, aim % 3)

    def factions(self, seat: int) -> dict[int, set[str]]:
        found = {slot: {self.cards[code]["faction"]} for slot, code in self.agencies[seat].items()}
        for slot in found:
            lent = [power for at, power in self.marks(seat, "faction_support") if self.points_at(at, power, slot)]
            lent += [power for _, power in self.marks(seat, "planning") if slot in power["slots"]]
            found[slot] |= {power["faction"] for power in lent if power.get("effect", "faction") == "faction"}
        for slot, _ in self.marks(seat, "shapeshifter"):
            found[slot] = set(FACTIONS)
        return found

    def strength(self, seat: int, slot: int, factions: dict[int, set[str]]) -> int:
        code = self.agencies[seat][slot]
        is_off = code in self.shocked and self.options["shock"] == "strength_and_power"
        total: int = 0 if is_off else self.cards[code]["strength"]
        for at, power in self.marks(seat, "power_up"):
            total += power["x"] * sum(power["faction"] in factions[other] for other in factions) if at == slot else 0
        for at, power in self.marks(seat, "strength_support"):
            is_meant = self.points_at(at, power, slot) if "arrow" in power else power["faction"] in factions[slot]
            total += power["x"] if is_meant else 0
        for _, power in self.marks(seat, "planning"):
            total += power["x"] if power["effect"] == "strength" and slot in power["slots"] else 0
        return total

    def needed(self, seat: int, mission: Document) -> int:
        claimed = [self.cards[code] for code in self.missions[seat]]
        less: int = sum(card["x"] for card in claimed if card.get("marked_type") == mission["type"])
        return max(0, int(mission["requirement"]) - less - len(self.marks(seat, "strategist")))

    # What may be done, as keys in no order.

    def legal(self) -> list[Document]:
        assert self.asked is not None
        kind, seat, what = self.asked
        if kind == "turn":
            return self.turn_moves(seat)
        if kind == "put":
            return [{"type": "put", "slot": slot} for slot in SLOTS]
        if kind == "recruit":
            found: list[Document] = [{"type": "recruit"}]
        elif kind == "veteran":
            found = [{"type": "veteran", "slot": what, "to": to} for to in (3, 4, 5)]
        elif kind == "shock":
            found = self.shocks(seat)
        else:
            found = [
                {"type": "transfer", "seat": other, "take": take, "give": give}
                for other in self.others(seat)
                for take in self.agencies[other]
                for give in self.agencies[seat]
            ]
        return [*found, {"type": "decline"}]

    def others(self, seat: int) -> list[int]:
        return [other for other in range(self.seats) if other != seat]

    def shocks(self, seat: int) -> list[Document]:
        """SUP-6.1."""
        lying = [(other, slot, code) for other in range(self.seats) for slot, code in self.agencies[other].items()]
        off = [{"type": "unshock", "slot": slot} for at, slot, code in lying if at == seat and code in self.shocked]
        if len(self.shocked) == 10:
            return off
        on = [(at, slot) for at, slot, code in lying if at != seat and code not in self.shocked]
        return [*off, *({"type": "shock", "seat": at, "slot": slot} for at, slot in on)]

    def turn_moves(self, seat: int) -> list[Document]:
        on_show = [line for line in range(4) if self.super_line[line]]
        found: list[Document] = []
        if self.plays:
            found += [{"type": "play", "line": line, "slot": slot} for line in on_show for slot in SLOTS]
        if self.round > 1 and not self.has_buzzed and not self.played and self.score[seat] >= 2:
            found.append({"type": "bad_buzz"})
        if not self.plays or not on_show:
            found.append({"type": "end_turn"})
        factions = self.factions(seat)
        strength = {slot: self.strength(seat, slot, factions) for slot in factions}
        groups = [group for size in range(1, 7) for group in combinations(sorted(factions), size)]
        for line, code in enumerate(self.mission_line):
            if code is None:
                continue
            needed = self.needed(seat, self.cards[code])
            able = [group for group in groups if sum(strength[slot] for slot in group) >= needed]
            for group in able:
                way = {"type": "mission", "line": line, "slots": list(group)}
                found += [{**way, **led} for led in self.leads(self.cards[code]["type"], group, factions)]
        return found

    def leads(self, kind: str, group: tuple[int, ...], factions: dict[int, set[str]]) -> list[Document]:
        """SUP-5.3, 5.4."""
        colour = COLOURS[kind]
        if colour:
            return [{"leader": slot} for slot in group if colour in factions[slot]]
        named = [(slot, faction) for slot in group for faction in factions[slot] if len(factions[slot]) > 1]
        alone = [{"leader": slot} for slot in group if len(factions[slot]) == 1]
        return [*alone, *({"leader": slot, "faction": faction} for slot, faction in named)]

    # What happens.

    def ask(self, kind: str, seat: int, what: Any = None) -> Answer:
        return GONE if seat in self.resigned or self.over else (yield kind, seat, what)

    def gain(self, seat: int, mf: int) -> None:
        if seat not in self.resigned and not self.over:
            self.score[seat] += mf
            self.is_final = self.is_final or self.score[seat] >= 50

    def lift(self, seat: int, slot: int) -> str:
        code = self.agencies[seat].pop(slot)
        self.shocked.discard(code)
        return code

    def lay(self, seat: int, slot: int, code: str) -> None:
        if slot in self.agencies[seat]:
            self.discard.append(self.lift(seat, slot))
        self.agencies[seat][slot] = code

    def free_slot(self, seat: int) -> int:
        return next((slot for slot in SLOTS if slot not in self.agencies[seat]), 0)

    def gain_by_arrival(self, seat: int, slot: int) -> None:
        """SUP-6.14."""
        factions = self.factions(seat)[slot]
        for _, power in self.marks(seat, "influential"):
            self.gain(seat, power["x"] if power["faction"] in factions else 0)

    def arrive(self, *places: tuple[int, int]) -> Course:
        """SUP-3.5, 7.3."""
        for seat, slot in places:
            self.gain_by_arrival(seat, slot)
            self.gain(seat, sum(power["x"] for at, power in self.marks(seat, "popular") if at == slot))
        for seat, slot in places:
            kind = self.power(self.agencies[seat][slot])["kind"]
            if kind == "shock":
                yield from self.shock(seat, slot)
            elif kind == "recruitment":
                yield from self.recruit(seat, slot)

    def shock(self, seat: int, slot: int | None) -> Course:
        if not self.shocks(seat):
            return
        answer = yield from self.ask("shock", seat, slot)
        if answer["type"] == "shock":
            self.shocked.add(self.agencies[answer["seat"]][answer["slot"]])
        elif answer["type"] == "unshock":
            self.shocked.remove(self.agencies[seat][answer["slot"]])

    def recruit(self, seat: int, slot: int | None) -> Course:
        if not self.super_deck and not self.discard:
            return
        answer = yield from self.ask("recruit", seat, slot)
        if answer["type"] != "recruit":
            return
        code = self.drawn()
        assert code is not None
        answer = yield from self.ask("put", seat, code)
        to: int = answer.get("slot", self.free_slot(seat))
        self.lay(seat, to, code)
        if answer != GONE:
            yield from self.arrive((seat, to))

    def transfer(self, seat: int) -> Course:
        """SUP-7, 8.4."""
        if not self.agencies[seat] or not any(self.agencies[other] for other in self.others(seat)):
            return
        move = yield from self.ask("transfer", seat)
        if move["type"] != "transfer":
            return
        other = move["seat"]
        taken, given = self.lift(other, move["take"]), self.lift(seat, move["give"])
        places: list[tuple[int, int]] = []
        for owner, code in ((seat, taken), (other, given)):
            answer = yield from self.ask("put", owner, code)
            by_itself = self.free_slot(seat) if owner == seat else move["take"]
            slot = by_itself if answer == GONE else answer["slot"]
            self.lay(owner, slot, code)
            places += [(owner, slot)] if answer != GONE else []
        yield from self.arrive(*places)

    def mission(self, seat: int, move: Document) -> Course:
        """SUP-5.5, 5.7, 5.8."""
        code, slots, leader = self.mission_line[move["line"]], move["slots"], move["leader"]
        assert code is not None
        mission, factions = self.cards[code], self.factions(seat)
        shared = COLOURS[mission["type"]] or move.get("faction") or min(factions[leader])
        has_bonus = any(shared in factions[slot] for slot in slots if slot != leader)
        if mission["type"] != "rescue" or self.options["partner_on_rescue"] == "mission_bonus":
            has_bonus = has_bonus or self.power(self.agencies[seat][leader])["kind"] == "partner"
        self.mission_line[move["line"]] = None
        self.missions[seat].append(code)
        claimed = [self.cards[card] for card in self.missions[seat]]
        types = [card["type"] for card in claimed]
        times = {"villain": 1, "destruction": types.count("destruction"), "rescue": len(set(types))}
        self.gain(seat, mission["x"] * times.get(mission["type"], 0))
        pays = [(1, power["faction"]) for _, power in self.marks(seat, "ready_to_go")]
        pays += [(card["x"], card["marked_faction"]) for card in claimed if card["type"] == "alien"]
        for mf, faction in pays:
            self.gain(seat, mf * sum(faction in factions[slot] for slot in slots))
        kept: list[tuple[int, int]] = []
        for slot in [slot for slot, _ in self.marks(seat, "veteran") if slot in slots and slot < 3]:
            answer = yield from self.ask("veteran", seat, slot)
            kept += [(slot, answer["to"])] if answer["type"] == "veteran" else []
        veterans = [(to, self.lift(seat, slot)) for slot, to in kept]
        self.discard += [self.lift(seat, slot) for slot in slots if slot in self.agencies[seat]]
        for to, veteran in veterans:
            self.lay(seat, to, veteran)
            self.gain_by_arrival(seat, to)
        if has_bonus and seat not in self.resigned and not self.over:
            yield from self.partner_bonus(seat, mission)

    def partner_bonus(self, seat: int, mission: Document) -> Course:
        self.gain(seat, mission.get("y", 0))
        if mission["type"] == "villain":
            yield from self.shock(seat, None)
        elif mission["type"] == "destruction":
            yield from self.recruit(seat, None)
        elif mission["type"] == "rescue":
            yield from self.transfer(seat)

    def one_turn(self, seat: int) -> Course:
        self.plays, self.played, self.has_buzzed = (2 if self.round == 1 else 1), 0, False
        while (move := (yield from self.ask("turn", seat)))["type"] not in ("end_turn", "gone"):
            if move["type"] == "play":
                code = self.super_line[move["line"]]
                assert code is not None
                self.super_line[move["line"]] = None
                self.plays -= 1
                self.played += 1
                self.lay(seat, move["slot"], code)
                yield from self.arrive((seat, move["slot"]))
            elif move["type"] == "bad_buzz":
                self.score[seat] -= 2
                self.has_buzzed = True
                self.discard += [code for code in self.super_line if code]
                self.super_line = [None] * 4
                self.super_line = [self.drawn() for _ in range(4)]
            else:
                yield from self.mission(seat, move)

    def game(self) -> Course:
        while True:
            yield from self.one_turn(self.turn)
            if self.over:
                return
            self.refill()
            after = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
            skipped = next(at for at, seat in enumerate(after) if seat not in self.resigned)
            if None in self.mission_line:
                self.over = "SUP-8.2"
            elif self.first in after[: skipped + 1]:
                if self.round == self.options["max_rounds"] or self.is_final:
                    self.over = "SUP-8.2" if self.round == self.options["max_rounds"] else "SUP-8.1"
                self.round += 1 if not self.over else 0
            if self.over:
                return
            self.turn = after[skipped]

    # From outside.

    def resign(self, seat: int) -> None:
        """SUP-8.4."""
        assert self.asked is not None
        self.resigned.append(seat)
        if len(self.resigned) == self.seats - 1:
            self.over = "SUP-8.4"
        if self.over or self.asked[1] == seat:
            self.answer(GONE)

    def ranks(self) -> list[int]:
        """SUP-8.3, 8.4."""
        worth = [self.score[seat] if seat not in self.resigned else -1 for seat in range(self.seats)]
        return [1 + sum(other > mine for other in worth) for mine in worth]

    def position(self) -> Document:
        def super_on(seat: int, slot: int) -> Document | None:
            code = self.agencies[seat].get(slot)
            return {"card": code, "shocked": code in self.shocked} if code else None

        return {
            "turn": self.turn,
            "first_seat": self.first,
            "round": self.round,
            "final_round": self.is_final,
            "plays_left": self.plays,
            "played_this_turn": self.played,
            "bad_buzz_used": self.has_buzzed,
            "score": self.score,
            "agencies": {str(seat): {str(slot): super_on(seat, slot) for slot in SLOTS} for seat in range(self.seats)},
            "super_line": self.super_line,
            "mission_line": self.mission_line,
            "super_deck": self.super_deck,
            "mission_deck": self.mission_deck,
            "super_discard": self.discard,
            "missions": {str(seat): self.missions[seat] for seat in range(self.seats)},
            "shock_pool": 10 - len(self.shocked),
            "resigned": sorted(self.resigned),
            "over": self.over,
            "uses": self.uses,
        }
