"""Retrieval collections of the library `ir_datasets`, by their ids: `ir_datasets:miracl/ar/dev`.

The library downloads a collection from its sources on first use and keeps it in its own folder
(`$IR_DATASETS_HOME`). Documents are not split, so that its qrels hold for them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from ..core.errors import ConfigError, DataError, MissingExtraError
from ..core.lang import code_of
from ..core.named import require
from ..core.text.detection import detect_language
from ..core.types import Example, Gold, Passage, Question
from ..io.trec import Qrels
from .catalog import DatasetEntry
from .corpus import Corpus
from .dataset import Dataset

PREFIX = "ir_datasets:"
NEAR = 6  # ids that an error lists


def is_collection(name: str) -> bool:
    """Whether a data set's name stands for a collection of `ir_datasets`."""
    return name.startswith(PREFIX)


def collection_entry(name: str) -> DatasetEntry | None:
    """The entry of a collection, None for another name; nothing is downloaded.

    Raises:
        ConfigError: for an unknown id, or one without documents.
        MissingExtraError: if the library is not installed.
    """
    if not is_collection(name):
        return None
    find_collection(name, "docs")
    return DatasetEntry(
        about="a retrieval collection, through the library ir_datasets",
        license="its owner's: https://ir-datasets.com",
        load=lambda _: load_collection(name),
    )


def load_collection(name: str) -> Dataset:
    """Load the documents and, if the id has them, the questions and qrels.

    A language that the library does not state is detected: of each document, and of all questions
    together. Answers that come with a question are its gold answers.

    Raises:
        ConfigError, MissingExtraError: as `collection_entry`.
        DataError: if the library cannot provide them.
    """
    source = find_collection(name, "docs")
    with reading(name):
        corpora = _corpora(name, source)
        examples = _examples(source) if source.has_queries() else ()
        qrels = _qrels(source) if source.has_qrels() else {}
    return Dataset(name, examples, corpora, qrels, _measures(source))


def collection_qrels(name: str) -> tuple[Qrels, tuple[str, ...]]:
    """The qrels of a collection and its official measures, without its documents.

    Raises:
        ConfigError: for an unknown id, or one without qrels.
        DataError, MissingExtraError: as `load_collection`.
    """
    source = find_collection(name, "qrels")
    with reading(name):
        return _qrels(source), _measures(source)


def find_collection(name: str, part: str) -> Any:
    """The library's data set of a name, which must have `docs`, `queries` or `qrels`."""
    library = require("ir_datasets", extra="ir")
    key = name.removeprefix(PREFIX)
    try:
        collection = library.load(key)
    except KeyError:
        near = [known for known in library.registry if known.startswith(f"{key}/")]
        near = near or get_close_matches(key, library.registry, n=NEAR, cutoff=0.75)
        message = f"ir_datasets has no data set '{key}'; {_listed(near)}"
        raise ConfigError(message) from None
    if not collection.has(part):
        inside = [known for known in library.registry if known.startswith(f"{key}/")]
        near = [known for known in inside if library.load(known).has(part)]
        what = {"docs": "documents", "qrels": "qrels"}[part]
        raise ConfigError(f"'{key}' of ir_datasets has no {what}; {_listed(near)}")
    return collection


def _listed(ids: Sequence[str]) -> str:
    """The first ids for an error message, or where to find some."""
    shown = ", ".join(f"{PREFIX}{key}" for key in ids[:NEAR])
    return f"did you mean {shown}?" if shown else "all ids: https://ir-datasets.com"


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise a `XorqaError` if the library fails to download or to read a collection."""
    try:
        yield
    except ImportError as error:  # some collections need further packages
        raise MissingExtraError(f"{name}: {error}") from error
    except (OSError, RuntimeError, ValueError, KeyError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error!s:.150}"
        how = "how to obtain it: https://ir-datasets.com"
        raise DataError(f"ir_datasets cannot provide {name} ({reason}); {how}") from error


def _corpora(name: str, source: Any) -> dict[str, Corpus]:
    """The documents by language; those without text are left out."""
    stated = _valid(source.docs_lang())
    by_lang: dict[str, list[Passage]] = {}
    for document in source.docs_iter():
        if text := _text(document).strip():
            lang = stated or detect_language(text)
            title, body = _divided(text, str(getattr(document, "title", None) or "").strip())
            by_lang.setdefault(lang, []).append(Passage(document.doc_id, body, title, lang))
    if not by_lang:
        raise DataError(f"{name} has no document with text")
    base = name.removeprefix(PREFIX).replace("/", ".")
    named = {lang: base if len(by_lang) == 1 else f"{base}.{lang}" for lang in by_lang}
    return {lang: Corpus(named[lang], passages) for lang, passages in sorted(by_lang.items())}


def _divided(text: str, title: str) -> tuple[str, str]:
    """Title and text of a document whose text begins with its title; a lone title is text."""
    body = text.removeprefix(title).strip()
    return (title, body) if title and body else ("", text)


def _examples(source: Any) -> tuple[Example, ...]:
    queries = [(query, _text(query)) for query in source.queries_iter()]
    lang = _valid(source.queries_lang())
    if lang is None:
        detected = Counter(detect_language(text) for _, text in queries)
        lang = detected.most_common(1)[0][0]
    examples = []
    for query, text in queries:
        answers = [answer for answer in getattr(query, "answers", ()) if str(answer).strip()]
        golds = tuple(Gold(answer, lang) for answer in answers)
        if text.strip():
            examples.append(Example(Question(query.query_id, text, lang), golds))
    return tuple(examples)


def _qrels(source: Any) -> dict[str, dict[str, int]]:
    return {
        qid: {docid: int(grade) for docid, grade in grades.items()}
        for qid, grades in source.qrels_dict().items()
    }


def _measures(source: Any) -> tuple[str, ...]:
    """The official measures, if the library's documentation states them."""
    documented = hasattr(source, "documentation")
    return tuple(source.documentation().get("official_measures", ()) if documented else ())


def _text(record: Any) -> str:
    """The text of a document or a question as the library defines it."""
    return str(record.default_text() if hasattr(record, "default_text") else record.text)


def _valid(code: str | None) -> str | None:
    return code_of(code or "") or None
