"""A server in this process, for measurements and tests."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from ...serving.engine import Engine
from ...serving.server import Server, listen, serve, two_signals


@contextmanager
def running(engine: Engine, *, token: str | None = None) -> Iterator[tuple[str, int]]:
    """Within the block, a server in a thread of this process; yields its host and port.

    SIGTERM raises a KeyboardInterrupt as Ctrl-C does; a second signal ends the process at once.

    Raises:
        XorqaError: if a pipeline cannot be loaded.
    """
    listening = listen("127.0.0.1", 0)
    ready, ended = threading.Event(), Future[None]()
    servers: list[Server] = []

    def run() -> None:
        try:
            serve(engine, listening, token=token, ready=ready.set, started=servers.append)
            ended.set_result(None)
        except BaseException as error:
            ended.set_exception(error)

    with two_signals(signal.default_int_handler, engine):
        threading.Thread(target=run, daemon=True).start()
        try:
            while not ready.wait(0.1):
                if ended.done():
                    ended.result()
            host, port = listening.getsockname()
            yield host, port
        finally:
            for server in servers:
                server.should_exit = True
            ended.result()
