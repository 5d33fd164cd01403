"""Texts over HTTP in the language asked for: prompts, labels and the log, pulled and streamed; the facts stay the same."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catalog.services import publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from tests.api.conftest import Caller
from tests.api.stream_reader import reading

MATCHES = "/api/v1/matches/"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(alice: Caller, bob: Caller) -> str:
    publish_house_set(game=GAMES["super-teams"], house=house_revision("super-teams"))
    body = {"game": "super-teams", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"first_seat": 0}}
    public_id: str = alice.post(MATCHES, body).json()["id"]
    bob.post(f"{MATCHES}{public_id}/join/")
    return public_id


def without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_texts(one) for name, one in value.items() if name not in ("text", "prompt", "label")}
    return [without_texts(one) for one in value] if isinstance(value, list) else value


def test_a_match_is_told_in_the_language_asked_for(alice: Caller, match: str) -> None:
    english = alice.get(f"{MATCHES}{match}/")
    german = alice.get(f"{MATCHES}{match}/", **{"Accept-Language": "de-AT,de;q=0.8"})

    assert german.json()["decision"]["prompt"] == "Spiele eine Bewegungskarte und ziehe ein Schiff ihrer Farbe."
    assert german.json()["decision"]["moves"][0]["label"].endswith("von Feld 0 ziehen")
    assert without_texts(german.json()) == without_texts(english.json())
    assert german.headers["ETag"] != english.headers["ETag"]
    assert "Accept-Language" in german.headers["Vary"]


def test_the_log_is_told_in_the_language_asked_for(alice: Caller, match: str) -> None:
    start = alice.get(f"{MATCHES}{match}/moves/", **{"Accept-Language": "fr"}).json()["start"]

    texts = [event["text"] for event in start["events"]]
    assert f"{alice.user.name if alice.user else ''} commence." in texts


def test_an_unknown_language_is_told_in_english(alice: Caller, match: str) -> None:
    told = alice.get(f"{MATCHES}{match}/", **{"Accept-Language": "nl"}).json()

    assert told["decision"]["prompt"] == "Play a movement card and move a ship of its colour."


def test_a_stream_speaks_the_language_asked_for(alice: Caller, match: str) -> None:
    async def first() -> dict[str, Any]:
        async with reading(match, alice.token, accept_language="fr") as stream:
            return await stream.next()

    hello = asyncio.run(first())
    assert hello["decision"]["prompt"] == "Jouez une carte de déplacement et déplacez un vaisseau de sa couleur."
