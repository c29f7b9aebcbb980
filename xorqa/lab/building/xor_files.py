"""The files of an XOR QA set in construction: questions, shown passages, the finished set."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.types import Example, Passage
from ...datasets.dataset import Dataset
from ...datasets.user_data import question_row, read_questions
from ...io.files import write_jsonl
from .tasks import stored_rows

SELECTED = "selected.jsonl"
IN_LANGUAGE = "in_language.jsonl"
PASSAGES = "passages.jsonl"


def write_questions(
    folder: Path, selected: Iterable[Example], in_language: Iterable[Example], dataset: Dataset
) -> None:
    """Store the questions, and the passages that answer those that W_i answers.

    Questions of earlier exports stay.
    """
    in_language = [*in_language]
    for name, examples in ((SELECTED, selected), (IN_LANGUAGE, in_language)):
        merged = {e.question.qid: e for e in [*_questions(folder / name), *examples]}
        write_jsonl(folder / name, map(question_row, merged.values()))
    corpora = dataset.corpora
    golds = [gold for example in in_language for gold in example.golds if gold.docid is not None]
    passages = [corpora[g.lang].get(g.docid or "") for g in golds if g.lang in corpora]
    add_passages(folder, [passage for passage in passages if passage is not None])


def read_stored(folder: Path) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """The stored questions that W_i does not answer, and those that it does.

    Raises:
        ConfigError: if none are stored.
        DataError: if a file is damaged.
    """
    if not (folder / SELECTED).exists():
        raise ConfigError(f"{folder} has no {SELECTED}; export the round 'translation' first")
    return read_questions(folder / SELECTED), _questions(folder / IN_LANGUAGE)


def add_passages(folder: Path, passages: Iterable[Passage]) -> None:
    """Store passages that were shown to annotators."""
    stored = {(p.lang, p.docid): p for p in _passages(folder)}
    stored |= {(p.lang, p.docid): p for p in passages}
    write_jsonl(folder / PASSAGES, map(_row, stored.values()))


def english_passages(folder: Path) -> dict[str, Passage]:
    """The stored passages of W_eng by docid."""
    return {passage.docid: passage for passage in _passages(folder) if passage.lang == "en"}


def article_titles(folder: Path) -> dict[str, str]:
    """The titles of the stored passages by docid."""
    return {passage.docid: passage.title for passage in _passages(folder)}


def write_xor(folder: Path, examples: Sequence[Example], part: str = "") -> None:
    """Write `questions.jsonl`, `xor_full.jsonl` and `xor_engspan.jsonl`, or those of a part.

    `questions.jsonl` has everything, with passages and spans; the others are in XOR QA's layout.
    """
    for name, rows in _layouts(examples, part or "dev").items():
        write_jsonl(folder / part / name, rows)


def _layouts(examples: Sequence[Example], split: str) -> Mapping[str, list[dict[str, Any]]]:
    full = [_xor_row(e, e.question.lang, split) for e in examples]
    english = [_xor_row(e, "en", split) for e in examples if e.answered_in == "en"]
    return {
        "questions.jsonl": [question_row(example) for example in examples],
        "xor_full.jsonl": [row for row in full if row["answers"]],
        "xor_engspan.jsonl": [row for row in english if row["answers"]],
    }


def _xor_row(example: Example, lang: str, split: str) -> dict[str, Any]:
    question, answers = example.question, [*dict.fromkeys(example.answers(lang))]
    row = {"id": question.qid, "question": question.text, "lang": question.lang}
    return row | {"answers": answers, "split": split}


def _row(passage: Passage) -> dict[str, str]:
    fields = {"docid": passage.docid, "title": passage.title, "text": passage.text}
    return fields | {"lang": passage.lang}


def _questions(path: Path) -> tuple[Example, ...]:
    """The questions of a file that may be empty or missing."""
    return read_questions(path) if path.exists() and path.stat().st_size else ()


def _passages(folder: Path) -> list[Passage]:
    path = folder / PASSAGES
    return [*stored_rows(path, Passage)] if path.exists() else []
