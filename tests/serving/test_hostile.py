"""Random attacks on a server with sockets: no 500, no hang, one shape of errors."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.serving.made_up import made_engine
from xorqa.io.strict_json import parse_json
from xorqa.lab.bench.hostile.browser import attack_by_page, find_chromium
from xorqa.lab.bench.hostile.measure import AFTERWARDS, CHROMIUM, attack, failures, grid
from xorqa.lab.bench.hostile.requests import KINDS, request
from xorqa.lab.common.server import running


def test_hostile_requests(tmp_path: Path) -> None:
    before = threading.active_count()
    engine = made_engine(tmp_path, two=True)
    attacked = attack(engine, requests=20 * len(KINDS), seed=1)
    outcomes = attacked.outcomes
    assert failures(attacked) == []
    rows = [row[0] for row in grid(attacked).rows[0]]
    assert rows == [*KINDS, *[CHROMIUM] * bool(find_chromium()), AFTERWARDS]
    statuses: dict[str, set[int]] = {}
    for each in outcomes:
        statuses.setdefault(each.kind, set()).add(each.status)
    assert statuses[AFTERWARDS] == {200}
    assert statuses["random bytes"] == {400}
    assert statuses["slow sender"] == {0, 408}
    assert statuses["slow connection"] <= {0, 400, 408}
    assert statuses["page of another site"] == {403}
    assert 200 in statuses["whole upload"]
    assert 200 in statuses["strange question"] and 422 in statuses["wrong types"]
    assert engine.worker.queued == 0 and not engine.uploads
    assert threading.active_count() <= before + 2
    assert len(attacked.idle) > 1 and len(attacked.attacked) > 9


@pytest.mark.slow
def test_a_page_in_chromium_cannot_call_the_server(tmp_path: Path) -> None:
    """Also not on a server with a token whose password the browser knows; see `test_limits`."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("needs chromium")
    engine = made_engine(tmp_path)
    with running(engine) as address:
        text = {"Content-Type": "text/plain"}
        corpus = parse_json(request(address, "/corpora", b"The lake is deep.", text)[1])["corpus"]
        counts, read = attack_by_page(chromium, address, corpus)
        assert set(counts) <= {403, 405} and counts[403] >= 10  # 405: before the request itself
        assert read == "" and len(engine.uploads) == 1
        assert request(address, f"/corpora/{corpus}", b"", method="DELETE")[0] == 200
