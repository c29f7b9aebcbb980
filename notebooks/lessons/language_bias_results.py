"""Three encoders and BM25 on the bundled pool of sentences: the results of lesson 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.common.transforms import fit_transform
from xorqa.lab.lareqa.data import open_pool
from xorqa.lab.lareqa.evaluate import EncoderResult, evaluate_encoder
from xorqa.lab.lareqa.measures import average_precisions
from xorqa.lab.lareqa.pool import Pool
from xorqa.lab.lareqa.ranks import target_ranks
from xorqa.lab.lareqa.similarity import Vectors, encode_pool, lexical_scores
from xorqa.models.transforms import open_transform

from .bundled import folder
from .intervals import Difference, difference, mean_interval, middle

Floats = NDArray[np.floating[Any]]

DTYPE = "dtype=float32"  # the same on every machine
E5 = f"e5-small-q4,{DTYPE}"
RAW, CENTRED, ALIGNED, WORDS = "as it comes", "centred", "aligned", "bm25"
SYSTEMS = {  # encoder and transform
    RAW: (E5, "none"),
    CENTRED: (E5, "center"),
    ALIGNED: (f"encoder-aligned,{DTYPE}", "encoder-aligned"),
    WORDS: ("bm25", "none"),
}
ENCODERS = (RAW, CENTRED, ALIGNED)


@cache
def pool() -> Pool:
    """The bundled pool."""
    return open_pool("mini")


@cache
def evaluate(name: str, *, half: bool = False) -> EncoderResult:
    """The results of one of `SYSTEMS`; with `half`, fitted and evaluated on halves of the pool."""
    encoder, transform = SYSTEMS[name]
    fitted: Any = "half" if half else "pool"
    (result,) = evaluate_encoder(
        pool(), encoder, [transform], fitted=fitted, folder=folder("vectors")
    )
    return replace(result, name=name)


def percent(name: str, *, half: bool = False) -> dict[str, float]:
    """The overall measures of one of `SYSTEMS`, in percent."""
    measures = evaluate(name, half=half).measures.overall
    return {measure: 100 * value for measure, value in measures.items()}


def probe(name: str, *, half: bool = False) -> dict[str, float]:
    """How often a linear probe names the language of "questions" and "candidates", in percent."""
    shares = evaluate(name, half=half).probe
    return {side: 100 * share for side, share in shares.items() if share is not None}


def pairs(name: str) -> Floats:
    """mAP of one right sentence, in percent: question language by the sentence's language."""
    values = evaluate(name).measures.one_target
    langs = pool().langs
    return np.array(
        [[100 * values[question_lang][lang] for lang in langs] for question_lang in langs]
    )


@cache
def vectors(name: str) -> Vectors:
    """The vectors of one of `ENCODERS`."""
    if name not in ENCODERS:
        raise ValueError(f"no vectors of {name!r}; valid: {', '.join(ENCODERS)}")
    encoder, transform = SYSTEMS[name]
    raw = encode_pool(encoder, pool(), folder=folder("vectors"))
    if name == RAW:
        return raw
    if name == CENTRED:
        return raw.transformed(pool(), fit_transform(raw.by_key(pool()), transform))
    return raw.transformed(pool(), open_transform(transform, encoder=raw.encoder or encoder))


@cache
def scores(name: str) -> Floats:
    """The similarities of all questions (rows) and all sentences by one of `SYSTEMS`."""
    return (lexical_scores(pool()) if name == WORDS else vectors(name).scores)(slice(None))


def question_at(qid: str, lang: str) -> int:
    """The position of a question in the pool, by the end of its qid."""
    questions = enumerate(pool().questions)
    return next(
        row for row, question in questions if question.lang == lang and question.qid.endswith(qid)
    )


def nearest(name: str, question: int, count: int = 10) -> NDArray[np.int64]:
    """The positions of the sentences nearest to a question, equal scores in the pool's order."""
    return np.argsort(-scores(name)[question], kind="stable")[:count]


