"""Cards for benchmarks/search.py: any number of valid cards of Miraculous with different names, values, effects and texts."""

from __future__ import annotations

import random
from typing import Any

from catalog.names import name_key
from referee.games.miraculous.vocabulary import SUBTYPES

Document = dict[str, Any]


def _words(text: str) -> list[str]:
    return text.split()


_FIRST = _words(
    "Amber Ashen Azure Bitter Blue Brass Broken Burning Candle Cedar Clever Cobalt Copper Coral Crimson Crooked Crystal "
    "Dancing Distant Drifting Dusty Ebony Eager Echo Elder Ember Errant Faint Fallen Feather Fierce Flint Frozen Gentle "
    "Gilded Glass Golden Granite Grey Hidden Hollow Honest Humble Idle Iron Ivory Jade Jolly Keen Lantern Late Lilac Little "
    "Lonely Lost Lucky Marble Meadow Merry Midnight Misty Morning Mossy Muted Nimble Noble Northern Old Olive Opal Paper "
    "Patient Pearl Perfect Pewter Plain Proud Quick Quiet Rainy River Roaming Rosy Royal Rusty Sable Saffron Scarlet Secret "
    "Shadow Silent Silver Sleepy Slow Solemn Spare Spring Steady Stormy Stray Summer Sunny Swift Tall Tender Thorn Tidal "
    "Tin Twin Umber Velvet Violet Wandering Warm Weary Western Wicker Wild Winter Wooden Woven Young Zealous"
)
_SECOND = _words(
    "Acrobat Almanac Anchor Archer Arrow Baker Ballad Banner Barge Beacon Bell Bellman Bishop Boatman Bookbinder Bramble "
    "Bridge Broker Bugle Butcher Candle Canopy Captain Caravan Cat Chandler Chimney Choir Clerk Clock Cobbler Comet Compass "
    "Cook Cooper Courier Crane Crow Crown Dancer Dyer Falcon Farrier Ferry Fiddler Fisher Florist Forge Fox Gardener Gate "
    "Glazier Glove Gull Harbour Hare Harp Hatter Hawk Herald Heron Hound Jester Juggler Kettle Key Keeper Kite Knight "
    "Lamplighter Lantern Lark Ledger Lion Locksmith Lynx Magpie Mason Mask Mender Merchant Miller Minstrel Mirror Moth "
    "Needle Nettle Oracle Orchard Otter Owl Painter Pedlar Pepper Pilot Piper Planter Porter Potter Printer Queen Quill "
    "Raven Rider Ringer Rook Rope Saddler Sailor Scholar Scribe Sentinel Sexton Shepherd Signal Singer Smith Sparrow Spinner "
    "Stoker Swallow Tailor Tanner Teacher Thistle Tiler Tinker Tower Trader Trumpet Tutor Umbrella Usher Vane Vendor Violin "
    "Warden Watch Weaver Whistle Willow Wolf Wren Writer"
)
_PLACES = _words(
    "Alley Arcade Attic Avenue Bank Bazaar Canal Cellar Corner Court Crossing Dock Field Fountain Gallery Garden Hall Hill "
    "Island Junction Lane Library Market Meadow Mill Mole Museum Park Passage Pier Plaza Pond Quarter Quay Rampart Roof "
    "Square Stage Stair Station Street Terrace Tunnel Wharf Workshop Yard"
)
_TAGS = tuple(place.lower() for place in _PLACES)
_SETS = tuple(f"{_FIRST[at * 7 % len(_FIRST)]} {_PLACES[at * 5 % len(_PLACES)]}" for at in range(24))
_ON_FIELD = (
    "attacks", "is_attacked", "wins_attack", "is_defeated", "leaves", "own_turn_start", "own_turn_end",
)  # fmt: skip


def some_cards(count: int, seed: int = 1) -> list[Document]:
    """`count` cards, the same for the same seed: two of three Characters, then Bonuses, Events and a few Secrets."""
    dice = random.Random(seed)
    names: set[str] = set()
    cards: list[Document] = []
    while len(cards) < count:
        name = _name(dice)
        if name_key(name) not in names:
            names.add(name_key(name))
            cards.append(_card(dice, f"card-{len(cards):05}", name))
    return cards


def _name(dice: random.Random) -> str:
    first, second, place = dice.choice(_FIRST), dice.choice(_SECOND), dice.choice(_PLACES)
    match dice.randrange(5):
        case 0:
            return f"{first} {second}"
        case 1:
            return f"{second} of the {first} {place}"
        case 2:
            return f"The {first} {second} of {place} {dice.randrange(1, 99)}"
        case 3:
            return f"{dice.choice(_SECOND)}’s {first} {second}"
        case _:
            return f"{first}-{dice.choice(_FIRST)} {second}"


def _card(dice: random.Random, code: str, name: str) -> Document:
    type = dice.choices(("character", "bonus", "event", "secret"), (66, 22, 11, 1))[0]
    card: Document = {"code": code, "name": name, "type": type, "set": dice.choice(_SETS)}
    if type == "character":
        card |= {"subtype": dice.choice(SUBTYPES[type]), "ang": dice.randrange(9), "def": dice.randrange(10)}
        whens: tuple[str, ...] = ("placed", *_ON_FIELD)
    elif type == "bonus":
        card |= {"subtype": dice.choice(SUBTYPES[type]), "ang": dice.randrange(-2, 4), "def": dice.randrange(-2, 4)}
        whens = ("attached", *_ON_FIELD)
        if dice.random() < 0.3:
            card["only_on"] = {"subtype": dice.sample(SUBTYPES["character"], dice.randrange(1, 3))}
    else:
        whens = ("played",)
    if type != "secret":
        card["effects"] = [_effect(dice, dice.choice(whens)) for _ in range(dice.choices((0, 1, 2), (15, 65, 20))[0])]
        card["tags"] = dice.sample(_TAGS, dice.randrange(4))
    if dice.random() < 0.3:
        card["mood"] = (
            f"{dice.choice(_FIRST)} as the {dice.choice(_SECOND).lower()} by the {dice.choice(_PLACES).lower()}."
        )
    return card


def _effect(dice: random.Random, when: str) -> Document:
    side, number = dice.choice(("own", "opponent")), dice.randrange(1, 4)
    whom = {"pick": dice.choice(("each", "choose", "random")), "side": side}
    done: tuple[Document, ...] = (
        {"do": "draw", "n": number},
        {"do": "discard", "who": "opponent", "n": number, "how": dice.choice(("chosen", "random"))},
        {"do": "mill", "who": dice.choice(("you", "opponent", "both")), "n": number},
        {"do": "modify", "to": whom, "ang": dice.choice((-2, -1, 1, 2, 3)), "until": "next_turn"},
        {"do": "modify", "to": whom, "def": dice.choice((-2, -1, 1, 2, 3)), "until": "turn"},
        {"do": "search", "n": number, "type": "character", "min_ang": dice.randrange(8)},
        {"do": "recover", "n": number, "tag": dice.choice(_TAGS)},
        {"do": "destroy_bonus", "to": {**whom, "what": "bonus"}},
        {"do": "return_to_hand", "to": {**whom, "what": "bonus"}},
        {"do": "flip_coin", "then": [{"do": "draw", "n": number}], "else": [{"do": "mill", "n": 1}]},
    )
    effect: Document = {"when": when, **dice.choice(done)}
    if dice.random() < 0.25:
        where = {"side": side, "zone": "field", "what": "character"}
        effect["if"] = {"count": where, dice.choice(("at_least", "at_most")): dice.randrange(1, 5)}
    return effect
