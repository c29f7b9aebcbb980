"""Distant supervision: passages for questions that have an answer but no passage.

A passage that a search for the question finds and that says the answer is taken for one that
answers (Chen et al. 2017, section 4.4). Many do not, so a reader may be asked to agree. The
search is for the question's human translation; the pair that is kept is of the question as it
was asked and an English passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...caching.store import Cache
from ...core.progress import Progress, silent
from ...core.types import Example, Passage, Query, Span
from ...datasets.corpus import Corpus
from ...io.files import write_json
from ...io.squad_xor import read_squad
from ...metrics.official.squad import normalize
from ...reading.given import read_pairs
from ...reading.pairs import Reading
from ...reading.span import SpanReader
from ...retrieval.analysis import ENGLISH_STOP_WORDS
from ...retrieval.bm25 import Bm25
from .occurrences import occurrences

CHUNK = 500  # questions searched between two reports


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a passage that says its answer, at `spans`, the likeliest first."""

    example: Example
    passage: Passage
    spans: tuple[Span, ...]


def read_passages(files: Iterable[Path]) -> Corpus:
    """The paragraphs of SQuAD-style files, each once, under their articles' titles."""
    titles: dict[str, str] = {}
    for file in files:
        for row in read_squad(file):
            titles.setdefault(row.context, row.title)
    return Corpus(
        "distant",
        [Passage(f"{at:06d}", text, title) for at, (text, title) in enumerate(titles.items())],
    )


def unfit(example: Example) -> str | None:
    """Why no passage can be told by the answers: they are yes or no, or stand everywhere."""
    answers = [normalize(answer) for answer in example.answers("en")]
    if any(answer in ("yes", "no") for answer in answers):
        return "yes or no"
    if all(len(answer) < 3 or answer in ENGLISH_STOP_WORDS for answer in answers):
        return "answer too common"
    return None


def find(
    examples: Sequence[Example],
    retriever: Bm25,
    *,
    k: int,
    progress: Progress = silent,
) -> list[Pair]:
    """Of each question's `k` best passages those that say an answer, the best first."""
    said = {p.docid: f" {normalize(p.text)} " for p in retriever.corpus}
    pairs: list[Pair] = []
    for start in range(0, len(examples), CHUNK):
        some = examples[start : start + CHUNK]
        queries = [Query(one.question, one.human_translation or "", "en") for one in some]
        for example, hits in zip(some, retriever.retrieve(queries, k=k), strict=True):
            for answer in example.answers("en"):
                words = f" {normalize(answer)} "
                pairs += [
                    Pair(example, hit.passage, tuple(spans))
                    for hit in hits
                    if words in said[hit.passage.docid]
                    and (
                        spans := occurrences(
                            hit.passage.text, answer, example.human_translation or ""
                        )
                    )
                ]
        progress(min(start + CHUNK, len(examples)), len(examples))
    return pairs


def confirm(
    pairs: Sequence[Pair],
    reader: SpanReader,
    *,
    least: float,
    cache: Cache,
    progress: Progress = silent,
) -> list[Pair]:
    """The pairs whose answer the reader's best span overlaps, given the translation.

    `least` is the log probability that the passage answers which it must reach. What was
    read before comes from the cache, so a killed run goes on where it was.
    """
    asked = [(pair.example.human_translation or "", pair.passage.text) for pair in pairs]
    readings = read_pairs(reader, asked, cache=cache, progress=progress)
    kept = []
    for pair, reading in zip(pairs, readings, strict=True):
        spans = tuple(span for span in pair.spans if _is_read(span, reading))
        if spans and reading.passage_score >= least:
            kept.append(Pair(pair.example, pair.passage, spans))
    return kept


def write_pairs(path: Path, pairs: Iterable[Pair], *, with_english: bool) -> None:
    """Write SQuAD-style JSON: each question as it was asked, and also in English if so told.

    The articles are those of the passages, so what is held out of these is held out here.
    """
    articles: dict[str, dict[str, list[dict[str, object]]]] = {}
    for pair in pairs:
        asked = pair.example.question
        span = pair.spans[0]
        answer = {"text": pair.passage.text[span.start : span.end], "answer_start": span.start}
        qid = f"{asked.qid}-{pair.passage.docid}"
        qas = articles.setdefault(pair.passage.title, {}).setdefault(pair.passage.text, [])
        qas.append({"id": qid, "question": asked.text, "lang": asked.lang, "answers": [answer]})
        if with_english:
            english = pair.example.human_translation
            qas.append({"id": f"{qid}-en", "question": english, "lang": "en", "answers": [answer]})
    data = [
        {"title": title, "paragraphs": [{"context": c, "qas": qas} for c, qas in held.items()]}
        for title, held in articles.items()
    ]
    write_json(path, {"data": data}, indent=None)


def _is_read(span: Span, reading: Reading) -> bool:
    """Whether the reader's best span overlaps this one."""
    return bool(reading.spans) and reading.spans[0].span.overlaps(span)
