"""Tatoeba: the accuracy of retrieving translations by cosine, as in XTREME.

The authors of LASER made the test sets ("Massively Multilingual Sentence Embeddings", TACL 2019);
Hu et al. 2020 (XTREME) and Ruder et al. 2021 (XTREME-R) use those of 36 and 41 languages. XTREME's
script searches the other language with each English sentence.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...metrics.report import Report, Score, average, with_subsets
from .margins import BLOCK, Vectors
from .xsim import check_parallel

TIE = 1e-9
"""Cosines that differ by less are equal."""

XTREME = (
    "ar", "he", "vi", "id", "jv", "tl", "eu", "ml", "ta", "te", "af", "nl", "de", "el", "bn", "hi",
    "mr", "ur", "fa", "fr", "it", "pt", "es", "bg", "ru", "ja", "ka", "ko", "th", "sw", "zh", "kk",
    "tr", "et", "fi", "hu",
)  # fmt: skip
"""The languages of XTREME."""

XTREME_R = (*XTREME, "az", "lt", "pl", "uk", "ro")
"""The languages of XTREME-R."""


def score_tatoeba(english: Vectors, other: Vectors, *, lang: str) -> list[Score]:
    """Two accuracies of each sentence pair; row n of `other` is the translation of `english`'s.

    `accuracy`, as XTREME's script: whether the sentence in the other language has the highest
    cosine with the English one. `accuracy_to_en`: the other direction. A tie is an error, where
    XTREME's script takes the first of equals.

    Raises:
        DataError: if the shapes differ, or there is no sentence.
    """
    check_parallel(english, other, lang)
    from_english, to_english = nearest_is_own(english, other), nearest_is_own(other, english)
    return [
        Score(f"{lang}-{row}", lang, {"accuracy": float(from_en), "accuracy_to_en": float(to_en)})
        for row, (from_en, to_en) in enumerate(zip(from_english, to_english, strict=True))
    ]


def nearest_is_own(x: Vectors, y: Vectors) -> NDArray[np.bool_]:
    """Whether each row of `x` has a higher cosine with its own row of `y` than with any other."""
    unit_x, unit_y = _unit(x), _unit(y)
    result = np.empty(len(x), bool)
    for start in range(0, len(x), BLOCK):
        cosines = unit_x[start : start + BLOCK] @ unit_y.T
        own = cosines.diagonal(start)[:, None]
        result[start : start + BLOCK] = (cosines > own - TIE).sum(axis=1) == 1
    return result


def tatoeba_report(scores: list[Score]) -> Report:
    """The averages, with those over the languages of XTREME and XTREME-R as subsets."""
    report = average(scores, task="tatoeba", scorer="official", signature="cosine")
    subsets: list[Mapping[str, str]] = [
        {score.qid: name for score in scores if score.lang in langs}
        for name, langs in (("XTREME", XTREME), ("XTREME-R", XTREME_R))
    ]
    return with_subsets(report, scores, subsets)


def _unit(vectors: Vectors) -> NDArray[np.float64]:
    double = vectors.astype(np.float64)
    lengths = np.linalg.norm(double, axis=1, keepdims=True)
    unit: NDArray[np.float64] = double / np.where(lengths > 0, lengths, 1)
    return unit
