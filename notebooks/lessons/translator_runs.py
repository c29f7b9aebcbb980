"""Searches and answers of the bundled world's questions with a translator, and their measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.core.registry import build
from xorqa.core.stages import Localiser
from xorqa.core.types import ReadingFailure
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import Cache
from xorqa.lab.common.translation_measures import entities as count_entities
from xorqa.lab.common.translation_measures import score_translations
from xorqa.lab.ledger.back_translation import AnswerPair, LocalisedAnswer, localise_answers
from xorqa.lab.ledger.loss_oracles import oracle_answers
from xorqa.lab.ledger.losses import STAGES, Losses, make_losses
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference

from .bundled import crossing, folder, rank
from .intervals import Difference, difference

Table = Mapping[str, Any]
"""The settings of a translator."""

DEPTH = 20  # hits
READER = {"use": "span", "passages": 2}


def today() -> str:
    """The date, as recordings have it."""
    return date.today().isoformat()


def search(translator: Table, lang: str | None = None) -> tuple[list[str], list[int | None]]:
    """BM25's query and the rank of the gold passage (None: not among 20) for each question.

    `translator` is a table of settings; `lang` selects one language.
    """
    examples = [example for example in crossing() if lang in (None, example.question.lang)]
    pipeline = _pipeline(translator, k=DEPTH)
    traces = pipeline.answer([example.question for example in examples], until=Stop.RETRIEVE)
    results = [trace.by_route["eng"] for trace in traces]
    ranks = [rank(result.hits, example) for result, example in zip(results, examples, strict=True)]
    return [result.query.text for result in results], ranks


def search_with(text: str, qid: str) -> tuple[int | None, str]:
    """The rank of a question's gold passage when BM25 searches with `text`; the first hit."""
    example = next(example for example in crossing() if example.question.qid == qid)
    pipeline = _pipeline({"use": "human"}, k=DEPTH, translations={qid: text})
    (trace,) = pipeline.answer([example.question], until=Stop.RETRIEVE)
    hits = trace.by_route["eng"].hits
    return rank(hits, example), hits[0].passage.title


def references() -> list[str]:
    """The human translations of all questions."""
    return [example.human_translation or "" for example in crossing()]


def languages() -> list[str]:
    """The languages of all questions."""
    return [example.question.lang for example in crossing()]


def scores(texts: Sequence[str], human: Sequence[str] | None = None) -> Mapping[str, float]:
    """BLEU, chrF and entity recall of texts, by default of a query for each question."""
    human = references() if human is None else human
    return score_translations(texts, human, ["all"] * len(texts)).per_lang["all"]


def scores_by_language(texts: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """The same for each language."""
    return score_translations(texts, references(), languages()).per_lang


def entities(text: str) -> list[str]:
    """The names and numbers of an English text, without capitals."""
    return list(count_entities(text).elements())


def ledger(translators: Mapping[str, Table]) -> Losses:
    """The loss ledger: BM25, a reader of two passages, and localisation by rules and sound."""
    return make_losses(
        _settings(), _world(), translators, cache=_cache(), indexes=folder("indexes")
    )


def losses_after_translation() -> dict[str, Difference]:
    """What retrieval, reading and back-translation lose, with intervals over questions."""
    return {
        stage: difference(before, after)
        for stage, (before, after) in zip(STAGES[1:], pairwise(_oracle_f1()), strict=True)
    }


def reading_less_retrieval() -> Difference:
    """How much more reading loses than retrieval."""
    human, passage, span, _ = np.array(_oracle_f1())
    return difference(passage - human, span - passage)


def _oracle_f1() -> list[list[float]]:
    """Each question's F1 with the human translation, the gold passage, the gold span, and 1."""
    failures: list[ReadingFailure] = []
    oracles = oracle_answers(
        _settings(), _world(), crossing(), cache=_cache(), failed=failures.append
    )
    assert not failures, failures
    qids = [example.question.qid for example in crossing()]
    by_oracle = [_f1(dict(zip(qids, texts, strict=True))) for texts in oracles]
    return [answer_f1({"use": "human"}), *by_oracle, [1.0] * len(qids)]


def answer_f1(translator: Table, **reader: Any) -> list[float]:
    """Each question's F1 (0 to 1) in the ledger with one translator and settings of the reader.

    `text="question"` lets the reader read the question as asked instead of the query.
    """
    pipeline = _pipeline(
        translator, k=10, reader=READER | reader, localiser={"use": "chain"}, cache=_cache()
    )
    traces = pipeline.answer([example.question for example in crossing()])
    answers = {trace.question.qid: trace.answer.text if trace.answer else "" for trace in traces}
    return _f1(answers)


def _f1(answers: Mapping[str, str]) -> list[float]:
    """Each question's F1 of XOR-Full, given answers by question id."""
    golds = [
        Reference(
            example.question.qid, example.question.lang, example.answers(example.question.lang)
        )
        for example in crossing()
    ]
    scored = find_task("xor-full").score(golds, answers, scorer="strict")
    return [score.values["f1"] for score in scored]


def localise(text: str, lang: str) -> tuple[str, str]:
    """An English answer in a language by the localiser `chain`, and its method."""
    return ChainLocaliser().localise_text(text, lang) or (text, "copied")


def localised(name: str, **settings: Any) -> list[LocalisedAnswer]:
    """Every first gold English answer in its question's language, by the localiser `name`."""
    localiser: Localiser = build("localiser", {"use": name, **settings})
    rows: list[LocalisedAnswer] = []
    for example in crossing():
        pair = AnswerPair(example.answers("en")[0], example.answers(example.question.lang))
        rows += localise_answers(localiser, [pair], lang=example.question.lang)
    return rows


def _pipeline(translator: Table, **options: Any) -> Pipeline:
    """BM25 over the English passages with a translator."""
    world = load_dataset("mini")
    return Pipeline(
        [Route("eng", {"use": "bm25"}, dict(translator))],
        world.corpora,
        indexes=folder("indexes"),
        **{"translations": world.translations, **options},
    )


def _settings() -> PipelineSettings:
    """Those of the ledger."""
    return PipelineSettings(
        (Route("eng", {"use": "bm25"}),), k=10, reader=READER, localiser={"use": "chain"}
    )


def _world() -> Dataset:
    """The bundled world with the lesson's questions only."""
    return replace(load_dataset("mini"), examples=tuple(crossing()))


@cache
def _cache() -> Cache:
    return Cache(folder("stages.sqlite"))
