"""INV and DIR cases (Ribeiro et al. 2020, section 2.2), from a test's draws.

Each case pairs an example with a perturbed one and states how the answer must change: not at all,
or by replacing names. The answer to the original need not be right.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import regex

from ...core.errors import DataError
from ...core.lang import LANGUAGES
from ...core.text.sentences import sentence_separator
from .format import Checklist, Test
from .generate import CASES, SEED, Draw, Words, agree, distinct_draws, make_case
from .placeholders import Placeholder, Word, fill, parse
from .suite import Case, Example

NAMES = "name"
"""The word list of persons."""

_SCRIPTS = ("Arab", "Beng", "Deva", "Gujr", "Guru", "Mlym", "Mymr", "Taml", "Telu", "Thai")
_ZERO = dict(zip(_SCRIPTS, "٠০०૦੦൦၀௦౦๐", strict=True))

Pair = tuple[Example, Example]


def perturb(
    checklist: Checklist,
    kind: str,
    *,
    tests: Sequence[str] = (),
    count: int = CASES,
    seed: int = SEED,
) -> Iterator[Case]:
    """Yield up to `count` cases per test and perturbation of a kind, "INV" or "DIR".

    A perturbation that does not apply to a language or a test yields no cases: digits in a script
    without its own, names in a test without persons.

    Raises:
        DataError: as `generate`.
    """
    for test in checklist.tests:
        if tests and test.name not in tests:
            continue
        test_draws = distinct_draws(checklist, test, count=count, seed=seed)
        for change, make in (_INV if kind == "INV" else _DIR).items():
            chance = random.Random(f"{seed} {checklist.lang} {test.name} {change}")
            by_draw = (list(make(checklist, draw, chance)) for draw in test_draws)
            for number, pairs in enumerate(filter(None, by_draw)):
                yield make_case(checklist, replace(test, type=kind), number, _paired(pairs), change)


def _paired(pairs: Sequence[Pair]) -> list[Example]:
    examples: list[Example] = []
    for original, perturbed in pairs:
        examples += [original, replace(perturbed, of=len(examples))]
    return examples


def _typos(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Swap two adjacent letters in a word of the question, except in the drawn words."""
    protected = {form for word in draw.words.values() for form in word.forms.values()}
    for example in draw.examples():
        spaces = list(_swappable(example.question, protected))
        if spaces:
            a, b, c = chance.choice(spaces)
            text = example.question
            yield example, replace(example, question=text[:a] + text[b:c] + text[a:b] + text[c:])


def _swappable(text: str, protected: set[str]) -> Iterator[tuple[int, int, int]]:
    """The positions of adjacent letters (with their marks) to swap, except a word's first."""
    protected_spans = [
        match.span()
        for form in protected
        if form
        for match in regex.finditer(regex.escape(form), text)
    ]
    for word in regex.finditer(r"\p{L}[\p{L}\p{M}]*", text):
        letters = [match.start() + word.start() for match in regex.finditer(r"\X", word[0])]
        letters.append(word.end())
        free = not any(start < word.end() and word.start() < end for start, end in protected_spans)
        for (a, b), (_, c) in pairwise(pairwise(letters)) if free else ():
            if a > word.start() and text[a:b] != text[b:c]:
                yield a, b, c


