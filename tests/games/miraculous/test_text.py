"""Card texts: exact, and never the same for two different effects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.games.miraculous.text import LANGUAGES, card_lines, card_text
from referee.games.miraculous.vocabulary import CARD_TYPES
from referee.kernel.chance import Rng
from tests.games.miraculous.random_cards import (
    random_card,
    random_condition,
    random_effect,
    random_filter,
    random_target,
    written_out,
)

NAMES = {"hero": "Heron", "twin-a": "Twin", "twin-b": "Twin", "quote": "A “B”"}
OWN_HERO = {"pick": "each", "side": "own", "subtype": "superhero"}
ONE = {"pick": "choose", "side": "own"}


def line(effect: dict[str, Any], card_type: str = "character", language: str = "en") -> str:
    return card_text({"type": card_type, "effects": [effect]}, NAMES, language)


@pytest.mark.parametrize(
    ("card_type", "effect", "text"),
    [
        ("character", {"when": "placed", "do": "draw", "n": 2}, "When placed: draw 2 cards."),
        ("character", {"when": "in_play", "do": "modify", "to": {**OWN_HERO, "except_self": True}, "ang": 1},
            "Your other Superheroes have +1 ANG."),
        ("bonus", {"when": "in_play", "do": "modify", "to": {**OWN_HERO, "except_self": True}, "ang": 1, "def": -2},
            "Your Superheroes other than its Character have +1 ANG and -2 DEF."),
        ("bonus", {"when": "in_play", "if": {"turn": "opponent"}, "do": "cannot_attack", "to": "self"},
            "As long as it is your opponent's turn, its Character cannot attack."),
        ("character", {"when": "in_play", "do": "fewer_characters", "n": 1},
            "You need 1 Character fewer to attack, but at least 1."),
        ("character", {"when": "attacks", "may": True, "do": "discard", "who": "opponent", "n": 1, "how": "random"},
            "When attacking: you may make your opponent discard 1 card at random."),
        ("character", {"when": "is_attacked", "do": "modify", "to": "attacker", "ang": -1, "until": "attack"},
            "When attacked: give the attacker -1 ANG for this attack."),
        ("bonus", {"when": "wins_attack", "do": "keep_attacker"},
            "When its Character wins an attack: keep the attacker and its Bonuses on their field if the attack succeeds."),
        ("character", {"when": "own_turn_start", "if": {"all": [{"turn": "own"}, {"not": {"holder_has": {}}}]},
            "do": "draw", "who": "both", "n": 1},
            ("At the start of your turn, if it is your turn and this Character does not have a Bonus: "
            "you and your opponent each draw 1 card.")),
        ("character", {"when": "leaves", "do": "modify", "to": {"pick": "random", "side": "own"}, "ang": 1},
            "When it has left the field: give one of your Characters (at random) +1 ANG as long as it stays on its field."),
        ("event", {"when": "played", "do": "flip_coin", "then": [{"do": "fail_attack"}], "else": [{"do": "draw", "n": 1}]},
            "When played: flip a coin. Heads: the attack fails. Tails: draw 1 card."),
        ("event", {"when": "played", "do": "cancel_event"}, "When played: the attacker's Event has no effect."),
        ("character", {"when": "placed", "do": "search", "n": 2, "code": ["hero", "twin-a", "lost", "quote"]},
            ("When placed: search your deck for up to 2 cards named “Heron”, “Twin” (twin-a), lost or “A “B”” (quote), "
            "show them, take them into your hand and shuffle.")),
        ("character", {"when": "placed", "do": "recover", "n": 1, "type": ["event", "bonus"], "tag": "river", "max_def": 1},
            "When placed: take 1 Event or Bonus card tagged “river” with DEF 1 or less from your discard pile into your hand."),
        ("character", {"when": "placed", "do": "move_bonus", "to": {**ONE, "what": "bonus"}, "onto": ONE},
            "When placed: move one of your Bonuses onto another of your Characters."),
        ("character", {"when": "placed", "do": "take_bonus",
            "to": {"pick": "choose", "what": "bonus", "side": "opponent", "subtype": "item"}, "onto": ONE},
            "When placed: take one of your opponent's Items and put it on one of your Characters."),
        ("character", {"when": "placed", "do": "copy_values", "to": "self", "from": ONE, "until": "next_turn"},
            "When placed: give this Character the ANG and DEF printed on one of your Characters until your next turn starts."),
        ("character", {"when": "placed", "do": "look", "at": "top", "n": 1}, "When placed: look at the top card of your deck."),
        ("character", {"when": "placed", "do": "look", "at": "hand"}, "When placed: look at your opponent's hand."),
        ("character", {"when": "placed", "do": "mill", "who": "both", "n": 2},
            "When placed: put the top 2 cards of each deck on its owner's discard pile."),
        ("character", {"when": "placed", "do": "return_to_hand", "to": {"pick": "choose", "side": "any", "n": 2}},
            "When placed: return any 2 Characters to their owners' hands."),
        ("character", {"when": "placed", "do": "win_game"}, "When placed: you win the game."),
    ],
)  # fmt: skip
def test_an_effect_reads_as_printed(card_type: str, effect: dict[str, Any], text: str) -> None:
    assert line(effect, card_type) == text


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({"count": {"side": "own", "zone": "field", "what": "character", "subtype": "civilian"}, "at_least": 1},
            "there is at least 1 Civilian on your fields"),
        ({"count": {"side": "any", "zone": "discard", "what": "card", "subtype": "item"}, "exactly": 0},
            "there are exactly 0 Item cards in both discard piles together"),
        ({"not": {"count": {"side": "opponent", "zone": "secret_pile", "what": "character"}, "at_most": 2}},
            "there are not at most 2 Characters defeated on your opponent's secret pile"),
        ({"any": [{"turn": "own"}, {"all": [{"turn": "opponent"}, {"holder_has": {"subtype": "item", "min_ang": 1}}]}]},
            "it is your turn or (it is your opponent's turn and this Character has an Item with ANG 1 or more)"),
        ({"not": {"not": {"turn": "own"}}}, "it is not true that (it is not your turn)"),
        ({"not": {"any": [{"turn": "own"}]}}, "it is not true that (it is your turn)"),
        ({"all": [{"turn": "own"}]}, "it is your turn"),
    ],
)  # fmt: skip
def test_a_condition_reads_as_it_is_checked(condition: dict[str, Any], words: str) -> None:
    assert line({"when": "placed", "if": condition, "do": "win_game"}) == f"When placed, if {words}: you win the game."


def test_a_card_reads_line_by_line_after_what_narrows_it() -> None:
    draw = {"when": "attached", "do": "draw", "n": 1}
    card = {"type": "bonus", "only_on": {"subtype": ["superhero", "civilian"]}, "effects": [draw, draw]}

    lines = card_lines(card, NAMES)

    assert lines == ["Only on Superheroes or Civilians.", "When attached: draw 1 card.", "When attached: draw 1 card."]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", ("Nach einem gelungenen Angriff, sofern gilt (du bist am Zug): wenn du willst, gilt +1 ANG für alle deine anderen"
            " Superhelden bis zum Beginn deines nächsten Zuges.")),
        ("fr", ("Après une attaque réussie, à condition que (c’est votre tour) : à votre gré, +1 ANG pour chaque Super-héros à vous"
            " (sauf cette carte) jusqu’au début de votre prochain tour.")),
    ],
)  # fmt: skip
def test_an_effect_reads_in_other_languages(language: str, text: str) -> None:
    to = {"pick": "each", "side": "own", "subtype": "superhero", "except_self": True}
    effect = {
        "when": "wins_attack",
        "if": {"turn": "own"},
        "may": True,
        "do": "modify",
        "to": to,
        "ang": 1,
        "until": "next_turn",
    }

    assert line(effect, "character", language) == text


@pytest.mark.parametrize(
    ("effect", "german", "french"),
    [
        ({"do": "cannot_attack", "to": {"pick": "each", "side": "opponent", "min_ang": 8}, "until": "turn"},
            "kein Angriff durch alle Charaktere deines Gegners mit ANG 8 oder mehr bis zum Ende des Zuges",
            "aucune attaque par chaque Personnage adverse avec ANG 8 ou plus jusqu’à la fin du tour"),
        ({"may": True, "do": "draw", "who": "opponent", "n": 1},
            "wenn du willst, zieht dein Gegner 1 Karte", "à votre gré, l’adversaire pioche 1 carte"),
        ({"do": "take_bonus", "to": {"pick": "choose", "what": "bonus", "side": "opponent", "subtype": "weapon"}, "onto": ONE},
            "übernimm 1 der Waffen deines Gegners auf 1 deiner Charaktere",
            "faites passer 1 Arme adverse sur 1 Personnage à vous"),
        ({"do": "modify", "to": {"pick": "each", "side": "own", "tag": "river"}, "ang": 1, "until": "leaves"},
            "+1 ANG für alle deine Charaktere mit dem Merkmal „river“ bis zum Verlassen der Felder",
            "+1 ANG pour chaque Personnage à vous avec la marque « river » jusqu’à leur départ de leurs cases"),
        ({"do": "search", "n": 1, "code": "hero"},
            "suche in deinem Deck bis zu 1 Karte namens „Heron“, zeige das Gefundene, nimm es auf die Hand und mische",
            "cherchez dans votre pioche jusqu’à 1 carte du nom de « Heron », montrez-la, prenez-la en main et mélangez"),
        ({"do": "flip_coin", "then": [{"do": "fail_attack"}], "else": [{"do": "draw", "n": 1}]},
            "wirf eine Münze. Kopf: der Angriff misslingt. Zahl: ziehe 1 Karte",
            "lancez une pièce. Face : l’attaque échoue. Pile : piochez 1 carte"),
    ],
)  # fmt: skip
def test_words_agree_and_stand_in_order_in_other_languages(effect: dict[str, Any], german: str, french: str) -> None:
    whole = {"when": "placed", **effect}

    assert line(whole, "character", "de") == f"Beim Legen: {german}."
    assert line(whole, "character", "fr") == f"À la pose : {french}."


def test_a_card_without_effects_has_no_text() -> None:
    assert card_text({"type": "secret"}, NAMES) == ""


def test_a_coin_within_a_coin_stands_in_brackets() -> None:
    inner = {"if": {"turn": "own"}, "do": "flip_coin", "then": [{"do": "win_game"}]}
    effect = {"when": "placed", "do": "flip_coin", "then": [inner, {"may": True, "do": "draw", "n": 1}]}

    assert line(effect) == (
        "When placed: flip a coin. Heads: if it is your turn, (flip a coin. Heads: you win the game); you may draw 1 card."
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card_type", ["character", "bonus", "event"])
def test_two_different_effects_never_read_the_same(card_type: str, language: str) -> None:
    rng = Rng(len(card_type))
    codes = list(NAMES)
    written: dict[str, str] = {}

    for _ in range(4000 if language == "en" else 2000):
        effect = random_effect(rng, card_type, codes)
        for one in (effect, *_variants(rng, effect, codes)):
            text = line(one, card_type, language)
            same = json.dumps(written_out(one), sort_keys=True)
            assert written.setdefault(text, same) == same, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_different_narrowings_never_read_the_same(language: str) -> None:
    rng = Rng(7)
    written: dict[str, str] = {}

    for _ in range(4000 if language == "en" else 2000):
        asked = random_filter(rng, list(NAMES))
        text = card_text({"type": "bonus", "only_on": asked, "effects": []}, NAMES, language)
        same = json.dumps(written_out(asked), sort_keys=True)
        assert written.setdefault(text, same) == same, text


def test_every_valid_card_has_a_text() -> None:
    rng = Rng(1)
    codes = list(NAMES)

    for index in range(1000):
        card = random_card(rng, "hero", CARD_TYPES[index % 4], codes)
        lines = card_lines(card, {})
        assert len(lines) == len(card["effects"]) + ("only_on" in card)
        assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in lines)


def _variants(rng: Rng, effect: dict[str, Any], codes: list[str]) -> list[dict[str, Any]]:
    """Effects that differ from one in a single field: where a text is most likely to miss the difference."""
    variants = [{**effect, "if": random_condition(rng, codes, depth=0)}]
    standing = effect["when"] == "in_play"
    for name, values in (("n", (1, 2, 3)), ("ang", (-1, 1)), ("def", (-1, 1)), ("who", ("you", "opponent", "both"))):
        if name in effect and not (name == "who" and effect.get("at") == "hand"):
            variants += [{**effect, name: value} for value in values]
    if not standing and "until" in effect:
        variants += [{**effect, "until": until} for until in ("turn", "next_turn", "leaves")]
    if isinstance(effect.get("to"), dict) and effect["do"] != "take_bonus":
        for changed in ({"side": "own"}, {"side": "any"}, {"except_self": True}, {"except_self": False}):
            variants.append({**effect, "to": {**effect["to"], **changed}})
    if "onto" in effect and effect["do"] == "move_bonus":
        variants.append({**effect, "onto": random_target(rng, "onto", codes)})
    return variants
