"""Read questions, and systems' predictions for them, from the files of any system."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError, one_of
from ...core.lang import ENGLISH, in_name
from ...datasets.catalog import data_file
from ...io.squad_xor import read_squad, read_xor
from ...metrics.registry import find_task
from ...metrics.report import Reference
from ...metrics.task import Task
from ..common.fetched import local_or_fetched
from ..common.parallel_files import find_files
from .facts import DiagnosisInput, Outcome, QuestionFacts

_MLQA_NAME = re.compile(r"context-(\w+)-question-(\w+)")
_MAX_PASSAGE = 300  # characters of a retrieved passage that is shown as an answer


def read_files(
    task: str,
    data: Sequence[Path],
    predictions: Mapping[str, Sequence[Path]],
    *,
    scorer: str | None = None,
    lang: str | None = None,
    english: Path | None = None,
) -> DiagnosisInput:
    """Read data files and, for each system, its prediction files.

    A folder stands for its files of one language each. A system has a prediction file for each
    data file, in the same order, or a folder with a file for each language, or one file for all.

    Args:
        task: a task's name, or `module:name`.
        data: SQuAD-style JSON, or XOR QA's JSONL.
        predictions: system to prediction files.
        scorer: a scorer of the task; by default its first.
        lang: the language of the data files, if it is not in their names.
        english: the same questions in English, parallel by id; by default the English data file.

    Raises:
        ConfigError: if the numbers of files do not match, or a language is unknown.
        DataError: for a file of another format.
    """
    definition = find_task(task)
    files = [file for path in data for file in _data_files(path)]
    references = [definition.read_references(file, lang=lang) for file in files]
    in_english = _english(english, files, lang)
    questions = [
        _with_english(fact, in_english)
        for file, rows in zip(files, references, strict=True)
        for fact in _facts(file, rows)
    ]
    systems = {
        name: _outcomes(
            definition, files, references, _prediction_files(name, paths, files), scorer
        )
        for name, paths in predictions.items()
    }
    if not questions:
        raise DataError(f"{one_of(map(str, files))}: no questions")
    return DiagnosisInput(
        definition.name, scorer or definition.default_scorer, tuple(questions), systems
    )


def _data_files(path: Path) -> list[Path]:
    folder = local_or_fetched(path)
    return [*find_files(folder).values()] if folder.is_dir() else [data_file(path)]


def _prediction_files(name: str, paths: Sequence[Path], files: Sequence[Path]) -> list[Path]:
    """One file for each data file, or a single one for all.

    Raises:
        ConfigError: if the numbers of files differ, or a folder lacks a language.
    """
    predictions: list[Path] = []
    for path in paths:
        if not path.is_dir():
            predictions.append(path)
            continue
        by_lang = find_files(path)
        for file in files:
            lang = in_name(file.name)
            if lang not in by_lang:
                raise ConfigError(f"{path} has no predictions for {file.name}")
            predictions.append(by_lang[lang])
    if len(predictions) not in (1, len(files)):
        raise ConfigError(
            f"system {name} has {len(predictions)} prediction files for {len(files)} data files; "
            "give one for each of them, or one for all"
        )
    return predictions


def _facts(file: Path, references: Sequence[Reference]) -> list[QuestionFacts]:
    """The questions of a data file; without their texts if its format is a task's own."""
    mixed = _MLQA_NAME.search(file.name)
    rows: dict[str, QuestionFacts] = {}
    if file.suffix == ".jsonl":
        for row in read_xor(file):
            rows[row.qid] = QuestionFacts(row.qid, row.lang, row.question, (), "")
    elif references and references[0].context:
        for question in read_squad(file):
            rows[question.qid] = QuestionFacts(
                question.qid,
                mixed[2] if mixed else "",
                question.question,
                (),
                "",
                question.context,
                question.span.start if question.span else None,
            )
    facts = []
    for reference in references:
        fact = rows.get(reference.qid, QuestionFacts(reference.qid, "", "", (), ""))
        lang, answers = reference.lang, reference.answers
        facts.append(replace(fact, lang=fact.lang or lang, answers=answers, answer_lang=lang))
    return facts


def _english(
    path: Path | None, files: Sequence[Path], lang: str | None
) -> dict[str, tuple[str, str]]:
    """Qid to question and first answer in English."""
    if path is None:
        path = next((file for file in files if _is_english(file, lang)), None)
    if path is None:
        return {}
    file = data_file(path)
    if file.suffix == ".jsonl":
        return {row.qid: (row.question, "".join(row.answers[:1])) for row in read_xor(file)}
    return {row.qid: (row.question, "".join(row.answers[:1])) for row in read_squad(file)}


def _is_english(file: Path, lang: str | None) -> bool:
    """Whether a SQuAD-style file has questions and contexts in English, by its name."""
    mixed = _MLQA_NAME.search(file.name)
    langs = set(mixed.groups()) if mixed else {lang or in_name(file.name)}
    return file.suffix == ".json" and langs == {ENGLISH}


def _with_english(fact: QuestionFacts, english: Mapping[str, tuple[str, str]]) -> QuestionFacts:
    text, answer = english.get(fact.qid, ("", ""))
    return replace(fact, english=text, english_answer=answer)


def _outcomes(
    task: Task,
    files: Sequence[Path],
    references: Sequence[Sequence[Reference]],
    paths: Sequence[Path],
    scorer: str | None,
) -> tuple[Outcome, ...]:
    if len(paths) == 1 and len(files) > 1:
        qids = [reference.qid for rows in references for reference in rows]
        if len(set(qids)) < len(qids):
            raise ConfigError(
                f"the data files share ids, so {paths[0]} cannot be for all of them; give a "
                "prediction file for each"
            )
        paths = [*paths] * len(files)
    read = {path: _read(task, path) for path in dict.fromkeys(paths)}
    outcomes: list[Outcome] = []
    for rows, path in zip(references, paths, strict=True):
        predictions = read[path]
        scores = task.score(rows, predictions, scorer=scorer)
        values = {score.qid: score.values for score in scores}
        outcomes += [
            Outcome(values.get(row.qid), as_text(predictions.get(row.qid, ""))) for row in rows
        ]
    return tuple(outcomes)


def _read(task: Task, path: Path) -> dict[str, Any]:
    by_qid = task.read_predictions(path).by_qid
    return {task.alias(qid): value for qid, value in by_qid.items()} | dict(by_qid)


def as_text(prediction: object) -> str:
    """A prediction to show: an answer, or the beginning of the first passage."""
    if isinstance(prediction, str):
        return prediction
    passages = prediction if isinstance(prediction, list | tuple) else [prediction]
    return str(passages[0])[:_MAX_PASSAGE] if passages else ""
