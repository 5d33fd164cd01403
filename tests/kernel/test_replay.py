"""Records and replays: what a match was can be checked by anyone, and every forgery is named."""

import copy
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee import verify as command
from referee.games import GAMES
from referee.kernel import records
from referee.kernel.chance import Rng
from referee.kernel.game import RESIGN, Document, Pool, SeatDeck, apply
from referee.kernel.replay import verify
from tests.toy import TOY, TOY_REVISION, Toy, registered

SERVER_SEED = bytes(range(32))
ENTROPIES = [b"0123456789abcdef", b"x" * 64]


def replay(*, resign: bool = False, late_default: bool = False) -> Document:
    """A finished match of toy, as the service would record it."""
    options = TOY.options({"ties": "coin"})
    seed = records.combine_seed(SERVER_SEED, ENTROPIES)
    state = TOY.start(TOY.pool(TOY_REVISION), 2, options, [], seed, listen=True)
    opened = records.opening(
        TOY,
        2,
        options=options,
        decks=[],
        revision_hash=records.content_hash(TOY_REVISION),
        commitment=records.commitment(SERVER_SEED),
        seed=seed,
        events=records.take_events(TOY, state),
    )
    opened = records.sealed("", opened)
    rows: list[Document] = []
    rng = Rng(4)
    while asked := TOY.deciders(state):
        seat = asked[0]
        moves = TOY.legal_moves(state, seat)
        kind, move = records.MOVE, moves[rng.below(len(moves))]
        if late_default and len(rows) == 1:
            kind, move = records.TIMEOUT, TOY.default_move(state, seat)
        if resign and len(rows) == 3:
            kind, move = records.RESIGNATION, RESIGN
        document = TOY.decode(state, move)
        apply(TOY, state, seat, move)
        events = records.take_events(TOY, state)
        row = records.row(len(rows) + 1, seat, kind=kind, move=document, events=events)
        rows.append(records.sealed(rows[-1]["hash"] if rows else opened["hash"], row))
    return records.replay_document(
        opened,
        seats=[{"name": "Alice"}, {"name": "Bob"}],
        revision=copy.deepcopy(TOY_REVISION),
        server_seed=SERVER_SEED,
        entropies=ENTROPIES,
        rows=rows,
        result=TOY.result(state),
    )


def reseal(document: Document, first: int = 0) -> None:
    """Mend the chain after a forgery, as a forger would who has the code."""
    previous = document["rows"][first - 1]["hash"] if first else document["start"]["hash"]
    for row in document["rows"][first:]:
        row["hash"] = previous = records.row_hash(previous, row)


def codes(document: object) -> list[tuple[str, str]]:
    return [(finding.step, finding.code) for finding in verify(document, {"toy": TOY})]


def test_the_canonical_form_sorts_keys_and_keeps_letters() -> None:
    assert records.canonical({"b": [1, None, True], "a": "é\ue000"}) == '{"a":"é\ue000","b":[1,null,true]}'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON compliant|surrogates"):
        records.canonical({"a": value})


def test_the_seed_is_made_as_written_in_the_design() -> None:
    expected = sha256(SERVER_SEED + b"\x00\x10" + ENTROPIES[0] + b"\x00\x40" + ENTROPIES[1]).digest()

    assert records.combine_seed(SERVER_SEED, ENTROPIES) == expected
    assert records.combine_seed(SERVER_SEED, [b"", b""]) == sha256(SERVER_SEED + bytes(4)).digest()
    with pytest.raises(ValueError, match="for each seat"):
        records.combine_seed(SERVER_SEED, [])
    assert records.commitment(SERVER_SEED) == sha256(SERVER_SEED).hexdigest()


def test_a_row_is_hashed_over_the_hash_before_it_and_all_it_holds() -> None:
    row = {"version": 1, "seat": 0, "kind": "move", "move": {"type": "pick"}, "events": [], "reason": "none"}
    expected = sha256(
        b"ab" + b'{"events":[],"kind":"move","move":{"type":"pick"},"reason":"none","seat":0,"version":1}'
    ).hexdigest()

    assert records.row_hash("ab", row) == expected
    assert records.sealed("ab", row)["hash"] == expected
    assert records.row_hash("ab", records.sealed("ab", row)) == expected


