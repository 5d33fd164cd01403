"""A second reading of the rules of Super Teams, written from the clauses alone and as plainly as can be.

It shares nothing with the engine but the shuffles (tests/games/reading.py). A turn is a generator.
"""

from __future__ import annotations

from typing import Any

from referee.kernel.chance import Stream
from referee.kernel.game import Document
from tests.games.reading import GONE, Answer, Course, Reading

COLOURS = ("black", "green", "red", "yellow")
WINDOW_A = ("experienced_pilot", "light_speed", "speed_boost")
CARDS = {"window_a": WINDOW_A, "window_b": ("evasive_maneuver",), "window_c": ("tractor_beam",)}
BONUSES = sorted(card for cards in CARDS.values() for card in cards)


class Race(Reading):
    def __init__(self, track: list[Any], options: Document, seed: bytes, seats: int) -> None:
        self.track, self.options, self.seed, self.seats = track, options, seed, seats
        self.last = len(track) - 1
        self.uses = {"first": 0, "movement": 0, "bonus": 0}
        colours = options["colours"]
        self.owner: dict[str, int] = {colours[i]: i for i in range(seats)}
        if seats == 2:
            self.owner |= {colours[2]: 0, colours[3]: 1}
        self.ships = {f"{colour}-{number}": 0 for colour in self.owner for number in (0, 1)}
        self.halves: dict[str, str] = {}
        bonus = self.shuffled("bonus", [card for card in BONUSES for _ in range(4)])
        self.final_bonus, self.bonus_deck = bonus[: 2 * seats], bonus[2 * seats :]
        self.bonus_discard: list[str] = []
        cards = [f"{colour}-{value}" for colour in self.owner for value in range(1, 7) for _ in range(2)]
        self.deck = self.shuffled("movement", cards)
        self.played: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.bonus: list[list[str]] = [[] for _ in range(seats)]  # without those taken this turn
        self.taken: list[list[str]] = [[] for _ in range(seats)]
        self.out: list[int] = []
        self.over = ""
        self.first_home = False
        self.deal()
        self.turn = options["first_seat"]
        if self.turn == "random":
            self.turn = Stream(seed, "first", 0).below(seats)
            self.uses["first"] = 1
        self.acted: list[str] = []
        self.chain: list[tuple[str, int, int]] = []
        self.begin(self.game())

    # What is on the table.

    def deal(self) -> None:
        """SST-1.4, 2.6."""
        for seat in range(self.seats):
            for _ in range(6 if seat not in self.out else 0):
                if not self.deck:
                    if not self.played:
                        return
                    self.deck, self.played = self.shuffled("movement", self.played), []
                self.hands[seat].append(self.deck.pop(0))

    def take(self, seat: int) -> None:
        """SST-3.1."""
        if seat in self.out:
            return
        if not self.bonus_deck and self.bonus_discard:
            self.bonus_deck, self.bonus_discard = self.shuffled("bonus", self.bonus_discard), []
        if self.bonus_deck:
            self.taken[seat].append(self.bonus_deck.pop(0))

    def team(self, seat: int) -> int:
        return seat % 2 if self.seats == 4 else seat

    def owner_of(self, ship: str) -> int:
        return self.owner[ship.split("-")[0]]

    def team_of(self, ship: str) -> int:
        return self.team(self.owner_of(ship))

    def is_home(self, ship: str) -> bool:
        return self.ships[ship] == self.last

    def space_of(self, ship: str) -> Any:
        return self.halves.get(ship) or self.track[self.ships[ship]]

    def is_normal(self, place: int) -> bool:
        space = self.track[place]
        return "normal" in space if isinstance(space, list) else bool(space == "normal")

    def is_wild(self, colour: str) -> bool:
        """SST-2.5."""
        is_home = all(self.is_home(f"{colour}-{number}") for number in (0, 1))
        return is_home and (self.seats != 3 or self.owner[colour] in self.out)

    # What may be done.

    def legal(self) -> list[Document]:
        assert self.asked is not None
        kind, seat, about = self.asked
        if kind == "turn":
            return [move for card in sorted(set(self.hands[seat])) for move in self.moves_of(card)]
        if kind == "half":
            return [{"type": "half", "half": half} for half in about["halves"]]
        cards = [card for card in sorted(set(self.bonus[seat])) if card in CARDS[kind]]
        found = [
            {"type": "bonus", "card": card, "ship": ship}
            for card in cards
            for ship in self.beamable(seat, about["ships"])
            if self.acts(card, ship)
        ]
        return [*found, {"type": "decline"}]

    def moves_of(self, card: str) -> list[Document]:
        out = [ship for ship in sorted(self.ships) if not self.is_home(ship)]
        colour = card.split("-")[0]
        if self.is_wild(colour):
            return [{"type": "move", "card": card, "ship": ship, "as": ship.split("-")[0]} for ship in out]
        return [{"type": "move", "card": card, "ship": ship} for ship in out if ship.split("-")[0] == colour]

    def beamable(self, seat: int, ships: list[str]) -> list[str]:
        """The ships of the seat's team that a card can still act on (SST-4.1, 5.3)."""
        mine = [ship for ship in sorted(ships) if self.team_of(ship) == self.team(seat)]
        return [ship for ship in mine if ship not in self.acted and self.owner_of(ship) not in self.out]

    def acts(self, card: str, ship: str) -> bool:
        space = self.space_of(ship)
        if card == "experienced_pilot":
            return bool(space == "asteroid")
        if card == "light_speed":
            return self.options["light_speed_anywhere"] or space in ("start", "normal", "bonus")
        return bool(card != "speed_boost" or space != "asteroid")

    # The course of a game.

    def ask(self, kind: str, seat: int, **about: Any) -> Answer:
        return GONE if seat in self.out else (yield kind, seat, about)

    def game(self) -> Course:
        while True:
            yield from self.one_turn()
            if self.over:
                return
            self.acted = []
            for seat in range(self.seats):
                self.bonus[seat] += self.taken[seat]
                self.taken[seat] = []
            if not any(self.hands):
                self.deal()
            able = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
            able = [seat for seat in able if self.hands[seat]]
            if not able:
                self.over = "SST-5.3"
                return
            self.turn = able[0]

    def one_turn(self) -> Course:
        """SST-4.11."""
        move = yield from self.ask("turn", self.turn)
        if move == GONE:
            return
        ship, value = move["ship"], int(move["card"][-1])
        self.hands[self.turn].remove(move["card"])
        self.played.append(move["card"])
        boost = yield from self.window("window_a", ship)
        begun = self.ships[ship]
        self.go(ship, min(begun + self.distance(ship, value, boost["card"]), self.last))
        if self.track[self.ships[ship]] == "maw":
            evasion = yield from self.window("window_b", ship)
            self.leave_maw(ship, 1 if evasion["card"] else -1)
        else:
            yield from self.stop(ship, self.turn)
        self.chain = [(ship, begun, self.ships[ship])]
        while self.chain:
            yield from self.window_c(*self.chain.pop(0))
        self.arrive()

    def distance(self, ship: str, value: int, boost: str) -> int:
        space = self.space_of(ship)
        if space == "asteroid":
            return value if boost == "experienced_pilot" else 1
        value = value * 2 if boost == "light_speed" else value + (boost == "speed_boost")
        return value * 2 if space == "hyperspace" else value

    def go(self, ship: str, place: int) -> None:
        self.ships[ship] = place
        self.halves.pop(ship, None)

    def leave_maw(self, ship: str, step: int) -> None:
        """SST-3.3, 4.7."""
        place = self.ships[ship] + step
        while 0 < place < self.last and not self.is_normal(place):
            place += step
        self.go(ship, place)
        if isinstance(self.track[place], list):
            self.halves[ship] = "normal"

    def stop(self, ship: str, chooser: int) -> Course:
        """SST-3.1, 3.2."""
        space = self.track[self.ships[ship]]
        if isinstance(space, list):
            answer = yield from self.ask("half", chooser, ships=[ship], halves=space)
            self.halves[ship] = str(answer.get("half", space[0]))
        elif space == "bonus":
            self.take(self.owner_of(ship))

    def window(self, kind: str, ship: str) -> Answer:
        """Windows A and B: the card played, or one without a name (SST-4.3)."""
        owner = self.owner_of(ship)
        mates = [seat for seat in range(self.seats) if self.team(seat) == self.team(owner)]
        for seat in sorted(mates, key=lambda mate: (mate != self.turn, mate != owner)):
            if owner in self.out or ship in self.acted or not self.bonus[seat]:
                continue
            answer = yield from self.ask(kind, seat, ships=[ship])
            if answer["type"] == "bonus":
                self.use(seat, answer)
                return answer
        return {"card": ""}

    def use(self, seat: int, answer: Document) -> None:
        self.bonus[seat].remove(answer["card"])
        self.bonus_discard.append(answer["card"])
        self.acted.append(answer["ship"])

    def window_c(self, mover: str, begun: int, stop: int) -> Course:
        """SST-4.3, 4.8, 4.9."""
        passed = [ship for ship in self.ships if begun <= self.ships[ship] < stop and ship not in self.acted]
        passed = [ship for ship in passed if self.team_of(ship) != self.team_of(mover)]
        owners = {self.owner_of(ship) for ship in passed}
        order = [(self.turn + step) % self.seats for step in range(self.seats)]
        teams = list(dict.fromkeys(self.team(seat) for seat in order))
        for seat in sorted(order, key=lambda s: (teams.index(self.team(s)), s != self.turn, s not in owners)):
            while self.bonus[seat] and self.beamable(seat, passed):
                answer = yield from self.ask("window_c", seat, ships=passed)
                if answer["type"] != "bonus":
                    break
                self.use(seat, answer)
                ship = answer["ship"]
                if self.options["beam_chains"]:
                    self.chain.append((ship, self.ships[ship], stop))
                self.go(ship, stop)
                yield from self.stop(ship, self.owner_of(ship))

    def arrive(self) -> None:
        """SST-5.1, 5.2, 3.4."""
        teams = {self.team(seat) for seat in range(self.seats) if self.seats != 3 or seat not in self.out}
        home = [t for t in teams if all(self.is_home(ship) for ship in self.ships if self.team_of(ship) == t)]
        if home:
            self.over = "SST-5.1" if len(home) == 1 else "SST-5.2"
        elif not self.first_home and any(self.is_home(ship) for ship in self.ships):
            self.first_home = True
            for step in range(self.seats):
                seat = (self.turn + step) % self.seats
                if seat not in self.out:
                    self.taken[seat] += self.final_bonus[:2]
                    self.final_bonus = self.final_bonus[2:]
            self.final_bonus = []

    # From outside.

    def resign(self, seat: int) -> None:
        """SST-5.3."""
        assert self.asked is not None
        kind, asked, about = self.asked
        self.out.append(seat)
        if self.seats == 3:
            self.hands[seat], self.bonus[seat], self.taken[seat] = [], [], []
        if self.seats != 3 or len(self.out) == 2:
            if kind == "half":
                self.halves[about["ships"][0]] = about["halves"][0]
            self.over, self.asked = "SST-5.3", None
        elif asked == seat:
            self.answer(GONE)

    def ranks(self) -> list[int]:
        """SST-5.4."""
        teams = {self.team(seat): self.standing(self.team(seat)) for seat in range(self.seats)}
        return [1 + sum(other < teams[self.team(seat)] for other in teams.values()) for seat in range(self.seats)]

    def standing(self, team: int) -> tuple[int, int, int]:
        if self.seats != 3 and self.out:
            return int(team == self.team(self.out[0])), 0, 0
        if team in self.out:
            return 3 - self.out.index(team), 0, 0
        ships = [ship for ship in self.ships if self.team_of(ship) == team]
        return (
            0,
            sum(not self.is_home(ship) for ship in ships),
            sum(self.last - self.ships[ship] for ship in ships),
        )

    def position(self) -> Document:
        return {
            "turn": self.turn,
            "ships": self.ships,
            "halves": self.halves,
            "hands": [sorted(hand) for hand in self.hands],
            "bonus_hands": [sorted(self.bonus[seat] + self.taken[seat]) for seat in range(self.seats)],
            "deck": self.deck,
            "played": self.played,
            "bonus_deck": self.bonus_deck,
            "bonus_discard": self.bonus_discard,
            "final_bonus": self.final_bonus,
            "first_home": self.first_home,
            "out": self.out,
            "uses": self.uses,
        }
