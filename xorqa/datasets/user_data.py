"""The user's questions and passages, from files (`--questions`, `--corpus`) or from a folder.

In a folder, `questions.jsonl` and `questions.fi.jsonl` are questions; `passages.jsonl`,
`passages.fi.jsonl` and the files and folders in `corpus` (`corpus/fi.jsonl`, `corpus/fi/`) are
passages. A language in the name is that of all lines without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from ..core.errors import ConfigError, DataError, one_of
from ..core.lang import code_of, language
from ..core.text.detection import detect_language
from ..core.types import AnsweredIn, Example, Gold, Question, Span
from ..io.files import read_jsonl
from ..io.strict_json import as_id, as_text
from .catalog import DatasetEntry
from .corpus import Corpus, by_language, read_corpus
from .dataset import Dataset

QUESTIONS = "questions.jsonl"
"""The file of questions in a folder, such as a run folder."""


def user_dataset(name: str, examples: Sequence[Example], corpora: Mapping[str, Corpus]) -> Dataset:
    """A data set named after its file; the name is never taken for a `module:name`."""
    return Dataset(name.replace(":", "."), tuple(examples), corpora)


def read_corpora(options: Iterable[str]) -> dict[str, Corpus]:
    """Read the passages of `--corpus` options by language; see `parse_corpus`.

    The passages of a file without a language are sorted by their own; files of one language become
    one corpus.

    Raises:
        ConfigError: for an unknown language.
        DataError: if a file cannot be read, or two passages of a language have one docid.
    """
    parts: dict[str, list[Corpus]] = {}
    for lang, corpus in map(parse_corpus, options):
        by_lang = {lang: corpus} if lang else by_language(corpus)
        for code, part in by_lang.items():
            parts.setdefault(code, []).append(part)
    return {lang: _joined(corpora) for lang, corpora in parts.items()}


def parse_corpus(option: str) -> tuple[str | None, Corpus]:
    """Read a `--corpus` option: the language of `fi=wiki.jsonl` (else None), and the passages.

    Raises:
        ConfigError: for an unknown language.
        DataError: if the file cannot be read.
    """
    code, equals, path = option.partition("=")
    if not equals or Path(option).exists():
        return None, read_corpus(Path(option))
    return language(code).code, read_corpus(Path(path), lang=code)


def read_questions(
    path: Path, *, lang: str | None = None, answer_lang: str | None = None
) -> tuple[Example, ...]:
    """Read a JSONL file of questions, such as XOR QA's: `id`, `lang`, `question`, `answers`.

    Only `question` is necessary: `lang` is the argument by default, or detected, and `id` the
    line's number (fi-1 if the argument `lang` is fi).
    An answer is a text in `answer_lang` (by default the question's language), or an object with
    `text`, `lang`, `docid` and `start`. `translation` is a human translation into English, and
    `answered_in` as in `Example`.

    Raises:
        ConfigError: if `answer_lang` is unknown.
        DataError: naming the line with another layout, an unknown language or a repeated id.
    """
    answer_lang = answer_lang and language(answer_lang).code
    examples: dict[str, Example] = {}
    for number, row in read_jsonl(path):
        where = f"{path}, line {number}"
        try:
            example = _example(row, number, lang, answer_lang)
        except (ConfigError, KeyError, TypeError) as error:
            problem = f"has no {error}" if isinstance(error, KeyError) else str(error)
            raise DataError(f"{where}: {problem}") from error
        if example.question.qid in examples:
            raise DataError(f"{where}: id '{example.question.qid}' occurs twice")
        examples[example.question.qid] = example
    if not examples:
        raise DataError(f"{path} has no questions; write a line per question to it")
    return tuple(examples.values())


def question_row(example: Example) -> dict[str, Any]:
    """A line of the layout that `read_questions` reads, with everything in the example."""
    question = example.question
    row: dict[str, Any] = {"id": question.qid, "lang": question.lang, "question": question.text}
    if example.human_translation is not None:
        row["translation"] = example.human_translation
    if example.answered_in is not None:
        row["answered_in"] = example.answered_in
    return row | {"answers": list(map(_gold_row, example.golds))}


def _example(
    row: Mapping[str, Any], number: int, file_lang: str | None, answer_lang: str | None
) -> Example:
    text = as_text(row["question"])
    if not text.strip():
        raise TypeError("'question' is empty")
    lang = as_text(row.get("lang") or file_lang or "").strip()
    lang = language(lang).code if lang else detect_language(text)
    default_id = f"{file_lang}-{number}" if file_lang else number
    qid = as_id(default_id if row.get("id") is None else row["id"])
    if qid.split() != [qid]:
        raise TypeError(f"id '{qid}' is empty or has a space")
    answers = row.get("answers") or []
    answers = answers if isinstance(answers, list) else [answers]
    translation, answered_in = row.get("translation"), row.get("answered_in")
    if answered_in not in (None, *get_args(AnsweredIn)):
        valid = one_of(get_args(AnsweredIn))
        raise TypeError(f"'answered_in' is {answered_in!r:.60}; valid: {valid}")
    return Example(
        Question(qid, text, lang),
        tuple(_gold(answer, answer_lang or lang) for answer in answers),
        None if translation is None else as_text(translation),
        answered_in,
    )


def _gold(answer: object, lang: str) -> Gold:
    """A gold answer: a text in `lang`, or an object with `text`."""
    if not isinstance(answer, dict):
        return Gold(as_text(answer), lang)
    text, code, docid = as_text(answer["text"]), answer.get("lang"), answer.get("docid")
    docid = None if docid is None else as_id(docid)
    if docid is not None and docid.split() != [docid]:
        raise TypeError(f"docid '{docid}' is empty or has a space")
    start = answer.get("start")
    if start is not None and (isinstance(start, bool) or not isinstance(start, int)):
        raise TypeError(f"'start' is {start!r:.60}, not an integer")
    span = None if start is None else Span(start, start + len(text))
    return Gold(text, lang if code is None else language(as_text(code)).code, docid, span)


def _gold_row(gold: Gold) -> dict[str, Any]:
    start = None if gold.span is None else gold.span.start
    row = {"text": gold.text, "lang": gold.lang, "docid": gold.docid, "start": start}
    return {key: value for key, value in row.items() if value is not None}


def _joined(corpora: Sequence[Corpus]) -> Corpus:
    """One corpus of all passages."""
    if len(corpora) == 1:
        return corpora[0]
    name = "+".join(corpus.name for corpus in corpora)
    version = max(corpus.reader_version for corpus in corpora)
    passages = (passage for corpus in corpora for passage in corpus)
    return Corpus(name, passages, reader_version=version)


PASSAGES = "passages.*.jsonl"
CORPUS = "corpus"


def has_questions(folder: Path) -> bool:
    """Whether a folder has questions."""
    return bool(question_files(folder))


def folder_entry(name: str) -> DatasetEntry | None:
    """The entry of a folder with questions, None for another name."""
    folder = Path(name)
    if not has_questions(folder):
        return None
    about = f"{folder}: your questions and passages"
    return DatasetEntry(about=about, license="yours", load=lambda _: read_folder(folder))


def read_folder(folder: Path, *, answer_lang: str | None = None) -> Dataset:
    """Read a data set of your own; passages are optional.

    The passages of files without a language in their name are sorted by their own languages.

    Raises:
        ConfigError: if it has no questions.
        DataError: if a file cannot be read, or two questions have one id.
    """
    files = question_files(folder)
    if not files:
        raise ConfigError(f"{folder} has no {QUESTIONS}; write a line per question to it")
    examples: dict[str, Example] = {}
    for path, lang in files.items():
        for example in read_questions(path, lang=lang, answer_lang=answer_lang):
            if example.question.qid in examples:
                raise DataError(f"{path}: another file has the id '{example.question.qid}' already")
            examples[example.question.qid] = example
    name = f"{folder.resolve().name}/{next(iter(files)).name}"
    return user_dataset(name, [*examples.values()], read_passages(folder))


def read_passages(folder: Path) -> dict[str, Corpus]:
    """The passages of a data set of your own, by language.

    Raises:
        DataError: if a file cannot be read, or two passages of a language have one docid.
    """
    files = passage_files(folder).items()
    return read_corpora(f"{lang}={file}" if lang else str(file) for file, lang in files)


def question_files(folder: Path) -> dict[Path, str | None]:
    """The files of questions, with the language in their name."""
    return {path: _language_of(path, "questions") for path in _files(folder, "questions")}


def passage_files(folder: Path) -> Mapping[Path, str | None]:
    """The files and folders of passages, with the language in their name."""
    named = {path: _language_of(path, "passages") for path in _files(folder, "passages")}
    inside = sorted(path for path in (folder / CORPUS).glob("*") if not path.name.startswith("."))
    return named | {path: _language_of(path) for path in inside}


def _files(folder: Path, kind: str) -> list[Path]:
    """`kind.jsonl` first, then `kind.*.jsonl`."""
    names = folder / f"{kind}.jsonl", *sorted(folder.glob(f"{kind}.*.jsonl"))
    return [path for path in names if path.is_file()]


def _language_of(path: Path, kind: str = "") -> str | None:
    """The language that a name begins with, after its kind: fi.jsonl, pt-BR.pdf, passages.fin.

    Only after a kind may it have three letters: `may.txt` is not Malay.
    """
    name = path.name.removeprefix(f"{kind}.").partition(".")[0]
    is_code = kind or re.match(r"[A-Za-z]{2}(?![A-Za-z])", name)
    return code_of(name) or None if is_code else None
