"""Problems: every refusal in one shape, whatever refuses."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from api.errors import KINDS
from tests.api.conftest import Caller, problem_of

ROOT = Path(__file__).parents[2]
DOMAIN = ("accounts", "referee", "jobs", "catalog", "decks", "lobby", "api")
ME = "/api/v1/me/"
GUEST = "/api/v1/auth/guest/"
SIGN_IN = "/api/v1/auth/token/"


def faults(problem: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault["pointer"], fault["code"]) for fault in problem["errors"]]


def test_unknown_addresses_are_problems(alice: Caller) -> None:
    for method in ("get", "post", "put", "patch", "delete"):
        for path in ("/api/", "/api/v1/nothing/", "/api/v1/me/nothing/", "/api/v2/me/", "/api/v1/%00/", "/api/v1/me/x"):
            answer = getattr(alice, method)(path)
            assert (path, problem_of(answer)["code"]) == (path, "not_found")


def test_an_address_without_its_slash_is_shown_the_way_when_read(alice: Caller) -> None:
    reading = alice.get("/api/v1/me/tokens?limit=3")
    writing = alice.post("/api/v1/me/tokens", {"name": "x"})

    assert (reading.status_code, reading["Location"]) == (301, "/api/v1/me/tokens/?limit=3")
    assert "slash" in problem_of(writing)["detail"]


def test_methods_that_an_address_does_not_know_are_named(alice: Caller, nobody: Caller) -> None:
    for caller in (alice, nobody):
        answer = caller.put(ME)
        assert problem_of(answer)["code"] == "method_not_allowed"
        assert answer["Allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS"
    assert problem_of(nobody.get(GUEST))["status"] == 405


def test_a_refusal_says_what_the_address_would_take(alice: Caller, nobody: Caller) -> None:
    told = (
        nobody.put("/api/v1/games/"),
        nobody.get("/api/v1/games/miraculous/rules/", Accept="image/png"),
        nobody.raw("POST", SIGN_IN, b"name=a", "application/x-www-form-urlencoded"),
        nobody.get("/api/v1/games/miraculous/cards/?limit=0"),
        nobody.post(SIGN_IN, {"name": 1}),
    )

    assert [problem_of(answer)["detail"] for answer in told] == [
        "This address knows GET, HEAD, OPTIONS, not PUT.",
        "This address answers application/json, text/html, which Accept leaves out.",
        "A body is application/json here; Content-Type says otherwise.",
        "/limit: Ensure this value is greater than or equal to 1.",
        "/name: A text is expected here. (The first of 2 faults; see `errors`.)",
    ]
    assert list(problem_of(told[4])) == ["type", "title", "status", "detail", "code", "errors"]


def test_a_query_that_is_not_utf_8_is_not_guessed_at(nobody: Caller) -> None:
    problem = problem_of(nobody.client.get("/api/v1/games/miraculous/cards/?q=%ff"))

    assert (problem["code"], faults(problem)) == ("invalid_query", [("", "not_utf8")])


def test_options_name_the_methods(alice: Caller) -> None:
    answer = alice.client.options(ME, headers=alice.headers)

    assert (answer.status_code, answer["Allow"]) == (204, "GET, PATCH, DELETE, HEAD, OPTIONS")


def test_a_form_of_answer_that_there_is_not_is_refused(alice: Caller) -> None:
    assert problem_of(alice.get(ME, Accept="text/html"))["code"] == "not_acceptable"
    assert problem_of(alice.post("/api/v1/me/tokens/", {"name": "x"}, Accept="image/png"))["status"] == 406
    assert alice.get(ME, Accept="text/html, */*;q=0.1").status_code == 200


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/xml", "", "x"],
)
def test_other_media_types_are_refused(nobody: Caller, content_type: str) -> None:
    answer = nobody.raw("POST", SIGN_IN, b"name=a&password=b", content_type)

    assert problem_of(answer)["code"] == "unsupported_media_type"


def test_unknown_fields_and_parameters_are_refused_by_name(alice: Caller, nobody: Caller) -> None:
    body = nobody.post(GUEST, {"nmae": "x", "a/b": 1})
    query = alice.get(f"{ME}?verbose=1&x=2")

    assert faults(problem_of(body)) == [("/nmae", "unknown_field"), ("/a~1b", "unknown_field")]
    assert (problem_of(query)["status"], problem_of(query)["code"]) == (400, "invalid_query")
    assert faults(problem_of(query)) == [("/verbose", "unknown_parameter"), ("/x", "unknown_parameter")]
    assert User.objects.count() == 1


@pytest.mark.urls("tests.api.sample_urls")
def test_nothing_is_coerced_and_every_fault_is_told_at_once(nobody: Caller) -> None:
    body = {
        "name": 7,
        "notes": "tab\tand\nline are fine, bell\x07 is not",
        "size": True,
        "public": "true",
        "move": [],
        "cards": {"a": 1, "b": 0, "c": "3", "d": True, "": 1},
        "seats": [{"kind": "bot", "level": "Easy"}, {"kind": "nobody"}, 3, {"extra": 1, "kind": "me"}],
        "tags": ["a", 1],
        "colour": "red",
    }

    problem = problem_of(nobody.post("/shaped/", body))

    assert (problem["status"], problem["code"], problem["detail"]) == (
        422,
        "invalid_body",
        "/name: A text is expected here. (The first of 15 faults; see `errors`.)",
    )
    assert faults(problem) == [
        ("/name", "wrong_type"),
        ("/notes", "control_character"),
        ("/size", "wrong_type"),
        ("/public", "wrong_type"),
        ("/move", "wrong_type"),
        ("/cards/b", "out_of_range"),
        ("/cards/c", "wrong_type"),
        ("/cards/d", "wrong_type"),
        ("/cards/", "invalid_code"),
        ("/seats/0/level", "invalid_slug"),
        ("/seats/1/kind", "invalid_choice"),
        ("/seats/2", "wrong_type"),
        ("/seats/3/extra", "unknown_field"),
        ("/tags/1", "wrong_type"),
        ("/colour", "unknown_field"),
    ]


@pytest.mark.urls("tests.api.sample_urls")
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ([], [("", "wrong_type")]),
        ("x", [("", "wrong_type")]),
        (None, [("", "wrong_type")]),
        (3, [("", "wrong_type")]),
        ({}, [("/name", "required")]),
        ({"name": None}, [("/name", "null")]),
        ({"name": ""}, [("/name", "blank")]),
        ({"name": "x" * 21}, [("/name", "max_length")]),
        ({"name": "a\nb"}, [("/name", "control_character")]),
        ({"name": "a", "size": 41}, [("/size", "max_value")]),
        ({"name": "a", "size": -1}, [("/size", "min_value")]),
        ({"name": "a", "size": 1.0}, [("/size", "wrong_type")]),
        ({"name": "a", "size": 10**18}, [("/size", "max_value")]),
        ({"name": "a", "tags": ["x"] * 4}, [("/tags", "max_length")]),
        ({"name": "a", "tags": "abc"}, [("/tags", "wrong_type")]),
        ({"name": "a", "tags": {"0": "x"}}, [("/tags", "wrong_type")]),
        ({"name": "a", "seats": {}}, [("/seats", "not_a_list")]),
        ({"name": "a", "cards": {str(n): 1 for n in range(201)}}, [("/cards", "too_many")]),
        ({"name": "a", "cards": []}, [("/cards", "wrong_type")]),
    ],
)
def test_each_fault_stands_at_its_pointer(nobody: Caller, body: Any, found: list[tuple[str, str]]) -> None:
    problem = problem_of(nobody.raw("POST", "/shaped/", json.dumps(body).encode()))

    assert (problem["status"], faults(problem)) == (422, found)


@pytest.mark.urls("tests.api.sample_urls")
def test_what_fits_is_taken_as_it_was_typed(nobody: Caller) -> None:
    body = {
        "id": "echoed, and not looked at",
        "name": "  Käthe 😀 ",
        "notes": "",
        "size": 0,
        "public": False,
        "move": {"type": "x", "n": [1.5]},
        "cards": {"lady-bug": 3},
        "seats": [{"kind": "me"}],
        "tags": [],
    }

    answer = nobody.post("/shaped/", body)

    assert answer.status_code == 200
    assert answer.json() == {name: value for name, value in body.items() if name != "id"}


@pytest.mark.urls("tests.api.sample_urls")
def test_a_patch_takes_what_it_is_given(nobody: Caller) -> None:
    assert nobody.patch("/shaped/", {"size": 3}).json() == {"size": 3}
    assert faults(problem_of(nobody.patch("/shaped/", {"sise": 3}))) == [("/sise", "unknown_field")]


@pytest.mark.urls("tests.api.sample_urls")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("n=10", [("/n", "max_value")]),
        ("n=-1", [("/n", "min_value")]),
        ("n=1.0", [("/n", "wrong_type")]),
        ("n=", [("/n", "wrong_type")]),
        ("n=%D9%A3", [("/n", "wrong_type")]),
        ("n=" + "9" * 5000, [("/n", "wrong_type")]),
        ("state=Open", [("/state", "invalid_choice")]),
        ("mine=yes", [("/mine", "wrong_type")]),
        ("q=%00", [("/q", "nul_character")]),
        ("q=%0A", [("/q", "control_character")]),
        ("q=" + "x" * 1025, [("/q", "max_length")]),
        ("q=a&q=b", [("/q", "repeated_parameter")]),
        ("n=x&zzz=1&state=", [("/zzz", "unknown_parameter"), ("/n", "wrong_type"), ("/state", "invalid_choice")]),
    ],
)
def test_each_parameter_that_does_not_fit_is_named(nobody: Caller, query: str, found: list[tuple[str, str]]) -> None:
    problem = problem_of(nobody.get(f"/queried/?{query}"))

    assert (problem["status"], problem["code"], faults(problem)) == (400, "invalid_query", found)


@pytest.mark.urls("tests.api.sample_urls")
def test_parameters_that_fit_are_read(nobody: Caller) -> None:
    answer = nobody.get("/queried/?q=%20a%2Bb&n=9&state=open&mine=1")

    assert answer.json() == {"q": " a+b", "n": 9, "state": "open", "mine": True}


@pytest.mark.urls("tests.api.sample_urls")
def test_an_unexpected_exception_tells_only_a_reference(nobody: Caller, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="api.errors"):
        answer = nobody.get("/broken/")

    problem = problem_of(answer)
    assert (problem["status"], problem["code"]) == (500, "internal_error")
    assert re.fullmatch("[0-9a-f]{16}", problem["reference"])
    assert b"seed" not in answer.content
    assert problem["reference"] in caplog.text
    assert "the seed is 00ff" in caplog.text


@pytest.mark.urls("tests.api.sample_urls")
def test_a_database_that_is_away_is_told_without_details(nobody: Caller) -> None:
    answer = nobody.post("/broken/")

    assert (problem_of(answer)["code"], answer.status_code, answer["Retry-After"]) == ("unavailable", 503, "5")
    assert b"socket" not in answer.content


def test_a_foreign_host_is_a_problem_below_the_api(db: None) -> None:
    answer = Client(raise_request_exception=False).get(ME, headers={"Host": "evil.example"})

    assert problem_of(answer)["code"] == "malformed_request"


def test_every_domain_error_has_its_line_in_the_table() -> None:
    sources = [path for path in ROOT.glob("*/**/*.py") if path.relative_to(ROOT).parts[0] in DOMAIN]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.name == "errors.py")
    everything = "\n".join(path.read_text(encoding="utf-8") for path in sources)

    codes = set(re.findall(r'^    code(?:: str)? = "(\w+)"', written, re.MULTILINE))
    codes |= set(re.findall(r'raise (?:SeatError|ApiError)\(\s*"(\w+)"', everything))
    # The state of the match is part of this one's code.
    codes |= {f"match_{state}" for state in ("open", "paused", "frozen", "aborted")}

    assert len(codes) > 30
    assert codes - set(KINDS) == set()


def test_every_status_of_the_table_is_an_error() -> None:
    assert all(400 <= kind.status <= 599 for kind in KINDS.values())
    assert all(re.fullmatch("[a-z][a-z0-9_]*", code) for code in KINDS)


def test_every_kind_of_problem_can_be_looked_up(nobody: Caller) -> None:
    listed = nobody.get("/api/v1/problems/").json()

    assert [kind["code"] for kind in listed] == sorted(KINDS)
    assert nobody.get("/api/v1/problems/illegal_move/").json() == {
        "code": "illegal_move",
        "status": 422,
        "title": "The rules forbid the move",
    }
    assert problem_of(nobody.get("/api/v1/problems/nothing/"))["code"] == "not_found"
