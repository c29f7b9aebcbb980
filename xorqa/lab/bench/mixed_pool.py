"""The measurements of `xorqa bench pool`: retrievers over one corpus in three languages.

The questions are from the training sets of TyDi GoldP and JaQuAD. Each is asked in the language
of its paragraph and, if that is not English, in the bundled translator's English.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.types import Hit, Passage, Query, Question
from ...datasets.catalog import JAQUAD
from ...datasets.corpus import Corpus
from ...datasets.squad import build_distinct_corpus
from ...datasets.tydi import HELD_OUT
from ...io.files import indexes_dir
from ...io.squad_xor import SquadQuestion, read_squad, title_hash
from ...retrieval.manifest import folder_of
from ...retrieval.over_corpus import retriever_over
from ...tables.grid import Grid
from ...translation.bundled import BundledTranslator

TYDI = {"en": "english_tydiqa_train.json", "ko": "korean_tydiqa_train.json"}
DENSE, BM25 = {"use": "dense"}, {"use": "bm25"}
RETRIEVERS: Mapping[str, Mapping[str, Any]] = {
    "bm25": BM25,
    "dense": DENSE,
    "hybrid": {"use": "hybrid", "parts": [BM25, DENSE]},
}
READ = 2  # passages: the first ones decide the answer
SEED = 1


def measure(folder: Path, *, questions: int, passages: int) -> dict[str, Any]:
    """The share of questions, in percent, whose paragraph is among the first `READ` passages.

    `questions` and `passages` are counted per language; `folder` holds the fetched data sets.
    """
    corpus, by_group = mixed_pool(folder, questions=questions, passages=passages)
    percents: dict[str, dict[str, float]] = {}
    for name, table in RETRIEVERS.items():
        retriever = retriever_over(corpus, table, folder_of(corpus, indexes_dir()))
        percents[name] = {
            group: _percent_retrieved(
                retriever.retrieve([query for query, _ in rows], k=READ), rows
            )
            for group, rows in by_group.items()
        }
    counts = {group: len(rows) for group, rows in by_group.items()}
    return {"passages": len(corpus), "questions": counts, "read": READ, "found": percents}


def mixed_pool(
    folder: Path, *, questions: int, passages: int
) -> tuple[Corpus, dict[str, list[tuple[Query, str]]]]:
    """The corpus, and the queries of each group with the docids of their paragraphs."""
    pool: list[Passage] = []
    as_asked: list[tuple[Query, str]] = []
    for lang, every in training_rows(folder).items():
        rows = [row for row in every if lang != "ja" or title_hash(row.title) >= HELD_OUT]
        corpus = build_distinct_corpus(f"pool.{lang}", lang, rows)
        kept = random.Random(SEED).sample(corpus.passages, min(passages, len(corpus)))
        first = {row.context: row for row in reversed(rows)}
        for passage in kept[:questions]:
            row = first[passage.text]
            question = Question(row.qid, row.question, lang)
            as_asked.append((Query(question, row.question, lang), passage.docid))
        pool += kept
    name = f"mixed-pool-{passages}"
    return Corpus(name, pool), {"as asked": as_asked, "in English": _in_english(as_asked)}


def training_rows(folder: Path) -> dict[str, list[SquadQuestion]]:
    """The questions of TyDi GoldP's training set in English and Korean, and of JaQuAD.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    rows = {lang: list(read_squad(folder / "tydiqa-goldp" / file)) for lang, file in TYDI.items()}
    return rows | {"ja": [row for file in JAQUAD for row in read_squad(folder / "jaquad" / file)]}


def _in_english(questions: Sequence[tuple[Query, str]]) -> list[tuple[Query, str]]:
    """The questions that are not English, as if they had been asked in English."""
    others = [(query.question, docid) for query, docid in questions if query.lang != "en"]
    translated = BundledTranslator().translate([question for question, _ in others], to="en")
    return [
        (Query(Question(query.question.qid, query.text, "en"), query.text, "en"), docid)
        for query, (_, docid) in zip(translated, others, strict=True)
    ]


def _percent_retrieved(
    rankings: Iterable[Sequence[Hit]], rows: Sequence[tuple[Query, str]]
) -> float:
    pairs = zip(rankings, rows, strict=True)
    is_retrieved = [docid in {hit.passage.docid for hit in hits} for hits, (_, docid) in pairs]
    return 100 * sum(is_retrieved) / len(is_retrieved)


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table with a row per retriever."""
    groups = figures["questions"]
    title = (
        f"paragraph among the first {figures['read']} of {figures['passages']:,} passages in en, "
        "ja and ko, percent of questions"
    )
    rows = tuple(
        (name, *(f"{percents[group]:.1f}" for group in groups))
        for name, percents in figures["found"].items()
    )
    columns = (f"{group} ({number})" for group, number in groups.items())
    return Grid(title, ("retriever", *columns), (rows,))
