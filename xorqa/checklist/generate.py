"""Cases of a checklist: words are drawn, templates filled; the same seed gives the same cases."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.errors import DataError
from .format import Checklist, Template, Test
from .placeholders import Word, fill
from .suite import Case, Example

CASES, SEED = 200, 13
TRIES = 100  # a wanted case; where words are many, one or two do

Words = Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class Draw:
    """One choice of words for a test's slots, and a template that takes them."""

    test: Test
    template: Template
    words: Words

    def examples(self) -> tuple[Example, ...]:
        """Each question of each context.

        Raises:
            DataError: naming the placeholder that cannot be filled.
        """
        return tuple(
            Example(fill(context, self.words), fill(ask.texts[0], self.words), self.answers(at))
            for context in self.template.contexts
            for at, ask in enumerate(self.template.questions)
        )

    def answers(self, question: int) -> tuple[str, ...]:
        """The right answers of one question."""
        return tuple(fill(text, self.words) for text in self.template.questions[question].answers)


def generate(
    checklist: Checklist, *, tests: Sequence[str] = (), count: int = CASES, seed: int = SEED
) -> Iterator[Case]:
    """`count` cases of each test (or of the named ones), in the file's order.

    Raises:
        DataError: naming file, test and placeholder of what cannot be filled, or the test whose
            words make fewer cases.
    """
    for test in checklist.tests:
        if not tests or test.name in tests:
            for number, draw in enumerate(draws(checklist, test, count=count, seed=seed)):
                yield case(checklist, test, number, draw.examples())


def case(
    checklist: Checklist, test: Test, number: int, examples: Sequence[Example], change: str = ""
) -> Case:
    """A test's case; `change` names what makes an INV or DIR case of it."""
    name = f"{test.name}: {change}" if change else test.name
    key = f"{checklist.lang}/{name}/{number:03}".replace(": ", "/").replace(" ", "-")
    return Case(
        key, checklist.lang, name, test.capability, test.type, checklist.articles, tuple(examples)
    )


def draws(checklist: Checklist, test: Test, *, count: int, seed: int) -> list[Draw]:
    """`count` draws of a test that make different examples.

    Raises:
        DataError: as `generate`.
    """
    chance = random.Random(f"{seed} {checklist.lang} {test.name}")
    found: dict[frozenset[tuple[str, str]], Draw] = {}
    try:
        for _ in range(TRIES * count):
            if len(found) == count:
                break
            if draw := drawn(checklist, test, chance):
                texts = frozenset((one.context, one.question) for one in draw.examples())
                found.setdefault(texts, draw)
    except DataError as error:
        raise DataError(f"{where(checklist, test)}: {error}") from error
    if len(found) < count:
        raise DataError(
            f"{where(checklist, test)}: its words make {len(found)} cases, not {count}; add words"
        )
    return list(found.values())


def drawn(
    checklist: Checklist, test: Test, chance: random.Random, fixed: Words | None = None
) -> Draw | None:
    """One random draw around what is `fixed`, or None if the words do not go together."""
    words = {
        slot: chance.choice(list(checklist.words[kind].values()))
        for slot, kind in test.slots.items()
    } | dict(fixed or {})
    templates = [template for template in test.templates if template.takes(words)]
    if not templates or not agree(test, words):
        return None
    return Draw(test, chance.choice(templates), words)


def agree(test: Test, words: Words) -> bool:
    """Are the words of one list different ones, and do `same` and `differ` hold?"""
    picked = [(test.slots[slot], word.id) for slot, word in words.items()]
    return (
        len(set(picked)) == len(picked)
        and all(words[a].form(f) == words[b].form(g) for (a, f), (b, g) in test.same)
        and all(words[a].form(f) != words[b].form(g) for (a, f), (b, g) in test.differ)
    )


def where(checklist: Checklist, test: Test) -> str:
    """How an error begins: file, language, test."""
    return f"{checklist.path} ({checklist.lang}): test '{test.name}'"
