"""Check the words, templates and cases of a well-formed checklist."""

import random
from collections.abc import Iterable, Iterator

import regex

from ...core.errors import DataError
from ...core.lang import LANGUAGES
from .format import Checklist, Test
from .generate import CASES, SEED, Draw, distinct_draws, draw_words, location
from .placeholders import Word
from .suite import Example

ATTEMPTS = 300  # to find words that combine with a given one

_MARKS = regex.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SCRIPTS = {"Jpan": ("Hira", "Kana", "Hani"), "Kore": ("Hang", "Hani"), "Hans": ("Hani",)}


def lint(checklist: Checklist, *, count: int = CASES) -> list[str]:
    """List all problems, each with file, language, test and placeholder.

    Tries every word in every template that accepts it, and generates `count` cases per test.
    """
    problems = [f"{checklist.path} ({checklist.lang}): {problem}" for problem in _head(checklist)]
    for test in checklist.tests:
        problems += [
            f"{location(checklist, test)}: {problem}" for problem in _test(checklist, test)
        ]
        try:
            distinct_draws(checklist, test, count=count, seed=SEED)
        except DataError as error:
            problems.append(str(error))
    return list(dict.fromkeys(problems))


def _head(checklist: Checklist) -> Iterator[str]:
    known = LANGUAGES.get(checklist.lang)
    if known and known.script != checklist.script:
        yield f"the script of {known.name} is {known.script}, not {checklist.script}"
    try:
        foreign = _foreign(checklist.script)
    except regex.error:
        yield f"no script is called '{checklist.script}'; write its ISO 15924 code, as in 'Latn'"
        return
    if len(checklist.asides) < 2 or not any(
        regex.search("[0-9]", aside) for aside in checklist.asides
    ):
        yield "asides: needs two sentences or more, and one with a number in digits 0-9"
    for aside in checklist.asides:
        yield from (f"asides: '{aside}' {problem}" for problem in _text(aside, foreign))
    for article in checklist.articles:
        if article != article.lower() or not article.strip("-'’"):
            yield f"articles: '{article}' must be in lower case, with at least one letter"
    used = {kind for test in checklist.tests for kind in test.slots.values()}
    for name in checklist.words.keys() - used:
        yield f"words.{name}: no test uses it"


def _test(checklist: Checklist, test: Test) -> Iterator[str]:
    try:
        foreign = _foreign(checklist.script)
    except regex.error:
        return
    for slot, kind in test.slots.items():
        for word in checklist.words[kind].values():
            yield from _word(checklist, test, slot, word, foreign)


def _word(
    checklist: Checklist, test: Test, slot: str, word: Word, foreign: regex.Pattern[str]
) -> Iterator[str]:
    """Try the word in each template that accepts it, with words that combine with it."""
    chance = random.Random(f"{test.name} {slot} {word.id}")
    used = False
    for template in test.templates:
        for _ in range(ATTEMPTS):
            draw = draw_words(checklist, test, chance, {slot: word})
            if draw and template.accepts(draw.words):
                used = True
                yield from _draw(Draw(test, template, draw.words), foreign)
                break
    if not used:
        yield f"slot '{slot}': no template accepts '{word.id}' (list '{test.slots[slot]}')"


def _draw(draw: Draw, foreign: regex.Pattern[str]) -> Iterator[str]:
    try:
        examples = draw.examples()
    except DataError as error:
        yield str(error)
        return
    asks = [ask for _ in draw.template.contexts for ask in draw.template.questions]
    for example, ask in zip(examples, asks, strict=True):
        if not any(answer in example.context for answer in example.answers):
            yield (
                f"placeholder {' / '.join(ask.answers)}: the answer "
                f"'{' / '.join(example.answers)}' does not occur in '{example.context}'"
            )
        for text in (example.context, example.question, *example.answers):
            yield from (f"'{text}' {problem}" for problem in _text(text, foreign))
    yield from _contradictions(examples)


def _contradictions(examples: Iterable[Example]) -> Iterator[str]:
    answers: dict[tuple[str, str], tuple[str, ...]] = {}
    for example in examples:
        context, question = example.context, example.question
        if answers.setdefault((context, question), example.answers) != example.answers:
            yield f"'{question}' is asked twice about '{context}', with different answers"


def _text(text: str, foreign: regex.Pattern[str]) -> Iterator[str]:
    if not text.strip() or text != text.strip() or "  " in text:
        yield "is empty, begins or ends with a space, or has two spaces in a row"
    if _MARKS.search(text):
        yield "has an invisible direction mark; remove it"
    if letters := foreign.findall(text):
        yield f"has letters of another script: {' '.join(dict.fromkeys(letters))}"


def _foreign(script: str) -> regex.Pattern[str]:
    own = "".join(rf"\p{{Script={name}}}" for name in _SCRIPTS.get(script, (script,)))
    return regex.compile(rf"[^{own}\p{{Common}}\p{{Inherited}}]")
