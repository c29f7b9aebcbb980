"""Make training windows of questions, with and without an answer, and batches of windows."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.types import Span
from ....datasets.dataset import title_hash
from ....io.squad_xor import SquadQuestion
from ....reading.features import Window, make_windows
from ....reading.pairs import QuestionPassage
from ..common.recipe import SquadSource

TOKENIZED_TOGETHER = 1000  # pairs
SORTED_TOGETHER = 50  # batches


@dataclass(frozen=True, slots=True)
class TeacherScores:
    """A teacher's logits: (tokens of the context, 2) for start and end, and for relevance."""

    spans: NDArray[np.float16]
    relevance: float


@dataclass(frozen=True, slots=True)
class LabeledWindow:
    """One training window; `gold` is a token span, None if the window has no answer.

    A window with a `teacher` has no gold: its labels are the teacher's distributions.
    """

    window: Window
    gold: Span | None
    teacher: TeacherScores | None = None


@dataclass(frozen=True, slots=True)
class SourceSample:
    """The sample of one source: questions with their passage, and pairs without an answer."""

    questions: list[SquadQuestion]
    unanswerable: list[QuestionPassage]


def is_held_out(question: SquadQuestion, share: float) -> bool:
    """Whether the question's article is held out, by a hash of its title.

    A paragraph without a title counts as an article.
    """
    return title_hash(question.title or question.context) < share


def usable_questions(
    questions: Iterable[SquadQuestion], source: SquadSource, *, held_out: bool = False
) -> list[SquadQuestion]:
    """A source's training questions, or its held-out ones, whose answer offset is reliable."""
    return [
        question
        for question in questions
        if is_held_out(question, source.held_out) is held_out
        and (is_unambiguous(question) if source.first_offsets else is_in_place(question))
    ]


def sample_sources(
    pools: Sequence[Sequence[SquadQuestion]],
    weights: Sequence[float],
    *,
    questions: int,
    negatives: float,
    rng: random.Random,
) -> list[SourceSample]:
    """Sample that many questions from the pools by weight, with negatives for a share of them."""
    samples = []
    for pool, weight in zip(pools, weights, strict=True):
        sampled = _sample(pool, round(questions * weight / sum(weights)), rng)
        share = rng.sample(sampled, int(negatives * len(sampled)))
        samples.append(SourceSample(sampled, sample_negatives(share, pool, rng)))
    return samples


def _sample(
    questions: Sequence[SquadQuestion], number: int, rng: random.Random
) -> list[SquadQuestion]:
    """`number` questions at random; a smaller pool is repeated as often as necessary."""
    if not questions:
        return []
    times, rest = divmod(number, len(questions))
    return [*questions] * times + rng.sample(list(questions), rest)


def sample_negatives(
    sampled: Sequence[SquadQuestion], questions: Sequence[SquadQuestion], rng: random.Random
) -> list[QuestionPassage]:
    """A passage without the answer for each question: 3 in 4 from the same article."""
    by_title: dict[str, list[str]] = {}
    for title, context in sorted({(q.title, q.context) for q in questions}):
        by_title.setdefault(title, []).append(context)
    titles = sorted(by_title)
    pairs = []
    for question in sampled:
        title = question.title if rng.random() < 0.75 else rng.choice(titles)
        passage = rng.choice(by_title[title])
        if question.answers[0].lower() not in passage.lower():
            pairs.append(QuestionPassage(question.question, passage))
    return pairs


def answerable_windows(
    questions: Sequence[SquadQuestion], tokenizer: Any, max_tokens: int
) -> list[LabeledWindow]:
    """The first window of each question's passage that contains the whole answer."""
    labeled: list[LabeledWindow] = []
    seen: set[int] = set()
    pairs = [QuestionPassage(question.question, question.context) for question in questions]
    for window in _windows(pairs, tokenizer, max_tokens):
        span = questions[window.pair].span
        gold = window.token_span(span) if span else None
        if window.pair not in seen and gold is not None:
            seen.add(window.pair)
            labeled.append(LabeledWindow(window, gold))
    return labeled


def unanswerable_windows(
    pairs: Sequence[QuestionPassage], tokenizer: Any, max_tokens: int
) -> list[LabeledWindow]:
    """The first window of each (question, passage) without an answer."""
    windows = _windows(pairs, tokenizer, max_tokens)
    firsts = {window.pair: window for window in reversed(windows)}
    return [LabeledWindow(firsts[pair], None) for pair in sorted(firsts)]


def _windows(pairs: Sequence[QuestionPassage], tokenizer: Any, max_tokens: int) -> list[Window]:
    windows: list[Window] = []
    for start in range(0, len(pairs), TOKENIZED_TOGETHER):  # a tokenizer's output is large
        questions, passages = zip(*pairs[start : start + TOKENIZED_TOGETHER], strict=True)
        chunk = make_windows(
            tokenizer, questions, passages, max_tokens=max_tokens, stride=max_tokens // 3
        )
        windows += [replace(window, pair=start + window.pair) for window in chunk]
    return windows


def make_batches(
    windows: Sequence[LabeledWindow], *, size: int, rng: random.Random
) -> list[list[LabeledWindow]]:
    """Shuffled batches of windows of similar length."""
    shuffled = rng.sample(list(windows), len(windows))
    batches = []
    for at in range(0, len(shuffled), SORTED_TOGETHER * size):
        pool = shuffled[at : at + SORTED_TOGETHER * size]
        pool.sort(key=lambda labeled: len(labeled.window.ids))
        batches += [pool[i : i + size] for i in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches


def is_in_place(question: SquadQuestion) -> bool:
    """Whether the first answer is at its offset; a few of ARCD's are not."""
    span = question.span
    return span is not None and question.context.startswith(question.answers[0], span.start)


def is_unambiguous(question: SquadQuestion) -> bool:
    """Whether the answer occurs once; SQuAD's offsets mark only the first occurrence."""
    return bool(question.answers) and question.context.count(question.answers[0]) == 1
