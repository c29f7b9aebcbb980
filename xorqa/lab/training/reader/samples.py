"""Samples of questions to train on, with passages that answer and others, as windows in batches.

Hard negatives are passages that a retriever ranks high for a question and that do not answer it.
Karpukhin et al. 2020 (DPR), section 6.1: a reader learns from one passage with the answer and
several retrieved ones without. Random passages of the same article share its subject only;
retrieved ones also share the question's words, as every passage does that a reader gets later.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.progress import Log, silent
from ....core.registry import build
from ....core.stages import Retriever
from ....core.text.detection import detect_language
from ....core.types import Hit, Passage, Query, Question, Span
from ....datasets.corpus import Corpus
from ....io.files import read_jsonl, write_jsonl
from ....io.squad_xor import SquadQuestion, read_squad
from ....metrics.tasks.squad import normalize
from ....reading.features import Window, make_windows
from ....reading.pairs import QuestionPassage
from ..common.recipe import SquadSource
from ..common.training_data import is_held_out, match_key
from .recipe import RetrieverSetting

DEPTH = 100  # hits inspected for hard negatives per question
SEARCHED_TOGETHER = 500  # questions, between two reports
TOKENIZED_TOGETHER = 1000  # pairs
SORTED_TOGETHER = 50  # batches


@dataclass(frozen=True, slots=True)
class SourceSample:
    """The sample of one source: questions with their passage, and pairs without an answer."""

    questions: list[SquadQuestion]
    unanswerable: list[QuestionPassage]


def read_sources(
    sources: Sequence[SquadSource], excluded: frozenset[str]
) -> list[list[SquadQuestion]]:
    """Each source's questions, without those whose match key is `excluded`."""
    return [
        [
            question
            for path in source.paths
            for question in read_squad(path)
            if match_key(question.question) not in excluded
        ]
        for source in sources
    ]


def read_unanswerable(
    paths: Iterable[Path], excluded: frozenset[str], held_out: float = 0.05
) -> list[QuestionPassage]:
    """Questions without an answer beside their paragraph, of articles not `held_out`."""
    return [
        QuestionPassage(question.question, question.context)
        for path in paths
        for question in read_squad(path)
        if not question.answers
        and match_key(question.question) not in excluded
        and not is_held_out(question, held_out)
    ]


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


def is_in_place(question: SquadQuestion) -> bool:
    """Whether the first answer is at its offset; a few of ARCD's are not."""
    span = question.span
    return span is not None and question.context.startswith(question.answers[0], span.start)


def is_unambiguous(question: SquadQuestion) -> bool:
    """Whether the answer occurs once; SQuAD's offsets mark only the first occurrence."""
    return bool(question.answers) and question.context.count(question.answers[0]) == 1


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


def retriever_maker(setting: RetrieverSetting) -> Callable[..., Retriever]:
    """What builds a recipe's retriever, given its `corpus` and `folder`."""
    table = {"use": setting} if isinstance(setting, str) else setting
    return partial(build, "retriever", table)


def mine_hard_negatives(
    selected: Sequence[SquadQuestion],
    questions: Sequence[SquadQuestion],
    *,
    per_question: float,
    make_retriever: Callable[..., Retriever],
    rng: random.Random,
    folder: Path,
    report: Log = silent,
) -> list[QuestionPassage]:
    """(question, passage) pairs without an answer, from the paragraphs of `questions`.

    With `per_question` 0.25 every fourth of the selected questions gets one, with 1.5 all get one
    and half of them another. A question gets the best-ranked passages that lack its answers,
    fewer if there are not enough in the first `DEPTH` hits. The index and the pairs are stored in
    `folder`, so a resumed training run reuses them.
    """
    path = folder / "negatives.jsonl"
    numbers = _numbers(selected, per_question, rng)
    if not numbers:
        return []
    if not path.is_file():
        corpus = paragraph_corpus(questions)
        retriever = make_retriever(corpus=corpus, folder=folder / "index")
        retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
        lang = corpus.languages[0]
        write_jsonl(path, _mine(numbers, answers_by_question(questions), retriever, lang, report))
    return [QuestionPassage(row["question"], row["passage"]) for _, row in read_jsonl(path)]


