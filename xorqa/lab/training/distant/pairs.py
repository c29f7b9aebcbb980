"""Distant supervision: passages for questions that have an answer but no passage.

A retrieved passage that contains the answer is assumed to answer the question (Chen et al. 2017,
section 4.4). Many do not, so a reader can be required to agree. The query is the question's human
translation; the resulting pair has the original question and an English passage.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ....core.progress import Progress, silent
from ....core.text.search_tokens import ENGLISH_STOP_WORDS
from ....core.types import Example, Passage, Query, Span
from ....datasets.corpus import Corpus
from ....io.cache import Cache
from ....io.files import write_json
from ....io.squad_xor import SquadQuestion, read_squad
from ....metrics.tasks.squad import normalize
from ....reading.pairs import QuestionPassage
from ....reading.span import SpanReader
from ....retrieval.bm25 import Bm25
from ...common.given_passages import read_pairs
from ...common.squad_json import squad_articles
from .occurrences import occurrences

CHUNK = 500  # questions searched between two reports


@dataclass(frozen=True, slots=True)
class DistantPair:
    """A question and a passage that contains its answer, at `spans`, the likeliest first."""

    example: Example
    passage: Passage
    spans: tuple[Span, ...]


def read_passages(files: Iterable[Path]) -> Corpus:
    """The paragraphs of SQuAD-style files, each once, with their articles' titles."""
    titles: dict[str, str] = {}
    for file in files:
        for row in read_squad(file):
            titles.setdefault(row.context, row.title)
    return Corpus(
        "distant",
        [
            Passage(f"{number:06d}", text, title)
            for number, (text, title) in enumerate(titles.items())
        ],
    )


def unsuitable(example: Example) -> str | None:
    """Why answers cannot identify a passage (yes or no, or too common); None if they can."""
    answers = [normalize(answer) for answer in example.answers("en")]
    if any(answer in ("yes", "no") for answer in answers):
        return "yes or no"
    if all(len(answer) < 3 or answer in ENGLISH_STOP_WORDS for answer in answers):
        return "answer too common"
    return None


def find_pairs(
    examples: Sequence[Example], retriever: Bm25, *, k: int, progress: Progress = silent
) -> list[DistantPair]:
    """The passages among each question's `k` best that contain an answer, best first."""
    padded_texts = {p.docid: f" {normalize(p.text)} " for p in retriever.corpus}
    pairs: list[DistantPair] = []
    for start in range(0, len(examples), CHUNK):
        chunk = examples[start : start + CHUNK]
        queries = [Query(e.question, e.human_translation or "", "en") for e in chunk]
        results = retriever.retrieve(queries, k=k)
        for query, example, hits in zip(queries, chunk, results, strict=True):
            pairs += [
                DistantPair(example, hit.passage, tuple(spans))
                for answer in example.answers("en")
                for hit in hits
                if f" {normalize(answer)} " in padded_texts[hit.passage.docid]
                and (spans := occurrences(hit.passage.text, answer, query.text))
            ]
        progress(min(start + CHUNK, len(examples)), len(examples))
    return pairs


def confirm_pairs(
    pairs: Sequence[DistantPair],
    reader: SpanReader,
    *,
    least: float,
    cache: Cache,
    progress: Progress = silent,
) -> list[DistantPair]:
    """The pairs whose answer overlaps the reader's best span for the translation.

    `least` is the minimum log probability that the passage answers. Readings are cached, so a
    killed run resumes.
    """
    inputs = [
        QuestionPassage(pair.example.human_translation or "", pair.passage.text) for pair in pairs
    ]
    readings = read_pairs(reader, inputs, cache=cache, progress=progress)
    confirmed = []
    for pair, reading in zip(pairs, readings, strict=True):
        best = reading.best
        spans = tuple(span for span in pair.spans if best and best.overlaps(span))
        if spans and reading.passage_score >= least:
            confirmed.append(replace(pair, spans=spans))
    return confirmed


def write_pairs(path: Path, pairs: Iterable[DistantPair], *, with_english: bool) -> None:
    """Write SQuAD-style JSON: each original question, and its translation if `with_english`.

    The articles are those of the passages, so training holds out the same articles.
    """
    articles: dict[str, dict[str, list[SquadQuestion]]] = {}  # by title and text
    for pair in pairs:
        original, (span, *_) = pair.example.question, pair.spans
        title, text = pair.passage.title, pair.passage.text
        qid = f"{original.qid}-{pair.passage.docid}"
        answers = (text[span.start : span.end],)
        question = SquadQuestion(qid, original.text, title, text, answers, span, lang=original.lang)
        questions = articles.setdefault(title, {}).setdefault(text, [])
        questions.append(question)
        if with_english:
            english = pair.example.human_translation or ""
            questions.append(replace(question, qid=f"{qid}-en", question=english, lang="en"))
    in_order = (q for article in articles.values() for group in article.values() for q in group)
    write_json(path, {"data": squad_articles(in_order)}, indent=None)
