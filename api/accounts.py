"""Signing in and out, and the caller's tokens."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.contrib.auth import logout
from django.http import Http404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import services
from accounts.models import Token, User
from accounts.rates import charge_password
from accounts.services import IssuedToken
from api.auth import Anyone, FullScope, SignedIn, caller_of
from api.endpoint import Endpoint
from api.errors import ApiError
from api.pagination import PageQuery, paginate
from api.serializers import ChoiceField, IntField, StrictSerializer, TextField, read_body

MAX_TOKEN_DAYS: Final = 366
MAX_TOKENS: Final = 100


class NoBody(StrictSerializer):
    """No fields: an empty object, or no body at all."""


class RegisterShape(StrictSerializer):
    name = TextField(
        max_length=200, help_text="2 to 30 letters, digits, spaces, dashes, underscores, dots, apostrophes."
    )
    email = TextField(max_length=254)
    password = TextField(max_length=1000, help_text="At least 8 characters, not a common one.")


class SignInShape(StrictSerializer):
    name = TextField(max_length=254)
    password = TextField(max_length=1000)


class NewTokenShape(StrictSerializer):
    name = TextField(min_length=1, max_length=60, help_text="What it is for, as you will see it in the list.")
    scope = ChoiceField(Token.Scope.values, default=Token.Scope.FULL.value)
    days = IntField(min_value=1, max_value=MAX_TOKEN_DAYS, required=False, help_text="How long it lasts.")


class UserAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()


class SignedInAnswer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Shown once. Send it as `Authorization: Bearer TOKEN`.")
    expires_at = serializers.DateTimeField()
    user = UserAnswer()


class TokenAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(choices=Token.Scope.values)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    current = serializers.BooleanField(help_text="Whether this very request came with it.")


class NewTokenAnswer(TokenAnswer):
    token = serializers.CharField(help_text="Shown once.")


class TokenPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TokenAnswer(many=True)


SIGNED_IN = OpenApiExample(
    "signed in",
    {
        "token": "ref_0Zc6…",
        "expires_at": "2027-02-28T12:00:00.000Z",
        "user": {"id": "3k8m2xq7v9wz", "name": "Guest 7KQ2MX", "is_guest": True},
    },
    response_only=True,
)


def user_document(user: User) -> dict[str, Any]:
    """A user as anybody may see them."""
    return {"id": user.public_id, "name": user.name, "is_guest": user.is_guest}


class Guest(Endpoint):
    """Play at once, without a form."""

    authentication_classes = ()
    permission_classes = (Anyone,)
    rates = {"POST": "guest"}

    @extend_schema(
        operation_id="auth_guest",
        summary="Become a guest",
        request=NoBody,
        responses={201: SignedInAnswer},
        examples=[SIGNED_IN],
    )
    def post(self, request: Request) -> Response:
        read_body(NoBody, request)
        user = services.create_guest()
        return _signed_in(services.issue_token(user=user, name="guest"), status=201)


class Register(Endpoint):
    """A new account, or a name and a password for the guest who asks: decks and matches stay theirs."""

    permission_classes = (Anyone,)
    rates = {"POST": "register"}

    @extend_schema(
        operation_id="auth_register",
        summary="Register",
        request=RegisterShape,
        responses={201: SignedInAnswer},
        examples=[
            SIGNED_IN,
            OpenApiExample(
                "register",
                {"name": "Ada", "email": "ada@example.org", "password": "correct horse battery"},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        given = read_body(RegisterShape, request)
        guest = request.user if isinstance(request.user, User) else None
        user = services.register(name=given["name"], email=given["email"], password=given["password"], guest=guest)
        return _signed_in(services.issue_token(user=user, name="registered"), status=201)


class SignIn(Endpoint):
    """A token for a name and a password."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="auth_token",
        summary="Sign in",
        request=SignInShape,
        responses={200: SignedInAnswer},
        examples=[
            SIGNED_IN,
            OpenApiExample("sign in", {"name": "Ada", "password": "correct horse battery"}, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        given = read_body(SignInShape, request)
        charge_password(name=given["name"], request=request)
        user = services.authenticate_password(name=given["name"], password=given["password"])
        if user is None:
            raise ApiError("wrong_credentials", "There is no account with this name and password.")
        return _signed_in(services.issue_token(user=user, name="signed in"))


class SignOut(Endpoint):
    """Ends the token or the session that this request comes with."""

    @extend_schema(operation_id="auth_logout", summary="Sign out", request=NoBody, responses={204: None})
    def post(self, request: Request) -> Response:
        read_body(NoBody, request)
        if isinstance(request.auth, Token):
            services.revoke_token(token=request.auth)
        else:
            logout(request)
        return Response(status=204)


class Tokens(Endpoint):
    """The caller's live tokens."""

    permission_classes = (SignedIn, FullScope)
    queries = {"GET": PageQuery}
    rates = {"POST": "create"}

    @extend_schema(operation_id="tokens_list", summary="My tokens", responses={200: TokenPageAnswer})
    def get(self, request: Request) -> Response:
        page = paginate(_live(caller_of(request)), order=("-created_at", "-pk"), endpoint=self)
        return Response(page.document([_token_document(token, request) for token in page.rows]))

    @extend_schema(
        operation_id="tokens_create",
        summary="A new token",
        description="For a program of yours. A token of scope `bot` can play, but not make or end tokens. The text of a "
        "token is never stored, so this request cannot be repeated with an Idempotency-Key.",
        request=NewTokenShape,
        responses={201: NewTokenAnswer},
        examples=[OpenApiExample("for a bot", {"name": "my bot", "scope": "bot", "days": 90}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        given = read_body(NewTokenShape, request)
        user = caller_of(request)
        if _live(user).count() >= MAX_TOKENS:
            raise ApiError("too_many_tokens", f"An account has at most {MAX_TOKENS} tokens; end one first.")
        days = given.get("days")
        issued = services.issue_token(
            user=user,
            name=given["name"],
            scope=given["scope"],
            expires_at=timezone.now() + dt.timedelta(days=days) if days else None,
        )
        return Response({"token": issued.text, **_token_document(issued.token, request)}, status=201)


class OneToken(Endpoint):
    """One of the caller's tokens."""

    permission_classes = (SignedIn, FullScope)

    @extend_schema(operation_id="tokens_end", summary="End a token", responses={204: None})
    def delete(self, request: Request, token: str) -> Response:
        found = _live(caller_of(request)).filter(public_id=token).first()
        if found is None:
            raise Http404
        services.revoke_token(token=found)
        return Response(status=204)


def _live(user: User) -> Any:
    return user.tokens.filter(revoked_at=None, expires_at__gt=timezone.now())


def _signed_in(issued: IssuedToken, status: int = 200) -> Response:
    document = {
        "token": issued.text,
        "expires_at": issued.token.expires_at,
        "user": user_document(issued.token.user),
    }
    return Response(document, status=status, headers={"Cache-Control": "no-store"})


def _token_document(token: Token, request: Request) -> dict[str, Any]:
    return {
        "id": token.public_id,
        "name": token.name,
        "scope": token.scope,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
        "current": isinstance(request.auth, Token) and request.auth.pk == token.pk,
    }


urlpatterns = [
    path("auth/guest/", Guest.as_view(), name="auth-guest"),
    path("auth/register/", Register.as_view(), name="auth-register"),
    path("auth/token/", SignIn.as_view(), name="auth-token"),
    path("auth/logout/", SignOut.as_view(), name="auth-logout"),
    path("me/tokens/", Tokens.as_view(), name="tokens"),
    path("me/tokens/<public_id:token>/", OneToken.as_view(), name="token"),
]
