"""Run the application until a signal ends it, over HTTP/1.1 for slow and hostile clients.

A connection whose headers do not arrive in time is closed; errors of the protocol have the shape of
all others.
"""

import asyncio
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..core.errors import ConfigError
from .app import create_app
from .engine import Engine
from .problems import Limits, Problem

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SWITCH = 0.0005  # seconds for which one thread may keep the models waiting; Python's are ten times


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose headers do not arrive in time."""

    limits = Limits()
    since = 0.0
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit; if there are too many, drop the oldest one without a request."""
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) > self.limits.connections:
            bounded = (each for each in self.connections if isinstance(each, BoundedProtocol))
            unfinished = [each for each in bounded if each.conn.their_state is not h11.DONE]
            oldest = min(unfinished, key=lambda each: each.since)
            self.connections.discard(oldest)
            oldest.transport.abort()
            if oldest is self:
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


class Server(uvicorn.Server):
    """uvicorn's server; a first signal ends it after the running requests, with status 0."""

    def __init__(self, config: uvicorn.Config, engine: Engine) -> None:
        super().__init__(config)
        self.engine = engine

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals within the block; a second one ends the process at once."""
        with two_signals(self.handle_exit, self.engine):
            yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer the running requests, but end uploads and loading."""
        self.engine.leave()
        await super().shutdown(sockets)


@contextmanager
def two_signals(first: Callable[[int, FrameType | None], None], engine: Engine) -> Iterator[None]:
    """Within the block, call `first` for a signal; a second one ends the process, with status 0.

    After a first signal, the process is taken to end, so the handlers stay. In other threads than
    the main one, signals are left as they are.
    """

    def second(number: int, frame: FrameType | None) -> None:
        engine.uploads.clear()
        end_process()

    def handle(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, second)
        first(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            for number, handler in before.items():
                signal.signal(number, handler)


def ignore_interrupts() -> None:
    """Let the process end with its own status after a signal, even if a second one arrives.

    The interpreter's own end would take that one for a kill.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_process() -> None:
    """End the process at once with status 0, whatever its threads do.

    The interpreter's own end would crash under native code that still runs.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError, ValueError):
            stream.flush()
    os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0 chooses a free one.

    Raises:
        ConfigError: if the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"cannot listen at {host}, port {port}: {reason}; choose others with --host and --port"
        ) from error


def serve(
    engine: Engine,
    listening: socket.socket,
    *,
    token: str | None,
    ready: Callable[[], None],
    started: Callable[["Server"], None] = lambda server: None,
) -> None:
    """Answer requests until a signal, or until `should_exit` of the server is set.

    `started` gets the server before it runs; `ready` is called when weights and indexes are loaded.

    Raises:
        XorqaError: if a pipeline cannot be loaded.
    """
    failed: list[BaseException] = []

    def warm(error: BaseException | None) -> None:
        if error is None:
            ready()
        elif not engine.worker.stopping:
            failed.append(error)
            server.should_exit = True

    server = Server(
        engine=engine,
        config=uvicorn.Config(
            create_app(engine, token=token, warm=warm),
            http=type("Bounded", (BoundedProtocol,), {"limits": engine.limits}),
            ws="none",
            lifespan="on",
            access_log=False,
            log_level="critical",
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=int(engine.limits.shutdown - engine.limits.stage),
        ),
    )
    started(server)
    sys.setswitchinterval(SWITCH)
    server.run(sockets=[listening])
    if failed:
        raise failed[0]
    if not engine.worker.has_ended and threading.current_thread() is threading.main_thread():
        end_process()
