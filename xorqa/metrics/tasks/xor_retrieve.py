"""XOR-Retrieve (Asai et al. 2021, section 3.1): English passages that contain the answer.

R@kt: is an answer within the first k thousand tokens? The official scorer equals the published
script: answers are searched verbatim in NLTK's tokens joined by spaces. A question is not counted
if it has only the answers "yes" and "no", or no prediction.

The strict scorer follows the paper; the budget counts the same tokens. Every question with a span
answer is counted, as a miss if it has no prediction; case, width and punctuation are ignored; and
an answer must be whole words within one passage.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

import regex

from ...core.errors import ConfigError
from ...core.lang import ENGLISH
from ...core.text.normalize import fold
from ...core.text.words import nltk_words
from ...core.types import Trace
from ...io.predictions import read_passages, write_passages
from ..measure import Measure
from ..report import Reference, Score
from ..task import Task, Values

CITATION = "Asai et al. 2021, section 3.1"
DEFAULT_K = (2, 5)
"""The task's two token budgets, in thousands."""

_PUNCTUATION = regex.compile(r"(?!(?<=\d)[.,]\d)[\p{P}\p{Sk}]")  # not in 1,294 and 3.5
_BOUNDARY = "\n"  # between passages; not in any compared answer

Tokenized = tuple[str, int]
"""Tokens joined by spaces, and their number; takes far less memory than a list."""


def score_xor_retrieve(
    references: Iterable[Reference],
    predictions: Mapping[str, Sequence[str]],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Score]:
    """R@kt of every question that is counted, 1.0 or 0.0, named `R@2kt`, `R@5kt`, ...

    Args:
        references: questions with English answers.
        predictions: qid to passages, best first.
        k: budgets in thousands of tokens.

    Raises:
        ConfigError: if a budget is less than 1.
    """
    limits = budgets(k)
    tokenize = cache(tokenized)  # systems return the same passage for many questions
    scores = []
    for reference in references:
        golds = spans(reference)
        if not golds or reference.qid not in predictions:
            continue
        values = {}
        for budget in limits:
            parts = first_tokens(predictions[reference.qid], 1000 * budget, tokenize)
            text = " ".join(parts)
            values[f"R@{budget}kt"] = float(any(gold in text for gold in golds))
        scores.append(Score(reference.qid, reference.lang, values))
    return scores


def budgets(k: Sequence[int]) -> list[int]:
    """The budgets in ascending order, without duplicates.

    Raises:
        ConfigError: if there are none, or one is less than 1.
    """
    limits = sorted(set(k))
    if not limits or limits[0] < 1:
        raise ConfigError(f"k must be thousands of tokens, 1 or more, not {list(k)}")
    return limits


def spans(reference: Reference) -> list[str]:
    """The gold answers that can occur in a passage: all but "yes" and "no"."""
    return [answer for answer in reference.answers if answer not in ("yes", "no")]


def tokenized(passage: str) -> Tokenized:
    """NLTK's tokens of a passage."""
    tokens = nltk_words(passage)
    return " ".join(tokens), len(tokens)


def first_tokens(
    passages: Iterable[str], limit: int, tokenize: Callable[[str], Tokenized]
) -> list[str]:
    """The first `limit` tokens, as one text per passage; passages without tokens are left out."""
    parts = []
    for passage in passages:
        text, count = tokenize(passage)
        if count >= limit:
            parts.append(" ".join(text.split(" ")[:limit]))
            break
        if count:  # an empty passage must not leave a second space
            parts.append(text)
            limit -= count
    return parts


def score_xor_retrieve_strict(
    references: Iterable[Reference],
    predictions: Mapping[str, Sequence[str]],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Score]:
    """R@kt of every question with a span answer; arguments and errors as `score_xor_retrieve`."""
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


def english_passages(traces: Sequence[Trace]) -> dict[str, tuple[str, ...]]:
    """The texts of the English passages of each trace, best first, route by route."""
    return {
        trace.question.qid: tuple(
            hit.passage.text
            for result in trace.by_route.values()
            for hit in result.hits
            if hit.passage.lang == ENGLISH
        )
        for trace in traces
    }


def scored_passages(passages: Sequence[str]) -> tuple[str, ...]:
    """The passages that fill the largest token budget; the last one is not cut."""
    left = 1000 * max(DEFAULT_K)
    for count, passage in enumerate(passages, 1):
        left -= _count(passage)
        if left <= 0:
            return tuple(passages[:count])
    return tuple(passages)


@lru_cache(maxsize=50_000)  # systems return the same passage for many questions
def _count(passage: str) -> int:
    return tokenized(passage)[1]


def explain(
    reference: Reference,
    passages: Sequence[str] | None,
    official: Values | None,
    strict: Values | None,
) -> str:
    """Why only one scorer finds an answer within the smallest budget on which they disagree."""
    if passages is None or official is None or strict is None:
        return "no prediction: official leaves the question out, strict counts a miss"
    name = next(name for name in official if official[name] != strict[name])
    budget = int(name.removeprefix("R@").removesuffix("kt"))
    texts, golds = first_tokens(passages, 1000 * budget, tokenized), spans(reference)
    if official[name]:
        return _why_strict_misses(golds, texts)
    joined = " ".join(texts)
    if any(tokenized(gold)[0] in joined for gold in golds):
        return "official misses the answer: NLTK puts spaces between its tokens"
    if any(fold(gold) in fold(joined) for gold in golds):
        return "official misses the answer: case or width differs"
    return "official misses the answer: punctuation differs, alone or with case and width"


def _why_strict_misses(golds: Sequence[str], texts: Sequence[str]) -> str:
    if not any(gold in text for gold in golds for text in texts):
        return "the answer spans two passages"
    normalised = [comparable(tokenized(gold)[0]).strip() for gold in golds]
    if any(gold in comparable(text) for gold in normalised if gold for text in texts):
        return "the answer occurs only inside a longer word or number"
    return "NLTK splits the answer differently from the passage"


XOR_RETRIEVE = Task(
    name="xor-retrieve",
    title="XOR-Retrieve: is an answer within the first 2,000 / 5,000 tokens?",
    scorers={"official": score_xor_retrieve, "strict": score_xor_retrieve_strict},
    measures=tuple(Measure(f"R@{k}kt", f"R@{k}kt", citation=CITATION) for k in DEFAULT_K),
    citation=CITATION,
    read_predictions=read_passages,
    write_predictions=write_passages,
    scored_part=scored_passages,
    answer_lang=ENGLISH,
    needs_answers=False,
    explain=explain,
    predict=english_passages,
)
