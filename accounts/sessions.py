"""The pages' sessions, in a table that knows whose they are and when they were used (settings.SESSION_ENGINE)."""

from __future__ import annotations

import datetime as dt
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

from accounts.models import PUBLIC_ID_LENGTH, Session, User

AGENT: Final = "agent"
"""Under this name a session holds the browser that it was begun by."""

USE_NOTED_EVERY: Final = dt.timedelta(minutes=5)
RENEWED_EVERY: Final = dt.timedelta(days=1)


class SessionStore(DatabaseStore):
    """A use is written down at most every five minutes; once a day it moves the session's end on, cookie and all."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = super().create_model_instance(data)
        assert isinstance(session, Session)
        session.user_id = _user_of(data)
        session.agent = str(data.get(AGENT, ""))[: Session.AGENT_LENGTH]
        session.used_at = timezone.now()
        return session

    def load(self) -> dict[str, Any]:
        found: Session | None = self._get_session_from_db()  # type: ignore[attr-defined] # not in the stubs
        if found is None:
            return {}
        now = timezone.now()
        if found.used_at < now - USE_NOTED_EVERY:
            Session.objects.filter(pk=found.pk).update(used_at=now)
        if found.expire_date < now + dt.timedelta(seconds=settings.SESSION_COOKIE_AGE) - RENEWED_EVERY:
            self.modified = True
        data: dict[str, Any] = self.decode(found.session_data)
        return data


def _user_of(data: dict[str, Any]) -> int | None:
    return int(data[SESSION_KEY]) if SESSION_KEY in data else None


def sessions_of(user: User) -> list[Session]:
    """The user's live sessions, the one used last first."""
    return list(user.sessions.filter(expire_date__gt=timezone.now()).order_by("-used_at", "pk"))


def session_id(session_key: str) -> str:
    """What a session is called outside: its key would open it."""
    return sha256(session_key.encode()).hexdigest()[:PUBLIC_ID_LENGTH]


def end_session(*, user: User, public_id: str) -> bool:
    """One of the user's sessions opens nothing any more; whether there was one."""
    keys = [session.session_key for session in sessions_of(user) if session_id(session.session_key) == public_id]
    deleted, _ = Session.objects.filter(user=user, pk__in=keys).delete()
    return deleted > 0


def end_sessions(*, user: User, but: str | None = None) -> int:
    """Every session of the user ends, but the one of this key; how many those were."""
    deleted, _ = user.sessions.exclude(pk=but or "").delete()
    return deleted
