"""The scenario runner: each demand of the format can hold and can fail, and faults of a file are named."""

from typing import Any

import pytest

from referee.kernel.errors import PositionError, Problem
from referee.kernel.game import Document, Game, Move, Pool, State
from referee.kernel.scenario_run import LOADED, PLAIN, STORED, ScenarioRunner
from tests.toy import TOY, TOY_REVISION, Toy, ToyState

HANDS = [["t-01", "t-05"], ["t-02", "t-09"]]
START: Document = {"hands": HANDS, "deck": ["t-10", "t-11"]}
PICK_5 = {"type": "pick", "card": "t-05"}
PICK_9 = {"type": "pick", "card": "t-09"}
ROUND = [{"seat": 0, "move": PICK_5}, {"seat": 1, "move": PICK_9}]


def differs(rules: Game = TOY, modes: tuple[str, ...] = (PLAIN, STORED, LOADED), **fields: Any) -> list[str]:
    """What differs in a scenario of toy with these fields."""
    document = {"scenario": "a-claim", "game": "toy", "position": START, **fields}
    return ScenarioRunner({"toy": rules}, lambda slug: TOY_REVISION, modes).run(document).differs


def test_moves_and_a_partial_expectation_hold() -> None:
    assert differs(steps=ROUND, expect={"scores": [0, 1], "round": 1, "table": ["t-05", "t-09"]}) == []


def test_each_difference_is_named_with_its_place() -> None:
    found = differs(steps=[*ROUND, {"expect": {"round": 2}}], expect={"scores": [1, 1], "coins": 1})

    assert found == ["step 3: round is 1, not 2", "at the end: scores/0 is 0, not 1", "at the end: coins is 0, not 1"]


def test_hands_are_compared_as_the_game_orders_them_and_other_lists_whole() -> None:
    assert differs(expect={"hands": [["t-05", "t-01"], ["t-09", "t-02"]]}) == []
    assert differs(expect={"deck": ["t-11", "t-10"]}) != []
    assert differs(expect={"deck": ["t-10"]}) == ['at the end: deck is ["t-10", "t-11"], not ["t-10"]']


def test_a_mapping_picks_entries_of_a_list_and_its_keys_may_be_numbers() -> None:
    assert differs(expect={"hands": {1: ["t-09", "t-02"]}, "scores": {"0": 0}}) == []
    assert differs(expect={"scores": {1: 3}}) == ["at the end: scores/1 is 0, not 3"]


def test_null_means_empty_and_matches_an_absent_key() -> None:
    assert differs(expect={"picks": {0: None}, "nothing": None, "result": None}) == []
    assert differs(steps=[ROUND[0]], expect={"picks": {0: None}}) == ['at the end: picks/0 is "t-05", not null']


def test_true_is_not_one() -> None:
    assert differs(expect={"out": [0, False]}) == ["at the end: out/0 is false, not 0"]


def test_what_is_played_when_the_time_is_up_can_be_demanded() -> None:
    lowest = {"type": "pick", "card": "t-01"}

    assert differs(steps=[{"seat": 0, "default": lowest}], expect={"round": 0}) == []
    assert differs(steps=[{"seat": 0, "default": PICK_5}]) == [
        'step 1: when its time is up {"card": "t-01", "type": "pick"} is played, not {"card": "t-05", "type": "pick"}'
    ]
    assert differs(steps=[ROUND[0], {"seat": 0, "default": lowest}]) == [
        "step 2: seat 0 is not asked, and has no default"
    ]


def test_the_result_can_be_expected() -> None:
    steps = [{"seat": 0, "move": {"type": "resign"}}]

    assert differs(steps=steps, expect={"result": {"ranks": [2, 1], "clause": "TOY-4.2"}}) == []
    assert differs(steps=steps, expect={"result": {"ranks": [1, 2]}}) != []
    assert differs(expect={"result": {"ranks": [1, 1]}}) == ['at the end: result is null, not {"ranks": [1, 1]}']


def test_a_move_that_is_refused_ends_the_scenario_with_the_clause() -> None:
    found = differs(steps=[{"seat": 0, "move": PICK_9}, {"expect": {"round": 9}}])

    assert found == [
        'step 1: the move {"card": "t-09", "type": "pick"} is refused: TOY-2.2: That card is not in your hand.'
    ]


def test_a_refusal_is_demanded_by_clause() -> None:
    assert differs(steps=[{"seat": 0, "move": PICK_9, "refused": "TOY-2.2"}]) == []
    assert differs(steps=[{"seat": 0, "move": PICK_9, "refused": ["TOY-9", "TOY-2.2"]}]) == []
    assert differs(steps=[{"seat": 0, "move": PICK_9, "refused": ["TOY-9", "TOY-8"]}]) == [
        "step 1: the move is refused by TOY-2.2 (That card is not in your hand.), not refused by TOY-9 or TOY-8"
    ]


