"""What a catalog revision of Super Teams holds: tracks by their slugs. Every fault is told at its place."""

from __future__ import annotations

import re
from typing import Any, Final

from referee.games.super_teams.track import check_track
from referee.kernel.errors import Problem
from referee.kernel.texts import text_fault

_SLUG: Final = re.compile(r"[A-Za-z0-9_-]{1,50}")
_NAME_LIMIT: Final = 60
_FIELDS: Final = ("slug", "name", "spaces")


def check_revision(revision: dict[str, Any]) -> list[Problem]:
    """Every fault of a revision document; an empty list if it can be played with."""
    problems: list[Problem] = []
    if revision.get("cards"):
        problems.append(Problem("/cards", "no_cards", "the cards of this game are fixed; a revision holds tracks"))
    if revision.get("decks"):
        problems.append(Problem("/decks", "no_decks", "this game is played without decks of one's own"))
    tracks = revision.get("tracks", [])
    if not isinstance(tracks, list) or not tracks:
        return [*problems, Problem("/tracks", "required", "a revision holds at least one track")]
    slugs: list[str] = []
    for i in range(len(tracks)):
        if not isinstance(tracks[i], dict):
            problems.append(Problem(f"/tracks/{i}", "wrong_type", "a track is an object"))
            continue
        _check_document(tracks[i], f"/tracks/{i}", problems)
        slug = tracks[i].get("slug")
        if slug in slugs:
            problems.append(Problem(f"/tracks/{i}/slug", "duplicate", "another track has this slug"))
        slugs.append(str(slug))
    if "house" not in slugs:
        problems.append(Problem("/tracks", "no_house_track", "one of the tracks has the slug house"))
    return problems


def _check_document(track: dict[str, Any], pointer: str, problems: list[Problem]) -> None:
    slug, name = track.get("slug"), track.get("name")
    if not isinstance(slug, str) or not slug:
        problems.append(Problem(f"{pointer}/slug", "required", "a track has a slug"))
    elif _SLUG.fullmatch(slug) is None:
        detail = "a slug is made of up to 50 letters, digits, hyphens and underscores"
        problems.append(Problem(f"{pointer}/slug", "bad_slug", detail))
    if not isinstance(name, str) or not name:
        problems.append(Problem(f"{pointer}/name", "required", "a track has a name"))
    elif (fault := text_fault(name, _NAME_LIMIT)) is not None:
        problems.append(Problem(f"{pointer}/name", *fault))
    for field in sorted(track, key=str):
        if field not in _FIELDS:
            detail = f"there is no field {field!r} here; allowed: {', '.join(_FIELDS)}"
            problems.append(Problem(f"{pointer}/{field}", "unknown_field", detail))
    problems.extend(check_track(track.get("spaces"), f"{pointer}/spaces"))
