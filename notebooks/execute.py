"""Run the lessons from clean kernels without a network and compare what they print.

    python notebooks/execute.py               # what `make notebooks` does
    python notebooks/execute.py --write 03    # keep script and output as they are now

The scripts are the source. Every cell must run; a cell tagged `check` must print what the
committed notebook shows; the claims in cells tagged `claim` must hold, with bounds that follow from
their words (`lint_claims.py`); in a cell tagged `grade` the solution of an exercise must be right.
Without --write the student's version runs too, without the solutions: there no exercise may count
as right. Two lessons run at once where there are two cores, each with a home of its own.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import nbformat
from lint_claims import lint
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from versions import copy_helpers, read, select, tags

HERE = Path(__file__).parent
LONGEST = 1800  # seconds a cell may take, also on a busy machine
AT_ONCE = 2  # lessons, each of which takes up to 2 GB
SLOWEST = "13_train_a_retriever"  # trains for minutes; started last, it would run alone
CLAIM = "ClaimError"  # what lessons.claim raises
WIDGET = "application/vnd.jupyter.widget-view+json"
PERSONAL = ("COLUMNS", "MATPLOTLIBRC", "MPLBACKEND", "PYTHONSTARTUP")
OFFLINE = """
import socket as _socket

def _refuse(address):
    if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"lessons do without the network, and this one asked for {address[0]}")

def _guarded(connect):
    def guard(self, address):
        _refuse(address)
        return connect(self, address)
    return guard

_socket.socket.connect = _guarded(_socket.socket.connect)
_socket.socket.connect_ex = _guarded(_socket.socket.connect_ex)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute, compare and tell; the number of lessons that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", nargs="*", help="01, or a whole name; all of them by default")
    parser.add_argument("--write", action="store_true", help="write the notebooks anew")
    given = parser.parse_args(arguments)
    cores = os.cpu_count() or 1
    at_once = min(cores, AT_ONCE)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(at_once) as pool:
        idle: SimpleQueue[dict[str, str]] = SimpleQueue()
        for number in range(at_once):
            (home := Path(folder, str(number))).mkdir()
            idle.put(clean_environment(home, threads=cores // at_once))
        scripts = sorted(select(given.lessons), key=lambda script: script.stem != SLOWEST)
        verdicts = [pool.submit(judge, script, given.write, idle) for script in scripts]
        for verdict in as_completed(verdicts):
            script, complaint, seconds = verdict.result()
            failed += bool(complaint)
            print(f"{script.stem}: {'failed' if complaint else 'ok'}, {seconds:.0f} s", flush=True)
            if complaint:
                print(complaint, flush=True)
    return failed


def clean_environment(home: Path, *, threads: int) -> dict[str, str]:
    """This process's environment without the user's settings of xorqa, IPython and matplotlib."""
    kept = {name: value for name, value in os.environ.items() if name not in PERSONAL}
    folders = {name: str(home / name.lower()) for name in ("IPYTHONDIR", "MPLCONFIGDIR")}
    own = {"XORQA_HOME": str(home), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
    return kept | folders | own


def judge(script: Path, write: bool, idle: SimpleQueue[dict[str, str]]) -> tuple[Path, str, float]:
    """Run a lesson in an idle environment, as `main` says; what is wrong, and the seconds."""
    environment = idle.get()
    began = time.perf_counter()
    try:
        complaint = run(script, write=write, environment=environment)
        if not (write or complaint):
            complaint = run_student(script, environment=environment)
        return script, complaint, time.perf_counter() - began
    finally:
        idle.put(environment)


def run(script: Path, *, write: bool, environment: Mapping[str, str]) -> str:
    """Execute one lesson; what is wrong with it, or nothing."""
    lesson = read(script)
    committed = script.with_suffix(".ipynb")
    crash = execute(lesson, environment=environment)
    complaints = [*lint(script), *false_claims(lesson), *misjudged(lesson, right=True), *crash]
    if complaints:
        return "\n".join(f"{script.stem}: {complaint}" for complaint in complaints)
    for cell in lesson.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)  # lives in a browser, another each time
    if write:
        nbformat.write(lesson, committed)
        return ""
    return compare(lesson, nbformat.read(committed, as_version=4))


def run_student(script: Path, *, environment: Mapping[str, str]) -> str:
    """Execute the student's version of one lesson; what is wrong with it, or nothing."""
    lesson = read(script, "student")
    with tempfile.TemporaryDirectory() as folder:  # as students get it: beside its helpers
        copy_helpers(Path(folder))
        crash = execute(lesson, environment=environment, folder=Path(folder))
    complaints = [*misjudged(lesson, right=False), *crash]
    return "\n".join(f"{script.stem}, student's version: {complaint}" for complaint in complaints)


def execute(lesson: Any, *, environment: Mapping[str, str], folder: Path = HERE) -> list[str]:
    """Run all cells of a lesson in a clean kernel in a folder; the error of the cell that fails."""
    client = Offline(
        lesson,
        timeout=LONGEST,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
        allow_error_names=[CLAIM],  # one false claim does not hide the others
    )
    try:
        client.execute(env=dict(environment))
    except CellExecutionError as error:
        return [str(error)]
    return []


class Offline(NotebookClient):  # type: ignore[misc]
    """A client whose kernel refuses every address but this machine's own."""

    async def async_start_new_kernel_client(self, **options: Any) -> Any:
        """Start the kernel's client and close the network before the first cell."""
        client = await super().async_start_new_kernel_client(**options)
        client.execute(OFFLINE, silent=True)
        return client


def false_claims(lesson: Any) -> list[str]:
    """The messages of the claims that did not hold, with their figures."""
    outputs = (output for cell in lesson.cells for output in cell.get("outputs", ()))
    return [output.evalue for output in outputs if output.get("ename") == CLAIM]


def misjudged(lesson: Any, *, right: bool) -> list[str]:
    """The verdicts in cells tagged `grade` that are other than expected; no verdict is another."""
    shown = [printed(cell) for cell in lesson.cells if "grade" in tags(cell)]
    return [f"unexpected verdict: {text}" for text in shown if text.startswith("Right.") != right]


def compare(lesson: Any, committed: Any) -> str:
    """What differs between a lesson as it ran and as it is committed: cells, checked output."""
    if not agree(lesson, committed):
        return f"the script and the notebook differ; run {Path(__file__).name} --write"
    complaints = []
    for ran, kept in zip(lesson.cells, committed.cells, strict=True):
        if "check" in tags(ran):
            was, now = (printed(cell).splitlines(keepends=True) for cell in (kept, ran))
            complaints += difflib.unified_diff(was, now, "committed", "now")
    return "".join(complaints)


def agree(lesson: Any, committed: Any) -> bool:
    """Whether two notebooks have the same cells, whatever their output."""
    first, second = (
        [(cell.cell_type, cell.source) for cell in book.cells] for book in (lesson, committed)
    )
    return first == second


def printed(cell: Any) -> str:
    """The text a cell shows: its standard output, then its values as plain text."""
    streams = [out.text for out in cell.outputs if out.get("name") == "stdout"]
    values = [out.data["text/plain"] for out in cell.outputs if "text/plain" in out.get("data", {})]
    return "".join(streams) + "\n".join(values)


if __name__ == "__main__":
    sys.exit(main())
