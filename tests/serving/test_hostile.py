"""Random attacks on a server with sockets: no 500, no hang, one shape of errors."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.serving.made_up import made_engine
from xorqa.lab.bench.hostile.measure import AFTERWARDS, attack, failures, grid
from xorqa.lab.bench.hostile.requests import KINDS


def test_hostile_requests(tmp_path: Path) -> None:
    before = threading.active_count()
    engine = made_engine(tmp_path, two=True)
    outcomes = attack(engine, requests=30 * len(KINDS), seed=1)
    assert failures(outcomes) == []
    assert [row[0] for row in grid(outcomes).rows[0]] == [*KINDS, AFTERWARDS]
    statuses: dict[str, set[int]] = {}
    for each in outcomes:
        statuses.setdefault(each.kind, set()).add(each.status)
    assert statuses[AFTERWARDS] == {200}
    assert statuses["random bytes"] == {400}
    assert statuses["slow sender"] == {0, 408}
    assert 200 in statuses["strange question"] and 422 in statuses["wrong types"]
    assert engine.worker.queued == 0 and not engine.uploads
    assert threading.active_count() <= before + 2
