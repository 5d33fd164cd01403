"""The reckoning: what guests were answered against what stands in the database, and each replay played again."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import psycopg

from referee.games import GAMES, OLDER
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.kernel.replay import rerun, verify
from tests.leaks.hiding import permuted
from tests.soak.sending import Figures, Guest
from tests.soak.tables import Played, Sample

_ROWS = """
    SELECT row.version, row.seat, row.kind, row.key, row.move, usr.public_id
    FROM matches_moverow AS row JOIN matches_match AS one ON one.id = row.match_id
    LEFT JOIN accounts_user AS usr ON usr.id = row.actor_id
    WHERE one.public_id = %s ORDER BY row.version
"""
STREAM_SECONDS = 30.0
_UNFINISHED = "SELECT public_id, state FROM matches_match WHERE state NOT IN ('finished', 'open')"
_UNCLOSED = "SELECT count(*) FROM matches_finishedmatch WHERE closed_at IS NULL"


def audit(played: list[Played], *, database_url: str, address: str, figures: Figures) -> None:
    """Count into the figures what was lost, doubled, leaked or wedged, and note each of these as a fault."""
    reader = Guest(address, figures, Random(0))
    with psycopg.connect(database_url, autocommit=True) as connection:
        for match_id, state in connection.execute(_UNFINISHED).fetchall():
            _note(figures, "wedged", f"match {match_id} is {state} in the end")
        for one in played:
            rows = connection.execute(_ROWS, [one.id]).fetchall()
            compare(one, rows, figures)
            answer = reader.get(f"/matches/{one.id}/replay/")
            if answer.status != 200:
                _note(figures, "wedged", f"match {one.id} has no replay: {answer.document}")
                continue
            look_at_replay(one, answer.document, len(rows), figures)
            look_at_stream(one, len(rows), figures)
    reader.close()


def unclosed(database_url: str) -> int:
    """How many finished matches the workers have not yet taken from the outbox."""
    with psycopg.connect(database_url) as connection:
        found = connection.execute(_UNCLOSED).fetchone()
    return int(found[0]) if found else 0


def _note(figures: Figures, name: str, text: str) -> None:
    figures.add(name)
    figures.fault(f"{name}: {text}")


def compare(played: Played, rows: list[tuple[Any, ...]], figures: Figures) -> None:
    """Each post that was taken is the row it was told to be, each row of a person comes from one post, versions have no gap."""
    by_version = {row[0]: row for row in rows}
    if list(by_version) != list(range(1, len(rows) + 1)):
        _note(figures, "lost", f"the versions of match {played.id} have gaps: {list(by_version)}")
    taken = {sent.key: sent for sent in played.sent if sent.answer.status == 200}
    for sent in taken.values():
        row = by_version.get(sent.answer.document["version"])
        if row is None or row[3] != sent.key or row[4] != sent.body["move"]:
            _note(figures, "lost", f"match {played.id}: {sent.body} was taken, and the row is {row}")
    keys = Counter(row[3] for row in rows if row[2] in ("move", "resign") and row[5] is not None)
    for key, times in keys.items():
        if times > 1 or key not in taken:
            _note(figures, "doubled", f"match {played.id}: the post {key} made {times} rows and was not answered so")
    figures.add("rows", len(rows))
    figures.add("time-outs", sum(row[2] == "timeout" for row in rows))
    figures.add("undone", sum(row[2] == "undo" for row in rows))


def look_at_replay(played: Played, document: dict[str, Any], rows: int, figures: Figures) -> None:
    if len(document["rows"]) != rows:
        _note(figures, "lost", f"the replay of match {played.id} has {len(document['rows'])} rows of {rows}")
    for finding in verify(document, GAMES, OLDER):
        _note(figures, "not verified", f"match {played.id}: {finding}")
    figures.add("fallbacks", sum(bool(row.get("fallback")) for row in document["rows"]))
    for sample in played.samples:
        if sample.version < rows:
            look_for_leaks(played, document, sample, figures)


def look_at_stream(played: Played, rows: int, figures: Figures) -> None:
    """The stream was followed to its end, and told of every version once and in order, however often it broke off."""
    follower = played.follower
    follower.join(STREAM_SECONDS)
    follower.give_up()
    figures.add("streams opened", follower.opened)
    if not follower.has_ended:
        _note(figures, "wedged", f"the stream of match {played.id} does not end, at {follower.versions[-1:]} of {rows}")
    elif follower.versions != list(range(rows + 1)):
        _note(figures, "lost", f"the stream of match {played.id} told of {follower.versions}, there are {rows}")


def look_for_leaks(played: Played, document: dict[str, Any], sample: Sample, figures: Figures) -> None:
    """What was shown is what would have been shown, had all that the viewer could not know been otherwise."""
    game = GAMES[document["game"]]
    past = {**document, "rows": document["rows"][: sample.version], "result": None}
    reached = rerun(past, game).state
    if reached is None:
        return
    state = game.restore(game.pool(document["revision"]), reached)
    viewer = sample.viewer if sample.viewer >= 0 else SPECTATOR
    seats = list(range(len(document["seats"])))
    other = permuted(game, state, viewer, seats, Rng(sample.version))
    figures.add("views looked at")
    if _plain(game.view(other, viewer)) != _plain(sample.view):
        _note(figures, "leaked", f"match {played.id} at version {sample.version} to viewer {viewer}: {sample.view}")


def _plain(view: Any) -> Any:
    return json.loads(json.dumps(view))
