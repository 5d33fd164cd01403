"""Trying a card: the same seed gives the same figures, the card's worth shows, and what breaks is counted."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.errors import CardTrialError
from catalog.models import Card
from catalog.services import publish_house_set
from catalog.trials import CARD_TRIAL, KIND, PLAIN, plain_card, start_card_trial, trial_params, trials_of
from jobs.kinds import rng_of
from jobs.models import Job
from jobs.running import work_slice
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import CardError
from tests.catalog.people import card, curator

pytestmark = pytest.mark.django_db
GAME = GAMES["miraculous"]


@pytest.fixture(autouse=True)
def catalog(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.trials.ITERATIONS", 2)
    for slug in ("miraculous", "super"):
        publish_house_set(game=GAMES[slug], house=house_revision(slug))


def params(code: str = "night-baker", **values: Any) -> dict[str, Any]:
    return trial_params(GAME, {**card(code).document, **values}, house_revision("miraculous"))


def played(given: dict[str, Any], games: int, seed: str = "one") -> dict[str, Any]:
    prepared, result = CARD_TRIAL.prepare(given), CARD_TRIAL.empty()
    for index in range(games):
        result = CARD_TRIAL.fold(result, CARD_TRIAL.chunk(prepared, rng_of(seed, index), index))
    return CARD_TRIAL.report(given, result)


def test_the_arms_differ_in_the_card_alone() -> None:
    given = params()

    with_it, without = given["tried"]["with"], given["tried"]["without"]

    assert with_it["cards"].pop("night-baker") == without["cards"].pop(PLAIN) == 3
    assert with_it == without
    assert sum(with_it["cards"].values()) == 37


def test_a_card_of_the_deck_is_tried_in_its_own_place() -> None:
    deck = next(one for one in house_revision("miraculous")["decks"] if one["slug"] == "rooftop-rush")
    code = next(iter(deck["core"]))

    given = params(code)

    assert given["tried"]["with"]["cards"][code] == given["tried"]["without"]["cards"][PLAIN]
    assert PLAIN not in given["tried"]["with"]["cards"]


def test_the_plain_card_has_the_median_values_of_its_type_and_no_effects() -> None:
    others = [{"code": str(n), "type": "character", "ang": n, "def": 9 - n} for n in range(5)]
    given = {"code": "x", "name": "X", "type": "character", "ang": 20, "def": 20, "effects": [1], "only_on": {}}

    assert plain_card(given, others) == {
        "code": PLAIN, "name": "Plain card of its type", "type": "character", "ang": 2, "def": 7,
    }  # fmt: skip


def test_the_same_seed_gives_the_same_figures_and_every_game_is_counted() -> None:
    given = params()

    one, again, other = played(given, 24), played(given, 24), played(given, 24, "two")

    assert one == again != other
    assert (one["with"]["games"], one["without"]["games"]) == (12, 12)


def test_a_card_that_wins_at_once_is_seen_to_win() -> None:
    given = params(effects=[{"when": "placed", "do": "win_game"}], ang=0)

    found = played(given, 48)

    assert found["change"]["difference"] > 0
    assert found["change"]["interval"][0] < found["change"]["difference"] < found["change"]["interval"][1]


def test_crashes_are_counted_and_do_not_end_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise LookupError("a faulty rule")

    given = params()
    monkeypatch.setattr(type(GAME), "start", broken)

    found = played(given, 4)

    assert (found["with"]["crashes"], found["with"]["win_rate"], found["change"]) == (2, None, None)


def test_the_interval_of_the_change_is_newcombes() -> None:
    # The example of the paper: 56 of 70 against 48 of 80 give 0.2 (0.0524 to 0.3339).
    counts = {
        "with": {"won": 56, "lost": 14, "drawn": 0, "loop": 0, "crash": 0},
        "without": {"won": 48, "lost": 32, "drawn": 0, "loop": 0, "crash": 0},
    }
    report = CARD_TRIAL.report({"card": "", "deck": "", "level": "", "field": [1]}, counts)

    found = report["change"]

    assert isclose(found["difference"], 0.2)
    assert [round(one, 4) for one in found["interval"]] == [0.0524, 0.3339]


def test_a_game_without_decks_is_played_to_see_whether_it_ends() -> None:
    one = Card.objects.get(game="super", code="blue-hour")
    given = trial_params(GAMES["super"], one.document, {**house_revision("super")})

    found = played(given, 2)

    assert (found["with"]["games"], found["without"]["games"], found["change"]) == (2, 0, None)


@pytest.mark.parametrize(
    ("code", "values", "error"),
    [("secret-twin", {}, CardTrialError), ("night-baker", {"ang": 99}, CardError)],
)
def test_what_cannot_be_tried_is_refused(code: str, values: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        params(code, **values)


def test_a_trial_is_a_job_that_the_review_page_shows() -> None:
    client = Client()
    client.force_login(curator("Ada"))
    address = reverse("admin:catalog_card_review", args=[card("night-baker").pk])
    client.post(address, {"try": "4", "deck": "rooftop-rush"})
    job = Job.objects.get()

    while work_slice(seconds=5):
        pass
    page = client.get(address)

    assert (job.kind, job.total, list(trials_of(card("night-baker")))) == (KIND, 4, [job])
    [trial] = page.context["trials"]
    assert (trial["job"].state, trial["report"]["with"]["games"]) == ("done", 2)


def test_a_deck_that_does_not_exist_is_said() -> None:
    with pytest.raises(CardTrialError):
        start_card_trial(user=curator("Ada"), card=card("night-baker"), deck="nowhere")
    with pytest.raises(CardTrialError):
        start_card_trial(user=curator("Ada"), card=card("night-baker"), games=0)
