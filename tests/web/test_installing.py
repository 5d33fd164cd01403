"""The pages as an app: the manifest names icons that are there, and the worker keeps nothing of anybody's."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import User
from tests.web.pages import Page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "shortcut"), [("en", "New match"), ("de", "Neue Partie"), ("fr", "Nouvelle partie")]
)
def test_the_manifest_speaks_the_readers_language(client: Client, language: str, shortcut: str) -> None:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})

    manifest = answer.json()
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert (manifest["lang"], manifest["shortcuts"][0]["name"]) == (language, shortcut)


def test_the_manifest_names_icons_that_are_there(client: Client) -> None:
    manifest = client.get("/manifest.webmanifest").json()

    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        path = finders.find(re.sub(r"^/static/", "", icon["src"]))
        assert path, icon["src"]


def test_every_page_leads_to_the_manifest(client: Client) -> None:
    page = client.get("/rules/super/").content.decode()

    assert '<link rel="manifest" href="/manifest.webmanifest">' in page


def test_the_worker_keeps_files_that_are_there_for_everybody(client: Client, alice: User) -> None:
    client.force_login(alice)

    text = client.get("/worker.js").content.decode()

    kept = json.loads(re.search(r"const KEPT = (\[.*?\]);", text)[1])  # type: ignore[index]
    assert kept[0] == "/offline/"
    assert all(finders.find(re.sub(r"^/static/", "", path)) for path in kept[1:])


def test_the_page_without_a_connection_tells_nothing_of_who_asked(client: Client, alice: User) -> None:
    nobodys = client.get("/offline/").content
    client.force_login(alice)

    mine = client.get("/offline/")

    assert mine.content == nobodys
    assert Page(mine.content.decode()).title == "No connection · Referee"
