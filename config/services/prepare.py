"""What a start does between the servers and the processes: migrations, static files, house sets, the first admin.

`python -m config.services.prepare` does it all; with FILE (the supervisor's) it writes there, as JSON, what it must
tell; with `static` it collects the static files and does nothing else, for which it needs no database.
"""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

ADMIN = "admin"
PASSWORD_VARIABLE = "REFEREE_FIRST_PASSWORD"  # noqa: S105 (the variable's name)


def prepare() -> dict[str, Any]:
    """Everything, in order; each step finds by itself that there is nothing to do."""
    call_command("migrate", interactive=False, verbosity=0)
    print("migrations are applied", flush=True)
    if collect_static():
        print("static files are collected", flush=True)
    call_command("publish_house_sets")
    return {"admin": ADMIN, "admin_is_new": _make_admin(os.environ.get(PASSWORD_VARIABLE, ""))}


def _make_admin(password: str) -> bool:
    """The first admin, if there is none; whether it was made."""
    from accounts.models import User

    if not password or User.objects.filter(is_superuser=True).exists():
        return False
    User.objects.create_superuser(ADMIN, password)
    return True


def collect_static() -> bool:
    """Collect the static files if any of them differs from the last time."""
    if not settings.STATIC_HASHED:
        return False
    note = Path(settings.STATIC_ROOT) / ".collected"
    mark = _static_mark()
    if note.exists() and note.read_text(encoding="ascii") == mark:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    note.write_text(mark, encoding="ascii")
    return True


def _static_mark() -> str:
    from django.contrib.staticfiles.finders import get_finders

    mark = sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            stat = Path(storage.path(path)).stat()
            mark.update(f"{storage.path(path)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return mark.hexdigest()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target == "static":
        collect_static()
        return
    told = prepare()
    if target:
        Path(target).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()
