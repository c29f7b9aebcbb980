"""The measurements of `xorqa bench passages`: F1 and time by the number of passages read.

The questions are of articles of SQuAD's training set that the bundled readers were not trained on,
in English and, with a lexicon, code-switched, and those of `questions-open` in 16 other languages.
They are searched in SQuAD's 20,963 paragraphs.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any

from ...core.progress import TaskProgress, silent
from ...core.types import Candidate, Example, Question, Trace
from ...datasets.catalog import load_dataset
from ...experiments.pipeline import Pipeline, Stop
from ...experiments.settings import Route
from ...io.squad_xor import SquadQuestion, read_squad
from ...metrics.tasks.squad import f1
from ...tables.grid import Grid
from ..training.bitext.lexicon import Lexicon, switch_words
from ..training.common.training_data import is_held_out

COUNTS = (1, 2, 3, 5, 10)
RETRIEVED = 100  # hits for a ranker
NO_RANKER: Mapping[str, Any] = MappingProxyType({"use": "none"})
HELD_OUT = 0.05  # of SQuAD's articles, in every recipe of a reader
SEED = 1
SWITCHED = "code-switched"
TRANSLATED = "translated"

Choice = Callable[[Sequence[Candidate], Sequence[float]], float]

CHOICES: Mapping[str, Choice] = {
    "F1": lambda read, f1s: f1s[_best(read, lambda candidate: candidate.score)],
    "with P(span)": lambda read, f1s: f1s[_best(read, lambda candidate: candidate.scores.joint)],
    "best of those read": lambda read, f1s: max(f1s),
}
"""The F1 of one of the candidates, by the way it is chosen."""


def measure(
    folder: Path,
    *,
    questions: int,
    retriever: Mapping[str, Any],
    reader: Mapping[str, Any],
    lexicon: Lexicon,
    ranker: Mapping[str, Any] = NO_RANKER,
    progress: TaskProgress | None = None,
) -> dict[str, Any]:
    """F1 in percent by group, choice and number of passages; `ms` per passage and `rank_ms`.

    `folder` holds SQuAD; `questions` are asked once per group; `reader` has settings of the reader
    `span`. `rank_ms` are per question.
    """
    dataset = load_dataset("questions-open")
    by_group = _ask(read_squad(folder / "squad" / "train-v1.1.json"), questions, lexicon)
    by_group |= _ask_translated(dataset.examples, questions)
    pipeline = Pipeline(
        [Route("eng", retriever, k=max(COUNTS) if ranker == NO_RANKER else RETRIEVED)],
        {"en": dataset.corpora["en"]},
        ranker=ranker,
        reader={"use": "span", "passages": max(COUNTS), **reader},
        progress=progress or silent,
    )
    f1s: dict[str, dict[str, list[float]]] = {}
    seconds = ranking = 0.0
    for group, pairs in by_group.items():
        traces = pipeline.answer([question for question, _ in pairs], until=Stop.READ)
        f1s[group] = curve(traces, [golds for _, golds in pairs])
        seconds += traces[0].timings["eng.read"]  # of all questions together
        ranking += traces[0].timings.get("eng.rank", 0.0)
    count = sum(map(len, by_group.values()))
    return {
        "questions": questions,
        "reader": reader["adapter"],
        "ranking": reader.get("ranking", 0.0),
        "passages": COUNTS,
        "f1": f1s,
        "ms": 1000 * seconds / (max(COUNTS) * count),
        "rank_ms": 1000 * ranking / count,
    }


def curve(traces: Sequence[Trace], golds: Sequence[Sequence[str]]) -> dict[str, list[float]]:
    """The mean F1 in percent of each choice, for each of `COUNTS` passages read."""
    rows: dict[str, list[list[float]]] = {name: [[] for _ in COUNTS] for name in CHOICES}
    for trace, answers in zip(traces, golds, strict=True):
        scored = [
            (candidate, max(f1(candidate.text, gold) for gold in answers))
            for candidate in trace.candidates
        ]
        for position, count in enumerate(COUNTS):
            read = [(candidate, score) for candidate, score in scored if candidate.rank < count]
            for name, choice in CHOICES.items():
                value = choice(*map(list, zip(*read, strict=True))) if read else 0.0
                rows[name][position].append(100 * value)
    return {name: [fmean(column) for column in columns] for name, columns in rows.items()}


def grid(measured: Mapping[str, Any]) -> Grid:
    """One table: a row per group and choice, a column per number of passages."""
    rows = tuple(
        (group, name, *(f"{value:.1f}" for value in values))
        for group, of_group in measured["f1"].items()
        for name, values in of_group.items()
    )
    milliseconds = (measured["rank_ms"] + n * measured["ms"] for n in measured["passages"])
    times = ("", "ms", *(f"{value:.0f}" for value in milliseconds))
    header = ("questions", "passages read", *map(str, measured["passages"]))
    caption = f"{measured['questions']} questions a group, {measured['reader']}, F1 in percent."
    return Grid("passages", header, (rows, (times,)), caption, labels=2)


def _best(read: Sequence[Candidate], score: Callable[[Candidate], float]) -> int:
    return max(range(len(read)), key=lambda index: (score(read[index]), -read[index].rank))


def _ask(
    rows: Iterable[SquadQuestion], most: int, lexicon: Lexicon
) -> dict[str, list[tuple[Question, tuple[str, ...]]]]:
    """The questions of each group, with their answers."""
    rng = random.Random(SEED)
    held_out = [row for row in rows if row.answers and is_held_out(row, HELD_OUT)]
    sample = rng.sample(held_out, min(most, len(held_out)))
    groups = {"English": [(Question(row.qid, row.question, "en"), row.answers) for row in sample]}
    if lexicon:
        groups[SWITCHED] = [(_switched(row, lexicon, rng), row.answers) for row in sample]
    return groups


def _ask_translated(
    examples: Iterable[Example], most: int
) -> dict[str, list[tuple[Question, tuple[str, ...]]]]:
    """Each question in one other language, drawn at random; nothing without examples."""
    rng = random.Random(SEED)
    translated: dict[str | None, list[Example]] = {}
    for example in examples:
        if example.question.lang != "en":
            translated.setdefault(example.human_translation, []).append(example)
    drawn = [rng.choice(same) for same in translated.values()]
    sample = rng.sample(drawn, min(most, len(drawn)))
    pairs = [(example.question, tuple(gold.text for gold in example.golds)) for example in sample]
    return {TRANSLATED: pairs} if pairs else {}


def _switched(row: SquadQuestion, lexicon: Lexicon, rng: random.Random) -> Question:
    lang = rng.choice(sorted(lexicon))
    text = switch_words(row.question, lexicon[lang], rng)
    return Question(f"{row.qid}-{lang}", text, lang)
