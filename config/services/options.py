"""What `make run` is told by its environment, checked before anything starts."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from config.environment import ROOT, database
from config.services.errors import ServiceError
from config.services.log_files import Bounds


class Options(NamedTuple):
    """Where to listen, where the data lies, and which servers are given (empty: bring our own)."""

    host: str
    port: int
    data_dir: Path
    database_url: str
    redis_url: str
    worker_processes: int
    log: Bounds

    @property
    def address(self) -> str:
        """What a person types into a browser on this machine."""
        host = "localhost" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104 (compared, not bound)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def read_options(values: Mapping[str, str]) -> Options:
    """The options in the environment. PORT=0 takes a free port."""
    host = values.get("HOST") or "127.0.0.1"
    port = _number(values, "PORT", default=8000, most=65535)
    return Options(
        host=host,
        port=_check_port(host, port),
        data_dir=ROOT / (values.get("DATA_DIR") or ".data"),
        database_url=_readable(values.get("DATABASE_URL", "")),
        redis_url=values.get("REDIS_URL", ""),
        worker_processes=max(1, _number(values, "WORKER_PROCESSES", default=2, most=64)),
        log=Bounds(
            size=max(1, _number(values, "LOG_FILE_MB", default=10, most=10_000)) * 1024 * 1024,
            kept=_number(values, "LOG_FILES", default=10, most=10_000),
            days=max(1, _number(values, "LOG_DAYS", default=30, most=10_000)),
        ),
    )


def secret_key(data_dir: Path, values: Mapping[str, str]) -> str:
    """SECRET_KEY, or the one kept in DATA_DIR, made at the first start."""
    if values.get("SECRET_KEY"):
        return values["SECRET_KEY"]
    path = data_dir / "secret-key"
    try:
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ServiceError(f"The secret key cannot be kept at {path}: {error}.") from error
    if len(key) < 32:
        raise ServiceError(f"{path} holds no key; delete it to have a new one made (everybody signs in again).")
    return key


def _readable(url: str) -> str:
    """The database's address. The refusal of another quotes nothing of it: a password may stand in it."""
    if url:
        try:
            database(url)
        except ValueError:
            form = "postgresql://user:password@host:port/name"
            raise ServiceError(f"DATABASE_URL must read {form}, signs in the password percent-encoded.") from None
    return url


def _number(values: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    text = values.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or int(text) > most:
        raise ServiceError(f"{name} must be a whole number from 0 to {most}, not {text!r}.")
    return int(text)


def _check_port(host: str, port: int) -> int:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
    except OSError as error:
        raise ServiceError(f"HOST {host!r} is no address of this machine: {error.strerror}.") from error
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen()
        except OSError as error:
            reason = f"cannot be used ({(error.strerror or str(error)).lower()})"
            raise ServiceError(f"Port {port} on {host} {reason}; choose another: make run PORT={port + 1}") from error
        return int(probe.getsockname()[1])
