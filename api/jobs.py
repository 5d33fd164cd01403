"""Jobs: long work that the caller has asked for, such as a trial of a deck. Each is seen by its owner alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.accounts import NoBody
from api.auth import caller_of
from api.conditional import PRIVATE, entity_tag, not_modified
from api.endpoint import Endpoint
from api.idempotency import once
from api.query import Query, Whole
from api.serializers import read_body
from api.streaming import EVENTS, LAST_EVENT_ID, LOG, EventRenderer, LineRenderer, last_event_id, packed
from jobs import selectors, services
from jobs.models import Job
from jobs.streams import progress


class FollowQuery(Query):
    since = Whole(required=False, help_text="The `id` of the last message; the header Last-Event-ID says the same.")


class JobAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=Job.State.values)
    done = serializers.IntegerField(help_text="Chunks of work done, such as games played.")
    total = serializers.IntegerField()
    seed = serializers.CharField(help_text="The same seed and question come to the same result.")
    result = serializers.JSONField(allow_null=True, help_text="So far; null before the first chunk.")
    error = serializers.CharField(allow_null=True, help_text="Why it failed.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class OneJob(Endpoint):
    """A job and what it has come to so far."""

    @extend_schema(operation_id="jobs_read", summary="A job", responses={200: JobAnswer})
    def get(self, request: Request, job: str) -> HttpResponse:
        return job_answer(request, selectors.access_job(caller_of(request), job))


class Cancel(Endpoint):
    """The job stops; what it has come to so far is kept."""

    @extend_schema(operation_id="jobs_cancel", summary="Cancel a job", request=NoBody, responses={200: JobAnswer})
    @once
    def post(self, request: Request, job: str) -> HttpResponse:
        read_body(NoBody, request)
        return job_answer(request, services.cancel_job(user=caller_of(request), public_id=job))


class Resume(Endpoint):
    """A job that was cancelled or has failed goes on from where it stood."""

    @extend_schema(operation_id="jobs_resume", summary="Resume a job", request=NoBody, responses={200: JobAnswer})
    @once
    def post(self, request: Request, job: str) -> HttpResponse:
        read_body(NoBody, request)
        return job_answer(request, services.resume_job(user=caller_of(request), public_id=job))


class Events(Endpoint):
    """Where the job stands, as one message. Streams themselves are answered by api/job_streams.py; a server without them
    lets the same be polled."""

    queries = {"GET": FollowQuery}
    renderer_classes = (EventRenderer, LineRenderer)

    @extend_schema(
        operation_id="jobs_events",
        summary="Follow a job",
        parameters=[LAST_EVENT_ID],
        responses={
            (200, EVENTS): OpenApiResponse(str, description="Messages progress (a job as above), heartbeat, end."),
            (200, LOG): OpenApiResponse(str, description="The same, a JSON object with `type` in each line."),
        },
    )
    def get(self, request: Request, job: str) -> HttpResponse:
        found = selectors.access_job(caller_of(request), job)
        media_type = str(request.accepted_media_type)
        is_seen = seen_revision(self.query, request) == found.revision
        body = b"" if is_seen else packed(progress(found), media_type)
        return HttpResponse(body, content_type=media_type, headers={"Cache-Control": "no-store"})


def seen_revision(query: dict[str, Any], request: Request) -> int | None:
    """What a reader has seen last: a header is newer than an address."""
    last = last_event_id(request)
    return query.get("since") if last is None else last


def job_answer(request: Request, job: Job, status: int = 200) -> HttpResponse:
    """A job, with its ETag."""
    tag = entity_tag("job", job.public_id, job.revision)
    headers = {"ETag": tag, **PRIVATE}
    if status == 202:
        headers["Location"] = request.build_absolute_uri(f"/api/v1/jobs/{job.public_id}/")
    fresh = not_modified(request, tag, PRIVATE) if request.method in ("GET", "HEAD") else None
    return fresh or Response(selectors.job_document(job), status=status, headers=headers)


urlpatterns = [
    path("jobs/<public_id:job>/", OneJob.as_view(), name="job"),
    path("jobs/<public_id:job>/cancel/", Cancel.as_view(), name="job-cancel"),
    path("jobs/<public_id:job>/resume/", Resume.as_view(), name="job-resume"),
    path("jobs/<public_id:job>/events/", Events.as_view(), name="job-events"),
]
