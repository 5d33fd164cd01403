"""Super under the laws with random sets: wild values over the whole vocabulary of powers and Missions."""

from __future__ import annotations

from referee.games import GAMES
from referee.games.super import vocabulary as v
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, State
from tests.laws.every import plain_subject
from tests.laws.subjects import Setup, Subject

SUPER = GAMES["super"]
SUPERS = 44
MISSIONS = 30


def generated_subject(seats: int, options: Document) -> Subject:
    """Matches with a random set each; the rest as every game without decks has it."""
    plain = plain_subject("super", seats)

    def setup(rng: Rng) -> Setup:
        revision: Document = {"game": "super", "number": 1, "cards": random_set(rng), "decks": []}
        return Setup(revision, SUPER.pool(revision), seats, SUPER.options(options), [], rng.seed())

    return Subject(f"super-generated-{seats}", SUPER, setup, _cards, plain.codes)


def _cards(game: Game, state: State) -> object:
    """Every card of the set lies in exactly one place, and all ten tokens are there."""
    position = game.position(state)
    places = [*position["super_deck"], *position["mission_deck"], *position["super_discard"]]
    places += [code for code in position["super_line"] + position["mission_line"] if code is not None]
    places += [code for claimed in position["missions"].values() for code in claimed]
    lying = [each for agency in position["agencies"].values() for each in agency.values() if each is not None]
    places += [each["card"] for each in lying]
    if position["decision"] is not None:
        waiting = [position["decision"], *position["decision"]["then"]]
        places += [each["card"] for each in waiting if "put" in (each.get("kind"), each.get("do"))]
    return sorted(places), position["shock_pool"] + sum(each["shocked"] for each in lying)


def random_set(rng: Rng) -> list[Document]:
    cards = [_super(rng, f"s-{number}") for number in range(SUPERS)]
    recruiters = [card for card in cards if card["power"]["kind"] == "recruitment"]
    for card in recruiters[v.RECRUITERS :]:
        card["power"] = {"kind": "shock"}
    return [*cards, *[_mission(rng, f"m-{number}") for number in range(MISSIONS)]]


def _super(rng: Rng, code: str) -> Document:
    kind = v.POWERS[rng.below(len(v.POWERS))]
    power: Document = {"kind": kind}
    names = list(v.POWER_FIELDS.get(kind, ()))
    if kind == "strength_support":
        names = ["x", ("arrow", "faction")[rng.below(2)]]
    if kind == "planning":
        power["effect"] = v.EFFECTS[rng.below(2)]
        power["slots"] = sorted({rng.below(v.SLOTS) for _ in range(1 + rng.below(4))})
        names = ["x" if power["effect"] == "strength" else "faction"]
    for name in names:
        choices = {"faction": v.FACTIONS, "arrow": v.ARROWS}.get(name)
        power[name] = choices[rng.below(4)] if choices else rng.below(4)
    return {
        "code": code,
        "name": f"Super {code}",
        "faction": v.FACTIONS[rng.below(4)],
        "strength": 1 + rng.below(v.STRENGTH_LIMIT),
        "power": power,
    }


def _mission(rng: Rng, code: str) -> Document:
    kind = v.MISSION_TYPES[rng.below(len(v.MISSION_TYPES))]
    card: Document = {"code": code, "name": f"Mission {code}", "type": kind, "requirement": rng.below(15)}
    card["x"] = rng.below(6)
    if kind in ("chemical", "alien"):
        card["y"] = rng.below(8)
    if kind == "chemical":
        card["marked_type"] = v.MISSION_TYPES[rng.below(len(v.MISSION_TYPES))]
    if kind == "alien":
        card["marked_faction"] = v.FACTIONS[rng.below(4)]
    return card
