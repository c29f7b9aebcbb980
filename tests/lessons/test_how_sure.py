"""The exercises of lesson 3b accept right answers and explain the usual wrong ones."""

from math import ceil, log
from types import SimpleNamespace

import numpy as np
import pytest
from lessons import how_sure as lesson
from lessons import how_sure_exercises as exercises
from lessons import how_sure_languages as languages
from lessons import how_sure_passages as passages


def windows_needed(tokens, room, shared):
    return 1 + max(0, ceil((tokens - room) / (room - shared)))


def gaps(rows):
    return [(size, sure - share) for size, sure, share in rows]


def calibration_error(rows):
    return sum(size * abs(gap) for size, gap in gaps(rows)) / sum(size for size, _ in gaps(rows))


def signed(rows):
    return abs(sum(size * gap for size, gap in gaps(rows)) / sum(size for size, _ in gaps(rows)))


def draws(label, count=1000):
    """The mean error over draws, whose labels a function of the stream and chances returns."""

    def error_if_calibrated(chances, error, stream):
        return np.mean([error(chances, label(stream, chances)) for _ in range(count)])

    return error_if_calibrated


def of_mean_labels(chances, error, stream):
    return error(chances, np.mean([stream.random(len(chances)) < chances for _ in range(1000)], 0))


def best_threshold(chances, answers, cost, *, tried=(1.1,)):
    def total(threshold):
        accepted = chances >= threshold
        return (answers & ~accepted).sum() + cost * (accepted & ~answers).sum()

    return min([*chances, *tried], key=total)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (lesson.check_1, windows_needed),
        (lesson.check_2, calibration_error),
        (lesson.check_3, draws(lambda stream, chances: stream.random(len(chances)) < chances)),
        (lesson.check_3, draws(lambda stream, chances: stream.binomial(1, chances) == 1)),
        (lesson.check_4, best_threshold),
    ],
)
def test_a_right_answer_is_accepted(check, answer):
    assert repr(check(answer)).startswith("Right. ")


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        (lesson.check_1, lambda tokens, room, shared: ceil(tokens / room), "fewer new ones"),
        (lesson.check_1, lambda tokens, room, shared: ceil(tokens / (room - shared)), "one window"),
        (lesson.check_1, lambda tokens, room, shared: 1 + tokens // (room - shared), "one window"),
        (lesson.check_1, lambda tokens, room, shared: 1, "new tokens"),
        (
            lesson.check_1,
            lambda tokens, room, shared: 1 - (room - tokens) // (room - shared),
            "fits",
        ),
        (
            lesson.check_1,
            lambda tokens, room, shared: 1 + ceil(max(0, tokens - 236) / 172),
            "For 600 tokens",
        ),
        (lesson.check_2, signed, "does not make up for"),
        (lesson.check_2, lambda rows: np.mean([abs(gap) for _, gap in gaps(rows)]), "count more"),
        (lesson.check_2, lambda rows: sum(n * abs(gap) for n, gap in gaps(rows)), "Divide by"),
        (lesson.check_3, draws(lambda s, p: s.random(len(p)) < p, 1), "one draw is chance"),
        (lesson.check_3, lambda chances, error, stream: 0.0, "With endless pairs"),
        (lesson.check_3, of_mean_labels, "Average the errors of the draws"),
        (lesson.check_3, draws(lambda s, p: s.random(len(p)) > p), "true with 1 - P(passage)"),
        (lesson.check_3, draws(lambda s, p: s.random(len(p)) < 0.5), "a coin's"),
        (lesson.check_3, draws(lambda s, p: s.random() < p), "one number for all pairs"),
        (lesson.check_3, draws(lambda s, p: p >= 0.5), "its likelier label"),
        (
            lesson.check_3,
            lambda *given: 1000 * draws(lambda s, p: p > s.random(24))(*given),
            "at most 1",
        ),
        (lesson.check_3, draws(lambda s, p: s.permutation(p > 0.5)), "Per draw: a random"),
        (lesson.check_4, lambda chances, answers, cost: 0.5, "Try each probability"),
        (lesson.check_4, lambda c, a, cost: best_threshold(c, a, 1), "Where a wrong answer costs"),
        (lesson.check_4, lambda *given: best_threshold(*given, tried=()), "refuse everything"),
        (lesson.check_4, lambda chances, answers, cost: 1 / 0, "ZeroDivisionError"),
        (lesson.check_5, "61", "Error"),
    ],
)
def test_a_wrong_answer_gets_a_hint(check, answer, hint):
    verdict = repr(check(answer))
    assert verdict.startswith("Not yet. ") and hint in verdict


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (60, "Right. 60 % [60, 60]: the reader does look for the answer."),
        (0.6, "Not yet. Almost: in percent."),
        (40, "Not yet. This is what is left"),
        (100 * 0.42 / 0.9, "Not yet. You divided by all"),
        (42, "Not yet. These are points."),
        (100 * 0.22 / 0.5, "Not yet. Compare the same questions"),
        (140, "Not yet. This is the distance to an alike passage"),
        (5, "Not yet. The mean of the right passages"),
    ],
)
def test_the_share_of_the_answer(monkeypatch, answer, text):
    """Every fourth question has 0.9, 0.6 and 0.2, the other three 0.633, 0.5 and 0.2."""

    def reading(chance):
        return SimpleNamespace(passage_score=log(chance))

    means = {"right": (0.9, 0.6333333), "alike": (0.6, 0.5), "random": (0.2, 0.2)}
    readings = {
        kind: [reading(fourth), *[reading(other)] * 3] for kind, (fourth, other) in means.items()
    }
    monkeypatch.setattr(exercises, "readings", lambda: readings)
    monkeypatch.setattr(exercises, "read", lambda pairs: [reading(0.48)])
    assert repr(lesson.check_5(answer)).startswith(text)