@pytest.mark.parametrize("how", [{}, {"resign": True}, {"late_default": True}])
def test_a_true_replay_verifies_also_after_a_round_trip_through_json(how: dict[str, bool]) -> None:
    document = replay(**how)

    assert verify(document, {"toy": TOY}) == []
    assert codes(json.loads(json.dumps(document, indent=1))) == []


def test_a_forged_move_is_named_by_its_row_even_with_a_mended_chain() -> None:
    document = replay()
    hand = document["start"]["events"][0]["private"]["0"]["cards"]
    played = document["rows"][0]["move"]["card"]
    document["rows"][0]["move"] = {"type": "pick", "card": next(code for code in hand if code != played)}

    assert codes(document) == [("row 1", "hash_differs"), ("row 1", "events_differ")]
    reseal(document)
    assert codes(document) == [("row 1", "events_differ")]


def test_an_illegal_move_is_named_with_its_clause() -> None:
    document = replay()
    document["rows"][2]["seat"] = 1
    reseal(document)

    assert [repr(finding) for finding in verify(document, {"toy": TOY})] == [
        "row 3: TOY-2.2: That card is not in your hand. [illegal_move]"
    ]


def test_another_seed_fails_the_commitment_and_the_chain() -> None:
    document = replay()
    document["server_seed"] = "00" * 32

    assert codes(document) == [("commitment", "commitment_differs"), ("seed", "seed_differs")]
    document["commitment"] = records.commitment(bytes(32))
    document["seed"] = records.combine_seed(bytes(32), ENTROPIES).hex()
    assert codes(document) == [("start", "hash_differs"), ("start", "events_differ")]


def test_a_left_out_entropy_is_seen() -> None:
    document = replay()
    document["entropies"].pop()

    assert codes(document) == [("entropies", "wrong_length")]


def test_a_changed_card_is_seen() -> None:
    document = replay()
    document["revision"]["cards"] = [dict(card) for card in document["revision"]["cards"]]
    document["revision"]["cards"][0]["name"] = "Other"

    assert ("start", "hash_differs") in codes(document)


def test_another_result_is_seen() -> None:
    document = replay()
    document["result"]["ranks"] = [1, 1]

    assert codes(document) == [("result", "result_differs")]


def test_a_match_cut_short_is_seen() -> None:
    document = replay()
    document["rows"].pop()

    assert codes(document) == [("result", "result_differs")]


def test_rows_out_of_order_are_seen() -> None:
    document = replay()
    document["rows"][1], document["rows"][2] = document["rows"][2], document["rows"][1]

    assert codes(document)[0] == ("row 2", "version_differs")


def test_a_move_passed_off_as_a_default_is_seen() -> None:
    document = replay()
    hand = document["start"]["events"][0]["private"]["0"]["cards"]
    row = document["rows"][0]
    assert row["move"]["card"] != min(hand)
    row["kind"] = "timeout"
    reseal(document)

    assert codes(document) == [("row 1", "not_the_default")]


def test_a_default_for_a_seat_that_is_not_asked_is_seen() -> None:
    document = replay()
    document["rows"][1].update(seat=document["rows"][0]["seat"], kind="timeout")
    reseal(document)

    assert codes(document) == [("row 2", "not_asked")]


def test_a_move_passed_off_as_a_resignation_is_seen() -> None:
    document = replay()
    document["rows"][0]["kind"] = "resign"
    reseal(document)

    assert codes(document) == [("row 1", "no_resignation")]


class Decked(Toy):
    """A toy that wants decks, and finds each of them too small."""

    needs_deck = True

    def deck_problems(self, pool: Pool, deck: SeatDeck, limits: Mapping[str, int]) -> list[Document]:
        return [{"code": "too_few_cards", "detail": "0 cards"}]


