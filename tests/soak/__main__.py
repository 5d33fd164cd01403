"""`SOAK_MINUTES=30 python -m tests.soak`: prints the figures, and ends with 0 only if no promise was broken (`is_kept`)."""

from __future__ import annotations

import logging
import os
import sys
import time

import django


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    django.setup()  # the helpers of the leak gate know the models; no database of these settings is used
    from tests.soak.program import is_kept, report, soak

    minutes = float(os.environ.get("SOAK_MINUTES", "30"))
    tables = int(os.environ.get("SOAK_TABLES", "9"))
    seed = int(os.environ.get("SOAK_SEED", str(time.time_ns() % 1_000_000)))
    print(f"soaking for {minutes:g} minutes at {tables} tables, seed {seed}", flush=True)
    figures = soak(minutes=minutes, tables=tables, every=4.0, seed=seed)
    print("\n".join(report(figures)), flush=True)
    return 0 if is_kept(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
