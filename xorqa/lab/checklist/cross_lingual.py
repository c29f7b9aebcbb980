"""Cases with question and context in two languages, from the checklists of both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .format import Checklist, Test
from .generate import CASES, SEED, Draw, agree, distinct_draws, make_case
from .placeholders import Word, fill
from .suite import Case, Example

Shared = dict[str, dict[str, Word]]


def cross_lingual_cases(
    questions: Checklist,
    contexts: Checklist,
    *,
    tests: Sequence[str] = (),
    count: int = CASES,
    seed: int = SEED,
) -> Iterator[Case]:
    """Yield up to `count` cases per test that both checklists have, with the words of both.

    The right answer is in the question's language; the answer in the context's language is stored
    too, to distinguish right answers in the wrong language from wrong ones.

    Raises:
        DataError: as `generate`; also if there are too few shared words.
    """
    context_tests = {test.name: test for test in contexts.tests}
    words: Shared = {
        kind: {key: word for key, word in by_id.items() if key in contexts.words.get(kind, {})}
        for kind, by_id in questions.words.items()
    }
    shared = replace(questions, words=words)
    for test in questions.tests:
        if (tests and test.name not in tests) or test.name not in context_tests:
            continue
        if not all(words[kind] for kind in test.slots.values()):
            continue
        for number, draw in enumerate(distinct_draws(shared, test, count=count, seed=seed)):
            if other := _translated(draw, context_tests[test.name], contexts.words):
                case = make_case(questions, test, number, _examples(draw, other))
                key = case.id.replace(questions.lang, f"{questions.lang}-{contexts.lang}", 1)
                yield replace(case, id=key, context_lang=contexts.lang)


def _translated(draw: Draw, test: Test, lists: Mapping[str, Mapping[str, Word]]) -> Draw | None:
    """The same words in the context's language, with a template that accepts them."""
    words = {slot: lists[test.slots[slot]][word.id] for slot, word in draw.words.items()}
    templates = [template for template in test.templates if template.accepts(words)]
    return Draw(test, templates[0], words) if templates and agree(test, words) else None


def _examples(question: Draw, context: Draw) -> list[Example]:
    return [
        Example(
            fill(template, context.words),
            fill(ask.texts[0], question.words),
            question.answers(number),
            in_context=context.answers(number),
        )
        for template in context.template.contexts
        for number, ask in enumerate(question.template.questions)
    ]
