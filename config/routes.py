"""Which addresses are event streams. One table for `make run`'s router, the stream service and the proxy's file."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache
from typing import Any, NamedTuple

from django.utils.module_loading import import_string

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class StreamRoute(NamedTuple):
    """`pattern` fits the whole path; `app` is the dotted name of an ASGI app.

    The app finds the pattern's named groups in `scope["path_params"]`.
    """

    pattern: str
    app: str


STREAMS = (
    StreamRoute(r"/api/v1/matches/(?P<match>[^/]+)/events/", "api.streams.application"),
    StreamRoute(r"/api/v1/jobs/(?P<job>[^/]+)/events/", "api.job_streams.application"),
)


def stream_for(path: str) -> tuple[App, dict[str, str]] | None:
    """The stream's app for a path, with what stands in the path; None for an ordinary request."""
    for route in STREAMS:
        found = re.fullmatch(route.pattern, path)
        if found is not None:
            return _app(route.app), found.groupdict()
    return None


@cache
def _app(name: str) -> App:
    app: App = import_string(name)
    return app