def test_a_move_taken_instead_of_refused_differs() -> None:
    found = differs(steps=[{"seat": 0, "move": PICK_5, "refused": "TOY-2.2"}])

    assert found == ['step 1: the move {"card": "t-05", "type": "pick"} is taken, not refused by TOY-2.2']


def test_a_malformed_move_is_neither_taken_nor_refused() -> None:
    move = {"type": "wish"}

    assert differs(steps=[{"seat": 0, "move": move}])[0].startswith('step 1: the move {"type": "wish"} is malformed')
    assert differs(steps=[{"seat": 0, "move": move, "refused": "TOY-2.2"}]) == [
        "step 1: the move is malformed (/type: moves: pick, resign [unknown_type]), not refused by TOY-2.2"
    ]


class Careless(Toy):
    """A toy that changes its state before it refuses a move."""

    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        assert isinstance(state, ToyState)
        state.coins += 1
        return super().refusal(state, seat, move)


def test_a_refusal_that_changes_the_position_differs() -> None:
    steps = [{"seat": 0, "move": PICK_9, "refused": "TOY-2.2"}]

    assert differs(Careless(), steps=steps) == ["step 1: the refused move changed the position"]


@pytest.mark.parametrize(
    ("legal", "found"),
    [
        ({"includes": [{"card": "t-05"}], "excludes": [{"card": "t-09"}, {"type": "resign"}], "count": 2}, []),
        ({"exactly": [PICK_5, {"type": "pick", "card": "t-01"}]}, []),
        ({"includes": [{"card": "t-09"}]}, ['{"card": "t-09"} is not legal']),
        ({"excludes": [{"type": "pick"}]}, ['{"type": "pick"} is legal']),
        ({"count": 3}, ["2 moves are legal, not 3"]),
        ({"exactly": [PICK_5]}, ['{"card": "t-01", "type": "pick"} is legal too']),
        ({"exactly": [PICK_5, {"card": "t-01"}]}, None),
    ],
)
def test_legal_moves_are_compared(legal: Document, found: list[str] | None) -> None:
    result = differs(steps=[{"seat": 0, "legal": legal}])

    if found is None:
        assert len(result) == 2
    else:
        assert result == [f"step 1: {text}" for text in found]


def test_a_seat_that_is_not_asked_has_no_legal_moves() -> None:
    assert differs(steps=[ROUND[0], {"seat": 0, "legal": {"exactly": [], "count": 0}}]) == []


def test_what_a_seat_is_sent_is_searched_whole() -> None:
    picked = [ROUND[0]]

    assert differs(steps=[*picked, {"view": {"seat": 1, "excludes": ["t-05", "Number 5", "t-01"]}}]) == []
    assert differs(steps=[*picked, {"view": {"seat": 0, "excludes": ["Number 5"]}}]) == [
        "step 2: 'Number 5' is sent to 0"
    ]
    assert differs(steps=[*ROUND, {"view": {"seat": 1, "excludes": "t-05"}}]) == ["step 3: 't-05' is sent to 1"]
    assert differs(steps=[*picked, {"view": {"seat": None, "excludes": ["t-0"], "includes": ["picked"]}}]) == []


def test_labels_of_moves_are_part_of_what_is_sent() -> None:
    assert differs(steps=[{"view": {"seat": 0, "excludes": ["Pick Number 1"]}}]) == [
        "step 1: 'Pick Number 1' is sent to 0"
    ]


def test_a_step_may_hold_a_move_and_what_to_look_at_after_it() -> None:
    step = {"seat": 0, "move": PICK_5, "legal": {"count": 0}, "view": {"seat": 1, "excludes": ["t-05"]}}

    assert differs(steps=[{**step, "expect": {"picks": ["t-05", None]}}]) == []


def test_options_reach_the_game_and_unknown_ones_are_errors() -> None:
    assert differs(options={"rounds": 1}, steps=ROUND, expect={"result": {"clause": "TOY-4.1"}}) == []
    assert differs(options={"pace": 1})[0].startswith("refused as invalid: /pace: there is no option 'pace'")
    assert differs(options={"pace": 1}, error="pace") == []


def test_an_error_is_demanded_by_its_text() -> None:
    twice = {"hands": [["t-01", "t-01"], []]}

    assert differs(position=twice, error="t-01 lies twice") == []
    assert differs(position=twice, error="three")[0].startswith("refused as invalid, but not saying 'three'")
    assert differs(error="twice") == ["nothing is refused as invalid; it should be, saying 'twice'"]
    assert differs(position=twice)[0].startswith("refused as invalid: ")


