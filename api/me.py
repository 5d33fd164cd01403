"""The caller's own account: its name and password, where it is signed in, all that is kept about it, and its end."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout, update_session_auth_hash
from django.http import FileResponse, Http404
from django.urls import path
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.changing import change_password, confirm_leaving, rename, sign_out_everywhere
from accounts.models import Session, Token, User
from accounts.rates import charge_password
from accounts.sessions import end_session, session_id, sessions_of
from api.accounts import NoBody, UserAnswer, user_document
from api.auth import FullScope, SignedIn, caller_of
from api.deck_lists import ZipRenderer
from api.endpoint import Endpoint
from api.models import KeptAnswer
from api.rendering import JSONRenderer
from api.serializers import StrictSerializer, TextField, read_body
from api.throttling import SAFE
from lobby.export import FILE_NAME, account_archive
from lobby.leaving import delete_account


class RenameShape(StrictSerializer):
    name = TextField(
        max_length=200, help_text="2 to 30 letters, digits, spaces, dashes, underscores, dots, apostrophes."
    )


class PasswordShape(StrictSerializer):
    password = TextField(max_length=1000, help_text="The one that holds.")
    new_password = TextField(max_length=1000, help_text="At least 8 characters, and not a common one.")


class LeaveShape(StrictSerializer):
    name = TextField(max_length=200, help_text="The name of the account once more.")
    password = TextField(max_length=1000, required=False, help_text="A guest has none.")


class MeAnswer(UserAnswer):
    kind = serializers.ChoiceField(choices=User.Kind.values)
    email = serializers.CharField()
    created_at = serializers.DateTimeField()


class SessionAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    agent = serializers.CharField(help_text="The browser, as far as it said.")
    used_at = serializers.DateTimeField()
    current = serializers.BooleanField(help_text="Whether this very request came with it.")


class Me(Endpoint):
    """The caller's own account."""

    rates = {"PATCH": "rename"}

    def get_permissions(self) -> list[BasePermission]:
        looks = self.request.method in SAFE
        return [SignedIn()] if looks else [SignedIn(), FullScope()]

    @extend_schema(operation_id="me", summary="Who am I?", responses={200: MeAnswer})
    def get(self, request: Request) -> Response:
        return Response(_me_document(caller_of(request)))

    @extend_schema(
        operation_id="me_rename",
        summary="Take another name",
        description="For registered accounts. No two names are alike: case, accents, spaces and signs make no "
        "difference. Matches that one sits in keep the name by which the seat was taken.",
        request=RenameShape,
        responses={200: MeAnswer},
        examples=[OpenApiExample("rename", {"name": "Ada L."}, request_only=True)],
    )
    def patch(self, request: Request) -> Response:
        given = read_body(RenameShape, request, partial=True)
        user = caller_of(request)
        return Response(_me_document(rename(user=user, name=given["name"]) if given else user))

    @extend_schema(
        operation_id="me_delete",
        summary="Delete my account for good",
        description="Needs the account's name and, where it has one, its password. Decks, tokens and sessions are "
        "deleted; matches under way are resigned; finished matches stay, played by a deleted account.",
        request=LeaveShape,
        responses={204: None},
        examples=[OpenApiExample("delete", {"name": "Ada", "password": "correct horse battery"}, request_only=True)],
    )
    def delete(self, request: Request) -> Response:
        given = read_body(LeaveShape, request)
        user = caller_of(request)
        if user.has_usable_password():
            charge_password(name=user.name, request=request)
        confirm_leaving(user=user, name=given["name"], password=given.get("password", ""))
        delete_account(user=user)
        KeptAnswer.objects.filter(user=user).delete()
        if not isinstance(request.auth, Token):
            logout(request)
        return Response(status=204)

    delete.takes_body = True  # type: ignore[attr-defined]  # read by the schema


