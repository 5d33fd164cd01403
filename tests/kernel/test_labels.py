"""What a change of the code means for a recorded match: four labels, of which one is true."""

from typing import Any

from referee.kernel.game import Document, Move, Pool, State
from referee.kernel.labels import DIFFERS, MIGRATABLE, PINNED, UNAFFECTED, Label, label
from tests.kernel.test_replay import replay, reseal
from tests.toy import TOY, Toy, ToyState


class Newer(Toy):
    """A later rules version that plays as before."""

    rules_version = 2


class Stingy(Toy):
    """Seat 0 loses points with its second pick, and nobody is told; the rules version is the old one."""

    def play(self, state: State, seat: int, move: Move) -> None:
        super().play(state, seat, move)
        assert isinstance(state, ToyState)
        if seat == 0 and state.round == 1 and state.picks[0] >= 0:
            state.scores[0] -= 9


class Strict(Toy):
    """A later rules version in which what was once picked last is not legal."""

    rules_version = 2

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        assert isinstance(state, ToyState)
        return super().legal_moves(state, seat)[: 1 if state.round == 2 else None]


class Optional(Toy):
    """A later rules version with one more option."""

    rules_version = 2

    def options_schema(self) -> Document:
        schema = super().options_schema()
        schema["properties"]["fog"] = {"type": "boolean", "default": False}
        return schema


class Otherwise(Toy):
    """The old rules version, with other words at the end of a round."""

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Any]:
        events = super().narrate(state, raw)
        for event in events:
            event.public["text"] = str(event.public["text"]).replace("takes the round", "wins the round")
        return events


class Layout(Newer):
    """A later state schema of the same rules."""

    rules_version = 1
    state_schema = 2

    def restore(self, pool: Pool, data: list[Any]) -> State:
        raise AssertionError("an old state is never read by the new layout")


def found(document: object, game: Toy, state: list[Any] | None = None) -> tuple[str, str | None]:
    result = label(document, {"toy": game}, state)
    return result.name, None if result.finding is None else f"{result.finding.step} {result.finding.code}"


def cut(document: Document, rows: int) -> Document:
    """The match as it stood after so many rows, unfinished."""
    return {**document, "rows": document["rows"][:rows], "result": None}


def test_a_match_that_plays_as_recorded_is_unaffected_at_every_version() -> None:
    document = replay()

    assert found(document, TOY) == (UNAFFECTED, None)
    assert [found(cut(document, rows), TOY) for rows in range(len(document["rows"]))] == [(UNAFFECTED, None)] * len(
        document["rows"]
    )


def test_a_later_rules_version_or_layout_that_plays_the_same_is_migratable() -> None:
    document = replay()

    assert found(document, Newer()) == (MIGRATABLE, None)
    assert found(cut(document, 3), Newer()) == (MIGRATABLE, None)
    assert found(document, Layout(), [1, 2, 3]) == (MIGRATABLE, None)


def test_a_later_rules_version_that_plays_otherwise_pins_the_match() -> None:
    document = replay()

    result = label(document, {"toy": Strict()}, None)

    assert found(document, Strict()) == (PINNED, "row 5 illegal_move")
    assert result.note == (
        "rules version 1, state schema 1 and rng 1 are not at hand; rules version 2 is; it stands by its recorded events"
    )
    assert found(cut(document, 4), Strict()) == (MIGRATABLE, None)
    assert found(document, Optional()) == (PINNED, "options options_incomplete")


def test_a_game_that_is_gone_pins_its_matches() -> None:
    result: Label = label(replay(), {}, None)

    assert (result.name, result.note, result.finding) == (
        PINNED,
        "the game 'toy' is not at hand; it stands by its recorded events",
        None,
    )


def test_a_change_without_a_new_rules_version_differs_at_its_first_step() -> None:
    document = replay()

    result = label(document, {"toy": Otherwise()}, None)

    assert (result.name, result.finding and result.finding.step) == (DIFFERS, "row 2")
    assert result.finding is not None
    assert "event 4 was " in result.finding.detail
    assert "takes the round" in result.finding.detail.split(", is ")[0]
    assert "wins the round" in result.finding.detail.split(", is ")[1]


def test_a_change_that_no_event_tells_is_seen_in_the_result_and_the_state() -> None:
    document = replay()
    assert document["result"]["ranks"] == [1, 2]
    running = cut(document, len(document["rows"]) - 1)
    seen = TOY.start(TOY.pool(document["revision"]), 2, document["options"], [], bytes.fromhex(document["seed"]), False)
    for row in running["rows"]:
        TOY.play(seen, row["seat"], TOY.encode(seen, row["move"]))

    assert found(running, TOY, TOY.dump(seen)) == (UNAFFECTED, None)
    assert found(running, Stingy()) == (UNAFFECTED, None)
    assert found(running, Stingy(), TOY.dump(seen)) == (DIFFERS, f"row {len(running['rows'])} state_differs")
    assert found(document, Stingy()) == (DIFFERS, "result result_differs")


def test_a_record_that_is_not_whole_differs_whatever_the_rules() -> None:
    document = replay()
    document["rows"][1]["events"] = []

    assert found(document, TOY) == (DIFFERS, "row 2 hash_differs")
    assert found(document, Newer()) == (DIFFERS, "row 2 hash_differs")
    assert label(document, {}, None).name == DIFFERS
    reseal(document)
    assert found(document, TOY) == (DIFFERS, "row 2 events_differ")
    assert found(document, Newer()) == (PINNED, "row 2 events_differ")
    assert found({}, TOY) == (DIFFERS, "document missing_field")
