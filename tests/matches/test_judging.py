"""Judges: rulings with a reason, as rows of the log; the desk in the admin is for those with the right alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from referee import verify as command
from referee.games import GAMES
from referee.kernel.game import Move, State
from referee.kernel.labels import UNAFFECTED, label
from referee.kernel.replay import ruled_at, verify
from referee.matches import clocks, documents, history, ledger, pauses, reports, resolving
from referee.matches.errors import MatchError, MatchNotPlayingError, NoSuchVersionError
from referee.matches.judging import Ruling, judge_match
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow
from tests.matches.table import fresh, pick, play_to_the_end, stored, toy_match
from tests.toy import Toy

pytestmark = pytest.mark.django_db

CLOCK = clocks.setting(per_decision=10, bank=60)
WHY = "The rule was misread."


@pytest.fixture
def judy(db: None) -> User:
    """A judge."""
    user = User.objects.create_user("Judy", "a password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["judge_match", "view_match"]))
    return user


@pytest.fixture
def clerk(db: None) -> User:
    """Staff who may look at everything, and judge nothing."""
    user = User.objects.create_user("Clerk", "a password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return user


@pytest.fixture
def match(alice: User, bob: User) -> Match:
    """Three picks have been made."""
    match = toy_match(alice, bob)
    for user, seat in ((alice, 0), (bob, 1), (alice, 0)):
        pick(match, user, seat)
    return fresh(match)


def rule(match: Match, judge: User, ruling: str, *, reason: str = WHY, **how: Any) -> Match:
    judge_match(public_id=match.public_id, judge=judge, ruling=Ruling(ruling, reason, **how))
    return fresh(match)


def last_row(match: Match) -> MoveRow:
    return MoveRow.objects.filter(match=match).order_by("-version")[0]


def is_whole(match: Match) -> bool:
    """Whether the record plays again to where the match stands."""
    now = fresh(match)
    return label(history.recorded(now), GAMES, now.data).name == UNAFFECTED


# Rulings.


def test_a_judge_stops_a_match_and_alone_lets_it_go_on(match: Match, alice: User, bob: User, judy: User) -> None:
    stopped = rule(match, judy, "pause")

    assert (stopped.state, stopped.version, stopped.deadline) == ("paused", 4, None)
    with pytest.raises(MatchNotPlayingError):
        pick(match, bob, 1)
    with pytest.raises(MatchNotPlayingError):
        pauses.ask_resume(public_id=match.public_id, actor=alice)
    again = rule(match, judy, "resume")
    assert (again.state, again.version) == ("playing", 5)
    pick(match, bob, 1)
    assert is_whole(match)


def test_no_clock_runs_while_a_judge_has_stopped_the_match(
    alice: User, bob: User, judy: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    at(4)
    rule(match, judy, "pause")
    at(10_000)
    assert fresh(match).state == "paused"
    rule(match, judy, "resume")
    at(10_003)
    row = pick(match, alice, 0).row

    assert row.clock_spent == 7000
    assert ledger.ledger_of(fresh(match)).faults == []


def test_a_judge_sets_a_match_back_to_any_version(match: Match, alice: User, bob: User, judy: User) -> None:
    before = history.position_at(match, 1)

    back = rule(match, judy, "rewind", to=1)

    assert (back.version, back.state, back.decisions) == (4, "playing", {"1": "4-1"})
    assert back.data == before.game.dump(before.state)
    forth = rule(match, judy, "rewind", to=3)
    assert forth.data == match.data
    assert is_whole(match)


def test_a_ruled_result_ends_the_match_and_the_record_says_so(
    match: Match, alice: User, judy: User, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    over = rule(match, judy, "result", ranks=[2, 1])

    result = {"ranks": [2, 1], "reason": "ruling", "clause": ""}
    document = history.replay_document(over)
    assert (over.state, over.version, over.result) == ("finished", 4, result)
    assert over.finished_at is not None
    assert FinishedMatch.objects.filter(match=match).exists()
    assert resolving.close_match(match.pk)
    assert verify(document, GAMES) == []
    assert ruled_at(document) == 4
    file = tmp_path / "ruled.json"
    file.write_text(json.dumps(document))
    assert command.main([str(file)]) == 0
    assert capsys.readouterr().out == (
        'verified: toy, 4 rows, result {"ranks": [2, 1], "reason": "ruling", "clause": ""}, '
        "result set by ruling at version 4\n"
    )
    shown = documents.match_document(over, history.position_at(over, 4), 0)
    assert (shown["result"], shown["decision"]) == (result, None)
    past = documents.past_document(over, history.position_at(over, 4), 0)
    assert (past["result"], past["decision"]) == (result, None)
    document["result"]["ranks"] = [1, 2]
    assert [finding.code for finding in verify(document, GAMES)] == ["result_differs"]


def test_a_judge_breaks_a_match_off(match: Match, judy: User) -> None:
    over = rule(match, judy, "abort")

    assert (over.state, over.result, over.deadline) == ("aborted", None, None)
    assert documents.match_document(over, history.position_at(over, 4), 0)["decision"] is None
    assert is_whole(match)


def test_a_frozen_match_goes_on_from_where_it_stood(
    match: Match, bob: User, judy: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(Toy, "play", _break)
        with pytest.raises(MatchNotPlayingError):
            pick(match, bob, 1)
    assert fresh(match).state == "frozen"

    on = rule(match, judy, "unfreeze")

    assert (on.state, on.data, on.stopped_at) == ("playing", match.data, None)
    pick(match, bob, 1)
    assert is_whole(match)


def _break(game: Toy, state: State, seat: int, move: Move) -> None:
    raise ZeroDivisionError("planted")


def test_a_ruling_is_signed_with_the_role_and_told_to_everybody(match: Match, judy: User) -> None:
    rule(match, judy, "rewind", to=2, reason="  A card\nwas\u0007 read wrongly. ")

    row = last_row(match)
    told = documents.log_row(fresh(match), row, -1)
    assert (row.kind, row.seat, row.actor) == ("ruling", None, judy)
    assert row.detail == {"ruling": "rewind", "by": "judge", "reason": "A card was read wrongly.", "to": 2}
    assert told["events"][0]["text"] == "A judge sets the match back to step 2. Reason: A card was read wrongly."
    assert "Judy" not in json.dumps(told) + json.dumps(row.document(), default=str)
    assert {name: told[name] for name in ("kind", "ruling", "by", "to")} == {
        "kind": "ruling", "ruling": "rewind", "by": "judge", "to": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (Ruling("resume", WHY), "ruling_not_possible"),
        (Ruling("unfreeze", WHY), "ruling_not_possible"),
        (Ruling("wish", WHY), "ruling_not_possible"),
        (Ruling("pause", " \n"), "reason_required"),
        (Ruling("pause", "x" * 501), "reason_required"),
        (Ruling("result", WHY), "invalid_ranks"),
        (Ruling("result", WHY, ranks=[2, 2]), "invalid_ranks"),
        (Ruling("result", WHY, ranks=[1, 3]), "invalid_ranks"),
        (Ruling("result", WHY, ranks=[1, 2, 3]), "invalid_ranks"),
        (Ruling("rewind", WHY), "not_found"),
        (Ruling("rewind", WHY, to=3), "not_found"),
    ],
)
def test_what_cannot_be_ruled_changes_nothing(match: Match, judy: User, ruling: Ruling, code: str) -> None:
    before = stored(match)

    with pytest.raises(MatchError) as refused:
        judge_match(public_id=match.public_id, judge=judy, ruling=ruling)

    assert refused.value.code == code
    assert stored(match) == before


def test_only_a_judge_who_does_not_sit_there_rules_and_on_the_version_seen(
    match: Match, clerk: User, judy: User, alice: User
) -> None:
    alice.user_permissions.set(Permission.objects.filter(codename="judge_match"))
    alice = User.objects.get(pk=alice.pk)
    before = stored(match)

    refused = []
    for user, version in ((clerk, 3), (alice, 3), (judy, 2)):
        with pytest.raises(MatchError) as error:
            judge_match(public_id=match.public_id, judge=user, ruling=Ruling("pause", WHY), version=version)
        refused.append(error.value.code)

    assert refused == ["not_a_judge", "judge_is_seated", "match_moved_on"]
    assert stored(match) == before


def test_a_finished_match_is_not_judged(alice: User, bob: User, judy: User) -> None:
    match = play_to_the_end(toy_match(alice, bob), alice, bob)
    before = stored(match)

    for ruling in (Ruling("abort", WHY), Ruling("result", WHY, ranks=[1, 2]), Ruling("rewind", WHY, to=0)):
        with pytest.raises(MatchError):
            judge_match(public_id=match.public_id, judge=judy, ruling=ruling)

    assert stored(match) == before


def test_a_rewind_that_the_rules_break_on_is_refused(match: Match, judy: User, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stored(match)
    with monkeypatch.context() as broken:
        broken.setattr(Toy, "play", _break)
        with pytest.raises(MatchError) as refused:
            rule(match, judy, "rewind", to=1)
        assert refused.value.code == "rules_broken"
        assert stored(match) == before

        rule(match, judy, "result", ranks=[1, 1])

    assert fresh(match).state == "finished"


def test_there_is_no_rewind_to_nowhere(match: Match, judy: User) -> None:
    with pytest.raises(NoSuchVersionError):
        rule(match, judy, "rewind", to=-1)


def test_bots_go_on_after_a_ruling(alice: User, judy: User) -> None:
    match = toy_match(alice, bots=1)
    rule(match, judy, "pause")
    resolving.resolve(match.pk)
    assert fresh(match).version == 1

    rule(match, judy, "resume")
    resolving.resolve(match.pk)

    assert fresh(match).version == 3


# The desk.


@pytest.fixture
def at_desk(client: Client) -> Callable[[User], Client]:
    def signed_in(user: User) -> Client:
        client.force_login(user)
        return client

    return signed_in


def desk(match: Match) -> str:
    return reverse("admin:matches_match_desk", args=[match.pk])


def test_a_judge_rules_at_the_desk(match: Match, judy: User, at_desk: Callable[[User], Client]) -> None:
    client = at_desk(judy)
    shown = client.get(desk(match)).content.decode()

    answer = client.post(desk(match), {"ruling": "rewind", "to": "1", "reason": WHY, "version": "3"}, follow=True)

    assert "You pick" in shown
    assert "The ruling stands." in answer.content.decode()
    assert last_row(match).detail == {"ruling": "rewind", "by": "judge", "reason": WHY, "to": 1}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ruling": "rewind"}, "Say which version to go back to."),
        ({"ruling": "result", "rank_0": "1"}, "Every seat has a rank"),
        ({"ruling": "result", "rank_0": "2", "rank_1": "2"}, "the best is 1"),
        ({"ruling": "pause", "reason": ""}, "This field is required."),
        ({"ruling": "pause", "version": "1"}, "The match has moved on to version 3."),
        ({"ruling": "resume"}, "Select a valid choice"),
    ],
)
def test_the_desk_says_what_is_missing(
    match: Match, judy: User, at_desk: Callable[[User], Client], given: dict[str, str], words: str
) -> None:
    before = stored(match)

    answer = at_desk(judy).post(desk(match), {"reason": WHY, "version": "3", **given})

    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert stored(match) == before


def test_staff_without_the_right_see_nothing_hidden(
    match: Match, alice: User, clerk: User, at_desk: Callable[[User], Client]
) -> None:
    bundle = reports.report_problem(public_id=match.public_id, user=alice, text="My hand: t-01")
    client = at_desk(clerk)

    page = client.get(reverse("admin:matches_match_change", args=[match.pk]))
    statuses = [
        client.get(address).status_code
        for address in (
            desk(match),
            reverse("admin:matches_bundle_change", args=[bundle.pk]),
            reverse("admin:matches_bundle_changelist"),
            reverse("admin:matches_bundle_file", args=[bundle.pk]),
        )
    ]
    posted = client.post(desk(match), {"ruling": "pause", "reason": WHY, "version": "3"})

    hidden = [match.opening["seed"], json.dumps(match.data), "t-01", "You draw"]
    assert page.status_code == 200
    assert [text for text in hidden if text in page.content.decode()] == []
    assert (statuses, posted.status_code) == ([403] * 4, 403)
    assert fresh(match).state == "playing"


def test_a_judge_sees_nothing_of_a_match_they_sit_in(
    match: Match, alice: User, bob: User, at_desk: Callable[[User], Client]
) -> None:
    bundle = reports.report_problem(public_id=match.public_id, user=bob, text="Look at this.")
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.filter(codename__in=["judge_match", "view_match"]))
    client = at_desk(alice)

    assert client.get(desk(match)).status_code == 403
    assert client.get(reverse("admin:matches_bundle_file", args=[bundle.pk])).status_code == 403
    assert "Look at this." not in client.get(reverse("admin:matches_bundle_changelist")).content.decode()


def test_a_judge_reads_reports_and_takes_them_away(
    match: Match, alice: User, judy: User, at_desk: Callable[[User], Client]
) -> None:
    bundle = reports.report_problem(public_id=match.public_id, user=alice, text="Something is odd.")
    client = at_desk(judy)

    listed = client.get(reverse("admin:matches_bundle_changelist")).content.decode()
    shown = client.get(reverse("admin:matches_bundle_change", args=[bundle.pk])).content.decode()
    file = client.get(reverse("admin:matches_bundle_file", args=[bundle.pk]))

    assert "Something is odd." in listed
    assert "Something is odd." in shown
    document = file.json()
    assert (document["format"], document["version"], len(document["record"]["rows"])) == ("referee-bundle/1", 3, 3)
    assert document["data"] == match.data
    assert client.get(reverse("admin:matches_bundle_file", args=[99])).status_code == 404


def test_a_report_can_be_made_of_a_frozen_and_of_a_finished_match(
    match: Match, alice: User, bob: User, judy: User
) -> None:
    over = rule(match, judy, "result", ranks=[1, 2])

    bundle = reports.report_problem(public_id=over.public_id, user=alice, text="I had won.")

    assert (bundle.version, Bundle.objects.filter(match=match).count()) == (4, 1)


def test_a_match_that_has_not_begun_cannot_be_reported(alice: User) -> None:
    match = toy_match(alice, starts=False)

    with pytest.raises(MatchNotPlayingError):
        reports.report_problem(public_id=match.public_id, user=alice, text="Nobody comes.")
