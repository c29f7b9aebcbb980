"""Made-up systems in folders, with metadata and scores of single questions."""

import random
from pathlib import Path

from xorqa.io.files import write_json, write_text
from xorqa.metrics.report import Score, average, write_scores

COMPLETE = """\
model = {model}
parameters = {parameters}
pretraining = ["Wikipedia"]
fine_tuning = ["SQuAD v1.1"]
black_box = {services}
hardware = "one core"
date = 2026-11-25
seen_languages = ["en"]
"""
RESULTS = '\n[[results]]\nboard = "{board}"\nfile = "{file}"\n'
LANGS = ("ar", "fi", "ja")


def write_metadata(
    folder, *, model="ours", parameters=21_000_000, services=(), results=(), more=""
):
    """Write complete metadata; `results` are pairs of a board and a file."""
    text = COMPLETE.format(
        model=f"'''{model}'''", parameters=parameters, services=[*map(str, services)]
    )
    entries = "".join(RESULTS.format(board=board, file=file) for board, file in results)
    write_text(folder / "metadata.toml", text + more + entries)


def scores(rate, *, n=40, seed=1, measures=("f1", "em")):
    """Random scores, 1 at a rate; those of a higher rate are at least as high on each question."""
    stream = random.Random(seed)
    drawn = {(lang, number): stream.random() for lang in LANGS for number in range(n)}
    return [
        Score(f"{lang}{number}", lang, dict.fromkeys(measures, float(value < rate)))
        for (lang, number), value in drawn.items()
    ]


def write_system(folder: Path, rate: float, *, task="squad", board="xquad", **metadata):
    """Write a folder with scores of questions by both scorers."""
    rows = scores(rate)
    write_scores(folder / "q.jsonl", {(task, "official"): rows, (task, "strict"): rows})
    write_metadata(folder, results=[(board, "q.jsonl")], **metadata)


def write_run(folder: Path, rate: float, **metadata):
    """Write the files of a run folder that a leaderboard reads."""
    rows = scores(rate, measures=("f1", "em", "bleu"))
    write_scores(folder / "per_question.jsonl", {("xor-full", "official"): rows})
    report = average(rows, task="xor-full", scorer="official").to_json()
    write_json(folder / "scores.json", {"xor-full": {"official": report}})
    write_json(folder / "manifest.json", {"dataset": "mini", "finished": True, "black_box": {}})
    write_metadata(folder, **metadata)
