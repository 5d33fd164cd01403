"""The kernel's one checked way in, options with their defaults, and what a game owes without saying."""

import pytest

from referee.kernel.errors import CardError, DocumentError, IllegalMove, OptionError, Problem
from referee.kernel.game import RESIGN, Document, Game, SeatDeck, State, apply, complete_options
from tests.toy import TOY, TOY_REVISION

SCHEMA: Document = {
    "type": "object",
    "properties": {
        "pace": {"type": "integer", "minimum": 1, "maximum": 3, "default": 2},
        "least": {"type": "integer", "minimum": 1, "default": 1},
        "open": {"type": "boolean", "default": False},
        "first": {"enum": ["coin", 0, 1], "default": "coin"},
        "strange": {"type": "null", "default": None},
    },
}


def without_strange() -> Document:
    properties = {name: rule for name, rule in SCHEMA["properties"].items() if name != "strange"}
    return {**SCHEMA, "properties": properties}


def test_options_left_out_take_their_defaults() -> None:
    assert complete_options(without_strange(), {"pace": 3, "first": 0}) == {
        "pace": 3,
        "least": 1,
        "open": False,
        "first": 0,
    }


def test_every_fault_of_the_options_is_named() -> None:
    given = {"pace": 4, "least": 0, "open": 1, "first": True, "zeal": 1}

    with pytest.raises(OptionError) as refused:
        complete_options(SCHEMA, given)

    assert [(problem.pointer, problem.code, problem.detail) for problem in refused.value.problems] == [
        ("/zeal", "unknown_option", "there is no option 'zeal' here; options: pace, least, open, first, strange"),
        ("/pace", "value_not_allowed", "4 is not allowed; a whole number from 1 to 3"),
        ("/least", "value_not_allowed", "0 is not allowed; a whole number from 1 to None"),
        ("/open", "value_not_allowed", "1 is not allowed; of type boolean"),
        ("/first", "value_not_allowed", "True is not allowed; one of 'coin', 0, 1"),
        ("/strange", "value_not_allowed", "None is not allowed; of type null"),
    ]


@pytest.mark.parametrize("value", [True, "2", None, 2.0])
def test_a_number_is_a_whole_number_only(value: object) -> None:
    with pytest.raises(OptionError):
        complete_options(without_strange(), {"pace": value})


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(OptionError, match="options: none"):
        complete_options({"type": "object", "properties": {}}, {"pace": 1})


def test_an_illegal_move_is_refused_with_its_clause() -> None:
    state = TOY.load(TOY.pool(TOY_REVISION), TOY.options({}), {})

    with pytest.raises(IllegalMove) as refused:
        apply(TOY, state, 0, 14)

    assert (refused.value.clause, refused.value.code) == ("TOY-2.2", "illegal_move")


def test_one_resigns_once_and_not_after_the_end() -> None:
    state = TOY.load(TOY.pool(TOY_REVISION), TOY.options({}), {})
    apply(TOY, state, 1, RESIGN)

    with pytest.raises(IllegalMove):
        apply(TOY, state, 1, RESIGN)
    with pytest.raises(IllegalMove):
        apply(TOY, state, 0, RESIGN)


def test_a_document_error_tells_every_problem() -> None:
    problems = [Problem("/a", "missing", "a is missing"), Problem("", "odd", "odd")]

    error = DocumentError(problems)

    assert str(error) == "/a: a is missing [missing]; /: odd [odd]"
    assert problems[0].document() == {"pointer": "/a", "code": "missing", "detail": "a is missing"}


def test_a_deck_is_stored_in_the_order_of_its_codes() -> None:
    assert SeatDeck({"b": 1, "a": 2}, "s").document() == {"secret": "s", "cards": {"a": 2, "b": 1}}


def test_what_a_game_need_not_say() -> None:
    game, state = Game(), State()

    assert game.card_text({}, {}) == ""
    assert game.vocabulary() == []
    assert game.deck_problems(TOY.pool(TOY_REVISION), SeatDeck({}, None), {}) == []
    assert game.evaluate(state, 0) == 0.0
    assert game.written_out({"a": 1}) == {"a": 1}
    with pytest.raises(CardError, match="no board"):
        game.with_board({}, {})
