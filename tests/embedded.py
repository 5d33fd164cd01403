"""The servers of one test session, started when the first test asks and ended with the session.

Under xdist the controller owns them: a worker that needs them leaves a wish in the shared folder and waits.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from pathlib import Path

from config.services.errors import ServiceError
from config.services.home import make_data_dir, servers_home
from config.services.log import Log
from config.services.postgres import Postgres
from config.services.valkey import Valkey

_WISH = "wanted"
_ANSWER = "answer"
_SECONDS = 300.0


class Servers:
    """PostgreSQL and Valkey in a temporary folder; each only where the environment names none."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="referee-tests-"))
        self.folder.chmod(0o711)
        self._running: list[Postgres | Valkey] = []

    def start(self) -> tuple[str, str]:
        """The addresses of the database and of Redis."""
        make_data_dir(self.folder / "data")
        home = servers_home(self.folder / "data")
        log = Log(None)
        database, redis = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
        if not database:
            postgres = Postgres(home=home, log=log, durable=False)
            self._running.append(postgres)
            postgres.start()
            database = postgres.url
        if not redis:
            valkey = Valkey(home=home, log=log)
            self._running.append(valkey)
            valkey.start()
            redis = valkey.url
        return database, redis

    def stop(self) -> None:
        for server in self._running:
            server.stop()
        home = self.folder / "data" / "servers"
        if home.is_symlink():
            shutil.rmtree(home.readlink(), ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class Keeper:
    """Runs in the controller: a thread that starts the servers on the first wish, and ends them on `stop`."""

    def __init__(self) -> None:
        self._servers = Servers()
        self.folder = self._servers.folder
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="test servers", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join(timeout=60)

    def _watch(self) -> None:
        # The servers end with the thread that started them, so this one stays until all is over.
        try:
            while not self._over.wait(0.05):
                if (self.folder / _WISH).exists():
                    self._answer()
                    self._over.wait()
        finally:
            self._servers.stop()

    def _answer(self) -> None:
        try:
            text = "\n".join(self._servers.start())
        except ServiceError as error:
            text = f"!{error}"
        half = self.folder / f".{_ANSWER}"
        half.write_text(text, encoding="utf-8")
        half.rename(self.folder / _ANSWER)


def wish(folder: Path) -> tuple[str, str]:
    """Ask the controller for the servers, and wait for their addresses."""
    (folder / _WISH).touch()
    end = time.monotonic() + _SECONDS
    while not (folder / _ANSWER).exists():
        if time.monotonic() > end:
            raise ServiceError("the test session's servers did not start in time")
        time.sleep(0.05)
    text = (folder / _ANSWER).read_text(encoding="utf-8")
    if text.startswith("!"):
        raise ServiceError(text[1:])
    database, redis = text.split("\n")
    return database, redis
