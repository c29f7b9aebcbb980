"""Score rankings against qrels, by trec_eval's measures and the mAP of LAReQA and XTREME-R.

All measures break ties alike: score descending, then docid ascending, or as trec_eval does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, DataError, one_of
from ..io.trec import Qrels, Run, ranked, trec_eval_order
from .report import Score

MEASURES = ("AP", "RR", "nDCG@10", "R@100", "Success@10")
"""The default measures."""

_OURS: dict[str, int | None] = {"mAP(pool)": None, "mAP@20": 20}
_EXAMPLES = (*MEASURES, *_OURS, "AP@10", "P@5", "RR@10", "Rprec", "nDCG")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The scores of the qrels' queries, and the queries that only the run or the qrels have.

    `missing` names the queries without a result in the run: they score 0. `extra` names the
    run's queries without qrels: they are not scored.
    """

    scores: list[Score]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def score_ranking(
    run: Run,
    qrels: Qrels,
    *,
    measures: Sequence[str] = MEASURES,
    langs: Mapping[str, str] | None = None,
    as_trec_eval: bool = False,
) -> Ranking:
    """Score every query of the qrels; values are from 0 to 1.

    Args:
        run: qid to docid to score; the order of the docids does not matter.
        qrels: qid to docid to grade. A query without a relevant docid scores 0.
        measures: names as ir_measures writes them, of trec_eval's measures or `RR@k`; `mAP(pool)`,
            LAReQA's (Roy et al. 2020, section 3), for runs that rank the whole pool; `mAP@20`,
            XTREME-R's (Ruder et al. 2021), which in its authors' code divides by the number of
            relevant docids or by 20, whichever is smaller, where `AP@20` always divides by the
            former.
        langs: the language of each query; without it, all queries are in the group "all".
        as_trec_eval: compare scores as 32-bit floats and order equal ones by docid descending.

    Raises:
        ConfigError: if a measure is unknown.
        DataError: if a query has no language, or a score is NaN.
    """
    parsed = {name: _measure(name) for name in measures if name not in _OURS}
    order = trec_eval_order if as_trec_eval else ranked
    rankings = {qid: list(order(run[qid])) for qid in qrels if run.get(qid)}
    by_trec_eval = _trec_eval(rankings, qrels, set(parsed.values()))
    scores = []
    for qid, grades in qrels.items():
        if langs is not None and qid not in langs:
            raise DataError(f"query '{qid}' of the qrels has no language")
        values = {
            name: _mean_precision(rankings.get(qid, []), grades, cutoff=_OURS[name])
            if name in _OURS
            else by_trec_eval.get((qid, parsed[name]), 0.0)
            for name in measures
        }
        scores.append(Score(qid, "all" if langs is None else langs[qid], values))
    missing = tuple(qid for qid in qrels if qid not in rankings)
    return Ranking(scores, missing, tuple(qid for qid in run if qid not in qrels))


def average_precision(
    ranked_relevance: NDArray[np.bool_], targets: int, *, cutoff: int | None = None
) -> float:
    """Average precision (0 to 1): the sum of precision at the relevant ranks, divided by `targets`.

    Without a cutoff this is LAReQA's (Roy et al. 2020, section 3). With one, later ranks
    count nothing and the divisor is min(targets, cutoff), as in the code of XTREME-R's authors.

    Args:
        ranked_relevance: shape (ranks,), best first.
        targets: the number of relevant candidates, ranked or not; if 0, the result is 0.0.
    """
    ranks = 1 + np.flatnonzero(ranked_relevance[:cutoff])
    divisor = targets if cutoff is None else min(targets, cutoff)
    return float(np.sum(np.arange(1, len(ranks) + 1) / ranks) / divisor) if divisor else 0.0


def _mean_precision(docids: list[str], grades: Mapping[str, int], *, cutoff: int | None) -> float:
    relevance = np.array([grades.get(docid, 0) > 0 for docid in docids], dtype=bool)
    targets = sum(grade > 0 for grade in grades.values())
    return average_precision(relevance, targets, cutoff=cutoff)


def _trec_eval(
    rankings: Mapping[str, Iterable[str]], qrels: Qrels, measures: set[Any]
) -> dict[tuple[str, Any], float]:
    """Values by qid and measure.

    trec_eval stores scores as 32-bit floats and breaks ties by docid descending, so it is given
    ranks as scores, which are exact up to 2**24. It hangs if all grades are negative, so negative
    grades, which it ignores, and queries without a relevant docid are not passed to it.
    """
    answered = [qid for qid in rankings if max(qrels[qid].values(), default=0) > 0]
    if not answered or not measures:
        return {}
    judged = {
        qid: {docid: grade for docid, grade in qrels[qid].items() if grade >= 0} for qid in answered
    }
    run = {
        qid: {docid: float(-rank) for rank, docid in enumerate(docids)}
        for qid, docids in rankings.items()
        if qid in judged
    }
    results = _provider().iter_calc(measures, judged, run)
    return {(result.query_id, result.measure): float(result.value) for result in results}


@cache
def _provider() -> Any:
    """trec_eval, and MS MARCO's reciprocal rank, which has a cutoff."""
    import ir_measures
    from ir_measures.providers import FallbackProvider

    return FallbackProvider([ir_measures.pytrec_eval, ir_measures.msmarco])


def _measure(name: str) -> Any:
    """The measure of this name in ir_measures, if a provider is installed."""
    import ir_measures

    message = f"no measure is called '{name}'; choose from these and others: {one_of(_EXAMPLES)}"
    try:
        measure = ir_measures.parse_measure(name)
        supported = _provider().supports(measure)
    except (AssertionError, NameError, TypeError, ValueError, KeyError) as error:
        raise ConfigError(message) from error
    least = [measure.params.get("cutoff", 1), measure.params.get("rel", 1)]
    sound = all(type(value) is int and value >= 1 for value in least)  # 0 kills the process
    counts = measure.NAME.startswith("Num")  # NumRet and the like are not ratios
    if counts or not sound or not supported:
        raise ConfigError(message)
    return measure
