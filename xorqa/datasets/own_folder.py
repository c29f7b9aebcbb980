"""A data set of your own in a folder: questions, and the passages that answer them.

`questions.jsonl` and `questions.fi.jsonl` are questions; `passages.jsonl`, `passages.fi.jsonl` and
the files and folders in `corpus` (`corpus/fi.jsonl`, `corpus/fi/`) are passages. A language in the
name is that of all lines without one.
"""

from collections.abc import Mapping
from pathlib import Path

from ..core.errors import ConfigError, DataError
from ..core.lang import ISO_639_1
from ..core.types import Example
from .corpus import Corpus
from .dataset import Dataset
from .own_files import QUESTIONS, own_dataset, read_corpora, read_questions

PASSAGES = "passages.*.jsonl"
CORPUS = "corpus"


def is_own_folder(folder: Path) -> bool:
    """Whether a folder has questions."""
    return bool(question_files(folder))


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
    return own_dataset(name, [*examples.values()], read_passages(folder))


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
    """The language that a name begins with, after its kind: fi.jsonl, fi.wiki.pdf, passages.fi."""
    name = path.name.removeprefix(f"{kind}.").partition(".")[0]
    return name if name in ISO_639_1 else None
