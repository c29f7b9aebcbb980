"""Fit a reader's no-answer threshold on questions read with and without the gold passage.

The rule "the question's language first, English if no answer is found" (Asai et al. 2021) reads
the first passages of one Wikipedia, which may all lack the answer. The threshold is on the
highest relevance of these passages.
"""

import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....core.errors import DataError
from ....core.progress import Log, silent
from ....io.files import read_json, sha256, write_json
from ....io.squad_xor import SquadQuestion, read_squad
from ....models.adapters import KEY, NoAnswer, card_path, find_adapter
from ....reading.pairs import PairReader, QuestionPassage
from ..common.recipe import SquadSource
from ..common.training_data import short_names, stream
from .model import ValidationReader
from .samples import mine_hard_negatives, retriever_maker, usable_questions

CHUNK = 50  # questions read between two reports

Relevance = NDArray[np.float64]


def fit_no_answer(
    adapter: str,
    source: SquadSource,
    *,
    questions: int = 300,
    passages: int = 5,
    seed: int = 1,
    out: Path | None = None,
    report: Log = silent,
) -> Path:
    """Fit the threshold and write it beside the reader's weights, or to `out`.

    Raises:
        WeightsError: if there is no such reader.
        DataError: if no held-out question has enough passages that do not answer it.
    """
    weights = find_adapter(adapter)
    held_out = usable_questions(
        (question for path in source.paths for question in read_squad(path)), source, held_out=True
    )
    rng = stream(seed, "no answer")
    sample = rng.sample(held_out, min(questions, len(held_out)))
    wrong = retrieved_negatives(sample, held_out, passages=passages, rng=rng, report=report)
    sample = [question for question in sample if question.question in wrong]
    if not sample:
        files = ", ".join(source.files)
        raise DataError(
            f"{files}: no held-out question has {passages} passages that do not answer it; "
            "increase --held-out"
        )
    reader = ValidationReader(adapter, max_tokens=256, dtype="auto")
    present, absent = highest_relevance(reader, sample, wrong, report=report)
    threshold = best_threshold(present, absent)
    fitted = NoAnswer(
        threshold=threshold,
        adapter_sha=sha256(weights)[:16],
        files=tuple(short_names(source.files)),
        held_out=source.held_out,
        questions=len(sample),
        passages=passages,
        seed=seed,
        answered=float((present >= threshold).mean()),
        refused=float((absent < threshold).mean()),
    )
    path = out or card_path(weights)
    card = read_json(path) if path.is_file() else {}
    write_json(path, card | {KEY: {name: getattr(fitted, name) for name in fitted.__slots__}})
    return path


def retrieved_negatives(
    sample: Sequence[SquadQuestion],
    questions: Sequence[SquadQuestion],
    *,
    passages: int,
    rng: random.Random,
    report: Log = silent,
) -> dict[str, list[str]]:
    """Question texts with the `passages` that BM25 ranks highest among those without the answer."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = mine_hard_negatives(
            sample,
            questions,
            per_question=passages,
            make_retriever=retriever_maker("bm25"),
            rng=rng,
            folder=Path(folder),
            report=report,
        )
    wrong: dict[str, list[str]] = {}
    for question, passage, *_ in pairs:
        wrong.setdefault(question, []).append(passage)
    return {text: hits[:passages] for text, hits in wrong.items() if len(hits) >= passages}


def highest_relevance(
    reader: PairReader,
    sample: Sequence[SquadQuestion],
    wrong: Mapping[str, Sequence[str]],
    *,
    report: Log = silent,
) -> tuple[Relevance, Relevance]:
    """Each question's highest probability that a passage answers: with the gold one, and without.

    The gold passage takes the place of the last of the retrieved ones.
    """
    present, absent = [], []
    for start in range(0, len(sample), CHUNK):
        report(f"read the passages of {start} of {len(sample)} questions")
        pairs = [
            QuestionPassage(question.question, text)
            for question in sample[start : start + CHUNK]
            for text in (*wrong[question.question], question.context)
        ]
        relevance = np.exp([reading.passage_score for reading in reader.read(pairs)])
        for *others, last, gold in relevance.reshape(-1, len(wrong[sample[0].question]) + 1):
            present.append(max([*others, gold]))
            absent.append(max([*others, last]))
    return np.array(present), np.array(absent)


def best_threshold(present: Relevance, absent: Relevance) -> float:
    """The threshold that is right for most questions; midway between two values.

    Of equally good thresholds it is the lowest, which refuses the fewest answers.
    """
    values = np.unique(np.concatenate([present, absent]))
    cuts = np.concatenate([[0.0], (values[1:] + values[:-1]) / 2])
    right = [(present >= cut).mean() + (absent < cut).mean() for cut in cuts]
    return float(cuts[int(np.argmax(right))])
