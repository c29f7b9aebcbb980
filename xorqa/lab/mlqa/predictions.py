"""Predictions of any system for parallel files, from a folder with a file per pair of languages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import DataError, one_of
from ...io.predictions import read_answers
from ..common.parallel_files import Parallel
from .gxlt import LangPair, shared_questions

_MLQA_NAME = re.compile(r"context-(?P<context>[a-z]+)-question-(?P<question>[a-z]+)")


@dataclass(frozen=True, slots=True)
class PairPredictions:
    """Predictions by pair and qid; `missing` questions count as wrong, `ignored` files are none."""

    by_pair: Mapping[LangPair, Mapping[str, str]]
    missing: int
    ignored: tuple[str, ...]

    @property
    def counts(self) -> dict[str, Any]:
        """What a result must say of them."""
        return {"missing": self.missing, "ignored": list(self.ignored)}

    def of(self, pairs: Sequence[LangPair]) -> dict[LangPair, Mapping[str, str]]:
        """The predictions of these pairs, where there are any."""
        return {pair: self.by_pair[pair] for pair in pairs if pair in self.by_pair}


def read_pair_predictions(folder: Path, parallel: Parallel) -> PairPredictions:
    """Read the JSON files whose names have one language, or those of context and question.

    `de.json` and `context-de-question-de.json` are XLT, `context-de-question-en.json` and
    `de-en.json` have German contexts and English questions. A question without a prediction gets
    an empty one, as MLQA's scorer has it.

    Raises:
        DataError: if no file is of a pair, two are of the same, or one cannot be read.
    """
    by_pair: dict[LangPair, Mapping[str, str]] = {}
    files: dict[LangPair, str] = {}
    ignored = []
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    for path in paths:
        pair = _pair_in(path.stem.lower(), parallel)
        if pair is None:
            ignored.append(path.name)
            continue
        if pair in files:
            raise DataError(f"{folder} has two files of {pair}: {files[pair]}, {path.name}")
        files[pair] = path.name
        by_pair[pair] = read_answers(path).by_qid
    if not by_pair:
        raise DataError(
            f"{folder} has no predictions named by language, such as de.json or "
            f"context-de-question-en.json; languages: {one_of(parallel)}"
        )
    missing, complete = 0, {}
    for pair, answers in by_pair.items():
        qids = [row.qid for row in shared_questions(parallel, pair)]
        missing += sum(qid not in answers for qid in qids)
        complete[pair] = {qid: answers.get(qid, "") for qid in qids}
    return PairPredictions(complete, missing, tuple(ignored))


def _pair_in(name: str, parallel: Parallel) -> LangPair | None:
    if match := _MLQA_NAME.search(name):
        pair = match["context"], match["question"]
        return pair if {*pair} <= parallel.keys() else None
    langs = [part for part in re.split(r"[^a-z]+", name) if part in parallel]
    return (langs[0], langs[-1]) if len(langs) in (1, 2) else None