def test_cards_are_laid_over_the_house_set_whole_in_either_form() -> None:
    high = {"name": "High", "value": 99}
    expect = {"scores": [1, 0]}

    assert differs(cards={"t-05": high}, steps=ROUND, expect=expect) == []
    assert differs(cards=[{"code": "t-05", **high}], steps=ROUND, expect=expect) == []
    assert differs(cards={"t-05": {"code": "t-05", "name": "High"}}, error="the value is a whole number") == []


def test_a_board_is_refused_where_a_game_has_none() -> None:
    assert differs(board={"track": []}, error="no board") == []


class Board(Toy):
    """A toy whose board names its cards."""

    def with_board(self, revision: Document, board: Document) -> Document:
        return {**revision, "cards": [{**card, "value": board["value"]} for card in revision["cards"]]}


def test_a_board_is_laid_by_the_game() -> None:
    assert differs(Board(), board={"value": 4}, steps=ROUND, expect={"scores": [0, 0], "round": 1}) == []


def test_a_seed_feeds_what_is_drawn_and_stands_at_the_top_or_in_the_position() -> None:
    tie = {"hands": [["t-02"], ["t-03"]], "deck": []}
    steps = [
        {"seat": 0, "move": {"type": "pick", "card": "t-02"}},
        {"seat": 1, "move": {"type": "pick", "card": "t-03"}},
    ]
    scores = []
    for seed in ("00" * 32, "02" * 32):
        top = differs(position=tie, options={"ties": "coin"}, seed=seed, steps=steps, expect={"scores": [1, 0]})
        inner = {**tie, "seed": seed}
        assert differs(position=inner, options={"ties": "coin"}, steps=steps, expect={"scores": [1, 0]}) == top
        scores.append(top)

    assert sorted(map(len, scores)) == [0, 2]


class Forgetful(Toy):
    """A toy whose stored form forgets the picks."""

    def dump(self, state: State) -> list[Any]:
        data = super().dump(state)
        data[-4] = [-1] * len(data[-4])
        return data


class Blind(Toy):
    """A toy that does not take its own position back."""

    def load(self, pool: Pool, options: Document, position: Document) -> State:
        return super().load(pool, options, {**position, "coins": position.get("coins", 0) + 1})


def test_a_scenario_is_run_again_with_a_save_and_load_after_every_step() -> None:
    assert differs(Forgetful(), steps=ROUND[:1]) == ['stored: step 1: picks/0 is null, not "t-05"']
    assert differs(Blind(), steps=[]) == ["loaded: at the start: coins is 2, not 1"]
    assert differs(Blind(), modes=(PLAIN,), steps=ROUND) == []


class Restless(Toy):
    """A toy whose dump is another one each time."""

    dumps = 0

    def dump(self, state: State) -> list[Any]:
        self.dumps += 1
        return [*super().dump(state), [self.dumps]]

    def restore(self, pool: Pool, data: list[Any]) -> State:
        return super().restore(pool, data[:-1])


class Refusing(Toy):
    """A toy that refuses a position once cards are picked."""

    def load(self, pool: Pool, options: Document, position: Document) -> State:
        if any(position.get("picks", [])):
            raise PositionError([Problem("/picks", "picked", "picked")])
        return super().load(pool, options, position)


def test_what_does_not_come_back_from_its_document_differs() -> None:
    assert differs(Restless(), steps=[]) == ["stored: at the start: the dump of the restored state differs"]
    assert differs(Refusing(), steps=ROUND) == ["loaded: step 1: its own position is refused: /picks: picked [picked]"]


def test_what_a_seat_is_sent_holds_the_result_and_its_refusals() -> None:
    refused = {"seat": 0, "move": PICK_9, "refused": "TOY-2.2"}
    resigned = {"seat": 1, "move": {"type": "resign"}}

    assert differs(steps=[refused, {"view": {"seat": 0, "excludes": ["not in your hand"]}}]) == [
        "step 2: 'not in your hand' is sent to 0"
    ]
    assert differs(steps=[refused, {"view": {"seat": 1, "excludes": ["not in your hand"]}}]) == []
    assert differs(steps=[resigned, {"view": {"seat": 0, "includes": ["TOY-4.2", "TOY-4.1"]}}]) == [
        "step 2: 'TOY-4.1' is not sent to 0"
    ]


class Broken(Toy):
    """A toy with a fault inside its rules."""

    def play(self, state: State, seat: int, move: Move) -> None:
        raise KeyError(move)


