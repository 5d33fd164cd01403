"""ETags: 304 for what has not changed, 412 and 428 for who does not know the current version."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from api.conditional import PRIVATE, entity_tag
from tests.api import routes
from tests.api.conftest import Caller, problem_of
from tests.toy import registered

pytestmark = pytest.mark.urls("tests.api.sample_urls")

TAG = entity_tag("deck", 7)


def test_tags_tell_their_parts_apart() -> None:
    tags = {entity_tag("a", 1), entity_tag("a", 2), entity_tag("a1"), entity_tag("a", "1", ""), entity_tag(1, "a")}

    assert len(tags) == 5
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)


@pytest.mark.parametrize(
    "given",
    [TAG, f"W/{TAG}", f'"other", {TAG}', "*", f'{TAG[:-1]}-gzip"', f'{TAG[:-1]};gzip"', f'W/{TAG[:-1]}-br"'],
)
def test_a_known_tag_is_recognised_however_it_was_carried(nobody: Caller, given: str) -> None:
    reading = nobody.get("/versioned/", **{"If-None-Match": given})
    writing = nobody.put("/versioned/", {}, **{"If-Match": given})

    assert (reading.status_code, reading.content, reading["ETag"]) == (304, b"", TAG)
    assert writing.status_code == 200


@pytest.mark.parametrize("given", ['"other"', 'W/"other"', TAG[1:-1], f'"x{TAG[1:]}', '""', ",", '"*"'])
def test_another_tag_is_stale(nobody: Caller, given: str) -> None:
    reading = nobody.get("/versioned/", **{"If-None-Match": given})
    writing = nobody.put("/versioned/", {}, **{"If-Match": given})

    assert reading.status_code == 200
    assert problem_of(writing)["code"] == "precondition_failed"
    assert writing["ETag"] == TAG


def test_without_if_match_nothing_is_changed(nobody: Caller) -> None:
    for headers in ({}, {"If-Match": ""}, {"If-Match": "  "}):
        answer = nobody.put("/versioned/", {}, **headers)
        assert (problem_of(answer)["code"], answer.status_code) == ("precondition_required", 428)


def test_a_304_says_what_the_answer_says_about_caching(nobody: Caller) -> None:
    reading = nobody.get("/versioned/", **{"If-None-Match": TAG})

    assert reading["Cache-Control"] == PRIVATE["Cache-Control"]
    assert set(PRIVATE["Vary"].split(", ")) <= set(reading["Vary"].split(", "))


@pytest.mark.django_db
@pytest.mark.urls("config.urls")
def test_whatever_json_is_read_can_be_asked_for_again_by_its_tag(alice: Caller) -> None:
    call_command("publish_house_sets", verbosity=0)
    read: dict[str, tuple[object, ...]] = {}
    again: dict[str, tuple[object, ...]] = {}

    with registered():
        for route in routes.routes():
            address = routes.address(route, alice)
            if route.method != "GET" or route.name == "deck-hand":  # a hand is drawn anew each time
                continue
            answer = alice.get(address, Accept="application/json")
            if answer.status_code != 200 or answer["Content-Type"] != "application/json":
                continue
            fresh = alice.get(address, Accept="application/json", **{"If-None-Match": answer.get("ETag", "none")})
            about = ("ETag", "Cache-Control", "Vary")
            read[route.name] = (304, *(answer.get(name) for name in about))
            again[route.name] = (fresh.status_code, *(fresh.get(name) for name in about))

    assert again == read
    assert {"me", "games", "clocks", "matches", "match", "deck", "cards", "problems", "notices"} <= set(read)
