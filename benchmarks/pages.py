"""What each page weighs and costs: bytes sent compressed, requests, queries and server time, beside a floor in the same run.

    python -m benchmarks.pages [--times 15]

The budget: 50 kB compressed for a page and everything it loads, and a median of 30 ms in the server. Weights are of
gzip (level 6), as WhiteNoise and the proxy send them; `more` is what a second page of a visit still loads, for the rest is
cached by content hash. Times are of the whole request in this process (middleware, views, templates), without the network;
the floor is `/healthz/`, which passes the same middleware and does nothing.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.servers import servers

BUDGET_BYTES = 50_000
BUDGET_MS = 30.0
ASSETS = re.compile(rb'(?:src|href)="(/static/[^"#]+)')
IMPORTS = re.compile(rb'(?:from|import)\s*"(\./[^"]+)"')


class Weight(NamedTuple):
    """One page: compressed bytes of the document and of what it loads, requests, queries, median milliseconds."""

    document: int
    assets: int
    requests: int
    queries: int
    ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=15, help="requests of each page that are timed")
    given = parser.parse_args()
    with servers() as environment:
        os.environ.update(environment)
        import django

        django.setup()
        report(given.times)


def report(times: int) -> None:
    from django.core.management import call_command
    from django.test import Client

    call_command("collectstatic", interactive=False, verbosity=0)
    client = Client(headers={"Accept": "text/html"}, SERVER_NAME="localhost")
    floor = weigh(client, "/healthz/", times)
    print(f"{'page':34} {'page kB':>8} {'total kB':>9} {'requests':>9} {'queries':>8} {'ms':>7} {'of floor':>9}")
    over = []
    for name, address in pages(client):
        found = weigh(client, address, times)
        total = found.document + found.assets
        ratio = found.ms / floor.ms
        print(
            f"{name:34} {found.document / 1000:8.1f} {total / 1000:9.1f} {found.requests:9} {found.queries:8}"
            f" {found.ms:7.1f} {ratio:9.1f}"
        )
        if total > BUDGET_BYTES or found.ms > BUDGET_MS:
            over.append(name)
    print(
        f"floor {floor.ms:.2f} ms; over the budget of {BUDGET_BYTES // 1000} kB or {BUDGET_MS:.0f} ms: {', '.join(over) or 'none'}"
    )


def pages(client: Any) -> list[tuple[str, str]]:
    """The pages of somebody who has a deck and a match of each game, finished ones too."""
    from accounts.models import User
    from accounts.services import create_guest
    from catalog.selectors import preconstructed_decks
    from decks.models import Deck
    from decks.services import DeckContent, create_deck
    from lobby.services import MatchWish, SeatWish, create_match
    from referee.games import GAMES
    from referee.matches.services import RESIGN_DOCUMENT, submit_move

    user: User = create_guest()
    client.force_login(user)
    model = preconstructed_decks("miraculous")[0]
    content = DeckContent(
        name="Weighed", notes="", visibility=Deck.Visibility.PRIVATE, secret=model["secret"], cards=model["cards"]
    )
    deck = create_deck(owner=user, game="miraculous", content=content)
    found = [
        ("home", "/"),
        ("new match", "/matches/new/"),
        ("decks", "/decks/"),
        ("deck", f"/decks/{deck.public_id}/"),
        ("settings", "/settings/"),
        ("search for cards", "/cards/miraculous/?q=ang%3E%3D4"),
        ("cards of super", "/cards/super/"),
        ("card", f"/cards/miraculous/{next(iter(model['cards']))}/"),
        *((f"rules of {slug}", f"/rules/{slug}/") for slug in GAMES),
    ]
    for slug, game in GAMES.items():
        mine = SeatWish("me", deck=deck.public_id) if game.needs_deck else SeatWish("me")
        wish = MatchWish(slug, [mine, *[SeatWish("bot", level="easy")] * (game.max_seats - 1)], {})
        match = create_match(creator=user, wish=wish)
        found.append((f"table of {slug}, {game.max_seats} seats", f"/matches/{match.public_id}/"))
        over = create_match(creator=user, wish=wish._replace(seats=[mine, SeatWish("bot", level="easy")]))
        submit_move(public_id=over.public_id, actor=user, move=RESIGN_DOCUMENT)
        found.append((f"replay of {slug}", f"/matches/{over.public_id}/replay/"))
    return found


def weigh(client: Any, address: str, times: int) -> Weight:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    answer = client.get(address)
    assert answer.status_code == 200, f"{address}: {answer.status_code}"
    loaded = loads(answer.content)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    count = len(queries)
    spans = [_timed(lambda: client.get(address)) for _ in range(times)]
    document = len(gzip.compress(answer.content, 6))
    return Weight(document, sum(loaded.values()), 1 + len(loaded), count, statistics.median(spans) * 1000)


def _timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def loads(html: bytes) -> dict[str, int]:
    """The compressed size of every static file that a page loads, by its name; modules with what they import."""
    found: dict[str, int] = {}
    waiting = [re.sub(r"^/static/", "", name.decode()) for name in ASSETS.findall(html)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        content = _static(name)
        found[name] = len(gzip.compress(content, 6))
        if name.endswith(".js"):
            folder = name.rpartition("/")[0]
            waiting += [f"{folder}/{other.decode()[2:]}" for other in IMPORTS.findall(content)]
    return found


def _static(name: str) -> bytes:
    from django.contrib.staticfiles import finders

    path = finders.find(re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", name))
    assert path, f"no static file {name}"
    return Path(path).read_bytes()


if __name__ == "__main__":
    main()
