"""Run the application until a signal ends it."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from ..core.errors import ConfigError
from .app import create_app
from .engine import Engine
from .protocol import bounded

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """uvicorn's server; a first signal ends it after the running requests, with status 0."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals within the block; a second one ends the process at once."""

        def first(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)
            signal.signal(number, before[signal.Signals(number)])

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, first) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


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
        uvicorn.Config(
            create_app(engine, token=token, warm=warm),
            http=bounded(engine.limits),
            ws="none",
            lifespan="on",
            access_log=False,
            log_level="critical",
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=int(engine.limits.shutdown),
        )
    )
    started(server)
    server.run(sockets=[listening])
    if failed:
        raise failed[0]
