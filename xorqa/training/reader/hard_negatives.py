"""Hard negatives: passages that a retriever ranks high for a question and that do not answer it.

Karpukhin et al. 2020 (DPR), section 6.1: a reader learns from one passage with the answer and
several that were retrieved without. Those of the same article are found by subject alone; what
is retrieved also shares the question's words, as all that a reader will be given does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ...core.lang import detect
from ...core.progress import Log, silent
from ...core.registry import build
from ...core.stages import Retriever
from ...core.types import Hit, Passage, Query, Question
from ...datasets.corpus import Corpus
from ...io.files import read_jsonl, write_jsonl
from ...io.squad_xor import SquadQuestion
from ...metrics.official.squad import normalize
from .recipe import ReaderRecipe

DEPTH = 100  # hits that are looked through
CHUNK = 500  # questions searched between two reports

Pair = tuple[str, str]


def hard_negatives(
    chosen: Sequence[SquadQuestion],
    questions: Sequence[SquadQuestion],
    recipe: ReaderRecipe,
    folder: Path,
    *,
    report: Log = silent,
) -> list[Pair]:
    """(question, passage) pairs that do not answer, from the paragraphs of `questions`.

    `recipe.hard_negatives` is their number per chosen question, of 0.25 every fourth gets one
    and of 1.5 all get one and every second another. A question gets the best-ranked passages
    there are, fewer if not enough of the first hits lack its answers. Index and pairs are kept
    in `folder`, so that a training that goes on has the same at once.
    """
    path = folder / "negatives.jsonl"
    wanted = _wanted(chosen, recipe)
    if not wanted:
        return []
    if not path.is_file():
        corpus = _corpus(questions)
        table = {"use": recipe.miner} if isinstance(recipe.miner, str) else recipe.miner
        retriever = build("retriever", table, corpus=corpus, folder=folder / "index")
        retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
        lang = corpus.languages[0]
        write_jsonl(path, _mined(wanted, _answers(questions), retriever, lang, report))
    return [(row["question"], row["passage"]) for _, row in read_jsonl(path)]


def _wanted(chosen: Sequence[SquadQuestion], recipe: ReaderRecipe) -> Mapping[SquadQuestion, int]:
    """How many hard negatives each question gets; one drawn twice gets twice as many."""
    whole, rest = divmod(recipe.hard_negatives, 1)
    more = random.Random(recipe.seed + 2).sample(list(chosen), round(rest * len(chosen)))
    return Counter([*list(chosen) * int(whole), *more])


def _corpus(questions: Sequence[SquadQuestion]) -> Corpus:
    """Each paragraph once, all in the language that the first of them are in together."""
    titles = {question.context: question.title for question in reversed(questions)}
    texts = sorted(titles)
    lang = detect(" ".join(texts[:20]))
    return Corpus(
        "paragraphs",
        [
            Passage(f"{at:07d}", text, titles[text].replace("_", " "), lang)
            for at, text in enumerate(texts)
        ],
    )


def _answers(questions: Sequence[SquadQuestion]) -> Mapping[str, set[str]]:
    """The normalised answers of each question's text; TyDi asks some of several paragraphs."""
    answers: dict[str, set[str]] = {}
    for question in questions:
        answers.setdefault(question.question, set()).update(map(normalize, question.answers))
    return answers


def _mined(
    wanted: Mapping[SquadQuestion, int],
    answers: Mapping[str, set[str]],
    retriever: Retriever,
    lang: str,
    report: Log,
) -> Iterator[dict[str, Any]]:
    questions = list(wanted)
    for at in range(0, len(questions), CHUNK):
        some = questions[at : at + CHUNK]
        report(f"hard negatives: {at} of {len(questions)} questions")
        asked = [Question(question.qid, question.question, lang) for question in some]
        found = retriever.retrieve([Query(q, q.text, lang) for q in asked], k=DEPTH)
        for question, hits in zip(some, found, strict=True):
            passages = _without(answers[question.question], hits)
            for passage in islice(passages, wanted[question]):
                yield {"question": question.question, "passage": passage}


def _without(answers: set[str], hits: Sequence[Hit]) -> Iterator[str]:
    """The hits' texts, best first, that hold none of the answers, normalised as SQuAD does."""
    for hit in hits:
        text = normalize(hit.passage.text)
        if not any(answer in text for answer in answers):
            yield hit.passage.text
