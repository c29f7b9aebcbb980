"""XOR-Retrieve (Asai et al. 2021, section 3.1): English passages that contain the answer."""

from collections.abc import Sequence
from functools import lru_cache

from ...core.text.normalize import fold
from ...core.types import Trace
from ...io.predictions import read_passages, write_passages
from ..official.xor_retrieve import DEFAULT_K, first_tokens, score_xor_retrieve, spans, tokenized
from ..report import Reference
from ..strict import xor_retrieve as strict
from ..task import Task, Values

ENGLISH = "en"


def english_passages(traces: Sequence[Trace]) -> dict[str, tuple[str, ...]]:
    """The texts of the English passages of each trace, best first, route by route."""
    return {trace.question.qid: _english(trace) for trace in traces}


def _english(trace: Trace) -> tuple[str, ...]:
    passages = [hit.passage for result in trace.by_route.values() for hit in result.hits]
    return tuple(passage.text for passage in passages if passage.lang == ENGLISH)


def scored_passages(passages: Sequence[str]) -> tuple[str, ...]:
    """The passages that fill the largest token budget; the last one is not cut."""
    left = 1000 * max(DEFAULT_K)
    for at, passage in enumerate(passages, 1):
        left -= _count(passage)
        if left <= 0:
            return tuple(passages[:at])
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
    normalised = [strict.comparable(tokenized(gold)[0]).strip() for gold in golds]
    if any(gold in strict.comparable(text) for gold in normalised if gold for text in texts):
        return "the answer occurs only inside a longer word or number"
    return "NLTK splits the answer differently from the passage"


XOR_RETRIEVE = Task(
    name="xor-retrieve",
    title="XOR-Retrieve: is an answer within the first 2,000 / 5,000 tokens?",
    scorers={"official": score_xor_retrieve, "strict": strict.score_xor_retrieve},
    read_predictions=read_passages,
    write_predictions=write_passages,
    scored_part=scored_passages,
    answer_lang=ENGLISH,
    needs_answers=False,
    explain=explain,
    predict=english_passages,
)
