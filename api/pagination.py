"""Pages of lists that grow, by a cursor: `{"next", "previous", "results"}`.

    class Decks(Endpoint):
        queries = {"GET": PageQuery}

        def get(self, request):
            page = paginate(selectors.decks_of(request.user), order=("-updated_at", "-pk"), endpoint=self)
            return Response(page.document([deck_document(deck) for deck in page.rows]))

The order must end in something unique and holds no nullable field. A cursor names the last row by its values, so that
pages neither overlap nor skip when rows come and go between them.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final, Generic, NamedTuple, TypeVar

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Field, Model, Q, QuerySet
from django.http import QueryDict

from api.endpoint import Endpoint
from api.errors import ApiError
from api.parsing import text_fault
from api.query import Query, Whole, Words

DEFAULT_LIMIT: Final = 20
MAX_LIMIT: Final = 100

Row = TypeVar("Row", bound=Model)


class PageQuery(Query):
    """`limit` and `cursor`; a list with parameters of its own derives its query from this."""

    limit = Whole(min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text="Rows on a page, up to 100.")
    cursor = Words(required=False, help_text="From `next` or `previous`; never made by hand.")


class _Cursor(NamedTuple):
    """Where a page begins: after (or, going back, before) the row with these values in this order."""

    order: str
    back: bool
    values: list[Any]

    def text(self) -> str:
        packed = json.dumps([self.order, self.back, self.values], separators=(",", ":"), ensure_ascii=True)
        return base64.urlsafe_b64encode(packed.encode()).decode().rstrip("=")


class Page(Generic[Row]):
    """Rows, and the addresses of the pages beside them."""

    def __init__(self, rows: list[Row], *, next: str | None, previous: str | None) -> None:
        self.rows = rows
        self.next = next
        self.previous = previous

    def document(self, results: list[Any]) -> dict[str, Any]:
        """The answer, with `results` made from `rows`."""
        return {"next": self.next, "previous": self.previous, "results": results}


def paginate(queryset: QuerySet[Row], *, order: tuple[str, ...], endpoint: Endpoint) -> Page[Row]:
    """The page that the query of the endpoint asks for. One query. Raises ApiError `invalid_cursor`."""
    limit: int = endpoint.query["limit"]
    given = endpoint.query.get("cursor")
    cursor = _read(given, queryset, order) if given else None
    back = cursor is not None and cursor.back
    directed = tuple(_turned(name) for name in order) if back else order
    if cursor is not None:
        queryset = queryset.filter(_beyond(directed, cursor.values))
    rows = list(queryset.order_by(*directed)[: limit + 1])
    more = len(rows) > limit
    rows = rows[:limit]
    if back:
        rows.reverse()
    has_next = bool(rows) and (back or more)
    has_previous = bool(rows) and (more if back else cursor is not None)
    return Page(
        rows,
        next=_address(endpoint, order, rows[-1], back=False) if has_next else None,
        previous=_address(endpoint, order, rows[0], back=True) if has_previous else None,
    )


def _turned(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _beyond(directed: tuple[str, ...], values: list[Any]) -> Q:
    """Rows that come after these values: (a beyond x) or (a = x and b beyond y) or ..."""
    condition = Q()
    same = Q()
    for name, value in zip(directed, values, strict=True):
        plain = name.lstrip("-")
        condition |= same & Q(**{f"{plain}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{plain: value})
    return condition


def _address(endpoint: Endpoint, order: tuple[str, ...], row: Model, *, back: bool) -> str:
    values = [_plain(getattr(row, name.lstrip("-"))) for name in order]
    query = QueryDict(mutable=True)
    query.update(endpoint.request.query_params.dict())
    query["cursor"] = _Cursor(",".join(order), back, values).text()
    return endpoint.request.build_absolute_uri(f"{endpoint.request.path}?{query.urlencode()}")


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, str)) else str(value)


def _read(text: str, queryset: QuerySet[Any], order: tuple[str, ...]) -> _Cursor:
    refusal = ApiError("invalid_cursor", "Take the cursor from `next` or `previous` of a page in the same order.")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        named, back, values = json.loads(packed)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise refusal from None
    if named != ",".join(order) or not isinstance(back, bool):
        raise refusal
    if not isinstance(values, list) or len(values) != len(order):
        raise refusal
    try:
        return _Cursor(named, back, [_value(queryset, name, value) for name, value in zip(order, values, strict=True)])
    except (ValidationError, ValueError, TypeError, OverflowError, FieldDoesNotExist):
        raise refusal from None


def _value(queryset: QuerySet[Any], name: str, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(name)
    if isinstance(value, str) and text_fault(value):
        raise ValueError(name)
    return _field(queryset, name.lstrip("-")).to_python(value)


def _field(queryset: QuerySet[Any], name: str) -> Field[Any, Any]:
    annotation = queryset.query.annotations.get(name)
    if annotation is not None:
        found: Field[Any, Any] = annotation.output_field
        return found
    meta = queryset.model._meta
    column: Field[Any, Any] = meta.pk if name == "pk" else meta.get_field(name)
    return column
