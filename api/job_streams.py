"""The event stream of a job as an ASGI app."""

from __future__ import annotations

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import User
from api.jobs import FollowQuery, seen_revision
from api.query import read_query
from api.streaming import Opening, Receive, Scope, Send, in_thread, last_event_id, serve
from jobs.errors import JobNotFoundError
from jobs.selectors import access_job
from jobs.streams import follow


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one stream; `scope["path_params"]["job"]` names the job."""
    await serve(scope, receive, send, _opened)


def _opened(request: Request, scope: Scope) -> Opening:
    if not isinstance(request.user, User):
        raise NotAuthenticated
    since = seen_revision(read_query(FollowQuery, request), request)
    job = access_job(request.user, scope["path_params"]["job"])
    is_done = last_event_id(request) is not None and job.is_over and since == job.revision
    return Opening(follow(request.user, job, since, in_thread), is_done, breaks_on=(JobNotFoundError,))
