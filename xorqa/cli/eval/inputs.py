"""Data files and prediction files, put together question by question for marking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.lang import in_name
from ...io.predictions import Predictions, Problem, after_underscore, check, read_answers
from ...io.squad_xor import SquadQuestion, read_squad, read_xor
from ...metrics.official.xor_full import by_qid
from ...metrics.report import Reference


@dataclass(frozen=True, slots=True)
class EvalInput:
    """Questions, the answers somebody gave, and what is wrong with those."""

    references: Sequence[Reference]
    predictions: Mapping[str, Any]
    problems: Sequence[Problem] = ()


def xor_input(data: Path, predictions: Predictions[Any], *, full: bool = False) -> EvalInput:
    """XOR QA's questions with predictions; XOR-Full's ids may carry a prefix."""
    references = [Reference(row.qid, row.lang, row.answers) for row in read_xor(data)]
    langs = {reference.qid: reference.lang for reference in references}
    alias = after_underscore if full else str
    problems = check(predictions, langs, scripts=full, alias=alias)
    found = by_qid(predictions.found) if full else predictions.found
    return EvalInput(references, found, problems)


def squad_inputs(
    data: Sequence[Path], pred: Sequence[Path], *, lang: str | None, otherwise: str | None = None
) -> list[EvalInput]:
    """SQuAD-style files, each with its predictions, or all with one file of predictions.

    Raises:
        ConfigError: if the files do not pair up, or if a language is not known.
    """
    if len(pred) not in (1, len(data)):
        raise ConfigError(f"there are {len(data)} --data files for {len(pred)} --pred files")
    by_file = [
        references_of(path, read_squad(path), lang=lang, otherwise=otherwise) for path in data
    ]
    if len(pred) == len(data):
        pairs = zip(by_file, pred, strict=True)
        return [_checked(references, read_answers(path)) for references, path in pairs]
    everything = [reference for references in by_file for reference in references]
    if len({reference.qid for reference in everything}) < len(everything):
        raise ConfigError("the --data files share ids; name a --pred file for each of them")
    return [_checked(everything, read_answers(pred[0]))]


def references_of(
    path: Path,
    questions: Iterable[SquadQuestion],
    *,
    lang: str | None,
    otherwise: str | None = None,
) -> list[Reference]:
    """The questions of a SQuAD-style file.

    Their language is `lang`, or else what the file's name tells, or a question's id (as TyDi's
    do), or else `otherwise`.

    Raises:
        ConfigError: if a language is not known.
    """
    by_file = lang or in_name(path.name)
    references = []
    for question in questions:
        name, dash, _ = question.qid.partition("-")
        by_id = in_name(name) if dash and name.isalpha() else None  # SQuAD's are hexadecimal
        told = by_file or by_id or otherwise
        if told is None:
            raise ConfigError(f"{path}: its name does not tell its language; say it with --lang")
        references.append(Reference(question.qid, told, question.answers))
    return references


def _checked(references: Sequence[Reference], predictions: Predictions[str]) -> EvalInput:
    langs = {reference.qid: reference.lang for reference in references}
    return EvalInput(references, predictions.found, check(predictions, langs, scripts=False))
