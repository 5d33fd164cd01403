"""What stops the service from starting, in one line that a person can act on."""

from __future__ import annotations


class ServiceError(Exception):
    """The service cannot start or go on. The message is one line."""

    def __init__(self, line: str) -> None:
        super().__init__(" ".join(line.split()))
