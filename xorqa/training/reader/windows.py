"""Questions into training windows, with and without an answer, and those into batches."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.types import Span
from ...datasets.subsets import title_hash
from ...io.squad_xor import SquadQuestion
from ...reading.features import Window, make_windows
from ..bitext.lexicon import read_lexicon
from ..common.sources import matching
from .code_switching import switched
from .recipe import ReaderRecipe, Source

TOGETHER = 1000  # pairs tokenized at a time


@dataclass(frozen=True, slots=True)
class Item:
    """One training window; `gold` is a token span, or None if it does not answer."""

    window: Window
    gold: Span | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """Of one source: questions with their passage, and pairs whose passage does not answer."""

    questions: list[SquadQuestion]
    unanswered: list[tuple[str, str]]


def is_held_out(question: SquadQuestion, share: float) -> bool:
    """Whether the question's article belongs to the development part, by its title's hash.

    Without a title a paragraph is an article.
    """
    return title_hash(question.title or question.context) < share


def usable(
    questions: Iterable[SquadQuestion], source: Source, *, held_out: bool = False
) -> list[SquadQuestion]:
    """A source's questions for training, or those held out, whose answer stands where it says."""
    return [
        question
        for question in questions
        if is_held_out(question, source.held_out) is held_out
        and (is_unambiguous(question) if source.first_offsets else is_in_place(question))
    ]


def draw(sources: Sequence[Sequence[SquadQuestion]], recipe: ReaderRecipe) -> list[Drawn]:
    """What is trained on of each source's questions, by its weight."""
    rng = random.Random(recipe.seed)
    total = sum(source.weight for source in recipe.sources)
    drawn = []
    for source, questions in zip(recipe.sources, sources, strict=True):
        chosen = _draw(questions, round(recipe.questions * source.weight / total), rng)
        some = rng.sample(list(chosen), int(recipe.negatives * len(chosen)))
        drawn.append(Drawn(chosen, negatives(some, questions, rng)))
    return drawn


def make_items(drawn: Sequence[Drawn], tokenizer: Any, recipe: ReaderRecipe) -> list[Item]:
    """Windows with gold, and windows of passages that do not answer."""
    items: list[Item] = []
    lexicon = read_lexicon(matching(recipe.lexicon))
    rng = random.Random(recipe.seed + 2)
    for part, source in zip(drawn, recipe.sources, strict=True):
        questions = switched(part.questions, lexicon, source.switched, rng)
        items += _answered(questions, tokenizer, recipe)
        items += unanswered(part.unanswered, tokenizer, recipe)
    return items


def unanswered(
    pairs: Sequence[tuple[str, str]], tokenizer: Any, recipe: ReaderRecipe
) -> list[Item]:
    """The first window of each (question, passage) that does not answer."""
    windows = _cut(tokenizer, pairs, recipe)
    firsts = {window.pair: window for window in reversed(windows)}
    return [Item(firsts[pair], None) for pair in sorted(firsts)]


def _draw(
    questions: Sequence[SquadQuestion], number: int, rng: random.Random
) -> list[SquadQuestion]:
    """`number` questions at random; where there are fewer, all of them as often as it takes."""
    if not questions:
        return []
    times, rest = divmod(number, len(questions))
    return [*questions] * times + rng.sample(list(questions), rest)


def _answered(
    questions: Sequence[SquadQuestion], tokenizer: Any, recipe: ReaderRecipe
) -> list[Item]:
    """The first window of each question's passage that holds all of the answer."""
    items: list[Item] = []
    seen: set[int] = set()
    for window in _cut(tokenizer, [(q.question, q.context) for q in questions], recipe):
        if window.pair not in seen:
            question = questions[window.pair]
            gold = window.token_span(question.span)
            if gold is not None:
                seen.add(window.pair)
                items.append(Item(window, gold))
    return items


def _cut(tokenizer: Any, pairs: Sequence[tuple[str, str]], recipe: ReaderRecipe) -> list[Window]:
    windows: list[Window] = []
    for start in range(0, len(pairs), TOGETHER):  # what a tokenizer returns is large
        questions, passages = zip(*pairs[start : start + TOGETHER], strict=True)
        some = make_windows(
            tokenizer,
            questions,
            passages,
            max_tokens=recipe.max_tokens,
            stride=recipe.max_tokens // 3,
        )
        windows += [replace(window, pair=start + window.pair) for window in some]
    return windows


def make_batches(items: Sequence[Item], recipe: ReaderRecipe) -> list[list[Item]]:
    """Shuffled batches of windows of similar length."""
    rng = random.Random(recipe.seed + 1)
    shuffled = rng.sample(list(items), len(items))
    size, batches = recipe.batch_size, []
    for at in range(0, len(shuffled), 50 * size):
        pool = sorted(shuffled[at : at + 50 * size], key=lambda item: len(item.window.ids))
        batches += [pool[i : i + size] for i in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches


def negatives(
    chosen: Sequence[SquadQuestion], questions: Sequence[SquadQuestion], rng: random.Random
) -> list[tuple[str, str]]:
    """A passage without the answer for each question: 3 in 4 from the same article."""
    by_title: dict[str, list[str]] = {}
    for title, context in sorted({(q.title, q.context) for q in questions}):
        by_title.setdefault(title, []).append(context)
    titles = sorted(by_title)
    pairs = []
    for question in chosen:
        title = question.title if rng.random() < 0.75 else rng.choice(titles)
        passage = rng.choice(by_title[title])
        if question.answers[0].lower() not in passage.lower():
            pairs.append((question.question, passage))
    return pairs


def is_in_place(question: SquadQuestion) -> bool:
    """Whether the first answer stands at its offset; a few of ARCD's do not."""
    return bool(question.answers) and question.context.startswith(
        question.answers[0], question.start
    )


def is_unambiguous(question: SquadQuestion) -> bool:
    """SQuAD's offsets are the answer's first occurrence; trust those that are the only one."""
    return bool(question.answers) and question.context.count(question.answers[0]) == 1
