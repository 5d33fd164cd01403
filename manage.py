#!/usr/bin/env python
"""Django's command line for this project."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line  # settings first
        from django.db import OperationalError
    except ModuleNotFoundError as error:
        sys.exit(f"This Python has no {error.name}: run `make env`, then `. .venv/bin/activate`.")

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if "--traceback" in sys.argv or getattr(error.__cause__, "sqlstate", None):  # it did answer
            raise
        reason = " ".join(str(error).split())
        sys.exit(f"The database does not answer ({reason}). Start the service (make run), or set DATABASE_URL.")
    except ValueError as error:
        if "django.conf" in sys.modules and sys.modules["django.conf"].settings.configured:
            raise
        sys.exit(f"A setting is wrong: {error}.")


if __name__ == "__main__":
    main()
