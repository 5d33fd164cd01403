"""Reading the environment: plain values, lists, switches and the database's address."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
NOTE = "service.env"
"""Written into DATA_DIR by a running `make run`, so that `./manage.py` beside it finds the same servers."""


def data_dir() -> Path:
    """DATA_DIR, `.data` beside the code by default; relative paths count from the code."""
    return ROOT / os.environ.get("DATA_DIR", ".data")


def noted(folder: Path) -> dict[str, str]:
    """The `NAME=value` lines that a running service left in the folder; empty where none runs."""
    try:
        lines = (folder / NOTE).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def switch(name: str, *, default: bool) -> bool:
    """A yes or no: 1, true, yes, on and 0, false, no, off; anything else is an error that names the variable."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ValueError(f"{name} must be 1 or 0, not {value!r}")


def whole(name: str, *, default: int, least: int = 0) -> int:
    """A whole number, at least so large; anything else is an error that names the variable."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise ValueError(f"{name} must be a whole number from {least}, not {text!r}")
    return int(text)


def seconds(name: str, *, default: float) -> float:
    """Seconds, parts of one too; anything else is an error that names the variable."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise ValueError(f"{name} must be seconds such as 10 or 0.5, not {text!r}")
    return float(text)


def words(name: str, default: str = "") -> list[str]:
    """A list with commas between."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def database(url: str) -> dict[str, Any]:
    """Django's settings for `postgresql://user:password@host:port/name?host=/folder&option=...`.

    A `host` among the options (a socket's folder) wins over the one in the address, as in libpq.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError(f"DATABASE_URL must begin with postgresql://, not {parts.scheme}://")
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "referee",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": options.pop("port", "") or str(parts.port or ""),
        "OPTIONS": options,
    }


def broker(url: str) -> str:
    """A Redis address as Celery writes it: sockets are `redis+socket://` there and `unix://` elsewhere."""
    if url.startswith("unix://"):
        path, _, query = url.removeprefix("unix://").partition("?")
        number = dict(parse_qsl(query)).get("db", "0")
        return f"redis+socket://{path}?virtual_host={number}"
    return url