def right_among(name: str, question: int, count: int = 8) -> int:
    """How many of a question's nearest sentences are right."""
    qid = pool().questions[question].qid
    return sum(
        qid in pool().sentences[sentence].answers for sentence in nearest(name, question, count)
    )


def precisions(name: str) -> Floats:
    """The average precision of each question by one of `ENCODERS`."""
    return average_precisions(target_ranks(vectors(name).scores, pool()).ahead)


def gain(before: str, after: str) -> Difference:
    """The points of mAP between two encoders, with the interval over facts."""
    facts = [question.qid for question in pool().questions]
    return difference(precisions(before), precisions(after), groups=facts)


def over_facts(values: Floats) -> str:
    """The mean of values (0 to 1) with a row per question, in percent, and its interval."""
    by_fact = 100 * _by_fact(values.mean(axis=1))
    low, high = mean_interval(by_fact)
    return f"{by_fact.mean():.1f} [{low:.1f}, {high:.1f}]"


def bias_left(name: str) -> tuple[float, float, float]:
    """An encoder's relative difference over that as it comes, and its interval over facts."""
    removed = np.array([_removed_by_fact(one) for one in (name, RAW)])
    drawn = np.random.default_rng(1).integers(removed.shape[2], size=(10_000, removed.shape[2]))

    def ratio(same_rand: Floats) -> Floats:
        same, rand = same_rand[:, 0], same_rand[:, 1]
        relative: Floats = (rand - same) / rand
        quotient: Floats = relative[0] / relative[1]
        return quotient

    return float(ratio(removed.mean(axis=2))), *middle(ratio(removed[:, :, drawn].mean(axis=3)))


def half(tested: int) -> tuple[float, float, Difference]:
    """mAP as it comes and centred on one half (0 or 1) with means of the other, and the gain."""
    raw, whole = vectors(RAW), pool()
    learned, rest = (
        (whole.subset(keep), raw.subset(whole, keep))
        for keep in (lambda group: group % 2 != tested, lambda group: group % 2 == tested)
    )
    part, before = rest
    after = before.transformed(part, fit_transform(learned[1].by_key(learned[0]), "center"))
    both = [average_precisions(target_ranks(one.scores, part).ahead) for one in (before, after)]
    facts = [question.qid for question in part.questions]
    return 100 * both[0].mean(), 100 * both[1].mean(), difference(*both, groups=facts)


def _by_fact(values: Floats) -> Floats:
    """The mean of each fact over the languages in which it is asked."""
    _, facts = np.unique([question.qid for question in pool().questions], return_inverse=True)
    return np.bincount(facts, values) / np.bincount(facts)


def _removed_by_fact(name: str) -> Floats:
    """mAP of each fact without the own sentence, and without one of the others."""
    ranks = target_ranks(vectors(name).scores, pool())
    own = ranks.target_langs == ranks.question_langs[:, None]
    without = np.array(
        [
            average_precisions(np.delete(ranks.ahead, at, axis=1))
            for at in range(ranks.ahead.shape[1])
        ]
    ).T
    same, rand = without[own], (without * ~own).sum(axis=1) / (~own).sum(axis=1)
    return np.array([_by_fact(same), _by_fact(rand)])


@cache
def languages_of_nearest(name: str, count: int) -> Floats:
    """Question language (rows) to languages of its nearest sentences, in percent."""
    langs = pool().langs
    question_langs = np.array([row.lang for row in pool().questions])
    sentence_langs = np.array([row.lang for row in pool().sentences])
    nearest_langs = np.array(
        [sentence_langs[nearest(name, question, count)] for question in range(len(question_langs))]
    )
    return np.array(
        [[100 * np.mean(nearest_langs[question_langs == a] == b) for b in langs] for a in langs]
    )


def mean_precision(*ahead: Sequence[float]) -> float:
    """The library's mAP, from how many wrong sentences are ahead of each right one, by question."""
    return float(average_precisions(np.array(ahead, float)).mean())
