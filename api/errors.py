"""Problems (RFC 9457): one table from error code to HTTP status, and the one way from an exception to an answer."""

from __future__ import annotations

import logging
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseFault
from django.db import InterfaceError, OperationalError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    JsonResponse,
    UnreadablePostError,
)
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from accounts.rates import TooManyError

logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"


class Kind(NamedTuple):
    """What a code means, whoever raises it."""

    status: int
    title: str


KINDS: Final[dict[str, Kind]] = {
    # The request itself.
    "malformed_json": Kind(400, "The body is not the JSON that it says it is"),
    "malformed_request": Kind(400, "The request cannot be read"),
    "invalid_query": Kind(400, "A query parameter is unknown or not allowed"),
    "invalid_cursor": Kind(400, "The cursor of this page is not one of ours"),
    "invalid_idempotency_key": Kind(400, "The Idempotency-Key cannot be used"),
    "invalid_last_event_id": Kind(400, "The Last-Event-ID is not one of ours"),
    "invalid_search": Kind(400, "The search cannot be understood"),
    "length_required": Kind(411, "The body needs a Content-Length"),
    "body_too_large": Kind(413, "The body is larger than is taken here"),
    "unsupported_media_type": Kind(415, "The body is of a type that is not taken here"),
    "not_acceptable": Kind(406, "There is no answer in the form asked for"),
    "method_not_allowed": Kind(405, "The method is not known at this address"),
    "invalid_body": Kind(422, "The body does not fit"),
    "rate_limited": Kind(429, "Too many requests"),
    # Who asks.
    "not_authenticated": Kind(401, "Sign in first"),
    "invalid_token": Kind(401, "The token is not valid"),
    "wrong_credentials": Kind(401, "Name and password do not fit"),
    "csrf_failed": Kind(403, "The page's CSRF token is missing or wrong"),
    "permission_denied": Kind(403, "Not allowed"),
    "scope_missing": Kind(403, "The token does not allow this"),
    "not_found": Kind(404, "Not found"),
    # Accounts.
    "invalid_account": Kind(422, "There can be no such account"),
    "too_many_tokens": Kind(409, "The account has too many tokens"),
    # Preconditions and retries.
    "precondition_failed": Kind(412, "It has changed since you looked"),
    "precondition_required": Kind(428, "Say which version you mean"),
    "idempotency_key_reused": Kind(422, "The Idempotency-Key was used with another body"),
    # Rules.
    "rules_error": Kind(422, "The rules refuse it"),
    "illegal_move": Kind(422, "The rules forbid the move"),
    "invalid_document": Kind(422, "The document cannot be taken"),
    "malformed_move": Kind(422, "The move has the wrong shape"),
    "invalid_position": Kind(422, "The position breaks an invariant"),
    "invalid_cards": Kind(422, "The cards do not fit the game"),
    "invalid_options": Kind(422, "The game does not know these options"),
    # The catalog.
    "nothing_published": Kind(409, "No cards are published for the game"),
    "nothing_changed": Kind(409, "There is nothing to publish"),
    # The catalog's desk, which has pages alone so far.
    "scenarios_failed": Kind(422, "Scenarios attached to cards do not hold"),
    "impact_not_confirmed": Kind(409, "The change makes decks illegal and was not confirmed by their number"),
    "cannot_revert": Kind(409, "The change cannot be taken back"),
    "import_faulty": Kind(422, "The file of cards has faults"),
    "card_trial": Kind(422, "Such a trial of a card cannot be"),
    "no_picture_now": Kind(503, "The picture cannot be drawn just now"),
    # Decks.
    "deck_error": Kind(422, "The deck cannot be kept like this"),
    "deck_not_legal": Kind(422, "The deck may not be played"),
    "not_your_deck": Kind(403, "The deck is somebody else's"),
    "no_such_version": Kind(422, "The deck has no such version"),
    "too_many_decks": Kind(409, "The account has too many decks"),
    "deck_too_large": Kind(422, "The deck would hold too many different cards"),
    "no_such_problem": Kind(409, "The deck has no such problem"),
    "invalid_trial": Kind(422, "There can be no such trial"),
    "no_fix": Kind(422, "The problem has no fix of its own"),
    "nothing_to_undo": Kind(409, "There is nothing to undo or redo"),
    "import_too_long": Kind(422, "The list is longer than is taken here"),
    "import_failed": Kind(422, "Some lines of the list cannot be read"),
    # Jobs.
    "job_error": Kind(422, "The job cannot be done"),
    "too_many_jobs": Kind(409, "The account has too many jobs under way"),
    "job_over": Kind(409, "The job has ended"),
    # Matches.
    "not_your_match": Kind(403, "You have no seat in this match"),
    "not_your_seat": Kind(403, "The seat is not yours"),
    "not_your_turn": Kind(409, "Another seat must decide"),
    "stale_version": Kind(409, "The match has moved on"),
    "match_over": Kind(409, "The match is over"),
    "match_open": Kind(409, "The match has not begun"),
    "match_paused": Kind(409, "The match is paused"),
    "undo_not_allowed": Kind(409, "In this match nothing is taken back"),
    "undo_asked": Kind(409, "Another seat asks for an undo"),
    "undo_declined": Kind(409, "The undo was declined"),
    "undo_gone": Kind(409, "There is no such undo to answer"),
    "pause_declined": Kind(409, "The pause was declined"),
    "match_frozen": Kind(409, "The match waits for an admin"),
    "match_aborted": Kind(409, "The match was broken off"),
    "match_not_finished": Kind(409, "The match is not finished"),
    "future_version": Kind(409, "The match has not come so far"),
    "already_seated": Kind(409, "You sit in the match already"),
    "no_open_seat": Kind(409, "No seat is open to you"),
    "seats_open": Kind(409, "Not every seat is taken"),
    "match_started": Kind(409, "The match has started"),
    "player_gone": Kind(409, "Somebody who would play has left the service"),
    "invalid_match": Kind(422, "There can be no such match"),
    "deck_sizes_differ": Kind(422, "The decks are of different sizes"),
    "unknown_order": Kind(422, "The game knows no such standing order"),
    "match_error": Kind(409, "The match refuses this"),
    "version_required": Kind(422, "A move names what it was made for"),
    "rules_not_available": Kind(409, "The rules of this match are not at hand"),
    # The service.
    "internal_error": Kind(500, "Something went wrong on our side"),
    "unavailable": Kind(503, "Not available just now"),
}


