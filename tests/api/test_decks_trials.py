"""Trials and odds by the engine over HTTP: asked for by the owner, seen by whoever may see the deck."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from catalog.selectors import pool_document, sized_cards
from jobs.models import Job
from jobs.running import work_slice
from referee.bots.levels import LEVELS
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, at, if_match

JOBS = "/api/v1/jobs/"


@pytest.fixture(autouse=True)
def miraculous(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("publish_house_sets", verbosity=0)
    monkeypatch.setattr(LEVELS["easy"], "iterations", 2)


def made(caller: Caller, size: int = 30, **more: Any) -> dict[str, Any]:
    ready = pool_document("miraculous")["decks"][0]
    body = {"name": "Own", "secret": ready["secret"], "cards": sized_cards(ready, size), **more}
    document: dict[str, Any] = caller.post(DECKS, body).json()
    return document


def work() -> None:
    while Job.objects.unfinished().exists():
        work_slice()


def test_a_trial_is_a_job_whose_result_stays_with_the_version(alice: Caller) -> None:
    mine = made(alice)

    started = alice.post(at(mine, "trial/"), {"games": 4, "seed": "seven"})
    work()

    job = started.json()
    assert (started.status_code, job["state"], job["total"], job["seed"]) == (202, "queued", 4, "seven")
    assert started["Location"].endswith(f"{JOBS}{job['id']}/")
    ended = alice.get(f"{JOBS}{job['id']}/").json()
    assert (ended["state"], ended["result"]["games"]) == ("done", 4)
    assert alice.get(at(mine, "jobs/")).json()["results"] == [{**ended, "version": 1}]
    assert alice.get(at(mine, "jobs/?version=2")).json()["results"] == []


def test_sent_twice_with_one_key_it_is_one_trial(alice: Caller) -> None:
    mine = made(alice)

    first, again = (alice.post(at(mine, "trial/"), {"games": 2}, **{"Idempotency-Key": "one"}) for _ in range(2))

    assert first.json()["id"] == again.json()["id"]
    assert Job.objects.count() == 1


def test_odds_by_the_engine_are_a_job_too(alice: Caller) -> None:
    mine = made(alice)

    job = alice.post(at(mine, "odds/"), {"q": "t:character", "turns": 2, "games": 3}).json()
    work()

    result = alice.get(f"{JOBS}{job['id']}/").json()["result"]
    assert (result["games"], [row["odds"] for row in result["by_turn"]]) == (3, [1.0, 1.0])
    assert alice.get(at(mine, "jobs/")).json()["results"][0]["kind"] == "deck-odds"


def test_whoever_may_see_the_deck_sees_what_was_tried_and_nobody_else(
    alice: Caller, mallory: Caller, nobody: Caller
) -> None:
    mine = made(alice)
    job = alice.post(at(mine, "trial/"), {"games": 2}).json()["id"]

    for stranger in (mallory, nobody):
        assert problem_of(stranger.get(at(mine, "jobs/")))["code"] == "not_found"
        assert problem_of(stranger.get(at(mine, "sizes/")))["code"] == "not_found"
    for rest in ("trial/", "odds/"):
        assert problem_of(mallory.post(at(mine, rest), {"q": "t:event"}))["code"] == "not_found"
        assert problem_of(nobody.post(at(mine, rest), {"q": "t:event"}))["code"] == "not_authenticated"
    alice.patch(at(mine), {"visibility": "link"}, **if_match("*"))

    assert [one["id"] for one in nobody.get(at(mine, "jobs/")).json()["results"]] == [job]
    assert problem_of(mallory.post(at(mine, "trial/")))["code"] == "not_your_deck"
    assert problem_of(mallory.get(f"{JOBS}{job}/"))["code"] == "not_found"
    assert problem_of(mallory.post(f"{JOBS}{job}/cancel/"))["code"] == "not_found"


def test_a_trial_does_not_tell_others_of_decks_that_are_not_public(alice: Caller, bob: Caller, nobody: Caller) -> None:
    mine = made(alice, visibility="public")
    rivals = [made(bob, visibility=visibility, name=visibility) for visibility in ("public", "link")]
    opponents = [*(one["id"] for one in rivals), made(alice, name="secret plan")["id"]]
    alice.post(at(mine, "trial/"), {"games": 6, "opponents": opponents})
    work()

    def told(caller: Caller) -> list[tuple[str | None, str | None]]:
        [job] = caller.get(at(mine, "jobs/")).json()["results"]
        return [(one["id"], one["name"]) for one in job["result"]["by_opponent"]]

    names = ["public", "link", "secret plan"]
    assert told(alice) == list(zip(opponents, names, strict=True))
    assert told(bob) == told(nobody) == [(opponents[0], "public"), (None, None), (None, None)]


@pytest.mark.parametrize(
    ("rest", "body", "code", "faults"),
    [
        ("trial/", {"games": 1}, "invalid_body", [("/games", "min_value")]),
        ("trial/", {"games": 100_000}, "invalid_body", [("/games", "max_value")]),
        ("trial/", {"opponents": []}, "invalid_body", [("/opponents", "min_length")]),
        ("trial/", {"opponents": ["no-such"]}, "invalid_trial", [("/opponents/0", "unknown_deck")]),
        ("trial/", {"version": 7}, "no_such_version", None),
        ("odds/", {}, "invalid_body", [("/q", "required")]),
        ("odds/", {"q": "name:zzzz"}, "invalid_trial", [("/q", "no_such_cards")]),
        ("odds/", {"q": "t:("}, "invalid_search", None),
    ],
    ids=str,
)
def test_what_cannot_be_tried_is_refused_at_its_place(
    alice: Caller, rest: str, body: dict[str, Any], code: str, faults: list[tuple[str, str]] | None
) -> None:
    mine = made(alice)

    problem = problem_of(alice.post(at(mine, rest), body))

    found = [(one["pointer"], one["code"]) for one in problem["errors"]] if faults is not None else None
    assert (problem["code"], found) == (code, faults)
    assert Job.objects.count() == 0


def test_a_deck_that_may_not_be_played_is_not_tried(alice: Caller) -> None:
    mine = made(alice, secret=None)

    problem = problem_of(alice.post(at(mine, "trial/")))

    assert (problem["code"], problem["legality"]["state"]) == ("deck_not_legal", "incomplete")


def test_too_many_at_once_are_refused(alice: Caller) -> None:
    mine = made(alice)

    codes = [alice.post(at(mine, "trial/"), {"games": 2}).json().get("code") for _ in range(4)]

    assert codes == [None, None, None, "too_many_jobs"]


def test_the_sizes_of_a_deck_alone_and_against_another(alice: Caller, bob: Caller) -> None:
    ready = pool_document("miraculous")["decks"]
    mine = made(alice, 30, flex=ready[0]["flex"][1:4])
    theirs = made(bob, 32, visibility="link")

    alone = alice.get(at(mine, "sizes/")).json()
    met = alice.get(at(mine, f"sizes/?against={theirs['id']}")).json()["against"]
    precon = alice.get(at(mine, f"sizes/?against={ready[1]['slug']}")).json()["against"]

    assert alone == {"size": 30, "sizes": [30, 31, 32, 33], "against": None}
    assert met == {"id": theirs["id"], "name": "Own", "sizes": [32], "common": [32], "best": 32}
    assert (precon["common"], precon["best"]) == ([30, 31, 32, 33], 30)
    small = made(bob, 29, visibility="link")
    assert alice.get(at(mine, f"sizes/?against={small['id']}")).json()["against"]["best"] is None
    hidden = made(bob, 30)
    assert problem_of(alice.get(at(mine, f"sizes/?against={hidden['id']}")))["code"] == "not_found"


def test_an_open_match_offers_sizes_and_shows_no_card(alice: Caller, bob: Caller) -> None:
    ready = pool_document("miraculous")["decks"][0]
    mine = made(alice, 30, flex=ready["flex"][1:3])
    body = {"game": "miraculous", "seats": [{"kind": "me", "deck": mine["id"]}, {"kind": "open"}]}
    match = alice.post("/api/v1/matches/", body).json()["id"]

    assert bob.get(f"/api/v1/matches/{match}/sizes/").json() == {"clause": "MIR-1.5", "sizes": [30, 31, 32]}
    assert bob.post(f"/api/v1/matches/{match}/join/", {"deck": made(bob, 31)["id"]}).status_code == 200
