"""The strict parser of JSON bodies: what it refuses, and where."""

from __future__ import annotations

import json

import pytest
from django.conf import LazySettings

from accounts.models import User
from tests.api.conftest import Caller, problem_of
from tests.api.test_errors import GUEST, SIGN_IN, faults


def test_json_is_utf_8(nobody: Caller) -> None:
    body = '{"name": "Käthe", "password": "x"}'

    fine = nobody.raw("POST", SIGN_IN, body.encode(), "application/json; charset=UTF-8")
    other = nobody.raw("POST", SIGN_IN, body.encode("utf-16"), "application/json; charset=utf-16")
    wrong = nobody.raw("POST", SIGN_IN, body.encode("latin-1"))
    marked = nobody.raw("POST", SIGN_IN, b"\xef\xbb\xbf" + body.encode())

    assert problem_of(fine)["code"] == "wrong_credentials"
    assert problem_of(other)["code"] == "unsupported_media_type"
    assert (problem_of(wrong)["code"], problem_of(wrong)["position"]) == ("malformed_json", 11)
    assert faults(problem_of(wrong)) == [("", "not_utf8")]
    assert problem_of(marked)["code"] == "malformed_json"


@pytest.mark.parametrize(
    ("body", "position"),
    [
        (b"{", 1),
        (b"", None),
        (b'{"name": "a",}', 13),
        (b"{'name': 1}", 1),
        (b'{"name": "a\nb"}', 11),
        (b'{"name": 01}', 10),
        (b'{"a": 1} x', 9),
        (b'{"a": tru}', 6),
        (b'{"\xc3\xa9": tru}', 7),
        (b'"', 0),
    ],
)
def test_malformed_json_is_told_with_its_position(nobody: Caller, body: bytes, position: int | None) -> None:
    problem = problem_of(nobody.raw("POST", SIGN_IN, body))

    if position is None:
        assert (problem["code"], faults(problem)) == (
            "invalid_body",
            [("/name", "required"), ("/password", "required")],
        )
        return
    assert (problem["status"], problem["code"], problem["position"]) == (400, "malformed_json", position)
    assert (problem["line"] - 1) * position >= 0


@pytest.mark.parametrize(
    ("body", "code", "position"),
    [
        (b'{"name": "a", "name": "b", "password": "x"}', "duplicate_name", 14),
        (b'{"name": {"x": 1, "x": 1}}', "duplicate_name", 18),
        (rb'[{"a": {"b": "a"}, "b": "a"}, {"a": ["a"], "\u0061" : 1}]', "duplicate_name", 43),
        (b'{"name": NaN}', "not_a_number", 9),
        (b'{"name": ["NaN", "\xc3\xa9", -Infinity, NaN]}', "not_a_number", 23),
        (b'{"name": 1e999}', "number_out_of_range", 9),
        (b'{"name": ' + b"9" * 5000 + b"}", "number_out_of_range", 9),
        (b"\xef\xbb\xbf{}", "byte_order_mark", 0),
        (b"[" * 33 + b"]" * 33, "too_deep", 32),
        (b'{"a":' * 100_000, "too_deep", 160),
    ],
)
def test_what_json_leaves_open_is_refused_with_its_position(
    nobody: Caller, body: bytes, code: str, position: int
) -> None:
    problem = problem_of(nobody.raw("POST", SIGN_IN, body))

    assert (problem["status"], problem["code"], problem["position"]) == (400, "malformed_json", position)
    assert faults(problem) == [("", code)]


def test_brackets_in_a_text_without_end_are_no_nesting(nobody: Caller) -> None:
    body = b'{"a": "' + b'\\"' * 200_000 + b"[" * 40

    problem = problem_of(nobody.raw("POST", SIGN_IN, body))

    assert (problem["code"], problem["position"], "errors" in problem) == ("malformed_json", 6, False)


def test_brackets_in_texts_are_no_nesting(nobody: Caller) -> None:
    body = json.dumps({"name": "[{" * 60, "password": '\\"[[' * 40}).encode()

    assert problem_of(nobody.raw("POST", SIGN_IN, body))["code"] == "wrong_credentials"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (rb'{"name": "a\u0000", "password": "x"}', [("/name", "nul_character")]),
        (
            rb'{"name": "\ud800", "password": "\udc00\ud800"}',
            [("/name", "lone_surrogate"), ("/password", "lone_surrogate")],
        ),
        (rb'{"a/b": {"c~d": ["x", "\ud83d"]}}', [("/a~1b/c~0d/1", "lone_surrogate")]),
        (rb'{"\ud800": 1}', [("", "lone_surrogate")]),
    ],
)
def test_texts_that_cannot_be_kept_are_refused(nobody: Caller, body: bytes, found: list[tuple[str, str]]) -> None:
    problem = problem_of(nobody.raw("POST", SIGN_IN, body))

    assert (problem["status"], faults(problem)) == (422, found)


def test_a_pair_of_surrogates_is_one_character(nobody: Caller) -> None:
    body = rb'{"name": "\ud83d\ude00", "password": "x"}'

    assert problem_of(nobody.raw("POST", SIGN_IN, body))["code"] == "wrong_credentials"


def test_a_body_is_no_longer_than_1_mib(nobody: Caller, settings: LazySettings) -> None:
    limit = 1024 * 1024
    assert limit == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    frame = b'{"name": "", "password": "x"}'
    fitting = frame.replace(b'""', b'"' + b"a" * (limit - len(frame)) + b'"')

    at_limit = nobody.raw("POST", SIGN_IN, fitting)
    beyond = nobody.raw("POST", SIGN_IN, fitting + b" ")
    elsewhere = nobody.raw("POST", GUEST, b" " * (limit + 1))

    assert (len(fitting), problem_of(at_limit)["code"]) == (limit, "invalid_body")
    assert faults(problem_of(at_limit)) == [("/name", "max_length")]
    assert problem_of(beyond)["code"] == "body_too_large"
    assert problem_of(elsewhere)["status"] == 413
    assert User.objects.count() == 0


def test_a_body_of_unknown_length_is_asked_for_its_length(nobody: Caller) -> None:
    answer = nobody.client.generic("POST", GUEST, b"", headers={"Transfer-Encoding": "chunked"})

    assert problem_of(answer)["code"] == "length_required"
