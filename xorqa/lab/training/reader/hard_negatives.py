"""Hard negatives: passages that a retriever ranks high for a question and that do not answer it.

Karpukhin et al. 2020 (DPR), section 6.1: a reader learns from one passage with the answer and
several retrieved ones without. Random passages of the same article share its subject only;
retrieved ones also share the question's words, as every passage does that a reader gets later.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ....core.progress import Log, silent
from ....core.registry import build, table_of
from ....core.stages import Retriever
from ....core.text.detection import detect_language
from ....core.types import Hit, Passage, Query, Question
from ....datasets.corpus import Corpus
from ....io.files import read_jsonl, write_jsonl
from ....io.squad_xor import SquadQuestion
from ....metrics.tasks.squad import normalize
from ....reading.pairs import QuestionPassage

DEPTH = 100  # hits inspected per question
CHUNK = 500  # questions searched between two reports


def mine_hard_negatives(
    selected: Sequence[SquadQuestion],
    questions: Sequence[SquadQuestion],
    *,
    per_question: float,
    miner: Any,
    rng: random.Random,
    folder: Path,
    report: Log = silent,
) -> list[QuestionPassage]:
    """(question, passage) pairs without an answer, from the paragraphs of `questions`.

    With `per_question` 0.25 every fourth of the selected questions gets one, with 1.5 all get one
    and half of them another. A question gets the best-ranked passages that lack its answers,
    fewer if there are not enough in the first `DEPTH` hits. The index and the pairs are stored in
    `folder`, so a resumed training run reuses them.
    """
    path = folder / "negatives.jsonl"
    numbers = _numbers(selected, per_question, rng)
    if not numbers:
        return []
    if not path.is_file():
        corpus = _corpus(questions)
        table = table_of("retriever", miner)
        retriever = build("retriever", table, corpus=corpus, folder=folder / "index")
        retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
        lang = corpus.languages[0]
        write_jsonl(path, _mine(numbers, _answers(questions), retriever, lang, report))
    return [QuestionPassage(row["question"], row["passage"]) for _, row in read_jsonl(path)]


def _numbers(
    selected: Sequence[SquadQuestion], per_question: float, rng: random.Random
) -> Mapping[SquadQuestion, int]:
    """The number of hard negatives per question; one selected twice gets twice as many."""
    whole, fraction = divmod(per_question, 1)
    extra = rng.sample(list(selected), round(fraction * len(selected)))
    return Counter([*list(selected) * int(whole), *extra])


def _corpus(questions: Sequence[SquadQuestion]) -> Corpus:
    """Each paragraph once, all in the language detected from the first ones."""
    titles = {question.context: question.title for question in reversed(questions)}
    texts = sorted(titles)
    lang = detect_language(" ".join(texts[:20]))
    return Corpus(
        "paragraphs",
        [
            Passage(f"{at:07d}", text, titles[text].replace("_", " "), lang)
            for at, text in enumerate(texts)
        ],
    )


def _answers(questions: Sequence[SquadQuestion]) -> Mapping[str, set[str]]:
    """The normalised answers of each question text; TyDi asks some of several paragraphs."""
    answers: dict[str, set[str]] = {}
    for question in questions:
        answers.setdefault(question.question, set()).update(map(normalize, question.answers))
    return answers


def _mine(
    numbers: Mapping[SquadQuestion, int],
    answers: Mapping[str, set[str]],
    retriever: Retriever,
    lang: str,
    report: Log,
) -> Iterator[dict[str, Any]]:
    questions = list(numbers)
    for at in range(0, len(questions), CHUNK):
        chunk = questions[at : at + CHUNK]
        report(f"hard negatives: {at} of {len(questions)} questions")
        queries = [
            Query(Question(one.qid, one.question, lang), one.question, lang) for one in chunk
        ]
        for question, hits in zip(chunk, retriever.retrieve(queries, k=DEPTH), strict=True):
            passages = _without(answers[question.question], hits)
            for passage in islice(passages, numbers[question]):
                yield {"question": question.question, "passage": passage}


def _without(answers: set[str], hits: Sequence[Hit]) -> Iterator[str]:
    """The texts of the hits, best first, that contain no answer after SQuAD's normalisation."""
    for hit in hits:
        text = normalize(hit.passage.text)
        if not any(answer in text for answer in answers):
            yield hit.passage.text