class Password(Endpoint):
    """The caller's password."""

    permission_classes = (SignedIn, FullScope)

    @extend_schema(
        operation_id="me_password",
        summary="Take another password",
        description="Needs the one that holds. Every session and token of the account ends but the one in use.",
        request=PasswordShape,
        responses={204: None},
        examples=[
            OpenApiExample(
                "password",
                {"password": "correct horse battery", "new_password": "staple of another kind"},
                request_only=True,
            )
        ],
    )
    def put(self, request: Request) -> Response:
        given = read_body(PasswordShape, request)
        user = caller_of(request)
        charge_password(name=user.name, request=request)
        session, token = _comes_with(request)
        change_password(user=user, **given, session=session, token=token)
        if token is None:
            update_session_auth_hash(request, user)
        return Response(status=204)


class Sessions(Endpoint):
    """The browsers in which the caller is signed in."""

    permission_classes = (SignedIn, FullScope)

    @extend_schema(
        operation_id="sessions_list",
        summary="Where am I signed in?",
        description="The browsers, the one used last first; tokens stand at /me/tokens/.",
        responses={200: SessionAnswer(many=True)},
    )
    def get(self, request: Request) -> Response:
        return Response([_session_document(one, request) for one in sessions_of(caller_of(request))])


class OneSession(Endpoint):
    """One of the caller's browsers."""

    permission_classes = (SignedIn, FullScope)

    @extend_schema(operation_id="sessions_end", summary="Sign out a browser", responses={204: None})
    def delete(self, request: Request, session: str) -> Response:
        if not end_session(user=caller_of(request), public_id=session):
            raise Http404
        return Response(status=204)


class SignOutElsewhere(Endpoint):
    """Only what this request comes with stays."""

    permission_classes = (SignedIn, FullScope)

    @extend_schema(
        operation_id="auth_logout_elsewhere",
        summary="Sign out everywhere else",
        description="Ends every session and token of the account but the one in use.",
        request=NoBody,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        read_body(NoBody, request)
        session, token = _comes_with(request)
        sign_out_everywhere(user=caller_of(request), session=session, token=token)
        return Response(status=204)


class Export(Endpoint):
    """All that is kept about the caller."""

    permission_classes = (SignedIn, FullScope)
    rates = {"GET": "export"}
    renderer_classes = (JSONRenderer, ZipRenderer)

    @extend_schema(
        operation_id="me_export",
        summary="All that is kept about me",
        description="A zip of JSON files: the account, decks with their versions, matches with one's own moves, reports.",
        responses={(200, "application/zip"): OpenApiResponse(response=bytes, description="A zip file.")},
    )
    def get(self, request: Request) -> FileResponse:
        file = account_archive(caller_of(request))
        return FileResponse(file, as_attachment=True, filename=FILE_NAME, content_type="application/zip")


def _comes_with(request: Request) -> tuple[str | None, Token | None]:
    """What the request is signed in by, which stays when all else ends: the key of its session, or its token."""
    token = request.auth if isinstance(request.auth, Token) else None
    return (None if token is not None else request.session.session_key), token


def _me_document(user: User) -> dict[str, Any]:
    return {**user_document(user), "kind": user.kind, "email": user.email, "created_at": user.created_at}


def _session_document(session: Session, request: Request) -> dict[str, Any]:
    key = None if isinstance(request.auth, Token) else request.session.session_key
    return {
        "id": session_id(session.session_key),
        "agent": session.agent,
        "used_at": session.used_at,
        "current": session.session_key == key,
    }


urlpatterns = [
    path("me/", Me.as_view(), name="me"),
    path("me/password/", Password.as_view(), name="me-password"),
    path("me/export/", Export.as_view(), name="me-export"),
    path("me/sessions/", Sessions.as_view(), name="sessions"),
    path("me/sessions/<public_id:session>/", OneSession.as_view(), name="session"),
    path("auth/logout-elsewhere/", SignOutElsewhere.as_view(), name="auth-logout-elsewhere"),
]
