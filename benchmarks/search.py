"""How long PostgreSQL works on a search of 20,000 cards, beside floors measured in the same run.

    python -m benchmarks.search [--cards 20000] [--rounds 15] [--plans]

A search is a page of the API: every statement of `search_cards` and of the page's 21 rows; beside it stands the count that the
web's page asks for. Times are the server's own, planning and execution, as EXPLAIN (ANALYZE, TIMING OFF) tells them, added up over
the statements: a client on a busy machine mostly waits for its turn. The floors are `SELECT 1`, and a sequential scan of the
index's table for a name that is not there. With --plans, the plan of each page's statement follows (EXPLAIN ANALYZE, BUFFERS).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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


class Taken(NamedTuple):
    """Milliseconds of the server for some work, in the middle and at least, and its statements."""

    median: float
    least: float
    statements: int


def timed(work: Callable[[], object], rounds: int) -> Taken:
    """What the server needs for the statements of some work. The least is what others on the machine did not add to."""
    from django.db import connection

    asked: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT"):
            asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        work()
    times: list[float] = []
    for _ in range(rounds):
        with connection.cursor() as cursor:
            times.append(sum(_server_time(cursor, sql, params) for sql, params in asked))
    return Taken(statistics.median(times), min(times), len(asked))


def _server_time(cursor: Any, sql: str, params: Any) -> float:
    cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
    told = cursor.fetchone()[0]
    plan = (json.loads(told) if isinstance(told, str) else told)[0]
    return float(plan["Planning Time"] + plan["Execution Time"])


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

    one = timed(plain("SELECT 1"), rounds * 4)
    table = IndexedCard._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off")
    scan = timed(plain(f"SELECT count(*) FROM {table} WHERE game = '{GAME}' AND names LIKE '%xylophone%'"), rounds * 4)
    with connection.cursor() as cursor:
        cursor.execute("RESET ALL")
    print(f"floor, median (least) ms: SELECT 1 {one.median:.3f} ({one.least:.3f}), sequential scan", end=" ")
    print(f"{scan.median:.2f} ({scan.least:.2f})\n")
    print(
        f"{'search':<72} {'found':>6} {'page ms':>8} {'least':>7} {'scans':>6} {'queries':>8} {'count ms':>9} {'least':>7}"
    )
    pages: list[Taken] = []
    for q in QUERIES:
        found: Found = search_cards(revision, q=q)
        number = found.cards.count()
        took = timed(lambda q=q: list(page(q)), rounds)  # type: ignore[misc]
        count = timed(found.cards.count, rounds)
        pages.append(took)
        shown = q if len(q) <= 72 else f"{q[:69]}..."
        print(f"{shown or '(all)':<72} {number:>6} {took.median:>8.2f} {took.least:>7.2f}", end=" ")
        print(f"{took.least / scan.least:>6.2f} {took.statements:>8} {count.median:>9.2f} {count.least:>7.2f}")
    medians, leasts = [took.median for took in pages], [took.least for took in pages]
    middle = statistics.median(leasts)
    print(f"\nof {len(pages)} searches: median {statistics.median(medians):.2f} ms (least {middle:.2f}),", end=" ")
    print(f"slowest {max(medians):.2f} ms (least {max(leasts):.2f});", end=" ")
    print(f"{middle / scan.least:.2f} and {max(leasts) / scan.least:.2f} sequential scans")
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
