"""Counters for `GET /metrics`, in the text format of Prometheus."""

import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


class Metrics:
    """Requests by route and status, answered questions, and seconds per request to `/ask`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._seconds = 0.0
        self._timed = 0
        self.questions = 0
        self.cancelled = 0

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is one of the server's own, never a path as sent."""
        with self._lock:
            self._requests[route, status] += 1
            if route != "/ask":
                return
            self._seconds += seconds
            self._timed += 1
            for bound in BUCKETS:
                self._buckets[bound] += seconds <= bound

    def answered(self, number: int) -> None:
        """Count answered questions."""
        with self._lock:
            self.questions += number

    def left(self) -> None:
        """Count a request whose client left before the answer."""
        with self._lock:
            self.cancelled += 1

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """All metrics as text; `gauges` has further ones, by name with their help."""
        with self._lock:
            return "\n".join([*self._lines(), *_gauges(gauges), ""])

    def _lines(self) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests by route and status.")
        for (route, status), number in sorted(self._requests.items()):
            yield f'xorqa_requests_total{{route="{route}",status="{status}"}} {number}'
        yield from _head("questions_total", "counter", "Answered questions.")
        yield f"xorqa_questions_total {self.questions}"
        yield from _head("cancelled_total", "counter", "Requests whose client left.")
        yield f"xorqa_cancelled_total {self.cancelled}"
        yield from _head("ask_seconds", "histogram", "Seconds per request to /ask.")
        for bound in BUCKETS:
            yield f'xorqa_ask_seconds_bucket{{le="{bound}"}} {self._buckets[bound]}'
        yield f'xorqa_ask_seconds_bucket{{le="+Inf"}} {self._timed}'
        yield f"xorqa_ask_seconds_sum {self._seconds:.6f}"
        yield f"xorqa_ask_seconds_count {self._timed}"


def resident_bytes() -> int:
    """The resident memory of this process, 0 where the system has no `/proc`."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _gauges(gauges: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    for name, (about, value) in gauges.items():
        yield from _head(name, "gauge", about)
        yield f"xorqa_{name} {value:g}" if value < 1e6 else f"xorqa_{name} {value:.0f}"


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP xorqa_{name} {about}"
    yield f"# TYPE xorqa_{name} {kind}"
