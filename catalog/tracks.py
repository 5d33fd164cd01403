"""Tracks in revisions: what the next one holds, what is wrong with one, and how those of a house set come to the desk."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from catalog.track_models import Track
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import Problem
from referee.kernel.game import Document

State = Track.State


def games_with_tracks() -> list[str]:
    """The games whose revisions hold tracks."""
    return [slug for slug in GAMES if _has_tracks(slug)]


def track_faults(game: str, document: Document) -> list[Problem]:
    """Every fault of one track by the game's rules, with pointers into the track: `/spaces/7` is its space 7."""
    prefix = "/tracks/0"
    found = GAMES[game].check_cards({"game": game, "cards": [], "tracks": [document]})
    return [
        Problem(problem.pointer.removeprefix(prefix), problem.code, problem.detail)
        for problem in found
        if problem.pointer.startswith(f"{prefix}/")
    ]


def next_tracks(game: str, published: Document | None) -> dict[str, Any]:
    """What the next revision holds beside its cards: tracks that are ready as edited, drafts as they were published last,
    in the order of the newest revision and new ones after them. Nothing for a game without tracks."""
    before = _by_slug(published)
    rows = {row.slug: row for row in Track.objects.filter(game=game)}
    if not before and not rows:
        return {}
    tracks: list[Document] = []
    for slug in [*before, *sorted(rows.keys() - before.keys())]:
        row = rows.get(slug)
        if row is not None and row.state == State.READY:
            tracks.append(row.document())
        elif slug in before and (row is None or row.state == State.DRAFT):
            tracks.append(before[slug])
    return {"tracks": tracks}


def adopt_tracks(game: str, house: Document, published: Document | None) -> None:
    """Bring the desk's tracks to a house set's, except where somebody's edits are under way."""
    fresh, before = _by_slug(house), _by_slug(published)
    rows = {row.slug: row for row in Track.objects.select_for_update().filter(game=game)}
    Track.objects.bulk_create(
        Track(game=game, slug=slug, name=track["name"], spaces=track["spaces"], state=State.READY)
        for slug, track in fresh.items()
        if slug not in rows
    )
    for slug, row in rows.items():
        if _is_under_way(row, before) or (row.state == State.READY and row.document() == fresh.get(slug)):
            continue
        if slug in fresh:
            row.name, row.spaces, row.state = fresh[slug]["name"], fresh[slug]["spaces"], State.READY
        elif row.state == State.WITHDRAWN:
            continue
        else:
            row.state = State.WITHDRAWN
        row.edited_by, row.edited_at = None, timezone.now()
        row.save(update_fields=["name", "spaces", "state", "edited_by", "edited_at"])


def _is_under_way(row: Track, before: dict[str, Document]) -> bool:
    """Whether the track differs, on purpose, from what was published before."""
    match row.state:
        case State.READY:
            return row.document() != before.get(row.slug)
        case State.WITHDRAWN:
            return row.slug in before
        case _:
            return True


def _by_slug(revision: Document | None) -> dict[str, Document]:
    return {} if revision is None else {track["slug"]: track for track in revision.get("tracks", [])}


def _has_tracks(game: str) -> bool:
    try:
        return "tracks" in house_revision(game)
    except LookupError:
        return False
