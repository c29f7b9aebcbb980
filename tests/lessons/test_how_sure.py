"""The exercises of lesson 3b accept right answers and explain the usual wrong ones."""

from math import ceil, exp, log
from types import SimpleNamespace

import numpy as np
import pytest
from lessons import how_sure as lesson
from lessons import how_sure_exercises as exercises
from lessons import how_sure_passages as passages


def windows_needed(tokens, room, shared):
    return 1 + max(0, ceil((tokens - room) / (room - shared)))


def gaps(rows):
    return [(size, sure - share) for size, sure, share in rows]


def calibration_error(rows):
    return sum(size * abs(gap) for size, gap in gaps(rows)) / sum(size for size, _ in gaps(rows))


def signed(rows):
    return abs(sum(size * gap for size, gap in gaps(rows)) / sum(size for size, _ in gaps(rows)))


def tempered(chance, temperature):
    return 1 / (1 + exp(-log(chance / (1 - chance)) / temperature))


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
        (lesson.check_3, tempered),
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
        (lesson.check_2, signed, "does not make up for"),
        (lesson.check_2, lambda rows: np.mean([abs(gap) for _, gap in gaps(rows)]), "count more"),
        (lesson.check_2, lambda rows: sum(n * abs(gap) for n, gap in gaps(rows)), "Divide by"),
        (lesson.check_3, lambda chance, temperature: chance / temperature, "The logit of one half"),
        (lesson.check_3, lambda chance, temperature: tempered(chance, 1 / temperature), "towards"),
        (lesson.check_3, lambda chance, temperature: chance, "logit = log"),
        (lesson.check_4, lambda chances, answers, cost: 0.5, "Try each probability"),
        (lesson.check_4, lambda c, a, cost: best_threshold(c, a, 1), "Where a wrong answer costs"),
        (lesson.check_4, lambda *given: best_threshold(*given, tried=()), "refuse everything"),
        (lesson.check_4, lambda chances, answers, cost: 1 / 0, "ZeroDivisionError"),
        (lesson.check_5, "wrong", "valid: right, alike, random"),
    ],
)
def test_a_wrong_answer_gets_a_hint(check, answer, hint):
    verdict = repr(check(answer))
    assert verdict.startswith("Not yet. ") and hint in verdict


@pytest.mark.parametrize(
    ("mean", "answer", "verdict", "hint"),
    [
        (0.7, "alike", "Right. ", "falls to 0.70 (right 0.90, alike 0.60, random 0.20)"),
        (0.7, "right", "Not yet. ", "does change the mean"),
        (0.7, "random", "Not yet. ", "which of the three is nearest"),
        (0.3, "random", "Right. ", "falls to 0.30"),
        (0.3, "alike", "Not yet. ", "nearest"),
    ],
)
def test_the_nearest_mean_is_right(monkeypatch, mean, answer, verdict, hint):
    def reading(chance):
        return [SimpleNamespace(passage_score=log(chance))]

    means = {"right": 0.9, "alike": 0.6, "random": 0.2}
    readings = {kind: reading(chance) for kind, chance in means.items()}
    monkeypatch.setattr(exercises, "readings", lambda: readings)
    monkeypatch.setattr(exercises, "read", lambda pairs: reading(mean))
    result = repr(lesson.check_5(answer))
    assert result.startswith(verdict) and hint in result


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
