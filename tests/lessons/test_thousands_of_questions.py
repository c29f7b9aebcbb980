"""Lesson 9: tests over the recorded run, and verdicts on typical answers."""

import numpy as np
import pytest
from lessons import thousands_of_questions as lesson
from lessons import thousands_of_questions_exercises as exercises


def shows(samples):
    half = 1.96 * samples.std(axis=1, ddof=1) / np.sqrt(samples.shape[1])
    return abs(samples.mean(axis=1)) > half


def test_a_perfect_translation_ranks_alike_in_all_languages():
    english = lesson.first(lesson.TRANSLATED, "en", 10)
    assert all((lesson.first(lesson.TRANSLATED, x, 10) == english).all() for x in ("ar", "zh"))
    assert (english == lesson.first("BM25", "en", 10)).all()


def test_more_hits_find_more():
    shares = [lesson.first("dense", "th", depth).mean() for depth in (1, 2, 10, 100)]
    assert shares == sorted(shares) and shares[0] > 0


def test_a_share_has_its_interval():
    text = lesson.percent(np.arange(100) < 50)
    assert text.startswith("50.0 [") and text.endswith("]")


def test_comparisons_are_paired_and_corrected():
    stream = np.random.default_rng(1)
    baseline = stream.random(200) / 2
    same, better = lesson.compared(baseline, {"same": baseline, "better": baseline + 0.1})
    assert (same.run, same.difference, same.significant) == ("same", 0, False)
    assert better.significant and better.low == pytest.approx(better.high) == pytest.approx(10)
    assert better.p_corrected == pytest.approx(2 * better.p_randomisation)


def test_samples_are_drawn_from_the_gains():
    gains = np.arange(50.0)
    drawn = lesson.samples(gains, 12, count=30)
    assert drawn.shape == (30, 12) and set(drawn.ravel()) <= set(gains)
    assert (drawn == lesson.samples(gains, 12, count=30)).all()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda s, truth: s[shows(s)].mean() / truth, "Right."),
        (lambda s, truth: s.mean() / truth, "Not yet. These are all samples"),
        (lambda s, truth: shows(s).mean(), "Not yet. This is how often"),
        (
            lambda s, truth: np.where(shows(s), s.mean(axis=1), 0).mean() / truth,
            "Not yet. A sample whose interval includes 0 is left out",
        ),
        (lambda s, truth: truth / s[shows(s)].mean(), "Not yet. The other way round"),
        (lambda s, truth: s[shows(s)].mean(), "Not yet. This is the mean difference"),
        (
            lambda s, truth: s[s.mean(axis=1) > 0].mean() / truth,
            "Not yet. A difference above 0 is not yet",
        ),
        (lambda s, truth: 17, "Not yet. Take the rows"),
        (lambda s, truth: ..., "Not yet. Replace"),
    ],
)
def test_the_lucky_samples(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda g: (1.96 * g.std() / g.mean()) ** 2, "With 1.96 alone"),
        (lambda g: 2.8 * g.std() / abs(g.mean()), "The interval shrinks with the *root*"),
        (lambda g: (2.8 * g.std() / g.mean()) ** 2 / len(g), "You took the standard error"),
        (lambda g: (g.mean() / (2.8 * g.std())) ** 2, "A small mean needs more questions"),
        (lambda g: 2.8**2 * g.std() / g.mean() ** 2, "The deviation is squared, too"),
        (lambda g: 1190, "The square of 2.8 times"),
    ],
)
def test_how_many_questions_are_not_needed(answer, text):
    assert not (verdict := lesson.check_2(answer)) and text in verdict.reason


def test_how_many_questions_are_needed():
    assert lesson.check_2(lambda g: (2.8 * g.std() / g.mean()) ** 2)
    assert lesson.check_2(lambda g: np.ceil(2.8**2 * g.var(ddof=1) / g.mean() ** 2))


def test_where_a_language_loses():
    search, reader = exercises._parts()
    whole = search + reader
    assert search > 0 and reader > 0
    assert lesson.check_3(100 * search / whole)
    assert "Almost" in lesson.check_3(search / whole).reason
    assert "This is the reader's part" in lesson.check_3(100 * reader / whole).reason
    assert "These are the points" in lesson.check_3(search).reason
    others = exercises._other_shares()
    assert "A passage that is read" in lesson.check_3(others["gold read"]).reason
    assert "You divided by the F1 of English" in lesson.check_3(others["of English"]).reason
    assert "1 minus the gap" in lesson.check_3(99).reason


def test_what_thirteen_thousand_questions_are_worth():
    narrow, wide = exercises._widths()
    worth = 13_090 * (narrow / wide) ** 2
    assert 1190 < worth < 13_090
    assert lesson.check_4(worth) and lesson.check_4(1.05 * worth)
    assert "would have the same width" in lesson.check_4(13_090).reason
    assert "If a translation added nothing" in lesson.check_4(1190).reason
    assert "square the ratio" in lesson.check_4(13_090 * narrow / wide).reason
    assert "belongs to fewer" in lesson.check_4(13_090 * (wide / narrow) ** 2).reason
    assert "A number of questions" in lesson.check_4((narrow / wide) ** 2).reason
    assert "13,090 times the square" in lesson.check_4(300).reason


@pytest.mark.parametrize(
    ("letter", "text"),
    [
        ("a", "Not significant is not equal"),
        ("b", "was picked after looking"),
        ("c", "does not show that nothing is gained"),
        ("d", "are no independent questions"),
        ("f", "Answer with one of the letters a, b, c, d, e"),
    ],
)
def test_sentences_that_may_not_be_published(letter, text):
    assert not (verdict := lesson.check_5(letter)) and text in verdict.reason


def test_the_sentence_that_may_be_published_has_what_it_needs():
    assert lesson.check_5("e")
    sentence = lesson.sentences()["e"]
    assert all(words in sentence for words in ("95 % interval", "n = 1,190", "official scorer"))
