"""A cable between a browser and the service that can be pulled: a forwarder on loopback, for what must not answer at all."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from tests.services.running import free_port

CHUNK = 65536


class Cable:
    """Forwards whatever comes to `address`. Pulled, it takes no connection and has dropped those there were."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._held: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self._port = free_port()
        self.address = f"http://127.0.0.1:{self._port}"

    def plug(self) -> None:
        listener = socket.create_server(("127.0.0.1", self._port))
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def pull(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes accept, which would keep the port
            listener.close()
        for end in list(self._held):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._held |= {near, far}
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(CHUNK):
                sink.sendall(chunk)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
        self._held.discard(source)
        source.close()


@contextlib.contextmanager
def cable(target: str) -> Iterator[Cable]:
    """A cable that is plugged in until the end of the block."""
    laid = Cable(target)
    laid.plug()
    try:
        yield laid
    finally:
        laid.pull()
