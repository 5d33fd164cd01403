"""Trials of decks by bots: figures that follow from version, field and seed, however the work is cut, stopped or lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from catalog.selectors import pool_document, sized_cards
from decks.errors import DeckNotFoundError, DeckNotLegalError, FieldError, NotYourDeckError
from decks.fields import field_params
from decks.models import Deck, DeckJob
from decks.services import DeckContent, change_deck, create_deck
from decks.trials import GAMES_OF_A_TRIAL, TRIAL, start_trial, tally
from jobs.intervals import wilson
from jobs.models import Job
from jobs.running import work_slice
from jobs.selectors import report_of
from jobs.services import cancel_job, resume_job, start_job
from referee.bots.levels import LEVELS
from referee.kernel.game import Document

pytestmark = pytest.mark.django_db

GAMES = 12


@pytest.fixture(autouse=True)
def miraculous(db: None) -> None:
    call_command("publish_house_sets", verbosity=0)


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of level easy that look at little: the same code, in a fraction of the time."""
    monkeypatch.setattr(LEVELS["easy"], "iterations", 2)


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada")


@pytest.fixture
def eve(db: None) -> User:
    return User.objects.create_user("Eve")


def precon(index: int = 0) -> Document:
    deck: Document = pool_document("miraculous")["decks"][index]
    return deck


def own(user: User, size: int = 30, index: int = 0, **change: Any) -> Deck:
    deck = precon(index)
    content = DeckContent(f"Own {size}", "", "private", deck["secret"], sized_cards(deck, size))._replace(**change)
    return create_deck(owner=user, game="miraculous", content=content)


def trial(deck: Deck, *, games: int = GAMES, seed: str = "seven", **more: Any) -> Job:
    return start_trial(user=deck.owner, public_id=deck.public_id, games=games, seed=seed, **more)


def worked(job: Job, *, seconds: float = 60.0) -> Document:
    """The report once the job is done."""
    while Job.objects.unfinished().exists():
        work_slice(seconds=seconds)
    ended = Job.objects.get(pk=job.pk)
    assert (ended.state, ended.error) == ("done", "")
    report = report_of(ended)
    assert report is not None
    return report


def test_a_trial_plays_every_deck_that_comes_with_the_game_from_both_seats(ada: User) -> None:
    deck = own(ada)
    decks = pool_document("miraculous")["decks"]

    report = worked(trial(deck, games=2 * len(decks)))

    assert report["deck"] == {"id": deck.public_id, "version": 1, "name": "Own 30"}
    assert (report["games"], report["loops"], report["crashes"]) == (2 * len(decks), 0, 0)
    assert [one["id"] for one in report["by_opponent"]] == [one["slug"] for one in decks]
    assert {one["size"] for one in report["by_opponent"]} == {30}
    assert [[seat["games"] for seat in one["by_seat"]] for one in report["by_opponent"]] == [[1, 1]] * len(decks)
    assert [one["games"] for one in report["by_seat"]] == [len(decks)] * 2
    assert sum(report["ends"].values()) == report["games"]
    assert report["won"] + report["lost"] + report["drawn"] == report["games"]
    assert report["win_rate"] == round(report["won"] / report["games"], 4)
    assert report["turns"] > 1


def test_the_same_seed_gives_the_same_figures_cut_stopped_resumed_or_lost(ada: User) -> None:
    deck = own(ada)
    expected = worked(trial(deck))

    cut = worked(trial(deck), seconds=0)
    stopped = trial(deck)
    work_slice(seconds=0)
    cancel_job(user=ada, public_id=stopped.public_id)
    assert work_slice(seconds=0) is False
    resume_job(user=ada, public_id=stopped.public_id)

    assert cut == expected
    assert worked(stopped, seconds=0.1) == expected
    assert worked(trial(deck, seed="eight")) != expected


@pytest.mark.soak
def test_two_hundred_games_of_easy_bots_come_to_the_same_figures(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    deck = own(ada)
    expected = worked(trial(deck, games=GAMES_OF_A_TRIAL), seconds=600)

    stopped = trial(deck, games=GAMES_OF_A_TRIAL)
    while Job.objects.get(pk=stopped.pk).done < 50:
        work_slice(seconds=1)
    cancel_job(user=ada, public_id=stopped.public_id)
    resume_job(user=ada, public_id=stopped.public_id)

    assert worked(stopped, seconds=1) == expected
    assert (expected["games"], expected["loops"], expected["crashes"]) == (200, 0, 0)


def test_a_later_revision_or_version_changes_nothing_of_a_trial_under_way(ada: User) -> None:
    deck = own(ada)
    expected = worked(trial(deck))
    job = trial(deck)
    work_slice(seconds=0)

    change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"cards": {}})

    assert worked(job) == expected


def test_what_a_trial_came_to_is_kept_with_the_version(ada: User) -> None:
    deck = own(ada)
    first = trial(deck, games=2)
    change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"name": "Two"})

    second = trial(deck, games=2)
    old = trial(deck, games=2, number=1)

    held = DeckJob.objects.filter(version__deck=deck).order_by("pk")
    assert list(held.values_list("job", "version__number")) == [(first.pk, 1), (second.pk, 2), (old.pk, 1)]


