"""Record the answers of two run folders for lesson 8; they need the same questions of `mini`.

xorqa run bm25 --data mini && xorqa run dense --data mini
python -m lessons.diagnose_recording runs/bm25-mini runs/dense-mini FILE
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xorqa.io.files import read_json, write_text
from xorqa.lab.diagnosis.from_runs import read_run_folders

from .diagnose_systems import SYSTEMS, TASK


def record(runs: Sequence[Path]) -> dict[str, Any]:
    """By system: the id, the answer and the rank of the gold passage of each question."""
    data = read_run_folders(runs, task=TASK)
    manifest = read_json(runs[0] / "manifest.json")
    outcomes = zip(SYSTEMS, data.systems.values(), strict=True)
    return {
        "manifest": {
            "commands": [f"xorqa run {name} --data {manifest['dataset']}" for name in SYSTEMS],
            "versions": {"xorqa": manifest["versions"]["xorqa"]},
        },
        "systems": {
            name: [
                [question.qid, row.answer, row.gold_rank]
                for question, row in zip(data.questions, rows, strict=True)
            ]
            for name, rows in outcomes
        },
    }


def write(recording: dict[str, Any], path: Path) -> None:
    """Write a recording as JSON with a line per question."""
    systems = (f'"{name}": [\n{_lines(rows)}\n]' for name, rows in recording["systems"].items())
    manifest = json.dumps(recording["manifest"], indent=1)
    body = ",\n".join(systems)
    text = f'{{\n"manifest": {manifest},\n"systems": {{\n{body}\n}}\n}}\n'
    write_text(path, text)


def _lines(rows: Sequence[Any]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)


if __name__ == "__main__":
    *folders, file = map(Path, sys.argv[1:])
    write(record(folders), file)
