"""BUCC: precision, recall and F1 of mined sentence pairs, as XTREME's scripts compute them.

Zweigenbaum et al. 2018 (BUCC 2018); Hu et al. 2020 (XTREME). The scripts are `evaluate.py` and
`third_party/utils_retrieve.py` of google-research/xtreme.
"""

from collections.abc import Collection, Mapping, Set

from ...metrics.report import Report, Score, average

Pair = tuple[str, str]
"""The ids of two sentences."""


def tune_threshold(candidates: Mapping[Pair, float], gold: Collection[Pair]) -> float:
    """The threshold with the highest F1: halfway between the last pair that it keeps and the next.

    Of equal F1, the highest threshold. It is 0 if no candidate is a gold pair, and the last score
    if all candidates are kept, where XTREME's script fails. Pairs of equal score are taken in
    their order, so that the threshold may lie between them; all of them are then kept.
    """
    ranked = sorted(candidates.items(), key=lambda item: -item[1])
    correct, best, threshold = 0, 0.0, 0.0
    for kept, (pair, score) in enumerate(ranked, 1):
        correct += pair in gold
        values = f1_scores(correct, kept, len(gold))
        if values["f1"] > best:
            following = ranked[kept][1] if kept < len(ranked) else score
            best, threshold = values["f1"], (score + following) / 2
    return threshold


def above(candidates: Mapping[Pair, float], threshold: float) -> set[Pair]:
    """The pairs whose score is not below the threshold."""
    return {pair for pair, score in candidates.items() if score >= threshold}


def score_pairs(pairs: Set[Pair], gold: Set[Pair]) -> dict[str, float]:
    """`f1`, `precision` and `recall` (0 to 1) of mined pairs."""
    return f1_scores(len(pairs & gold), len(pairs), len(gold))


def f1_scores(correct: int, mined: int, gold: int) -> dict[str, float]:
    """`f1`, `precision` and `recall` (0 to 1) from counts of pairs; 0 if none is correct."""
    if not correct:
        return {"f1": 0.0, "precision": 0.0, "recall": 0.0}
    precision, recall = correct / mined, correct / gold
    f1 = 2 * precision * recall / (precision + recall)
    return {"f1": f1, "precision": precision, "recall": recall}


def bucc_report(
    values: Mapping[str, Mapping[str, float]], n: Mapping[str, int], *, signature: str
) -> Report:
    """The report of the values of `score_pairs` by language; `n` counts the gold pairs."""
    scores = [Score(lang, lang, row) for lang, row in values.items()]
    report = average(scores, task="bucc", scorer="official", signature=signature)
    return Report(report.task, report.scorer, report.per_lang, report.macro, n, signature)
