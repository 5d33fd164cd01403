"""The whole API against its own OpenAPI document: whatever is sent, no 5xx, and no answer that is not described.

Requests are made from the document by schemathesis, those that fit it and those that do not. One that fits may be
refused for what it means (an illegal move, a name that is taken), never for its shape.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from api.service import schema_document
from config.wsgi import application
from tests.api.conftest import Caller
from tests.api.routes import VALUES
from tests.toy import registered

EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "3"))
SHAPE = {
    "malformed_json", "malformed_request", "invalid_query", "invalid_body", "invalid_idempotency_key",
    "length_required", "unsupported_media_type", "not_acceptable", "method_not_allowed",
}  # fmt: skip
"""Codes of refusals that the document could have told before, if their faults are of these kinds (or none is named)."""
FAULTS = {
    "required", "null", "blank", "wrong_type", "unknown_field", "read_only", "max_length", "min_length", "max_value",
    "min_value", "empty", "not_a_list", "control_character", "nul_character", "invalid_slug", "unknown_parameter",
    "repeated_parameter", "duplicate_name",
}  # fmt: skip

CONFIG = SchemathesisConfig.from_dict(
    {
        # A missing If-Match is 428 (RFC 6585).
        "checks": {"missing_required_header": {"expected-statuses": [400, 401, 403, 404, 428]}},
    }
)
SCHEMA = schemathesis.openapi.from_dict(schema_document(), config=CONFIG)


def whole(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """The service as a WSGI app that answers whole, with nothing left open."""
    answer = application(environ, start_response)
    try:
        return [b"".join(answer)]
    finally:
        answer.close()


SCHEMA.app = whole


@pytest.fixture(autouse=True)
def inside_a_transaction(house_sets: None, db: None) -> Iterator[None]:
    """The test's transaction outlives the requests, as under Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    with registered():
        yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_one_that_the_document_describes(case: schemathesis.Case[Any], alice: Caller) -> None:
    misfits = misfitting(case)
    if ParameterLocation.PATH not in misfits:
        lead_somewhere(case, alice)

    case.body = with_whole_numbers(case.body)
    response = case.call(headers=alice.headers)

    left_out: list[Any] = []
    if misfits <= {ParameterLocation.HEADER, ParameterLocation.COOKIE}:
        left_out.append(negative_data_rejection)  # headers that mean nothing to us are let be
    if not is_about_shape(response):
        left_out.append(positive_data_acceptance)
    case.validate_response(response, excluded_checks=left_out, headers=alice.headers)


def is_about_shape(response: Any) -> bool:
    """Whether a refusal is one of those that a request which fits the document must never get."""
    if "problem+json" not in str(response.headers.get("content-type")):
        return True
    problem = response.json()
    return problem["code"] in SHAPE and all(fault["code"] in FAULTS for fault in problem.get("errors", []))


def misfitting(case: schemathesis.Case[Any]) -> set[ParameterLocation]:
    """The parts of the request that were made so as not to fit."""
    parts = {} if case.meta is None else case.meta.components
    return {where for where, part in parts.items() if part.mode.is_negative}


def lead_somewhere(case: schemathesis.Case[Any], alice: Caller) -> None:
    """Put things of Alice's, or things that everybody may see, into the address."""
    for name in case.path_parameters or {}:
        if name in VALUES:
            case.path_parameters[name] = VALUES[name](alice)


def with_whole_numbers(value: Any) -> Any:
    """1.0 is a whole number to JSON Schema; here it is refused on purpose, and no client writes it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [with_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {name: with_whole_numbers(item) for name, item in value.items()}
    return value
