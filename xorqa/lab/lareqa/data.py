"""Read LAReQA's pools from files, with sentences as in XQuAD-R or split by xorqa."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.types import Span
from ...datasets.mini.world import FOLDER as MINI
from ...io.files import read_json
from ...io.strict_json import as_id, as_text
from ..common.parallel_files import parallel_folder
from .pool import Pool, PoolQuestion, PoolSentence
from .sentence_breaks import Splitter, published_sentences, split_by_rule

SHIPPED = {"mini": MINI / "parallel"}
"""The bundled pools, by name."""


def open_pool(name: str = "mini") -> Pool:
    """Open a bundled pool by name, or a folder with files like XQuAD-R's.

    Raises:
        DataError: as `read_pool`.
    """
    return read_pool(pool_folder(name), name=name if name in SHIPPED else None)


def pool_folder(name: str) -> Path:
    """The folder of a bundled pool, of a path (`./mini`), or of a fetched publication.

    Raises:
        ConfigError: if there is no such folder.
    """
    return SHIPPED.get(name) or parallel_folder(name, kind="pool", bundled=SHIPPED)


def read_pool(
    folder: Path, *, name: str | None = None, langs: Collection[str] | None = None
) -> Pool:
    """Read a pool in the format of XQuAD-R and MLQA-R: a file `<lang>.json` per language.

    The files are SQuAD-style; a paragraph also has `sentences`, and in `sentence_breaks` the
    start and end of each. An answer that spans sentences belongs to the first of them.

    Args:
        folder: contains these files and no other JSON.
        name: the pool's name; by default the folder's.
        langs: only these languages; by default all.

    Raises:
        DataError: naming the file and the paragraph that cannot be used.
    """
    paths = {path.stem: path for path in folder.glob("*.json")}
    files = {lang: path for lang, path in paths.items() if langs is None or lang in langs}
    if not files:
        raise DataError(f"{folder} contains no <lang>.json, such as en.json")
    return _pool(name or folder.name, files, published_sentences)


def build_pool(files: Mapping[str, Path], *, name: str, splitter: Splitter = split_by_rule) -> Pool:
    """Build a pool from SQuAD-style files by language, parallel by qid; split their sentences.

    Raises:
        DataError: naming the file and the paragraph that cannot be used.
    """
    return _pool(name, files, splitter)


def _pool(name: str, files: Mapping[str, Path], splitter: Splitter) -> Pool:
    questions: list[PoolQuestion] = []
    sentences: list[PoolSentence] = []
    articles: dict[tuple[str, int], int] = {}
    for lang in sorted(files):
        seen: set[str] = set()
        for article, where, paragraph in _paragraphs(files[lang]):
            number = articles.setdefault((lang, article), len(articles))
            try:
                new_questions, new_sentences = _parse(
                    paragraph, splitter(paragraph, lang), lang, number, seen
                )
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                reason = f"lacks {error}" if isinstance(error, KeyError) else error
                raise DataError(f"{where}: {reason}") from error
            questions += new_questions
            sentences += new_sentences
    merged = _merge_articles(len(articles), questions)
    return Pool(
        name,
        tuple(replace(row, article=merged[row.article]) for row in questions),
        tuple(replace(row, article=merged[row.article]) for row in sentences),
    )


def _paragraphs(path: Path) -> Iterator[tuple[int, str, Any]]:
    """Article number, location for error messages, and paragraph."""
    data = read_json(path)
    try:
        articles = [list(article["paragraphs"]) for article in data["data"]]
    except (KeyError, TypeError) as error:
        raise DataError(f"{path} is not SQuAD-style JSON: {error!r}") from error
    for article_number, paragraphs in enumerate(articles, 1):
        for number, paragraph in enumerate(paragraphs, 1):
            yield article_number, f"{path}, article {article_number}, paragraph {number}", paragraph


def _parse(
    paragraph: Mapping[str, Any],
    sentences: Sequence[tuple[Span, str]],
    lang: str,
    article: int,
    seen: set[str],
) -> tuple[list[PoolQuestion], list[PoolSentence]]:
    questions = []
    answered: list[set[str]] = [set() for _ in sentences]  # qids by sentence
    for qa in paragraph["qas"]:
        qid = as_id(qa["id"])
        if qid in seen or not qa["answers"]:
            raise ValueError(f"question {qid} {'occurs twice' if qid in seen else 'has no answer'}")
        seen.add(qid)
        questions.append(PoolQuestion(qid, lang, as_text(qa["question"]), article))
        for answer in qa["answers"]:
            start, end = answer["answer_start"], answer["answer_start"] + len(answer["text"])
            span = Span(start, end)
            overlapping = (row for row, (s, _) in enumerate(sentences) if s.overlaps(span))
            first = next(overlapping, None)
            if first is None:
                raise ValueError(f"the answer of question {qid} is in no sentence")
            answered[first].add(qid)
    context = as_text(paragraph["context"])
    return questions, [
        PoolSentence(lang, text, context, frozenset(qids), article)
        for (_, text), qids in zip(sentences, answered, strict=True)
    ]


def _merge_articles(count: int, questions: Iterable[PoolQuestion]) -> list[int]:
    """Give articles that share a qid, directly or through others, the same number."""
    parent = list(range(count))

    def root(article: int) -> int:
        while parent[article] != article:
            article = parent[article]
        return article

    first: dict[str, int] = {}
    for row in questions:
        parent[root(row.article)] = root(first.setdefault(row.qid, row.article))
    order: dict[int, int] = {}
    return [order.setdefault(root(article), len(order)) for article in range(count)]