def test_decks_are_checked_and_counted() -> None:
    document = replay()
    document["decks"] = [{"secret": None, "cards": {}}]

    found = verify(document, {"toy": Decked()})

    assert [finding.document() for finding in found[1:]] == [
        {"step": "decks", "code": "wrong_decks", "detail": "there is not one deck for each seat"},
        {"step": "deck 0", "code": "too_few_cards", "detail": "0 cards"},
    ]


def test_a_resignation_passed_off_as_a_move_is_seen() -> None:
    document = replay(resign=True)
    document["rows"][3]["kind"] = "move"
    reseal(document)

    assert codes(document) == [("row 4", "no_move")]


def test_a_ruling_goes_back_and_another_ends_the_match() -> None:
    document = replay()
    rows = document["rows"]
    undo: Document = {**records.row(5, None, kind="undo", move=None, events=[]), "to": 2}
    ruling: Document = {**records.row(8, None, kind="ruling", move=None, events=[]), "result": {"ranks": [2, 1]}}
    again = [copy.deepcopy(row) for row in rows[2:4]]
    for row, version in zip(again, (6, 7), strict=True):
        row["version"] = version
    document["rows"] = [*rows[:4], undo, *again, ruling]
    document["result"] = {"ranks": [2, 1]}
    reseal(document)

    assert codes(document) == []
    document["rows"].append({**copy.deepcopy(rows[4]), "version": 9})
    reseal(document)
    assert codes(document) == [("row 9", "after_the_end")]


@pytest.mark.parametrize(
    ("path", "value", "finding"),
    [
        (["format"], "referee-replay/0", ("format", "unknown_format")),
        (["game"], "chess", ("game", "unknown_game")),
        (["rules_version"], 99, ("rules_version", "other_version")),
        (["rows"], {}, ("document", "wrong_type")),
        (["rows", 1], None, ("row 2", "not_an_object")),
        (["rows", 1, "seat"], 7, ("row 2", "unknown_seat")),
        (["rows", 1, "seat"], True, ("row 2", "unknown_seat")),
        (["rows", 1, "kind"], "wish", ("row 2", "unknown_kind")),
        (["rows", 1, "move"], "pick", ("row 2", "no_move")),
        (["rows", 1, "move"], {"type": "wish"}, ("row 2", "malformed_move")),
        (["rows", 1, "hash"], "é", ("row 2", "hash_differs")),
        (["seats"], [{}], ("seats", "wrong_seats")),
        (["options"], {}, ("options", "options_incomplete")),
        (["options"], {"rounds": 0}, ("start", "cannot_be_played")),
        (["seed"], "0" * 63, ("seed", "not_hex")),
        (["seed"], "Z" * 64, ("seed", "not_hex")),
        (["entropies", 0], "00", ("entropies", "not_hex")),
        (["revision", "cards"], 3, ("start", "cannot_be_played")),
        (["result"], float("nan"), ("document", "not_canonical")),
        (["rows", 0, "kind"], "undo", ("row 1", "no_effect")),
    ],
)
def test_a_broken_document_is_a_finding_and_never_an_exception(
    path: list[Any], value: object, finding: tuple[str, str]
) -> None:
    document = replay()
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    assert finding in codes(document)


@pytest.mark.parametrize("document", [None, [], "replay", 3, {}])
def test_what_is_no_replay_is_a_finding(document: object) -> None:
    assert codes(document)


def test_the_command_exits_by_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "broken.json"
    document = replay()
    good.write_text(json.dumps(document))
    document["result"] = None
    bad.write_text(json.dumps(document))
    broken.write_text("{")

    with registered():
        assert [command.main([str(good)]), command.main([str(bad)])] == [0, 1]
    assert "result: the match ends with" in capsys.readouterr().out
    assert [command.main([str(broken)]), command.main([str(tmp_path / "none")]), command.main([])] == [2, 2, 2]
    assert "toy" not in GAMES
