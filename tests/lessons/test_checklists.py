"""Lesson 6: its counts, and what its exercises accept and reject."""

from collections import Counter
from pathlib import Path

import pytest
from lessons import checklist_cases
from lessons import checklists as lesson

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
    """In place of the reader: right in the context's language, but for the ids that end in 0."""

    def answers(cases, reader, *, cache):
        return {
            qid: "nothing" if qid.endswith("/0") else (example.in_context or example.answers)[0]
            for case in cases
            for qid, example in zip(case.qids(), case.examples, strict=True)
        }

    monkeypatch.setattr(checklist_cases, "by_reader", answers)
    lesson.crossed.cache_clear()
    yield
    lesson.crossed.cache_clear()


def reason(check, answer):
    verdict = check(answer)
    assert not verdict
    return verdict.reason


def test_a_rule_for_comparisons():
    def swapped(question, context):
        return context.split()[0 if "less" in question else -1]

    assert lesson.check_1(
        lambda question, context: context.split()[-1 if "less" in question else 0]
    )
    assert lesson.check_1(
        lambda q, c: c.split(" than ")[1] if " less " in q else c.split(" is ")[0]
    )
    assert "Right where 'more' is asked" in reason(lesson.check_1, lambda q, c: c.split()[0])
    assert "Right where 'less' is asked" in reason(lesson.check_1, lambda q, c: c.split()[-1])
    assert "Where do the two names stand" in reason(lesson.check_1, swapped)
    assert "Replace" in reason(lesson.check_1, lambda question, context: ...)


def test_a_checklist_of_ones_own():
    verdict = lesson.check_2(GERMAN)
    assert verdict and "fails 100 % of 10 cases in 'de'" in verdict.reason
    assert "Choose another" in reason(lesson.check_2, GERMAN.replace('lang = "de"', 'lang = "fi"'))
    one_order = GERMAN.replace(', "{b} hat {thing.no}. {a} hat {thing}."', "")
    assert "Add a context with the other order" in reason(lesson.check_2, one_order)
    one_question = GERMAN.replace(
        '    { ask = "Wem fehlt {thing.subject}?", answer = "{b}" },\n', ""
    )
    assert "also who does not" in reason(lesson.check_2, one_question)
    same_words = GERMAN.replace("Wem fehlt {thing.subject}?", "Wer hat {thing.no}?")
    assert "overlap passes every case" in reason(lesson.check_2, same_words)
    assert "checklist.toml is not valid TOML" in reason(lesson.check_2, GERMAN + "}")
    unfilled = reason(lesson.check_2, GERMAN.replace("{b} hat", "{c} hat"))
    assert "cannot be read" in unfilled and "no slot 'c'" in unfilled
    unsound = reason(lesson.check_2, GERMAN.replace('answer = "{b}"', 'answer = "{b} nicht"'))
    assert "The linter reports" in unsound and "does not occur" in unsound
    assert "/" not in unfilled + unsound.replace(" / ", "")


@pytest.mark.parametrize(
    ("contexts", "text"),
    [
        ([MORE, "{b} is {adj.more} than {a}."], "says the opposite"),
        ([MORE, "{a} is less {adj} than {b}."], "says the opposite"),
        ([MORE], "still passes"),
        ([LESS], "mirror image of the rule passes"),
        ([MORE, "{b} is less {adj} than {c}."], "not sound"),
        ([MORE, "{a} is {adj.more} than the others."], "not sound"),
        ([MORE, ...], "A list of contexts"),
        (MORE, "A list of contexts"),
    ],
)
def test_contexts_that_do_not_mend_the_test(contexts, text):
    assert text in reason(lesson.check_3, contexts)


def test_contexts_that_mend_the_test():
    assert lesson.check_3([MORE, LESS])
    assert lesson.check_3([MORE, "Compared to {b}, {a} is {adj.more}."])