def _numbers(
    selected: Sequence[SquadQuestion], per_question: float, rng: random.Random
) -> Mapping[SquadQuestion, int]:
    """The number of hard negatives per question; one selected twice gets twice as many."""
    whole, fraction = divmod(per_question, 1)
    extra = rng.sample(list(selected), round(fraction * len(selected)))
    return Counter([*list(selected) * int(whole), *extra])


def paragraph_corpus(questions: Sequence[SquadQuestion]) -> Corpus:
    """Each paragraph once, all in the language detected from the first ones."""
    titles = {question.context: question.title for question in reversed(questions)}
    texts = sorted(titles)
    lang = detect_language(" ".join(texts[:20]))
    return Corpus(
        "paragraphs",
        [
            Passage(f"{number:07d}", text, titles[text].replace("_", " "), lang)
            for number, text in enumerate(texts)
        ],
    )


def answers_by_question(questions: Sequence[SquadQuestion]) -> Mapping[str, set[str]]:
    """The normalised answers of each question text; TyDi asks some of several paragraphs."""
    answers: dict[str, set[str]] = {}
    for question in questions:
        answers.setdefault(question.question, set()).update(map(normalize, question.answers))
    return answers


def _mine(
    numbers: Mapping[SquadQuestion, int],
    answers: Mapping[str, set[str]],
    retriever: Retriever,
    lang: str,
    report: Log,
) -> Iterator[dict[str, Any]]:
    questions = list(numbers)
    for start in range(0, len(questions), SEARCHED_TOGETHER):
        chunk = questions[start : start + SEARCHED_TOGETHER]
        report(f"hard negatives: {start} of {len(questions)} questions")
        queries = [Query(Question(q.qid, q.question, lang), q.question, lang) for q in chunk]
        for question, hits in zip(chunk, retriever.retrieve(queries, k=DEPTH), strict=True):
            passages = _without(answers[question.question], hits)
            for passage in islice(passages, numbers[question]):
                yield {"question": question.question, "passage": passage}


def _without(answers: set[str], hits: Sequence[Hit]) -> Iterator[str]:
    """The texts of the hits, best first, that contain no answer after SQuAD's normalisation."""
    for hit in hits:
        text = normalize(hit.passage.text)
        if not any(answer in text for answer in answers):
            yield hit.passage.text


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


def answerable_windows(
    questions: Sequence[SquadQuestion], tokenizer: Any, max_tokens: int
) -> list[LabeledWindow]:
    """The first window of each question's passage that contains the whole answer."""
    labeled: list[LabeledWindow] = []
    seen: set[int] = set()
    pairs = [QuestionPassage(question.question, question.context) for question in questions]
    for window in _windows(pairs, tokenizer, max_tokens):
        span = questions[window.pair].span
        gold = token_span(window, span) if span else None
        if window.pair not in seen and gold is not None:
            seen.add(window.pair)
            labeled.append(LabeledWindow(window, gold))
    return labeled


def token_span(window: Window, span: Span) -> Span | None:
    """The tokens that cover the characters of `span`, None if the window cuts it off."""
    first, last = window.context.start, window.context.end
    starts, ends = window.offsets[first:last, 0], window.offsets[first:last, 1]
    inside = np.flatnonzero((ends > span.start) & (starts < span.end))
    if not inside.size:
        return None
    # some characters have no token: marks that normalisation joined to letters
    if inside[0] == 0 and starts[0] > span.start:
        return None
    if inside[-1] == len(ends) - 1 and ends[-1] < span.end:
        return None
    return Span(first + int(inside[0]), first + int(inside[-1]) + 1)


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
        questions, passages, _ = zip(*pairs[start : start + TOKENIZED_TOGETHER], strict=True)
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
    for start in range(0, len(shuffled), SORTED_TOGETHER * size):
        pool = shuffled[start : start + SORTED_TOGETHER * size]
        pool.sort(key=lambda labeled: len(labeled.window.ids))
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches
