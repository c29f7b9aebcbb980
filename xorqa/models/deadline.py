"""A limit on the seconds of a whole HTTP request; a client's own timeouts are between two bytes."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any


class Deadline:
    """Ends the connection of a client that has at most one, `seconds` after a request begins.

    `trace` is the extension of that name of each of its requests; it learns of new connections.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.passed = seconds, False
        self._socket: socket.socket | None = None
        self._during_handshake: socket.socket | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Limit the block; `passed` says whether it took too long."""
        self.passed = False
        timer = Timer(self.seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the socket of a new connection, and a second handle while TLS takes it over."""
        if event.endswith("start_tls.started") and self._socket:
            self._during_handshake = self._socket.dup()
        elif event.endswith(("start_tls.complete", "start_tls.failed")) and self._during_handshake:
            self._during_handshake.close()
            self._during_handshake = None
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
        if self.passed:
            self._end()

    def _end(self) -> None:
        self.passed = True
        for each in filter(None, (self._socket, self._during_handshake)):
            with suppress(OSError):  # it has ended already
                socket.socket.shutdown(each, socket.SHUT_RDWR)  # TLS stays as it is
