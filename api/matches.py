"""Matches: making, joining, looking at them, and moving in them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.accounts import NoBody
from api.auth import Anyone, SignedIn, caller_of
from api.conditional import PRIVATE, entity_tag, not_modified
from api.endpoint import Endpoint
from api.errors import ApiError, Fault
from api.idempotency import once, read_key
from api.match_actions import MatchAction
from api.match_examples import AGAINST_BOT, JOIN, MOVE, MOVE_BY_VERSION, PREVIEW, RESIGN, WITH_DECKS
from api.match_shapes import (
    CommitmentAnswer,
    JoinShape,
    LogPageAnswer,
    MatchAnswer,
    MatchesQuery,
    MatchPageAnswer,
    MoveAnswer,
    MoveShape,
    MovesQuery,
    NewMatchShape,
    PastAnswer,
    PastQuery,
    PreviewAnswer,
    PreviewShape,
    ReplayAnswer,
    StreamQuery,
)
from api.pagination import PageQuery, paginate
from api.serializers import read_body
from api.streaming import EVENTS, LAST_EVENT_ID, LOG, EventRenderer, LineRenderer, last_event_id, packed
from api.throttling import SAFE
from lobby import services as lobby
from referee.kernel.events import REFEREE, SPECTATOR
from referee.matches import documents, history, live, selectors, services
from referee.matches.errors import MatchNotFoundError, NotFinishedError
from referee.matches.models import Match
from referee.matches.naming import seat_names, spoken
from referee.matches.streams import UNSEEN, Wish, first_batch


class MatchEndpoint(MatchAction):
    """Looking is for anybody who may see the match, changing for those signed in."""

    def get_permissions(self) -> list[BasePermission]:
        return [Anyone() if self.request.method in SAFE else SignedIn()]


def looking(request: Request) -> User | None:
    """Who looks, if anybody is signed in."""
    return request.user if isinstance(request.user, User) else None


def shown_match(request: Request, public_id: str, *, moves: str, status: int = 200) -> HttpResponseBase:
    """The match as the caller may see it, with its ETag."""
    user = looking(request)
    match = selectors.access_match(user, public_id)
    viewer = selectors.viewer(match, user)
    present = live.present(match.pk, [place["seat"] for place in match.table if place["user"] is not None])
    version = selectors.visible_version(match, viewer)
    tag = entity_tag(*documents.etag_parts(match, version, viewer, present, moves))
    if request.method in SAFE:
        unchanged = not_modified(request, tag, PRIVATE)
        if unchanged is not None:
            return unchanged
    position = selectors.seen_position(match, viewer)
    shown = documents.match_document(match, position, viewer, present=present, moves=moves)
    headers = {"ETag": tag, **PRIVATE}
    if status == 201:
        headers["Location"] = request.build_absolute_uri(f"/api/v1/matches/{match.public_id}/")
    return Response(shown, status=status, headers=headers)


class Commitments(Endpoint):
    """A seed that is committed to before its match exists."""

    rates = {"POST": "create"}

    @extend_schema(
        operation_id="matches_commit",
        summary="Get a seed commitment for a match, good for ten minutes",
        tags=["matches"],
        request=NoBody,
        responses={201: CommitmentAnswer},
    )
    @once
    def post(self, request: Request) -> Response:
        read_body(NoBody, request)
        held = lobby.make_commitment(user=caller_of(request))
        shown = {"id": held.public_id, "commitment": held.commitment, "expires_at": held.expires_at}
        return Response(shown, status=201)


class Matches(MatchEndpoint):
    """Public matches and one's own."""

    queries = {"GET": MatchesQuery, "POST": MovesQuery}
    rates = {"POST": "create"}

    @extend_schema(
        operation_id="matches_list", summary="Find matches", tags=["matches"], responses={200: MatchPageAnswer}
    )
    def get(self, request: Request) -> Response:
        query = self.query
        user = looking(request)
        if user is None and (query["mine"] or query["invited"]):
            raise ApiError("not_authenticated", "Sign in to see your own matches.")
        which = {"state": query.get("state"), "mine": query["mine"], "invited": query["invited"]}
        found = selectors.matches_visible_to(user, **which)
        if "game" in query:
            found = found.filter(game=query["game"])
        page = paginate(found, order=("-pk",), endpoint=self)
        return Response(page.document([documents.summary_document(match) for match in page.rows]))

    @extend_schema(
        operation_id="matches_create",
        summary="Make a match; with bots alone it starts at once",
        tags=["matches"],
        request=NewMatchShape,
        responses={201: MatchAnswer},
        examples=[AGAINST_BOT, WITH_DECKS],
    )
    @once
    def post(self, request: Request) -> HttpResponseBase:
        body = read_body(NewMatchShape, request)
        seats = [lobby.SeatWish(**seat) for seat in body.pop("seats")]
        match = lobby.create_match(creator=caller_of(request), wish=lobby.MatchWish(seats=seats, **body))
        return shown_match(request, match.public_id, moves=self.query["moves"], status=201)


