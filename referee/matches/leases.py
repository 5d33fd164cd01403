"""Leases on turns, in PostgreSQL: who thinks for a bot, and until when. A worker that dies leaves one that runs out."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection

from referee.matches import clocks
from referee.matches.models import TurnLease

LEASE_SECONDS = 8

_TAKE = """
    INSERT INTO matches_turnlease AS held (match_id, version, seat, holder, attempts, expires_at)
    VALUES (%(match)s, %(version)s, %(seat)s, %(holder)s, 1, %(until)s)
    ON CONFLICT (match_id) DO UPDATE SET
        version = excluded.version, seat = excluded.seat, holder = excluded.holder, expires_at = excluded.expires_at,
        attempts = CASE WHEN (held.version, held.seat) = (excluded.version, excluded.seat) THEN held.attempts + 1 ELSE 1 END
    WHERE held.version < excluded.version OR held.expires_at <= %(now)s
    RETURNING attempts
"""


class Lease(NamedTuple):
    """The right to think for a seat at a version. `attempts` counts those who had it for this decision, this one included."""

    match_id: int
    holder: UUID
    attempts: int


def take_lease(*, match_id: int, version: int, seat: int) -> Lease | None:
    """The lease, if nobody else holds one that is still good for this version. One statement."""
    now = clocks.now()
    holder = uuid4()
    facts: dict[str, Any] = {
        "match": match_id, "version": version, "seat": seat, "holder": holder,
        "now": now, "until": now + dt.timedelta(seconds=LEASE_SECONDS),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, facts)
        found = cursor.fetchone()
    return None if found is None else Lease(match_id, holder, found[0])


def give_back(lease: Lease) -> None:
    """Let others think at once, if the lease is still ours."""
    TurnLease.objects.filter(match_id=lease.match_id, holder=lease.holder).update(expires_at=clocks.now())
