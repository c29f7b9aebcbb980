"""Lesson 6a: what its exercises accept and reject."""

import pytest
from lessons import checklist_cases
from lessons import checklists as lesson
from lessons.checklist_rules import by_less, first_word, mirrored, overlap

from xorqa.lab.checklist.results import Failure, Outcome

GERMAN = """
lang = "de"
name = "German"
script = "Latn"
articles = ["ein", "eine", "einen"]
asides = ["Am Morgen hat es geregnet.", "Der Laden öffnet um 9 Uhr."]
unsure = []

[words.name]
forms = ["text"]
anna = "Anna"
omar = "Omar"
lena = "Lena"
jonas = "Jonas"

[words.thing]
forms = ["text", "no", "subject"]
dog = ["einen Hund", "keinen Hund", "ein Hund"]
ticket = ["eine Fahrkarte", "keine Fahrkarte", "eine Fahrkarte"]
car = ["ein Auto", "kein Auto", "ein Auto"]

[[tests]]
name = "negation"
capability = "negation"
type = "MFT"
slots = { a = "name", b = "name", thing = "thing" }

[[tests.templates]]
contexts = ["{a} hat {thing}. {b} hat {thing.no}.", "{b} hat {thing.no}. {a} hat {thing}."]
questions = [
    { ask = "Wer hat {thing}?", answer = "{a}" },
    { ask = "Wem fehlt {thing.subject}?", answer = "{b}" },
]
"""
MORE = "{a} is {adj.more} than {b}."
LESS = "{b} is less {adj} than {a}."


@pytest.fixture(autouse=True)
def copier(monkeypatch):
    """In place of the reader: right but for the ids that end in 0."""

    def answers(cases, reader, *, cache):
        return {
            qid: "nothing" if qid.endswith("/0") else example.answers[0]
            for case in cases
            for qid, example in zip(case.qids(), case.examples, strict=True)
        }

    monkeypatch.setattr(checklist_cases, "by_reader", answers)


def by_place(question, context):
    words = context.split()
    return words[4 if "less" in question else 0]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (by_less, "Right. 20 of 20 cases pass"),
        (lambda q, c: c.split(" than ")[1] if " less " in q else c.split(" is ")[0], "Right."),
        (first_word, "Not yet. Right where 'more' is asked, not where 'less' is"),
        (overlap, "Not yet. Right where 'more' is asked"),
        (lambda q, c: c.split()[-1], "Not yet. Right where 'less' is asked, not where 'more' is"),
        (by_place, "Not yet. 'Anna is more patient than Maria.' has a word more"),
        (mirrored, "Not yet. 'William is faster than Nadia. Who is less fast?': your rule returns"),
        (lambda q, c: ..., "Not yet. Replace"),
    ],
)
def test_a_rule_for_comparisons(rule, text):
    assert repr(lesson.check_1(rule)).startswith(text)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("", "", "Right. The linter has nothing to report"),
        ('lang = "de"', 'lang = "fi"', "Not yet. Choose another language than Finnish"),
        ("Wer hat {thing}?", "Kenellä on {thing}?", "Not yet. The sentences are still Finnish"),
        (
            ', "{b} hat {thing.no}. {a} hat {thing}."',
            "",
            "Not yet. 'Wer hat ein Auto?': the right name is always at the same place",
        ),
        (
            '    { ask = "Wem fehlt {thing.subject}?", answer = "{b}" },\n',
            "",
            "Not yet. Ask who has the thing and also who does not",
        ),
        (
            "Wem fehlt {thing.subject}?",
            "Wer hat {thing.no}?",
            "Not yet. 'Wer hat kein Auto?': the sentence that shares most words",
        ),
        ("Wem fehlt {thing.subject}?", "Wer ist es?", "Not yet. 'Wer ist es?' is asked in every"),
        ("Wem fehlt {thing.subject}?", "Blabla {a} xyz?", "Not yet. 'Blabla "),
        ('answer = "{b}"', 'answer = "{b} nicht"', "Not yet. The linter reports: "),
        ("{b} hat", "{c} hat", "Not yet. The text cannot be read: "),
        ("]\n\n[words", "]}\n\n[words", "Not yet. The text cannot be read: "),
    ],
)
def test_a_checklist_of_ones_own(old, new, text):
    verdict = lesson.check_2(GERMAN.replace(old, new) if old else GERMAN)
    assert repr(verdict).startswith(text)
    assert "/" not in verdict.reason


def test_answers_that_are_exchanged():
    exchanged = GERMAN.replace('answer = "{a}"', 'answer = "?"').replace(
        'answer = "{b}"', 'answer = "{a}"'
    )
    verdict = lesson.check_2(exchanged.replace('answer = "?"', 'answer = "{b}"'))
    assert not verdict.right and "Are the answers exchanged?" in verdict.reason


