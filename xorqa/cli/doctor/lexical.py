"""Checks of a BM25, PSQ or Lucene index: its analyzers, and searches for a sample of passages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.progress import quantity
from ...core.registry import build
from ...core.types import Passage, Query, Question
from ...datasets.corpus import Corpus
from ...retrieval.lexical import LexicalRetriever
from .findings import Finding, run_check

MIN_SHARE = 0.8  # of sampled passages that a search for their text must rank first


def check_lexical_index(
    folder: Path, manifest: Mapping[str, Any], corpus: Corpus, sample: Sequence[tuple[int, Passage]]
) -> Iterator[Finding]:
    """Check an index whose corpus matches; nothing is built."""
    subject, passages = str(folder), [passage for _, passage in sample]
    opened: list[LexicalRetriever] = []
    yield run_check(subject, "analyzers", lambda: _analyzers(folder, manifest, corpus, opened))
    if opened:
        yield run_check(subject, "search", lambda: _search(opened[0], passages))


def _analyzers(
    folder: Path, manifest: Mapping[str, Any], corpus: Corpus, opened: list[LexicalRetriever]
) -> str:
    """Compare the manifest with the current analyzers; append the retriever to `opened`."""
    bm25 = {key: manifest[key] for key in ("k1", "b") if key in manifest}
    table = {"use": manifest["kind"], **bm25}
    retriever = build("retriever", table, corpus=corpus, folder=folder)
    retriever.build()  # only compares, because the index has a manifest
    opened.append(retriever)
    analyzers = manifest.get("analyzers")
    if analyzers is None:
        settings = "".join(f", {name} = {value}" for name, value in bm25.items())
        return f"tokens of version {manifest['tokens']}{settings}"
    return ", ".join(f"{lang}: {name}" for lang, name in sorted(analyzers.items()))


def _search(retriever: LexicalRetriever, passages: Sequence[Passage]) -> str:
    """Search for passages by their own texts; a passage with the same text counts too."""
    queries = [Query(Question(p.docid, p.text, p.lang), p.text, p.lang) for p in passages]
    rankings = retriever.retrieve(queries, k=1)
    missed = [
        passage.docid
        for passage, ranking in zip(passages, rankings, strict=True)
        if not ranking or ranking[0].passage.text != passage.text
    ]
    share = 1 - len(missed) / len(passages)
    note = f"{share:.0%} of {quantity(len(passages), 'passage')} rank first for their own text"
    if share < MIN_SHARE:
        raise DataError(f"{note}, unlike '{missed[0]}'; rebuild it with xorqa index --rebuild")
    return note
