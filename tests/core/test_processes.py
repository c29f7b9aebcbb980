import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from xorqa.core.errors import XorqaError
from xorqa.core.processes import map_processes

PARENT = """
import multiprocessing, time
from xorqa.core.processes import map_processes
if __name__ == "__main__":
    for one in map_processes(str, range(99), workers=1):
        print(multiprocessing.active_children()[0].pid, flush=True)
        time.sleep(60)
"""


def taken(log, count):
    for item in range(count):
        log.append(item)
        yield item


@pytest.mark.parametrize("workers", [0, 1])
def test_results_come_in_order_and_little_is_read_ahead(workers):
    log = []
    results = map_processes(abs, taken(log, 20), workers=workers)
    assert next(results) == 0
    assert len(log) <= 2
    assert list(results) == list(range(1, 20))


def test_results_come_as_they_are_finished():
    commands = ["sleep 2; echo slow", "echo fast"]
    results = map_processes(subprocess.getoutput, commands, workers=2, ordered=False)
    assert list(results) == ["fast", "slow"]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_killed_worker_is_reported(ordered):
    with pytest.raises(XorqaError, match="a worker process was killed"):
        list(map_processes(os._exit, [1], workers=1, ordered=ordered))


def test_each_worker_has_its_own_environment(monkeypatch):
    monkeypatch.setenv("XORQA_MINE", "parent")
    commands = ["sleep 0.2; echo $XORQA_MINE"] * 6
    own = [{"XORQA_MINE": "a"}, {"XORQA_MINE": "b"}]
    results = map_processes(subprocess.getoutput, commands, workers=2, environments=own)
    assert {*results} == {"a", "b"}


def test_workers_exit_with_their_parent(tmp_path):
    (script := tmp_path / "parent.py").write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + 30
    while alive(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(worker)


def alive(pid):
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"  # a zombie is gone but for its name