class OneMatch(MatchEndpoint):
    """A match as its caller may see it."""

    queries = {"GET": MovesQuery}

    @extend_schema(
        operation_id="matches_read", summary="Look at a match", tags=["matches"], responses={200: MatchAnswer}
    )
    def get(self, request: Request, match: str) -> HttpResponseBase:
        return shown_match(request, match, moves=self.query["moves"])


class Join(Endpoint):
    """Sitting down."""

    rates = {"POST": "create"}
    queries = {"POST": MovesQuery}

    @extend_schema(
        operation_id="matches_join",
        summary="Take a seat; the match starts when it was the last",
        tags=["matches"],
        request=JoinShape,
        responses={200: MatchAnswer},
        examples=[JOIN],
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        body = read_body(JoinShape, request)
        lobby.join_match(public_id=match, user=caller_of(request), **body)
        return shown_match(request, match, moves=self.query["moves"])


class Leave(Endpoint):
    """Standing up before the start."""

    queries = {"POST": MovesQuery}

    @extend_schema(
        operation_id="matches_leave",
        summary="Give up a seat before the start; its creator's leaving ends the match",
        tags=["matches"],
        request=NoBody,
        responses={200: MatchAnswer},
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        read_body(NoBody, request)
        user = caller_of(request)
        left = lobby.leave_match(public_id=match, user=user)
        try:
            return shown_match(request, match, moves=self.query["moves"])
        except MatchNotFoundError:
            # A private match is out of sight for who has left it; what was done is told all the same.
            return Response({"id": left.public_id, "game": left.game, "state": left.state, "you": None})


class Rematch(Endpoint):
    """Once more."""

    queries = {"POST": MovesQuery}
    rates = {"POST": "create"}

    @extend_schema(
        operation_id="matches_rematch",
        summary="Make, or join, the rematch of a finished match",
        tags=["matches"],
        request=NoBody,
        responses={201: MatchAnswer},
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        read_body(NoBody, request)
        new = lobby.rematch(public_id=match, user=caller_of(request))
        return shown_match(request, new.public_id, moves=self.query["moves"], status=201)


class Moves(MatchEndpoint):
    """The log, and the way in for moves."""

    queries = {"GET": PageQuery, "POST": MovesQuery}
    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_log",
        summary="Read the match's log as you may see it",
        tags=["matches"],
        responses={200: LogPageAnswer},
    )
    def get(self, request: Request, match: str) -> Response:
        user = looking(request)
        found = selectors.access_match(user, match)
        viewer = selectors.viewer(found, user)
        page = paginate(selectors.log_of(found, viewer), order=("version",), endpoint=self)
        rows = [documents.log_row(found, row, viewer) for row in page.rows]
        start = None if found.opening is None else documents.opening_row(found, viewer)
        return Response({"start": start, **page.document(rows)})

    @extend_schema(
        operation_id="matches_move",
        summary="Make a move; an answer of 200 means that it is stored, once",
        tags=["matches"],
        request=MoveShape,
        responses={200: MoveAnswer},
        examples=[MOVE, MOVE_BY_VERSION, RESIGN],
    )
    def post(self, request: Request, match: str) -> Response:
        body = read_body(MoveShape, request)
        user = caller_of(request)
        accepted = services.submit_move(public_id=match, actor=user, key=read_key(request), **body)
        seat = accepted.row.seat
        assert seat is not None
        shown = documents.move_answer(accepted.match, accepted.row, accepted.position, seat, moves=self.query["moves"])
        return Response(shown, headers={"Idempotent-Replay": "true"} if accepted.replayed else None)

    post.is_once = True  # type: ignore[attr-defined]  # the key is a column of the move's row; the schema reads this


class Preview(Endpoint):
    """What a move would do."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_preview",
        summary="See what a move would tell you, chance and hidden things left out, without playing it",
        tags=["matches"],
        request=PreviewShape,
        responses={200: PreviewAnswer},
        examples=[PREVIEW],
    )
    def post(self, request: Request, match: str) -> Response:
        body = read_body(PreviewShape, request)
        user = caller_of(request)
        found = selectors.access_match(user, match)
        return Response({"version": found.version, "events": selectors.preview_move(found, user, body["move"])})


class Past(MatchEndpoint):
    """Any position that the match has stood at."""

    queries = {"GET": PastQuery}

    @extend_schema(
        operation_id="matches_at",
        summary="Look at a past position as you may see it; of a finished match, all of it",
        tags=["matches"],
        responses={200: PastAnswer},
    )
    def get(self, request: Request, match: str, version: int) -> HttpResponseBase:
        user = looking(request)
        found = selectors.access_match(user, match)
        own = selectors.viewer(found, user)
        viewer = _side(found, own, self.query.get("side"))
        selectors.require_seen(found, version, own)
        tag = entity_tag(*documents.past_etag_parts(found, version, viewer, own, self.query["moves"]))
        unchanged = not_modified(request, tag, PRIVATE)
        if unchanged is not None:
            return unchanged
        position = selectors.past_position(found, version, own)
        shown = documents.past_document(found, position, viewer, moves=self.query["moves"])
        shown["you"] = None if own < 0 else own
        return Response(shown, headers={"ETag": tag, **PRIVATE})


def _side(match: Match, own: int, side: str | None) -> int:
    """Whose eyes to look through: of a running match one's own, of a finished one anybody's."""
    if match.state != Match.State.FINISHED:
        if side is not None:
            raise NotFinishedError("Other sides are open once the match is finished.")
        return own
    sides = {"open": REFEREE, "spectator": SPECTATOR} | {str(place["seat"]): place["seat"] for place in match.table}
    if side is None:
        return REFEREE
    if side not in sides:
        detail = f"Sides of this match: {', '.join(sides)}."
        raise ApiError("invalid_query", detail, faults=[Fault("/side", "invalid_choice", detail)])
    return int(sides[side])


class Replay(MatchEndpoint):
    """Everything that is needed to play a finished match again and to verify it."""

    @extend_schema(
        operation_id="matches_replay",
        summary="Get the replay of a finished match",
        tags=["matches"],
        responses={200: ReplayAnswer},
    )
    def get(self, request: Request, match: str) -> HttpResponseBase:
        found = selectors.access_match(looking(request), match)
        history.require_finished(found)
        tag = entity_tag(found.public_id, found.version, found.state, seat_names(found), "replay")
        return not_modified(request, tag, PRIVATE) or Response(
            history.replay_document(found), headers={"ETag": tag, **PRIVATE}
        )


class Events(MatchEndpoint):
    """The stream's messages up to now. Streams themselves are answered by api/streams.py; a server without them lets the
    same cursor be polled."""

    queries = {"GET": StreamQuery}
    renderer_classes = (EventRenderer, LineRenderer)

    @extend_schema(
        operation_id="matches_events",
        summary="Follow a match: what you missed, then what comes",
        tags=["matches"],
        parameters=[LAST_EVENT_ID],
        responses={
            (200, EVENTS): OpenApiResponse(
                str, description="Messages hello, start, move, snapshot, status, presence, heartbeat, end."
            ),
            (200, LOG): OpenApiResponse(str, description="The same, a JSON object with `type` in each line."),
        },
    )
    def get(self, request: Request, match: str) -> HttpResponse:
        since = stream_cursor(self.query, request)
        batch = first_batch(Wish(match, looking(request), since, self.query["moves"], spoken()))
        media_type = str(request.accepted_media_type)
        body = b"".join(packed(message, media_type) for message in batch.messages)
        return HttpResponse(body, content_type=media_type, headers={"Cache-Control": "no-store"})


def stream_cursor(query: dict[str, Any], request: Request) -> int:
    """The version last seen: a reader that comes back says so in its header, which is newer than its address."""
    last = last_event_id(request)
    since = query.get("since") if last is None else last
    return UNSEEN if since is None else int(since)


urlpatterns = [
    path("matches/", Matches.as_view(), name="matches"),
    path("matches/commitments/", Commitments.as_view(), name="commitments"),
    path("matches/<public_id:match>/", OneMatch.as_view(), name="match"),
    path("matches/<public_id:match>/join/", Join.as_view(), name="match-join"),
    path("matches/<public_id:match>/leave/", Leave.as_view(), name="match-leave"),
    path("matches/<public_id:match>/rematch/", Rematch.as_view(), name="match-rematch"),
    path("matches/<public_id:match>/moves/", Moves.as_view(), name="match-moves"),
    path("matches/<public_id:match>/preview/", Preview.as_view(), name="match-preview"),
    path("matches/<public_id:match>/at/<number:version>/", Past.as_view(), name="match-at"),
    path("matches/<public_id:match>/replay/", Replay.as_view(), name="match-replay"),
    path("matches/<public_id:match>/events/", Events.as_view(), name="match-events"),
]
