"""XOR-Retrieve's R@kt as in the paper: is an answer within the first k thousand tokens?

Asai et al. 2021, section 3.1. The budget counts the same tokens as the official script. Unlike in
the script, every question with a span answer is counted, as a miss if it has no prediction; case,
width and punctuation are ignored; and an answer must be whole words within one passage.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

import regex

from ...core.text.normalize import fold
from ..official.xor_retrieve import DEFAULT_K, budgets, first_tokens, spans, tokenized
from ..report import Reference, Score

_PUNCTUATION = regex.compile(r"(?!(?<=\d)[.,]\d)[\p{P}\p{Sk}]")  # not in 1,294 and 3.5
_BOUNDARY = "\n"  # between passages; not in any compared answer


def score_xor_retrieve(
    references: Iterable[Reference],
    predictions: Mapping[str, Sequence[str]],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Score]:
    """R@kt of every question with a span answer, 1.0 or 0.0, named `R@2kt`, `R@5kt`, ...

    Args:
        references: questions with English answers.
        predictions: qid to passages, best first.
        k: budgets in thousands of tokens.

    Raises:
        ConfigError: if a budget is less than 1.
    """
    limits = budgets(k)
    tokenize = cache(tokenized)  # systems return the same passage for many questions
    compare = cache(comparable)
    scores = []
    for reference in references:
        golds = {gold: compare(tokenize(gold)[0]) for gold in spans(reference)}
        if not golds:
            continue
        passages, values = predictions.get(reference.qid, ()), {}
        for budget in limits:
            parts = first_tokens(passages, 1000 * budget, tokenize)
            values[f"R@{budget}kt"] = float(_is_answered(golds, parts, compare))
        scores.append(Score(reference.qid, reference.lang, values))
    return scores


def comparable(tokens: str) -> str:
    """Fold tokens; punctuation becomes spaces, and a space is added at both ends.

    A text that is all punctuation becomes two spaces.
    """
    return f" {' '.join(_PUNCTUATION.sub(' ', fold(tokens)).split())} "


def _is_answered(
    golds: Mapping[str, str], parts: Sequence[str], compare: Callable[[str], str]
) -> bool:
    """Whether a gold answer occurs in a passage; one of only punctuation is searched verbatim."""
    text = _BOUNDARY.join(map(compare, parts))
    return any(
        compared in text if compared.strip() else gold.strip() and gold in " ".join(parts)
        for gold, compared in golds.items()
    )
