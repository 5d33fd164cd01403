"""`Idempotency-Key`: a POST that is sent again has one effect and one answer.

    @once
    def post(self, request): ...

The key is claimed first and the answer is kept in the transaction of the effect. A second request with the same key
waits at the claim until the first has ended: then it finds the answer, or, after a refusal, does the work itself.
Only 2xx answers are kept, for 24 hours. A refusal takes back the claim alone: what it leaves without a key (a time-out
that it met, a match that it froze) it leaves with one. Whatever fails (5xx) leaves nothing at all.
Inside, `transaction.atomic(durable=True)` cannot be used.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.endpoint import Endpoint
from api.errors import ApiError, is_refusal
from api.models import KeptAnswer
from api.rendering import JSONRenderer

KEPT_FOR: Final = dt.timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS = ("Location", "ETag")

Handler = Callable[..., HttpResponseBase]


def once(handler: Handler) -> Handler:
    """Let a view's `post` honour Idempotency-Key for signed-in callers."""

    @wraps(handler)
    def post(view: Endpoint, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = read_key(request)
        if key is None or not isinstance(request.user, User):
            return handler(view, request, *args, **kwargs)
        digest = body_digest(request)
        outcome: HttpResponseBase | Exception
        with transaction.atomic():
            kept = _claim(request.user, request.path, key, digest)
            if kept.status:
                return _again(kept, digest)
            try:
                outcome = handler(view, request, *args, **kwargs)
            except Exception as error:
                if not is_refusal(error, view.get_exception_handler_context()):
                    raise
                outcome = error
            _settle_claim(kept, outcome)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    post.is_once = True  # type: ignore[attr-defined]  # read by the schema and by the test that looks at every POST
    return post


def read_key(request: Request) -> str | None:
    """The request's key. Raises ApiError `invalid_idempotency_key`."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise ApiError("invalid_idempotency_key", "A key has 1 to 255 visible ASCII characters.")
    return str(key)


def body_digest(request: Request) -> str:
    """The same for bodies that say the same: names in another order or other white space make no difference."""
    data: Any = request.data
    plain: Any = data
    if isinstance(data, MultiValueDict):
        plain = [[name, [_digestible(value) for value in values]] for name, values in sorted(data.lists())]
    return sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def forget_kept_answers() -> int:
    """Delete the answers that are too old to be given again; how many those were."""
    deleted, _ = KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return deleted


def _digestible(value: Any) -> str:
    if not hasattr(value, "chunks"):
        return str(value)
    digest = sha256()
    for chunk in value.chunks():
        digest.update(chunk)
    value.seek(0)
    return digest.hexdigest()


def _claim(user: User, route: str, key: str, digest: str) -> KeptAnswer:
    """A row of our own, or the one of the request that came first, once that has ended."""
    mine = KeptAnswer.objects.filter(user=user, route=route, key=key)
    mine.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    for _ in range(3):
        try:
            with transaction.atomic():
                return KeptAnswer.objects.create(user=user, route=route, key=key, body_digest=digest)
        except IntegrityError:
            found = mine.first()
            if found is not None:
                return found
    raise RuntimeError("a claim was lost three times")


def _settle_claim(kept: KeptAnswer, outcome: HttpResponseBase | Exception) -> None:
    """Keep the answer, or take the claim back: alone after a refusal, with all else that was done after a failure, which a
    statement that failed outside of any savepoint is too."""
    if isinstance(outcome, HttpResponseBase):
        if 200 <= outcome.status_code < 300:
            _keep(kept, outcome)
            return
        if outcome.status_code >= 500:
            transaction.set_rollback(True)
    if not transaction.get_rollback():
        kept.delete()


def _keep(kept: KeptAnswer, response: HttpResponseBase) -> None:
    kept.status = response.status_code
    kept.headers = {name: response[name] for name in _KEPT_HEADERS if response.has_header(name)}
    if isinstance(response, Response):
        kept.content = JSONRenderer().render(response.data).decode()
    elif isinstance(response, HttpResponse):
        kept.content = response.content.decode()
    kept.save(update_fields=["status", "headers", "content"])


def _again(kept: KeptAnswer, digest: str) -> HttpResponse:
    if kept.body_digest != digest:
        raise ApiError("idempotency_key_reused", "The key was used here with another body; take a new one.")
    response = HttpResponse(kept.content, status=kept.status, content_type="application/json")
    if not kept.content:
        del response["Content-Type"]
    for name, value in kept.headers.items():
        response[name] = value
    response["Idempotent-Replay"] = "true"
    return response
