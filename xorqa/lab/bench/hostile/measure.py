"""Send hostile requests to a server: each must be answered in time and in one shape."""

import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ....core.processes import map_processes
from ....core.progress import Progress, quantity, silent
from ....io.strict_json import parse_json
from ....serving.engine import Engine
from ....tables.grid import Grid
from ...common.server import running
from .browser import attack_by_page, find_chromium
from .requests import KINDS, SECONDS, Address, post, request

THREADS = 8
CHUNK = 150  # requests after which the progress is reported
SENDING = 3.0  # seconds a client has to send: more than a busy machine delays an honest one
AFTERWARDS, OTHERS = "a question afterwards", "another client"
CHROMIUM = "page in Chromium"
QUESTION = "Where is the Nile?"
CLIENTS, PAUSE = 8, 0.05  # other clients, and the seconds between two of their questions
SOURCES = "127.0.0.{}" if sys.platform == "linux" else ""
"""The other clients' addresses; elsewhere, loopback has only one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status of a request's response, its seconds, and what was wrong, or ""."""

    kind: str
    status: int
    seconds: float
    wrong: str


@dataclass(slots=True)
class Attack:
    """The outcomes, and how long other clients waited for answers otherwise and meanwhile, in s."""

    outcomes: list[Outcome] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    note: str = ""

    def p95(self) -> tuple[float, float]:
        """The 95th percentiles of other clients' seconds, otherwise and meanwhile."""
        otherwise, meanwhile = (
            float(np.percentile(seconds or [0.0], 95)) for seconds in (self.idle, self.attacked)
        )
        return otherwise, meanwhile


def attack(
    engine: Engine, *, requests: int, seed: int, idle: float = 0.5, progress: Progress = silent
) -> Attack:
    """Send `requests` to a server of the engine, several at a time, then ask it a question.

    Other clients ask questions all the time, and for `idle` seconds before and afterwards. At the
    end, a page in Chromium calls the server, if there is one.
    """
    engine.limits = replace(
        engine.limits, headers=SENDING, sending=SENDING, upload_seconds=SECONDS / 2
    )
    result = Attack()
    with running(engine) as address:
        for each in engine.examples:  # loads what a language needs
            _question(address, each.text)
        with _others(engine, address, result.idle, result.outcomes):
            time.sleep(idle)
        with _others(engine, address, result.attacked, result.outcomes):
            chunks = [range(at, min(at + CHUNK, requests)) for at in range(0, requests, CHUNK)]
            send = partial(_send, address=address, seed=seed)
            for sent in map_processes(send, chunks, workers=1):  # threads here would slow it down
                result.outcomes += sent
                progress(len(result.outcomes), requests)
        with _others(engine, address, result.idle, result.outcomes):
            time.sleep(idle)
        if chromium := find_chromium():
            result.outcomes += _by_page(chromium, address)
        else:
            result.note = "no Chromium: no page of another site was opened"
        result.outcomes.append(_outcome(AFTERWARDS, lambda: _question(address)))
    return result


def _send(numbers: Sequence[int], address: Address, seed: int) -> list[Outcome]:
    """Send the requests of these numbers, several at a time."""
    kinds = list(KINDS)

    def send(number: int) -> Outcome:
        kind, rng = kinds[number % len(kinds)], random.Random(f"{seed}-{number}")
        return _outcome(kind, lambda: KINDS[kind](rng, address))

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(send, numbers))


@contextmanager
def _others(
    engine: Engine, address: Address, seconds: list[float], outcomes: list[Outcome]
) -> Iterator[None]:
    """Within the block, clients ask questions; adds the seconds of each answer, and failures."""
    texts, stop = [each.text for each in engine.examples] or [QUESTION], threading.Event()

    def ask(client: int) -> None:
        rng, source = random.Random(client), SOURCES.format(2 + client)
        while not stop.wait(PAUSE):
            outcome = _outcome(OTHERS, lambda: _question(address, rng.choice(texts), source))
            seconds.append(outcome.seconds)
            if outcome.status != 200:
                wrong = outcome.wrong or f"status {outcome.status}"
                outcomes.append(replace(outcome, wrong=wrong))

    clients = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        stop.set()
        for client in clients:
            client.join()


def _by_page(chromium: str, address: Address) -> list[Outcome]:
    """What a page of another origin achieves: one outcome per request that reached the server."""
    text = {"Content-Type": "text/plain"}
    made = request(address, "/corpora", b"The lake is deep.", text)[1]
    corpus = str(parse_json(made)["corpus"])
    start = time.monotonic()
    counts, read = attack_by_page(chromium, address, corpus)
    seconds = time.monotonic() - start
    outcomes = [
        Outcome(CHROMIUM, status, seconds, "" if status >= 400 else f"status {status}")
        for status in counts.elements()
    ]
    kept = request(address, f"/corpora/{corpus}", b"", method="DELETE")[0]
    for wrong, is_wrong in (
        ("its requests did not reach the server", counts[403] == 0),
        (f"it could read {read}", bool(read)),
        ("it removed a corpus", kept != 200),
    ):
        if is_wrong:
            outcomes.append(Outcome(CHROMIUM, 0, seconds, wrong))
    return outcomes


def failures(attack: Attack, *, slowdown: float = 0.0) -> list[str]:
    """A line for each kind of failure, with its number.

    With a `slowdown`, it is one if the 95th percentile of other clients grew more than so often.
    """
    wrong = Counter(
        f"{outcome.kind}: {outcome.wrong}" for outcome in attack.outcomes if outcome.wrong
    )
    lines = [f"{number} x {line}" for line, number in wrong.most_common()]
    otherwise, meanwhile = attack.p95()
    if slowdown and meanwhile > slowdown * otherwise:
        lines.append(f"other clients: p95 {meanwhile:.2f} s, otherwise {otherwise:.2f} s")
    return lines


def grid(attack: Attack) -> Grid:
    """By kind: the number of requests of each status, and the longest."""
    outcomes, by_kind = attack.outcomes, dict[str, list[Outcome]]()
    for outcome in outcomes:
        by_kind.setdefault(outcome.kind, []).append(outcome)
    rows = tuple(
        (kind, str(len(group)), _counts(group), f"{max(row.seconds for row in group):.1f}")
        for kind, group in by_kind.items()
    )
    otherwise, meanwhile = attack.p95()
    title = (
        f"{quantity(len(outcomes), 'request')}; status 0: the connection was closed. Other "
        f"clients' p95: {1000 * meanwhile:.0f} ms, otherwise {1000 * otherwise:.0f} ms"
    )
    return Grid(title, ("request", "n", "statuses", "longest, s"), (rows,))


def _question(address: Address, text: str = QUESTION, source: str = "") -> int:
    return post(address, "/ask", json.dumps({"question": text}).encode(), source=source)


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
