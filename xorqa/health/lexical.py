"""A BM25 or Lucene index: its analyzers, and whether passages are found by their own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.registry import build
from ..core.types import Passage, Query, Question
from ..datasets.corpus import Corpus
from ..retrieval.lexical import LexicalRetriever
from .findings import Finding, look

MOSTLY = 0.8  # share of passages that their own words must find first


def examine_search(
    folder: Path,
    found: Mapping[str, Any],
    corpus: Corpus,
    chosen: Sequence[tuple[int, Passage]],
) -> Iterator[Finding]:
    """The findings on an index of just this corpus; opening it builds nothing."""
    subject, passages = str(folder), [passage for _, passage in chosen]
    made: list[LexicalRetriever] = []
    yield look(subject, "analyzers", lambda: _belongs(folder, found, corpus, made))
    if made:
        yield look(subject, "search", lambda: _finds(made[0], passages))


def _belongs(
    folder: Path, found: Mapping[str, Any], corpus: Corpus, made: list[LexicalRetriever]
) -> str:
    """Check the manifest against the tokens and analyzers there are; `made` gets the stage."""
    own = {key: found[key] for key in ("k1", "b") if key in found}
    retriever = build("retriever", {"use": found["kind"], **own}, corpus=corpus, folder=folder)
    retriever.build()  # only compares, because there is a manifest
    made.append(retriever)
    analyzers = found.get("analyzers")
    if analyzers is None:
        return f"tokens of version {found['tokens']}, k1 = {found['k1']}, b = {found['b']}"
    return ", ".join(f"{lang}: {name}" for lang, name in sorted(analyzers.items()))


def _finds(retriever: LexicalRetriever, passages: Sequence[Passage]) -> str:
    """Search for passages by their own texts; one that says the same counts as found."""
    asked = [Query(Question(p.docid, p.text, p.lang), p.text, p.lang) for p in passages]
    hits = retriever.retrieve(asked, k=1)
    lost = [
        passage.docid
        for passage, best in zip(passages, hits, strict=True)
        if not best or best[0].passage.text != passage.text
    ]
    share = 1 - len(lost) / len(passages)
    line = f"{share:.0%} of {len(passages)} passages are found first by their own words"
    if share < MOSTLY:
        raise DataError(f"{line}, not as '{lost[0]}'; build it again (xorqa index --rebuild)")
    return line
