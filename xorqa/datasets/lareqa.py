"""LAReQA's pools from files: with sentences, as XQuAD-R is published, or to be divided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.types import Span
from ..io.files import published, read_json
from .pool import Pool, PoolQuestion, PoolSentence
from .sentences import split_sentences

SHIPPED = {"mini": Path(__file__).parent / "mini" / "parallel"}
"""The pools inside the package, by name."""

Split = Callable[[Mapping[str, Any], str], list[tuple[Span, str]]]
"""A paragraph and its language to sentences, with where they stand in its context."""


def open_pool(name: str = "mini") -> Pool:
    """A pool inside the package by its name, or any as XQuAD-R is published by its folder.

    Raises:
        DataError: as `read_pool`.
    """
    return read_pool(pool_folder(name), name=name if name in SHIPPED else None)


def pool_folder(name: str) -> Path:
    """The folder of a pool inside the package, that a path names (`./mini`), or fetched."""
    return SHIPPED.get(name) or published(Path(name).expanduser())


def read_pool(folder: Path, *, name: str | None = None) -> Pool:
    """A pool as XQuAD-R and MLQA-R are published: `<lang>.json` for every language.

    The files are SQuAD-style; a paragraph also has `sentences` and, for each, its start and
    end in `sentence_breaks`. An answer that crosses a break belongs to the sentence it starts in.

    Args:
        folder: holds the files and no other JSON.
        name: the pool's name; the folder's without one.

    Raises:
        DataError: naming the file and the paragraph that cannot be used.
    """
    files = {path.stem: path for path in folder.glob("*.json")}
    if not files:
        raise DataError(f"{folder} holds no <lang>.json, such as en.json")
    return _pool(name or folder.name, files, _published)


def build_pool(files: Mapping[str, Path], *, name: str) -> Pool:
    """A pool of SQuAD-style files, by language, parallel by qid; sentences are divided here.

    Raises:
        DataError: naming the file and the paragraph that cannot be used.
    """
    return _pool(name, files, _divided)


def _published(paragraph: Mapping[str, Any], lang: str) -> list[tuple[Span, str]]:
    spans = [Span(start, end) for start, end in paragraph["sentence_breaks"]]
    texts = [_string(text) for text in paragraph["sentences"]]
    ordered = all(before.end <= after.start for before, after in pairwise(spans))
    if len(spans) != len(texts) or not ordered:
        raise ValueError("'sentences' and 'sentence_breaks' do not fit together")
    return list(zip(spans, texts, strict=True))


def _divided(paragraph: Mapping[str, Any], lang: str) -> list[tuple[Span, str]]:
    text = paragraph["context"]
    return [(span, text[span.start : span.end]) for span in split_sentences(text, lang)]


def _pool(name: str, files: Mapping[str, Path], split: Split) -> Pool:
    questions: list[PoolQuestion] = []
    sentences: list[PoolSentence] = []
    articles: dict[tuple[str, int], int] = {}
    for lang in sorted(files):
        seen: set[str] = set()
        for article, where, paragraph in _paragraphs(files[lang]):
            number = articles.setdefault((lang, article), len(articles))
            try:
                asked, there = _parsed(paragraph, split(paragraph, lang), lang, number, seen)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                reason = f"lacks {error}" if isinstance(error, KeyError) else error
                raise DataError(f"{where}: {reason}") from error
            questions += asked
            sentences += there
    joined = _joined(len(articles), questions)
    return Pool(
        name,
        tuple(replace(row, article=joined[row.article]) for row in questions),
        tuple(replace(row, article=joined[row.article]) for row in sentences),
    )


def _paragraphs(path: Path) -> Iterator[tuple[int, str, Any]]:
    """The number of its article, where it is, and the paragraph itself."""
    data = read_json(path)
    try:
        articles = [list(article["paragraphs"]) for article in data["data"]]
    except (KeyError, TypeError) as error:
        raise DataError(f"{path} is not SQuAD-style JSON: {error!r}") from error
    for number, paragraphs in enumerate(articles, 1):
        for at, paragraph in enumerate(paragraphs, 1):
            yield number, f"{path}, article {number}, paragraph {at}", paragraph


def _parsed(
    paragraph: Mapping[str, Any],
    sentences: Sequence[tuple[Span, str]],
    lang: str,
    article: int,
    seen: set[str],
) -> tuple[list[PoolQuestion], list[PoolSentence]]:
    questions = []
    held: list[set[str]] = [set() for _ in sentences]
    for qa in paragraph["qas"]:
        qid = str(qa["id"])
        if qid in seen or not qa["answers"]:
            raise ValueError(f"question {qid} {'occurs twice' if qid in seen else 'has no answer'}")
        seen.add(qid)
        questions.append(PoolQuestion(qid, lang, _string(qa["question"]), article))
        for answer in qa["answers"]:
            start, end = answer["answer_start"], answer["answer_start"] + len(answer["text"])
            there = [at for at, (s, _) in enumerate(sentences) if s.start < end and start < s.end]
            if not there:
                raise ValueError(f"the answer of question {qid} is in no sentence")
            held[there[0]].add(qid)
    context = _string(paragraph["context"])
    return questions, [
        PoolSentence(lang, text, context, frozenset(qids), article)
        for (_, text), qids in zip(sentences, held, strict=True)
    ]


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no string")
    return value


def _joined(count: int, questions: Iterable[PoolQuestion]) -> list[int]:
    """One number for all articles that share a qid, directly or through others."""
    parent = list(range(count))

    def top(article: int) -> int:
        while parent[article] != article:
            article = parent[article]
        return article

    first: dict[str, int] = {}
    for row in questions:
        parent[top(row.article)] = top(first.setdefault(row.qid, row.article))
    order: dict[int, int] = {}
    return [order.setdefault(top(article), len(order)) for article in range(count)]
