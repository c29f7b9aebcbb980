"""Send hostile requests to a server: each must be answered in time and in one shape."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from ....core.progress import Progress, quantity, silent
from ....serving.engine import Engine
from ....tables.grid import Grid
from ...common.server import running
from .requests import KINDS, SECONDS, Address, post

THREADS = 8
SENDING = 1.0  # seconds a client has to send; by default slow senders take long
AFTERWARDS = "a question afterwards"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status of a request's response, its seconds, and what was wrong, or ""."""

    kind: str
    status: int
    seconds: float
    wrong: str


def attack(
    engine: Engine, *, requests: int, seed: int, progress: Progress = silent
) -> list[Outcome]:
    """Send `requests` to a server of the engine, several at a time, then ask it a question."""
    engine.limits = replace(engine.limits, headers=SENDING, sending=SENDING)
    kinds = list(KINDS)
    with running(engine) as address, ThreadPoolExecutor(THREADS) as threads:

        def send(number: int) -> Outcome:
            kind, rng = kinds[number % len(kinds)], random.Random(f"{seed}-{number}")
            return _outcome(kind, lambda: KINDS[kind](rng, address))

        outcomes = []
        for outcome in threads.map(send, range(requests)):
            outcomes.append(outcome)
            progress(len(outcomes), requests)
        return [*outcomes, _outcome(AFTERWARDS, lambda: _question(address))]


def failures(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each kind of failure, with its number."""
    wrong = Counter(f"{outcome.kind}: {outcome.wrong}" for outcome in outcomes if outcome.wrong)
    return [f"{number} x {line}" for line, number in wrong.most_common()]


def grid(outcomes: Sequence[Outcome]) -> Grid:
    """By kind: the number of requests of each status, and the longest."""
    by_kind: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_kind.setdefault(outcome.kind, []).append(outcome)
    rows = tuple(
        (kind, str(len(group)), _counts(group), f"{max(row.seconds for row in group):.1f}")
        for kind, group in by_kind.items()
    )
    title = f"{quantity(len(outcomes), 'request')}; status 0: the connection was closed"
    return Grid(title, ("request", "n", "statuses", "longest, s"), (rows,))


def _question(address: Address) -> int:
    return post(address, "/ask", json.dumps({"question": "Where is the Nile?"}).encode())


def _outcome(kind: str, send: Callable[[], int]) -> Outcome:
    start = time.monotonic()
    try:
        status = send()
    except (TimeoutError, ValueError) as error:
        status, wrong = -1, f"{type(error).__name__}: {error}"
    else:
        wrong = f"status {status}" if status >= 500 and status != 503 else ""
    seconds = time.monotonic() - start
    return Outcome(kind, status, seconds, wrong or ("too slow" if seconds > SECONDS else ""))


def _counts(outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.status for outcome in outcomes)
    return ", ".join(f"{status}: {number}" for status, number in sorted(counts.items()))
