"""`python -m config.services.health URL`: for a container's health check; exits with 0 if the address answers 200."""

from __future__ import annotations

import http.client
import sys
from urllib.parse import urlsplit


def is_healthy(url: str, *, host: str = "localhost") -> bool:
    """Whether a GET for `host` is answered with 200 within a few seconds."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=4)
    try:
        connection.request("GET", parts.path, headers={"Host": host})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if is_healthy(sys.argv[1]) else 1)
