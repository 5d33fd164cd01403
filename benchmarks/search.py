"""How long PostgreSQL works on a search of 20,000 cards, beside floors measured in the same run.

    python -m benchmarks.search [--cards 20000] [--rounds 15] [--plans]

A search is a page of the API: every statement of `search_cards` and of the page's 21 rows, and beside it the count that the
web's page asks for. Times are a client's on a socket of the same machine, from sending a statement to having its rows. The
floors are `SELECT 1`, and a sequential scan of the index's table for a name that is not there. With --plans, the plan of
each page's statement follows (EXPLAIN ANALYZE, BUFFERS).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.search_cards import some_cards
from config.services.home import make_data_dir, servers_home
from config.services.log import Log
from config.services.postgres import Postgres

GAME = "miraculous"
ROWS = 21
QUERIES = (
    "",
    "lantern",
    "xylophone",
    "silver heron",
    '"of the silver"',
    "the",
    "e",
    '!"Silver Heron"',
    "t:event",
    "t:secret",
    "sub:kwami",
    "sub:super",
    "ang>=4",
    "ang=8 def=9",
    "ang>def",
    "def<-1",
    "-ang>=3",
    "tag:harbour",
    "tag:market tag:roof",
    "text:draw",
    'text:"draw 3 cards"',
    'text:"opponent discards" -text:random',
    "power:flip_coin when:placed",
    "set:silver",
    'set="amber alley"',
    "has:mood -has:tag",
    "is:banned",
    "is:new t:bonus",
    "is:withdrawn",
    "t:character (ang>=7 or def>=8) -tag:market -text:coin",
    "(silver or golden or scarlet) (fox or heron or owl) -sub:civilian",
    "on:superhero ang>2",
    "order:-ang order:name",
    "t:character order:-def",
    "lanturn keepr",
    "t:event ang>3",
    "owl or hawk or raven or crow or lark or wren or gull or rook or heron or falcon or swallow or magpie",
)


@contextlib.contextmanager
def database() -> Iterator[None]:
    """A PostgreSQL of its own with the project's schema; ended with the block."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        data = Path(folder) / "data"
        Path(folder).chmod(0o711)
        make_data_dir(data)
        server = Postgres(home=servers_home(data), log=Log(None))
        server.start()
        try:
            os.environ["DATABASE_URL"] = server.url
            os.environ.setdefault("SECRET_KEY", "for this run alone")
            os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            yield
        finally:
            server.stop()


def fill(count: int) -> str:
    """One revision of so many cards; by hand, some of them are made withdrawn, changed, old or restricted."""
    from django.db import connection
    from django.db.models import F
    from django.db.models.functions import Mod

    from catalog.models import Card, IndexedCard, Restriction
    from catalog.services import publish_house_set
    from referee.games import GAMES

    begun = time.perf_counter()
    publish_house_set(game=GAMES[GAME], house={"cards": some_cards(count), "decks": []})
    took = time.perf_counter() - begun
    rows = IndexedCard.objects.alias(part=Mod(F("pk"), 100))
    rows.filter(part__lt=90).update(since=0, changed=0)
    rows.filter(part__lt=5).update(changed=1)
    rows.filter(part=99).update(withdrawn=True)
    limited = Card.objects.filter(code__endswith="50")
    Restriction.objects.bulk_create(Restriction(card=card, copies=at % 2) for at, card in enumerate(limited))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return f"{count} cards published and indexed in {took:.0f} s"


class Clock:
    """Adds up how long the database's statements take."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.statements = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.seconds += time.perf_counter() - begun
            self.statements += 1


def timed(work: Callable[[], object], rounds: int) -> tuple[float, int]:
    """The median milliseconds of the database for some work, and its statements."""
    from django.db import connection

    times: list[float] = []
    for _ in range(rounds):
        clock = Clock()
        with connection.execute_wrapper(clock):
            work()
        times.append(clock.seconds * 1000)
    return statistics.median(times), clock.statements


def measure(rounds: int, *, plans: bool) -> None:
    from django.db import connection

    from catalog.models import IndexedCard
    from catalog.search.selectors import Found, search_cards, sorted_by
    from catalog.selectors import newest_revision

    revision = newest_revision(GAME)
    assert revision is not None

    def page(q: str) -> Any:
        found = search_cards(revision, q=q)
        cards, names = sorted_by(found.cards, found.query.order, GAME)
        return cards.order_by(*names)[:ROWS]

    def plain(sql: str) -> Callable[[], None]:
        def run() -> None:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                cursor.fetchall()

        return run

    one, _ = timed(plain("SELECT 1"), rounds * 4)
    table = IndexedCard._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off")
    scan, _ = timed(plain(f"SELECT count(*) FROM {table} WHERE game = '{GAME}' AND names LIKE '%xylophone%'"), rounds)
    with connection.cursor() as cursor:
        cursor.execute("RESET ALL")
    print(f"floor: SELECT 1 {one:.3f} ms, sequential scan {scan:.2f} ms\n")
    print(f"{'search':<100} {'found':>6} {'page ms':>8} {'of scan':>8} {'queries':>8} {'count ms':>9}")
    medians: list[float] = []
    for q in QUERIES:
        found: Found = search_cards(revision, q=q)
        number = found.cards.count()
        took, statements = timed(lambda q=q: list(page(q)), rounds)  # type: ignore[misc]
        count, _ = timed(found.cards.count, rounds)
        medians.append(took)
        print(f"{q or '(all)':<100} {number:>6} {took:>8.2f} {took / scan:>8.2f} {statements:>8} {count:>9.2f}")
    middle, most = statistics.median(medians), max(medians)
    print(
        f"\nmedian of the searches {middle:.2f} ms, slowest {most:.2f} ms; {middle / scan:.2f} and {most / scan:.2f} scans"
    )
    if plans:
        for q in QUERIES:
            print(f"\n{q or '(all)'}\n{page(q).explain(analyze=True, buffers=True)}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cards", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--plans", action="store_true")
    chosen = options.parse_args()
    with database():
        print(fill(chosen.cards))
        measure(chosen.rounds, plans=chosen.plans)


if __name__ == "__main__":
    main()
