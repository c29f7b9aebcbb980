"""HTTP/1.1 for slow and hostile clients: a time limit for headers, and errors in one shape."""

import asyncio
import json

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .problems import Limits, Problem


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose headers do not arrive in time."""

    limits = Limits()
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit; drop the connection if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read data; the time limit counts from the first byte of each request's headers."""
        super().data_received(data)
        in_headers = self.conn.their_state is h11.IDLE
        if not in_headers:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the time limit."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP with an error in the shape of all others."""
        if self.conn.our_state is not h11.IDLE and self.conn.our_state is not h11.SEND_RESPONSE:
            self.transport.close()
            return
        body = json.dumps(Problem(400, msg, code="invalid_http").body).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        events: list[h11.Event] = [
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ]
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.limits.headers, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()


def bounded(limits: Limits) -> type[BoundedProtocol]:
    """The protocol with other limits."""
    return type("Bounded", (BoundedProtocol,), {"limits": limits})