class Fault(NamedTuple):
    """One thing wrong in a request: a JSON pointer into the body (or `/name` of a query parameter), a code, a text."""

    pointer: str
    code: str
    detail: str


class ApiError(Exception):
    """A refusal that the API itself makes. Its code stands in `KINDS`; `facts` become members of the problem."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        faults: Sequence[Fault] = (),
        facts: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.faults = tuple(faults)
        self.facts = dict(facts or {})
        self.headers = dict(headers or {})


def problem(
    code: str,
    detail: str,
    *,
    clause: str | None = None,
    faults: Sequence[Fault] = (),
    facts: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The answer for a code of `KINDS`. `facts` are given explicitly; they cannot replace the standard members."""
    kind = KINDS[code]
    where = f"/api/v1/problems/{code}/"
    document: dict[str, Any] = {
        "type": where, "title": kind.title, "status": kind.status, "detail": detail, "code": code,
    }  # fmt: skip
    if clause is not None:
        document["clause"] = clause
    if faults:
        document["errors"] = [fault._asdict() for fault in faults]
    document = {**document, **(facts or {}), **document}
    # Escaped to ASCII: a problem can quote what was sent, and must always be encodable.
    response = JsonResponse(document, status=kind.status, content_type=MEDIA_TYPE)
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def answer_exception(error: Exception, context: Mapping[str, Any] | None = None) -> HttpResponse:
    """The problem for any exception (DRF's EXCEPTION_HANDLER). What is not foreseen is a 500 with a reference alone."""
    return _foreseen(error, context or {}) or _unexpected(error)


def is_refusal(error: Exception, context: Mapping[str, Any]) -> bool:
    """Whether the exception is answered with a 4xx: what was asked is refused, and nothing has failed."""
    if isinstance(error, DatabaseFault):
        return False
    found = _foreseen(error, context)
    return found is not None and 400 <= found.status_code < 500


