"""Generate a checklist's cases: draw words and fill templates; a seed gives the same cases."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...core.errors import DataError
from .format import Checklist, Template, Test
from .placeholders import Word, fill
from .suite import Case, Example

CASES, SEED = 200, 13
TRIES = 100  # per case; one or two are enough for long word lists

Words = Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class Draw:
    """A choice of words for a test's slots, and a template that accepts them."""

    test: Test
    template: Template
    words: Words

    def examples(self) -> tuple[Example, ...]:
        """Each question of each context.

        Raises:
            DataError: naming the placeholder that cannot be filled.
        """
        return tuple(
            Example(fill(context, self.words), fill(ask.texts[0], self.words), self.answers(number))
            for context in self.template.contexts
            for number, ask in enumerate(self.template.questions)
        )

    def answers(self, question: int) -> tuple[str, ...]:
        """The right answers to a question."""
        return tuple(fill(text, self.words) for text in self.template.questions[question].answers)


def generate(
    checklist: Checklist, *, tests: Sequence[str] = (), count: int = CASES, seed: int = SEED
) -> Iterator[Case]:
    """Yield `count` cases per test (of `tests`, or of all), in file order.

    Raises:
        DataError: if a template cannot be filled, or a test has too few words; the message names
            file, test and placeholder.
    """
    for test in checklist.tests:
        if not tests or test.name in tests:
            for number, draw in enumerate(distinct_draws(checklist, test, count=count, seed=seed)):
                yield make_case(checklist, test, number, draw.examples())


def make_case(
    checklist: Checklist, test: Test, number: int, examples: Sequence[Example], change: str = ""
) -> Case:
    """Build a case of a test; `change` names the perturbation of an INV or DIR case."""
    name = f"{test.name}: {change}" if change else test.name
    key = f"{checklist.lang}/{name}/{number:03}".replace(": ", "/").replace(" ", "-")
    return Case(
        key, checklist.lang, name, test.capability, test.type, checklist.articles, tuple(examples)
    )


def distinct_draws(checklist: Checklist, test: Test, *, count: int, seed: int) -> list[Draw]:
    """Draw words `count` times, so that all examples of a test are different.

    Raises:
        DataError: as `generate`.
    """
    chance = random.Random(f"{seed} {checklist.lang} {test.name}")
    distinct: dict[frozenset[tuple[str, str]], Draw] = {}
    try:
        for _ in range(TRIES * count):
            if len(distinct) == count:
                break
            if draw := draw_words(checklist, test, chance):
                texts = frozenset(
                    (example.context, example.question) for example in draw.examples()
                )
                distinct.setdefault(texts, draw)
    except DataError as error:
        raise DataError(f"{location(checklist, test)}: {error}") from error
    if len(distinct) < count:
        raise DataError(
            f"{location(checklist, test)}: its words allow {len(distinct)} cases, "
            f"not {count}; add words"
        )
    return list(distinct.values())


def draw_words(
    checklist: Checklist, test: Test, chance: random.Random, fixed: Words | None = None
) -> Draw | None:
    """Draw words at random, with the `fixed` ones; None if the words do not combine."""
    words = {
        slot: chance.choice(list(checklist.words[kind].values()))
        for slot, kind in test.slots.items()
    } | dict(fixed or {})
    templates = [template for template in test.templates if template.accepts(words)]
    if not templates or not agree(test, words):
        return None
    return Draw(test, chance.choice(templates), words)


def agree(test: Test, words: Words) -> bool:
    """Whether words of the same list are different, and `same` and `differ` are satisfied."""
    picked = [(test.slots[slot], word.id) for slot, word in words.items()]
    return (
        len(set(picked)) == len(picked)
        and all(words[a].form(f) == words[b].form(g) for (a, f), (b, g) in test.same)
        and all(words[a].form(f) != words[b].form(g) for (a, f), (b, g) in test.differ)
    )


def location(checklist: Checklist, test: Test) -> str:
    """The start of an error message: file, language, test."""
    return f"{checklist.path} ({checklist.lang}): test '{test.name}'"