@pytest.mark.parametrize("number", range(1, 6))
def test_a_stub_is_not_right(number):
    assert "Replace the `...`" in repr(getattr(lesson, f"check_{number}")(...))


def test_the_long_text_holds_its_answer():
    text, answer = lesson.long_text()
    assert text[answer.start : answer.end] == "81 metres" and text.count("\n") == 11


def test_the_answer_is_cut_out_with_its_sentence():
    cut = lesson.without_answer()
    assert len(cut) == 21
    for (_, text), qid in zip(cut, list(lesson.answered_in_english())[::4], strict=True):
        whole, gold = passages.gold_passage(qid).text, passages.examples()[qid].golds[0].text
        assert text.count(gold) < whole.count(gold) and len(text) < len(whole)


def test_no_wrong_passage_holds_a_gold_answer():
    kinds = lesson.answered_in_english()
    assert len(kinds) == 84
    for qid, (right, *wrong) in kinds.items():
        golds = [gold.casefold() for gold in passages.examples()[qid].answers("en")]
        assert right not in wrong
        assert not any(gold in one.text.casefold() for one in wrong for gold in golds)


def test_the_error_of_pairs_is_that_of_their_bins():
    chances, right = np.array([0.05, 0.08, 0.55, 1.0]), np.array([False, True, True, True])
    assert lesson.error_of(chances, right) == pytest.approx((0.87 + 0.45) / 4)


def test_every_question_has_a_right_pair_and_a_wrong_one(monkeypatch):
    one = [SimpleNamespace(passage_score=log(0.5))] * 84
    monkeypatch.setattr(languages, "readings", lambda: {"right": one, "alike": one})
    pairs = lesson.world_pairs()
    for lang in np.unique(pairs.languages):
        of_lang = pairs.of(str(lang))
        assert len(of_lang.right) == 24 and of_lang.right.sum() == 12
        assert set(of_lang.questions[of_lang.right]) == set(of_lang.questions[~of_lang.right])


def test_the_recorded_pairs_are_right_only_where_the_gold_passage_was_read():
    pairs, was_read = lesson.recorded_pairs(), lesson.gold_was_read()
    assert pairs.right.sum() > 0 and not (pairs.right & ~was_read).any()
    counts = {len(pairs.of(str(lang)).right) for lang in np.unique(pairs.languages)}
    assert len(counts) == 1, "the same questions in every language"


@pytest.fixture
def made_up_pairs(monkeypatch):
    """A calibrated language and one that is too sure, of 400 questions each."""
    stream = np.random.default_rng(2)
    chances = np.tile(stream.uniform(0.5, 1, 400), 2)
    right = stream.random(800) < chances - np.repeat([0, 0.3], 400)
    columns = (np.repeat(["aa", "bb"], 400), np.tile(np.arange(400), 2), chances, right)
    monkeypatch.setattr(languages, "world_pairs", lambda: languages.Pairs(*columns))
    languages.reliability.cache_clear()
    yield
    languages.reliability.cache_clear()


def test_a_calibrated_language_stays_below_the_yardstick(made_up_pairs):
    calibrated, sure = lesson.reliability("world")
    assert calibrated.error < calibrated.by_chance < 0.1
    assert sure.low > sure.by_chance and sure.low < 0.3 < sure.high
    plain = lesson.reliability_table("t", "world").plain
    assert f"| bb | 400 | {sure.mean:.2f} | {sure.right:.2f} |" in plain
    pytest.importorskip("matplotlib")
    picture = lesson.picture_of_languages({"one": [sure], "other": [calibrated, sure]})
    assert f"one: bb {100 * sure.error:.0f} %" in picture.alt