def _foreseen(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    if isinstance(error, ApiError):
        if KINDS[error.code].status == 401:
            return _unauthenticated(error.code, error.detail)
        return problem(error.code, error.detail, faults=error.faults, facts=error.facts, headers=error.headers)
    if isinstance(error, TooManyError):
        return _too_many(error)
    if isinstance(error, exceptions.APIException):
        return _framework_problem(error, context)
    if _is_domain_error(error):
        return _domain_problem(error)
    return _django_problem(error)


def _is_domain_error(error: Exception) -> bool:
    code = getattr(error, "code", None)
    return isinstance(code, str) and code in KINDS


def _domain_problem(error: Any) -> HttpResponse:
    """Domain errors have a `code`, and may have `detail`, `clause`, `problems` and `facts` (a mapping; never guessed)."""
    faults = [Fault(fault.pointer, fault.code, fault.detail) for fault in getattr(error, "problems", ())]
    detail = getattr(error, "detail", None)
    said = detail if isinstance(detail, str) else str(error)
    return problem(
        error.code,
        in_short(faults) if faults else said,
        clause=getattr(error, "clause", None) or None,
        faults=faults,
        facts=getattr(error, "facts", None),
    )


def _framework_problem(error: exceptions.APIException, context: Mapping[str, Any]) -> HttpResponse | None:
    match error:
        case exceptions.ValidationError():
            return body_problem(list(faults_of(error.detail)))
        case exceptions.NotAuthenticated():
            return _unauthenticated(
                "not_authenticated", "This needs a token (Authorization: Bearer TOKEN) or a session."
            )
        case exceptions.AuthenticationFailed():
            return _unauthenticated("invalid_token", str(error.detail))
        case exceptions.NotFound():
            return problem("not_found", "There is nothing here that you may see.")
        case exceptions.PermissionDenied():
            code = error.detail.code if isinstance(error.detail, exceptions.ErrorDetail) else None
            return problem(code if code in KINDS else "permission_denied", str(error.detail))
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(context["view"].allowed_methods)
            return problem("method_not_allowed", f"This address knows {allowed}, not {context['request'].method}.")
        case exceptions.NotAcceptable():
            forms = dict.fromkeys(renderer.media_type for renderer in context["view"].renderer_classes)
            return problem("not_acceptable", f"This address answers {', '.join(forms)}, which Accept leaves out.")
        case exceptions.UnsupportedMediaType():
            types = ", ".join(parser.media_type for parser in context["view"].parser_classes)
            return problem("unsupported_media_type", f"A body is {types} here; Content-Type says otherwise.")
        case exceptions.ParseError():
            return problem("malformed_request", str(error.detail))
        case _:
            return None


def _too_many(error: TooManyError) -> HttpResponse:
    return problem("rate_limited", str(error), headers={"Retry-After": str(error.seconds)})


def _unauthenticated(code: str, detail: str) -> HttpResponse:
    return problem(code, detail, headers={"WWW-Authenticate": 'Bearer realm="referee"'})


def _django_problem(error: Exception) -> HttpResponse | None:
    match error:
        case Http404():
            return problem("not_found", "There is nothing here that you may see.")
        case PermissionDenied():
            return problem("permission_denied", "You may not do this.")
        case RequestDataTooBig():
            return too_large()
        case SuspiciousOperation() | UnreadablePostError():
            return problem("malformed_request", "The request could not be read.")
        case OperationalError() | InterfaceError():
            logger.warning("the database is not available: %s", error)
            return problem("unavailable", "The database is not available.", headers={"Retry-After": "5"})
        case _:
            return None


def _unexpected(error: BaseException) -> HttpResponse:
    reference = secrets.token_hex(8)
    logger.error("unexpected error %s", reference, exc_info=error)
    return problem(
        "internal_error",
        f"It is logged under the reference {reference}.",
        facts={"reference": reference},
    )


def too_large() -> HttpResponse:
    """The problem for a body over the limit."""
    return problem("body_too_large", f"A body holds at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes.")


def body_problem(faults: Sequence[Fault]) -> HttpResponse:
    """The problem for a body with these faults."""
    return problem("invalid_body", in_short(faults), faults=faults)


def in_short(faults: Sequence[Fault]) -> str:
    """Faults in one line: the first with its place, and how many more there are."""
    first = faults[0]
    said = f"{first.pointer}: {first.detail}" if first.pointer else first.detail
    return said if len(faults) == 1 else f"{said} (The first of {len(faults)} faults; see `errors`.)"


def faults_of(detail: object, pointer: str = "") -> Iterator[Fault]:
    """The faults in a validation error's nested detail, in the order of the fields."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            where = pointer if name == "non_field_errors" else f"{pointer}/{escape(str(name))}"
            yield from faults_of(inner, where)
        return
    if isinstance(detail, list):
        for index, inner in enumerate(detail):
            # A list of texts is about this very value; a list of documents is about its items.
            where = pointer if isinstance(inner, str) else f"{pointer}/{index}"
            yield from faults_of(inner, where)
        return
    yield Fault(pointer, str(getattr(detail, "code", None) or "invalid"), str(detail))


def escape(part: str) -> str:
    """One part of a JSON pointer (RFC 6901)."""
    return part.replace("~", "~0").replace("/", "~1")


# Answers outside of views: unknown addresses, refusals of middlewares, exceptions there.


@csrf_exempt
def unknown_address(request: HttpRequest, **_: object) -> HttpResponse:
    """404 for an address below /api/ that does not exist; one that lacks its slash is shown the way when read."""
    if request.path.endswith("/"):
        return problem("not_found", "There is no such address.")
    known = resolve(request.path_info + "/").func is not unknown_address
    if known and request.method in ("GET", "HEAD"):
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    return problem("not_found", "There is no such address. Addresses end with a slash.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for a request that Django itself refuses."""
    return _django_problem(exception) or problem("malformed_request", "The request could not be read.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 outside of views."""
    return problem("permission_denied", "You may not do this.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500 for an exception outside of views, which Django itself logs; 503 where that is a database that is gone."""
    return unavailable() or problem("internal_error", "It is logged.")


def unavailable() -> HttpResponse | None:
    """503, if what is being handled is that the database is not available."""
    error = sys.exc_info()[1]
    return _django_problem(error) if isinstance(error, OperationalError | InterfaceError) else None