def exposing(rule):
    """The changes that fail at least one of the ten English cases of `comparisons`."""
    outcomes = [
        one for kind in ("INV", "DIR") for one in lesson.judged(lesson.changed(kind, "en"), rule)
    ]
    return {one.test for one in outcomes if one.failures}


def test_changes_that_expose_the_rule():
    changes = exposing(lambda question, context: context.split()[-1 if "less" in question else 0])
    assert {"aside"} < changes and "opposite" not in changes
    assert lesson.check_4(changes)
    assert lesson.check_4(sorted(changes))
    of_first_word = exposing(lambda question, context: context.split()[0])
    assert "Not 'opposite'" in reason(lesson.check_4, of_first_word)
    assert "may damage that word" in reason(lesson.check_4, {"aside"})
    assert "may damage that word" in reason(lesson.check_4, "aside")
    assert "first or the last word" in reason(lesson.check_4, {"typos"})
    assert "not 'order'" in reason(lesson.check_4, {"order", "aside"})
    assert "At least one" in reason(lesson.check_4, set())


def test_right_in_the_wrong_language():
    failures = [failure for one in lesson.crossed() for failure in one.failures]
    right = sum(one.prediction != "nothing" for one in failures) / len(failures)
    assert 0.5 < right < 1
    assert lesson.check_5(100 * right)
    assert lesson.check_5(round(100 * right))
    assert "from 0 to 100" in reason(lesson.check_5, right)
    assert "from 0 to 100" in reason(lesson.check_5, 120)
    assert "wrong in English, too" in reason(lesson.check_5, 100 - 100 * right)
    assert "Divide" in reason(lesson.check_5, 100)


def test_the_published_figures_are_those_of_the_results():
    results = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
    for name, figures in lesson.PUBLISHED.items():
        assert f"| {name} (XTREME-R) | {' | '.join(figures)} |" in results


def test_the_f1_of_the_card(monkeypatch):
    monkeypatch.undo()
    scores = [lesson.card_f1(lang) for lang in ("en", "ar", "zh")]
    assert scores[0] == max(scores) and min(scores) > 50


def outcome(lang, test, *predictions):
    failures = tuple(Failure("a b c", "?", ("b",), said, foreign=False) for said in predictions)
    return Outcome(f"{lang}/{test}", lang, test, "x", "MFT", failures)


def test_rates_grid_and_wrong_answers():
    outcomes = [outcome("en", "one", "a", "c"), outcome("en", "one"), outcome("fi", "two", "a b")]
    assert lesson.rate(outcomes) == pytest.approx(200 / 3)
    assert lesson.rates(outcomes) == {"one": 50, "two": 100}
    by_row = lesson.rows(lesson.error_grid(outcomes))
    assert by_row["en"] == {"one": 50, "two": None, "mean": 50}
    assert lesson.failing(outcomes, 2) == [("a b c", "?", "b", "a"), ("a b c", "?", "b", "c")]


def test_kinds_of_answers_by_test():
    english = [case for case in lesson.cases("en") if case.test == "comparisons"]
    outcomes = lesson.judged(english, lambda question, context: context.split()[0])
    counts = lesson.tally(english, outcomes, lambda answer, golds: "another", by="test")
    assert counts == {"comparisons": Counter(right=10, another=10)}
    assert lesson.draw_kinds({"one": counts, "other": counts}).axes[0].get_title() == "one"
    grid = lesson.draw_grid(lesson.error_grid(outcomes))
    assert [text.get_text() for text in grid.axes[0].texts] == ["100", "100"]


def test_two_systems_on_the_same_cases():
    english = [case for case in lesson.cases("en") if case.test == "comparisons"]
    worst = lesson.judged(english, lambda question, context: "")
    best = lesson.judged(english, lambda q, c: c.split()[-1 if "less" in q else 0])
    ((test, base, score, p),) = lesson.compared(worst, best)
    assert (test, base, score) == ("comparisons", 100, 0) and p < 0.05