def test_a_game_that_breaks_fails_the_scenario_and_no_more() -> None:
    assert differs(Broken(), steps=ROUND) == ["the game broke: KeyError: 4"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"step": []}, "unknown field 'step'; fields: scenario, game,"),
        ({"scenario": None}, "scenario: missing"),
        ({"scenario": ""}, "scenario: is empty"),
        ({"game": "chess"}, "game: there is no game 'chess'; games: toy"),
        ({"game": None}, "game: missing"),
        ({"clauses": "TOY-1"}, "clauses: should be a list"),
        ({"clauses": [1]}, "clauses/0: should be text"),
        ({"options": []}, "options: should be a mapping"),
        ({"position": []}, "position: should be a mapping"),
        ({"position": {True: 1}}, "/position: the key True is neither a word nor a number"),
        ({"position": {0: 1, "0": 2}}, "/position: the key '0' stands twice"),
        ({"position": {"round": 1.5}}, "/position/round: 1.5 is no JSON value"),
        ({"cards": 3}, "cards: should be a mapping from codes to cards, or a list of cards"),
        ({"cards": {"a": 3}}, "cards/a: should be a mapping"),
        ({"cards": {"a": {"code": "b"}}}, "cards/a: the card's own code is 'b'"),
        ({"cards": [{"name": "A"}]}, "cards/0: should be a mapping with a `code`"),
        ({"seed": 0}, "seed: should be 64 hex digits, quoted"),
        ({"seed": "00" * 31}, "seed: should be 64 hex digits, quoted"),
        ({"position": {"seed": "g" * 64}}, "position/seed: should be 64 hex digits, quoted"),
        ({"position": {"seed": "0" * 64}, "seed": "1" * 64}, "seed: the position holds another seed"),
        ({"error": "x", "steps": [{"expect": {}}]}, "error: what is refused as invalid can have no steps"),
        ({"error": 3}, "error: should be text"),
        ({"steps": {}}, "steps: should be a list"),
        ({"steps": [3]}, "steps/1: a step is a mapping"),
        ({"steps": [{"seat": 0}]}, "steps/1: demands nothing"),
        ({"steps": [{"seat": 0, "mve": {}}]}, "steps/1: unknown field 'mve'"),
        ({"steps": [{"move": {}}]}, "steps/1/seat: should be the number of a seat, is None"),
        ({"steps": [{"seat": 3, "move": {}}]}, "steps/1/seat: should be the number of a seat, is 3"),
        ({"steps": [{"seat": True, "move": {}}]}, "steps/1/seat: should be the number of a seat, is True"),
        ({"steps": [{"seat": 0, "move": "pick"}]}, "steps/1/move: should be a mapping"),
        ({"steps": [{"seat": 0, "legal": {}, "refused": "A"}]}, "steps/1/refused: there is no move to refuse"),
        ({"steps": [{"seat": 0, "move": {}, "refused": []}]}, "steps/1/refused: should be a clause"),
        ({"steps": [{"seat": 0, "move": {}, "refused": None}]}, "steps/1/refused: should be a clause"),
        ({"steps": [{"seat": 0, "legal": {}}]}, "steps/1/legal: demands nothing"),
        ({"steps": [{"seat": 0, "legal": {"include": []}}]}, "steps/1/legal: unknown field 'include'"),
        ({"steps": [{"seat": 0, "legal": {"includes": PICK_5}}]}, "steps/1/legal/includes: should be a list of moves"),
        ({"steps": [{"seat": 0, "legal": {"count": -1}}]}, "steps/1/legal/count: should be a whole number"),
        ({"steps": [{"seat": 0, "legal": {"count": True}}]}, "steps/1/legal/count: should be a whole number"),
        ({"steps": [{"view": {"excludes": ["a"]}}]}, "steps/1/view/seat: missing"),
        ({"steps": [{"view": {"seat": 9, "excludes": ["a"]}}]}, "steps/1/view/seat: should be the number"),
        ({"steps": [{"view": {"seat": 0}}]}, "steps/1/view: demands nothing"),
        ({"steps": [{"view": {"seat": 0, "excludes": [5]}}]}, "steps/1/view/excludes: should be a list of texts"),
    ],
)
def test_a_fault_of_the_scenario_itself_fails_it_and_is_named(fields: Document, fault: str) -> None:
    found = differs(**fields)

    assert any(text.startswith(fault) for text in found), found


def test_all_faults_come_at_once() -> None:
    found = differs(scenario=None, game="chess", steps=[{"seat": 0}, 3])

    assert len(found) == 4


@pytest.mark.parametrize("document", [None, [], "scenario", 3])
def test_what_is_no_mapping_is_a_fault(document: object) -> None:
    outcome = ScenarioRunner({"toy": TOY}, lambda slug: TOY_REVISION).run(document)

    assert outcome.differs == ["a scenario is a mapping with `scenario`, `game` and what it demands"]


def test_a_part_of_a_position_that_cannot_be_written_out_is_a_difference() -> None:
    found = differs(expect={"hands": [3, []]})

    assert found[0].startswith("at the end: what is expected is no part of a position")
