"""Random passages of the articles that a search finds, as Path Retriever learns from.

Asai et al. 2021 (XOR QA), appendix C.2: 50 random paragraphs of the ten articles that annotators
saw are the negatives of a question.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from ....core.progress import Log, silent
from ....core.stages import Retriever
from ....core.types import Hit, Query, Question
from ....io.files import read_jsonl, write_jsonl
from ....io.squad_xor import SquadQuestion
from ....metrics.tasks.squad import normalize
from ..reader.samples import DEPTH, answers_by_question, paragraph_corpus

ARTICLES = 10


def article_negatives(
    questions: Sequence[SquadQuestion],
    pool: Sequence[SquadQuestion],
    *,
    count: int,
    make_retriever: Callable[..., Retriever],
    rng: random.Random,
    folder: Path,
    report: Log = silent,
) -> dict[str, list[str]]:
    """Up to `count` passages without an answer for the text of each question.

    They are drawn from the paragraphs of `pool` whose articles the first `DEPTH` hits come from,
    `ARTICLES` at most. The index and the passages are stored in `folder`.
    """
    if not count or not questions:
        return {}
    path = folder / "random.jsonl"
    if not path.is_file():
        corpus = paragraph_corpus(pool)
        retriever = make_retriever(corpus=corpus, folder=folder / "index")
        retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
        members: dict[str, list[str]] = {}
        for passage in corpus:
            members.setdefault(passage.title, []).append(passage.text)
        answers, lang = answers_by_question(pool), corpus.languages[0]
        distinct = list({question.question: question for question in questions}.values())
        queries = [Query(Question(q.qid, q.question, lang), q.question, lang) for q in distinct]
        rows = []
        for question, hits in zip(distinct, retriever.retrieve(queries, k=DEPTH), strict=True):
            wrong = [
                text
                for title in _titles(hits)
                for text in members[title]
                if not any(answer in normalize(text) for answer in answers[question.question])
            ]
            drawn = rng.sample(wrong, min(count, len(wrong)))
            rows.append({"question": question.question, "passages": drawn})
        write_jsonl(path, rows)
        fewer = sum(len(row["passages"]) < count for row in rows)
        report(f"random negatives: {fewer} of {len(rows)} questions have fewer than {count}")
    return {row["question"]: row["passages"] for _, row in read_jsonl(path)}


def _titles(hits: Sequence[Hit]) -> list[str]:
    return list(dict.fromkeys(hit.passage.title for hit in hits))[:ARTICLES]