def test_the_verdict_on_a_checklist_names_what_is_wrong():
    unfilled = lesson.check_2(GERMAN.replace("{b} hat", "{c} hat"))
    assert "no slot 'c'" in unfilled.reason
    unsound = lesson.check_2(GERMAN.replace('answer = "{b}"', 'answer = "{b} nicht"'))
    assert "does not occur" in unsound.reason
    accepted = lesson.check_2(GERMAN).reason
    assert "fails 100 % of 10 cases in 'de'" in accepted
    assert "are they the right way round?" in accepted and "does not read the lang" in accepted


@pytest.mark.parametrize(
    ("contexts", "text"),
    [
        ([MORE, LESS], "Right. The rule fails 100 %"),
        ([MORE, "Compared to {b}, {a} is {adj.more}."], "Right."),
        (
            [MORE, "{b} is {adj.more} than {a}."],
            "Not yet. '{b} is {adj.more} than {a}.' says the opposite",
        ),
        ([MORE, "{a} is less {adj} than {b}."], "Not yet. '{a} is less {adj} than {b}.' says"),
        ([MORE, "{b} is not as {adj} as {a}."], "Right."),
        ([MORE, "{b}, not {a}, is {adj.more}."], "Not yet. The check cannot tell whether"),
        ([MORE, "{b} beats {a} in being {adj}."], "Not yet. The check cannot tell whether"),
        ([MORE, "{b} {a} {adj} {adj.more}"], "Not yet. The check cannot tell whether"),
        ([MORE, "{b} and {a} are {adj}."], "Not yet. The check cannot tell whether"),
        (
            [MORE, "{b} is hardly {adj.more} than {a}, if not more so."],
            "Not yet. The check cannot tell whether",
        ),
        (
            [MORE, "It rained. {a} is {adj.more} than {b}. It rained."],
            "Not yet. The check cannot tell whether",
        ),
        ([MORE], "Not yet. The rule of exercise 1 still passes"),
        ([MORE, MORE], "Not yet. The rule of exercise 1 still passes"),
        ([LESS], "Not yet. Now the rule passes with the ends exchanged"),
        ([MORE, "{b} is less {adj} than {c}."], "Not yet. The checklist is not sound"),
        ([MORE, "{a} is {adj.more} than the others."], "Not yet. The checklist is not sound"),
        ([MORE, ...], "Not yet. A list of contexts"),
        (MORE, "Not yet. A list of contexts"),
    ],
)
def test_contexts_that_mend_the_test(contexts, text):
    assert repr(lesson.check_3(contexts)).startswith(text)


def exposing(rule):
    """The changes that fail at least one of the ten English cases of `comparisons`."""
    outcomes = [
        one for kind in ("INV", "DIR") for one in lesson.judged(lesson.changed(kind, "en"), rule)
    ]
    return {one.test for one in outcomes if one.failures}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (exposing(by_less), "Right. Cases that fail: aside"),
        (sorted(exposing(by_less)), "Right."),
        (exposing(first_word), "Not yet. Not 'opposite'. The rule notices this"),
        (exposing(overlap), "Not yet. Not 'opposite'. The rule notices this"),
        ({"aside", "names"}, "Not yet. Not 'names'. The names are others"),
        ({"typos", "asked", "aside"}, "Not yet. Not 'asked'. Does the word"),
        ({"aside", "swapped"}, "Not yet. Not 'swapped'. The names change places"),
        ({"aside"}, "Not yet. The rule reads one word of the question"),
        ("aside", "Not yet. The rule reads one word of the question"),
        ({"typos"}, "Not yet. The rule takes the first or the last word"),
        ({"order", "aside"}, "Not yet. Use typos, aside"),
        (set(), "Not yet. At least one change exposes the rule"),
    ],
)
def test_changes_that_expose_the_rule(changes, text):
    assert repr(lesson.check_4(changes)).startswith(text)


def test_the_f1_of_the_card():
    scores = [lesson.card_f1(lang) for lang in ("en", "ar", "zh")]
    assert scores[0] == max(scores) and min(scores) > 50


def test_rates_and_failures_of_outcomes():
    outcomes = [outcome("en", "one", "a", "c"), outcome("en", "one"), outcome("fi", "two", "a b")]
    assert lesson.rate(outcomes) == pytest.approx(200 / 3)
    assert lesson.rates(outcomes) == {"one": 50, "two": 100}
    assert lesson.failing(outcomes, 2) == [("a b c", "?", "b", "a"), ("a b c", "?", "b", "c")]


def outcome(lang, test, *predictions):
    failures = tuple(Failure("a b c", "?", ("b",), said, foreign=False) for said in predictions)
    return Outcome(f"{lang}/{test}", lang, test, "x", "MFT", failures)
