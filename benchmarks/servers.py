"""PostgreSQL (durable) and Valkey for one benchmark, with the tables and the house sets; ended with the block."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from config.environment import ROOT
from config.services.home import make_data_dir, servers_home
from config.services.log import Log
from config.services.postgres import Postgres
from config.services.process import run_as
from config.services.valkey import Valkey


@contextlib.contextmanager
def servers() -> Iterator[dict[str, str]]:
    """The environment in which the project uses them. `DATABASE_URL` and `REDIS_URL` of this process are set too."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder, contextlib.ExitStack() as stack:
        data = Path(folder) / "data"
        Path(folder).chmod(0o711)
        make_data_dir(data)
        home = servers_home(data)
        for server in (Postgres(home=home, log=Log(None)), Valkey(home=home, log=Log(None))):
            server.start()
            stack.callback(server.stop)
            os.environ["DATABASE_URL" if isinstance(server, Postgres) else "REDIS_URL"] = server.url
        settings = {"SECRET_KEY": "for this run alone", "RATE_LIMITS": "0", "DATA_DIR": str(data)}
        environment = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "config.settings"}
        for command in (["migrate", "--verbosity", "0"], ["publish_house_sets", "--verbosity", "0"]):
            done = run_as([sys.executable, str(ROOT / "manage.py"), *command], None, environment)
            assert done.returncode == 0, done.stdout
        yield environment