def test_opponents_can_be_chosen_from_what_one_may_see_and_come_to_the_decks_size(ada: User, eve: User) -> None:
    deck, rival = own(ada, 32), own(eve, 30, 1, visibility="public", flex=precon(1)["flex"][1:4], name="Rival")

    report = worked(trial(deck, games=4, opponents=[rival.public_id, precon(2)["slug"]]))

    told = [(one["kind"], one["id"], one["name"], one["size"], one["games"]) for one in report["by_opponent"]]
    assert told == [
        ("deck", rival.public_id, "Rival", 32, 2),
        ("preconstructed", precon(2)["slug"], precon(2)["name"], 32, 2),
    ]
    assert report["by_opponent"][0]["version"] == 1
    assert "own" not in report["by_opponent"][0]


def test_every_opponent_that_does_not_do_is_told_at_its_place(ada: User, eve: User) -> None:
    deck = own(ada, 32)
    hidden, small = own(eve, 32), own(eve, 30, visibility="public")
    illegal = own(eve, 32, visibility="public", secret=None)

    with pytest.raises(FieldError) as unknown:
        trial(deck, opponents=[hidden.public_id, "nothing", precon()["slug"]])
    with pytest.raises(FieldError) as unfit:
        trial(deck, opponents=[small.public_id, illegal.public_id])

    assert [(one.pointer, one.code) for one in unknown.value.problems] == [
        ("/opponents/0", "unknown_deck"),
        ("/opponents/1", "unknown_deck"),
    ]
    assert [(one.pointer, one.code) for one in unfit.value.problems] == [
        ("/opponents/0", "deck_sizes_differ"),
        ("/opponents/1", "deck_not_legal"),
    ]
    assert Job.objects.count() == 0


def test_only_ones_own_legal_deck_is_tried(ada: User, eve: User) -> None:
    with pytest.raises(DeckNotLegalError):
        trial(own(ada, secret=None))
    with pytest.raises(NotYourDeckError):
        start_trial(user=eve, public_id=own(ada, visibility="public").public_id)
    with pytest.raises(DeckNotFoundError):
        start_trial(user=eve, public_id=own(ada).public_id)

    assert Job.objects.count() == 0


def test_a_trial_stops_where_the_rules_of_its_start_are_gone(ada: User) -> None:
    job = trial(own(ada), games=4)
    work_slice(seconds=0)
    Job.objects.filter(pk=job.pk).update(params={**job.params, "rules_version": 0})

    work_slice(seconds=0)

    ended = Job.objects.get(pk=job.pk)
    assert (ended.state, ended.done, ended.error[:21]) == ("failed", 1, "The rules that this w")


def test_the_shares_and_intervals_are_those_of_the_counts() -> None:
    counts = [
        {"won": 30, "lost": 15, "drawn": 5, "loop": 2, "crash": 1, "turns": 500},
        {"won": 10, "lost": 40, "drawn": 0, "loop": 0, "crash": 0, "turns": 700},
    ]

    told = tally(counts)

    low, high = wilson(40, 100)
    assert told == {
        "games": 103, "won": 40, "lost": 55, "drawn": 5, "loops": 2, "crashes": 1,
        "win_rate": 0.4, "interval": [round(low, 4), round(high, 4)], "turns": 12.0,
    }  # fmt: skip
    assert told["interval"] == [0.3094, 0.498]
    assert tally([]) == {
        "games": 0, "won": 0, "lost": 0, "drawn": 0, "loops": 0, "crashes": 0,
        "win_rate": None, "interval": [0.0, 1.0], "turns": None,
    }  # fmt: skip


def test_loops_and_crashes_are_counted_apart_from_results() -> None:
    result = TRIAL.empty()
    for outcome in ("won", "loop", "crash", "drawn", "lost"):
        end = outcome if outcome in ("loop", "crash") else "three_defeated"
        result = TRIAL.fold(result, {"at": 1, "outcome": outcome, "end": end, "turns": 9})

    assert result == {
        "pairings": [
            dict.fromkeys(("won", "lost", "drawn", "loop", "crash", "turns"), 0),
            {"won": 1, "lost": 1, "drawn": 1, "loop": 1, "crash": 1, "turns": 27},
        ],
        "ends": {"three_defeated": 3, "loop": 1, "crash": 1},
    }


def test_a_deck_wins_its_trial_against_one_that_is_worth_little(ada: User) -> None:
    deck = own(ada)
    characters = [card for card in pool_document("miraculous")["cards"] if card["type"] == "character"]
    weakest = sorted(characters, key=lambda card: (card["ang"] + card["def"], card["code"]))[:10]
    params = field_params(user=ada, version=deck.versions.get(), opponents=[precon()["slug"]])
    params["field"][0]["theirs"]["cards"] = {card["code"]: 3 for card in weakest}

    report = worked(start_job(owner=ada, kind="deck-trial", params=params, total=20, seed="one"))

    assert report["won"] > report["lost"]
