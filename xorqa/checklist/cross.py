"""Cases that ask in one language about a context in another, from two checklists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .format import Checklist, Test
from .generate import CASES, SEED, Draw, agree, case, draws
from .placeholders import Word, fill
from .suite import Case, Example

Shared = dict[str, dict[str, Word]]


def cross(
    asked: Checklist,
    told: Checklist,
    *,
    tests: Sequence[str] = (),
    count: int = CASES,
    seed: int = SEED,
) -> Iterator[Case]:
    """Up to `count` cases of each test that both have, of the words whose ids both have.

    The right answer is the question's language's; what the context says is kept beside it, so
    that an answer in the wrong language can be told from a wrong one.

    Raises:
        DataError: as `generate`; also where the words that both have make fewer cases.
    """
    contexts = {test.name: test for test in told.tests}
    words: Shared = {
        kind: {key: word for key, word in some.items() if key in told.words.get(kind, {})}
        for kind, some in asked.words.items()
    }
    both = replace(asked, words=words)
    for test in asked.tests:
        if (tests and test.name not in tests) or test.name not in contexts:
            continue
        if not all(words[kind] for kind in test.slots.values()):
            continue
        for number, draw in enumerate(draws(both, test, count=count, seed=seed)):
            if other := _told(draw, contexts[test.name], told.words):
                made = case(asked, test, number, _examples(draw, other))
                key = made.id.replace(asked.lang, f"{asked.lang}-{told.lang}", 1)
                yield replace(made, id=key, context_lang=told.lang)


def _told(draw: Draw, test: Test, lists: Mapping[str, Mapping[str, Word]]) -> Draw | None:
    """The same words in the context's language, and a template there that takes them."""
    words = {slot: lists[test.slots[slot]][word.id] for slot, word in draw.words.items()}
    templates = [template for template in test.templates if template.takes(words)]
    return Draw(test, templates[0], words) if templates and agree(test, words) else None


def _examples(asked: Draw, told: Draw) -> list[Example]:
    return [
        Example(
            fill(context, told.words),
            fill(ask.texts[0], asked.words),
            asked.answers(at),
            in_context=told.answers(at),
        )
        for context in told.template.contexts
        for at, ask in enumerate(asked.template.questions)
    ]
