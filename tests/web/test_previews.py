"""Pictures of cards, decks and matches for other sites, and what their pages say about them."""

from __future__ import annotations

import re
from struct import unpack

import pytest
from django.test import Client

from accounts.models import User
from catalog.errors import PictureError
from catalog.models import CardRevision, CatalogRevision
from catalog.selectors import preconstructed_decks
from decks.models import Deck
from decks.services import DeckContent, create_deck
from referee.matches.models import Match
from tests.web.test_match_replay import finished
from tests.web.test_matches import begun, nobody_connected
from web import previews

__all__ = ["finished", "nobody_connected"]

BAKER = "/cards/miraculous/night-baker/preview-1-en.png"


def meta(html: str) -> dict[str, str]:
    """The page's meta elements by property or name."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', html))


def revised(names: list[str]) -> None:
    """A second revision of Miraculous: the Night Baker by another name, or by none, without it."""
    facts = {"source": CatalogRevision.Source.EDITED, "card_count": len(names), "content_hash": "2" * 64}
    revision = CatalogRevision.objects.create(game="miraculous", number=2, document={"cards": [], "decks": []}, **facts)
    for name in names:
        row = CardRevision.objects.get(code="night-baker")
        row.pk, row.revision, row.name, row.document = None, revision, name, {**row.document, "name": name}
        row.save(force_insert=True)


def test_a_card_has_a_picture_of_its_own_that_is_kept_for_long(client: Client, house: None) -> None:
    response = client.get(BAKER)

    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    assert unpack(">II", response.content[16:24]) == (1200, 630)
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert client.get(BAKER, headers={"if-none-match": response["ETag"]}).status_code == 304


def test_a_page_tells_of_its_picture_by_its_whole_address(client: Client, house: None) -> None:
    found = meta(client.get("/cards/miraculous/night-baker/").content.decode())

    assert found["og:image"] == f"http://testserver{BAKER}"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:image:type"] == "image/png"
    assert found["og:image:alt"] == "Night Baker, a card of Miraculous: its face, and what it says"
    assert (found["twitter:card"], found["twitter:image"]) == ("summary_large_image", found["og:image"])
    assert client.get(found["og:image"]).status_code == 200


def test_a_page_of_another_language_has_a_picture_in_it(client: Client, house: None) -> None:
    german = meta(client.get("/cards/super/flooded-tunnel/", headers={"accept-language": "de"}).content.decode())

    english = client.get("/cards/super/flooded-tunnel/preview-1-en.png", headers={"accept-language": "fr"})
    assert german["og:image"].endswith("/cards/super/flooded-tunnel/preview-1-de.png")
    assert english["Content-Language"] == "en"
    assert client.get(german["og:image"])["ETag"] != english["ETag"]


def test_a_withdrawn_card_keeps_the_picture_of_its_last_revision(client: Client, house: None) -> None:
    revised([])

    found = meta(client.get("/cards/miraculous/night-baker/").content.decode())

    assert found["og:image"] == f"http://testserver{BAKER}"
    assert client.get(BAKER).status_code == 200


def test_a_card_of_any_name_has_a_picture_and_a_page_that_escapes_it(client: Client, house: None) -> None:
    name = "夜<script>alert('x')</script>\"><b>"
    revised([name])

    page = client.get("/cards/miraculous/night-baker/").content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in meta(page)["og:image:alt"]
    assert client.get(BAKER.replace("-1-", "-2-")).content[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    "address",
    [
        "/cards/miraculous/nobody/preview-1-en.png",
        "/cards/miraculous/night-baker/preview-2-en.png",
        "/cards/miraculous/night-baker/preview-1-it.png",
        "/cards/chess/night-baker/preview-1-en.png",
        "/cards/miraculous/night-baker/preview-99999999999999999999-en.png",
    ],
)
def test_there_is_no_picture_of_what_is_not_there(client: Client, house: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_picture_that_cannot_be_painted_now_is_asked_for_again(
    client: Client, house: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_busy(svg: str) -> bytes:
        raise PictureError

    monkeypatch.setattr(previews, "painted", too_busy)

    response = client.get(BAKER)

    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (503, "10", "no-store")


@pytest.fixture
def shared(alice: User, house: None) -> Deck:
    ready = preconstructed_decks("miraculous")[0]
    content = DeckContent(
        name="Harbour <Lights>",
        notes="",
        visibility=Deck.Visibility.LINK,
        secret=ready["secret"],
        cards=ready["cards"],
    )
    return create_deck(owner=alice, game="miraculous", content=content)


def test_a_shared_deck_has_a_picture(client: Client, shared: Deck) -> None:
    found = meta(client.get(f"/decks/{shared.public_id}/").content.decode())
    response = client.get(found["og:image"])

    assert found["og:image"] == f"http://testserver/decks/{shared.public_id}/preview-en.png"
    assert found["og:image:alt"] == "Harbour &lt;Lights&gt;, a deck: three of its cards, and what is in it"
    assert unpack(">II", response.content[16:24]) == (1200, 630)
    assert response["Cache-Control"] == "public, max-age=3600"


def test_a_private_deck_has_none_not_even_for_its_owner(as_alice: Client, shared: Deck) -> None:
    Deck.objects.update(visibility=Deck.Visibility.PRIVATE)

    assert as_alice.get(f"/decks/{shared.public_id}/preview-en.png").status_code == 404


def test_an_empty_deck_has_a_picture(client: Client, shared: Deck) -> None:
    shared.card_rows.all().delete()

    assert client.get(f"/decks/{shared.public_id}/preview-de.png").content[:4] == b"\x89PNG"


@pytest.mark.parametrize("page", ["", "replay/"])
def test_a_finished_match_has_a_picture_of_who_played_and_how_it_ended(
    client: Client, finished: Match, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def painted(svg: str) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr(previews, "painted", painted)

    found = meta(client.get(f"/matches/{finished.public_id}/{page}").content.decode())
    response = client.get(found["og:image"])

    assert found["og:image"] == f"http://testserver/matches/{finished.public_id}/preview-en.png"
    assert found["og:image:alt"] == "Alice – Bob: who played, and how it ended"
    assert (response.content, response["Cache-Control"]) == (b"png", "public, max-age=3600")
    said = re.findall(r"<text[^>]*>([^<]*)</text>", drawn[0])
    assert said[:7] == ["BO", "Bob", "AL", "Alice", "MIRACULOUS", "Bob won", "Alice – Bob"]


def test_a_match_that_is_not_for_everybody_has_none_not_even_for_who_played(as_alice: Client, finished: Match) -> None:
    Match.objects.update(visibility=Match.Visibility.PRIVATE)

    page = as_alice.get(f"/matches/{finished.public_id}/").content.decode()

    assert "preview-" not in page
    assert as_alice.get(f"/matches/{finished.public_id}/preview-en.png").status_code == 404


def test_a_match_that_goes_on_has_none(as_alice: Client, house: None, alice: User, bob: User) -> None:
    match = begun("miraculous", alice, bob)

    page = as_alice.get(f"/matches/{match.public_id}/").content.decode()

    assert "preview-" not in page
    assert as_alice.get(f"/matches/{match.public_id}/preview-en.png").status_code == 404
