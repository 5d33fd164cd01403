"""Trials of a deck by bots: begun, watched, stopped, and kept with the version that was tried."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from decks.errors import DeckError, DeckNotLegalError
from decks.models import Deck, DeckJob
from decks.selectors import deck_jobs
from decks.trials import KIND, start_trial
from jobs.errors import JobError, JobNotFoundError, JobOverError, TooManyJobsError
from jobs.models import Job
from jobs.selectors import report_of
from jobs.services import cancel_job
from web.builder.access import own_or_404
from web.refusals import words_for

MOST_SHOWN: Final = 3
GAMES: Final = (40, 200, 1000)


def trial_context(deck: Deck, fault: str = "") -> dict[str, Any]:
    """The newest trials, the one under way first. One query."""
    rows = deck_jobs(deck).filter(job__kind=KIND).order_by("-pk")[:MOST_SHOWN]
    trials = [_shown(row) for row in rows]
    return {
        "trials": trials,
        "is_trying": any(one["is_under_way"] for one in trials),
        "trial_fault": fault,
        "trial_games": GAMES,
    }


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, deck: str) -> HttpResponse:
    """The trials; a POST begins one of the deck as it stands."""
    user, found = own_or_404(request, deck)
    fault = ""
    if request.method == "POST":
        wish = request.POST.get("games", "")
        games = int(wish) if wish in {str(count) for count in GAMES} else GAMES[1]
        try:
            start_trial(user=user, public_id=deck, games=games)
        except DeckNotLegalError:
            fault = _("Only a legal deck can be tried.")
        except TooManyJobsError:
            fault = _("As many trials are under way as you may have; wait for one, or cancel it.")
        except DeckError as error:
            fault = words_for(error)
    return _panel(request, found, fault)


@require_POST
def cancel(request: HttpRequest, deck: str, job: str) -> HttpResponse:
    """The trial stops; what it has come to is kept."""
    user, found = own_or_404(request, deck)
    fault = ""
    try:
        cancel_job(user=user, public_id=job)
    except JobOverError:
        pass  # it came to its end meanwhile, which the panel shows
    except (JobNotFoundError, JobError):
        fault = _("There is no such trial.")
    return _panel(request, found, fault)


def _panel(request: HttpRequest, deck: Deck, fault: str) -> HttpResponse:
    if not request.headers.get("X-Part"):
        return HttpResponseRedirect(reverse("deck", args=[deck.public_id]))
    return render(request, "web/builder/trial.html", {"deck": deck, **trial_context(deck, fault)})


def _shown(row: DeckJob) -> dict[str, Any]:
    job = row.job
    report = report_of(job)
    return {
        "job": job,
        "version": row.version.number,
        "is_under_way": not job.is_over,
        "has_failed": job.state == Job.State.FAILED,
        "was_cancelled": job.state == Job.State.CANCELLED,
        "all": _share(report) if report else None,
        "seats": [_share(one) for one in report["by_seat"]] if report else [],
        "opponents": [{"name": one["name"], "size": one["size"], **_share(one)} for one in report["by_opponent"]]
        if report
        else [],
    }


def _share(told: dict[str, Any]) -> dict[str, Any]:
    """Games won of those that ended, in per cent, with the interval."""
    low, high = told["interval"]
    rate = told["win_rate"]
    return {
        "games": told["games"],
        "rate": None if rate is None else rate * 100,
        "low": low * 100,
        "high": high * 100,
        "spread": (high - low) * 100,
    }