def _aside(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Add an unrelated sentence before or after the context."""
    for example in draw.examples():
        sentences = [example.context, chance.choice(_asides(checklist, "."))]
        chance.shuffle(sentences)
        yield example, replace(example, context=_joined(checklist, sentences))


def _asides(checklist: Checklist, pattern: str) -> list[str]:
    """The asides that match a pattern; raises DataError if none does."""
    matching = [aside for aside in checklist.asides if regex.search(pattern, aside)]
    if not matching:
        raise DataError(
            f"checklist '{checklist.lang}', asides: needs two sentences or more, and one with a "
            "number in digits 0-9 (xorqa checklist lint lists all problems)"
        )
    return matching


def _digits(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Write the number in an added sentence with the script's own digits."""
    known = LANGUAGES.get(checklist.lang)
    own = known.digits if known else "0123456789"
    if own == "0123456789" and checklist.script in _ZERO:
        own = "".join(chr(ord(_ZERO[checklist.script]) + value) for value in range(10))
    if own == "0123456789":
        return
    numbered = _asides(checklist, "[0-9]")
    for example in draw.examples():
        context = _joined(checklist, [example.context, chance.choice(numbered)])
        localised = context.translate(str.maketrans("0123456789", own))
        yield replace(example, context=context), replace(example, context=localised)


def _names(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Replace the names with others of the same agreement class."""
    people = _people(draw.test)
    words = dict(draw.words)
    for slot in people:
        used = {word.id for word in words.values()} | {draw.words[person].id for person in people}
        others = [
            word
            for word in checklist.words[draw.test.slots[slot]].values()
            if word.id not in used and word.forms.get("agr") == draw.words[slot].forms.get("agr")
        ]
        if not others:
            return
        words[slot] = chance.choice(others)
    if people and agree(draw.test, words) and draw.template.accepts(words):
        yield from _changed(draw, words, people)


def _paraphrase(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Paraphrase the question."""
    asks = [ask for _ in draw.template.contexts for ask in draw.template.questions]
    for example, ask in zip(draw.examples(), asks, strict=True):
        if others := ask.texts[1:]:
            yield example, replace(example, question=fill(chance.choice(others), draw.words))


def _swap(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Swap the two names in the context, which swaps the answer."""
    people = _rivals(draw.test)
    if people:
        a, b = people
        words = {**draw.words, a: draw.words[b], b: draw.words[a]}
        if agree(draw.test, words) and draw.template.accepts(words):
            yield from _changed(draw, words, people)


def _opposite(checklist: Checklist, draw: Draw, chance: random.Random) -> Iterator[Pair]:
    """Ask the opposite, more instead of less: the answer is the other name."""
    people = _rivals(draw.test)
    asks = draw.template.questions
    if people and len(asks) == 2:
        a, b = (draw.words[slot] for slot in people)
        renamed = _forms(a, b) | _forms(b, a)
        examples = draw.examples()
        for original, perturbed in zip(examples[::2], examples[1::2], strict=True):
            yield original, replace(perturbed, renamed=renamed)


def _changed(draw: Draw, words: Words, people: Sequence[str]) -> Iterator[Pair]:
    renamed: dict[str, str] = {}
    for slot in people:
        renamed |= _forms(draw.words[slot], words[slot])
    for original, perturbed in zip(
        draw.examples(), replace(draw, words=words).examples(), strict=True
    ):
        yield original, replace(perturbed, renamed=renamed)


def _forms(old: Word, new: Word) -> dict[str, str]:
    return {old.forms[name]: new.forms[name] for name in old.forms if name != "agr"}


def _people(test: Test) -> list[str]:
    """The slots of persons."""
    return sorted(slot for slot, kind in test.slots.items() if kind == NAMES)


def _rivals(test: Test) -> list[str]:
    """The slots of the two persons, if the answer to every question is one of them; else none."""
    asks = [ask for template in test.templates for ask in template.questions]
    people = _people(test)
    in_questions = {slot for ask in asks for slot in _slots(ask.texts)}
    in_answers = {slot for ask in asks for slot in _slots(ask.answers)}
    two = len(people) == 2 and in_answers == {*people} and in_questions.isdisjoint(people)
    return people if two else []


def _slots(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        for part in parse(text):
            if isinstance(part, Placeholder):
                yield from (slot for slot, _ in part.used)


def _joined(checklist: Checklist, sentences: Sequence[str]) -> str:
    return sentence_separator(checklist.script).join(sentences)


_Make = Callable[[Checklist, Draw, random.Random], Iterator[Pair]]
_INV: dict[str, _Make] = {
    "typos": _typos,
    "aside": _aside,
    "names": _names,
    "digits": _digits,
    "asked": _paraphrase,
}
_DIR: dict[str, _Make] = {"swapped": _swap, "opposite": _opposite}
