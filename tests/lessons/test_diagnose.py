"""Lesson 8: the recorded systems, its tables, and the verdicts on typical answers."""

import json

import numpy as np
import pytest
from lessons import diagnose as lesson
from lessons import diagnose_exercises, diagnose_recording

from xorqa.io.files import write_json
from xorqa.lab.diagnosis.facts import DiagnosisInput


def test_the_recording_has_every_question_of_both_systems():
    data = lesson.load()
    assert isinstance(data, DiagnosisInput) and len(data.questions) == 168
    assert list(data.systems) == list(lesson.SYSTEMS)
    assert all(row.values is not None for rows in data.systems.values() for row in rows)
    assert len({question.lang for question in data.questions}) == 7


def test_the_recorded_scores_are_those_of_the_demo():
    means = {name: round(float(lesson.f1(name).mean()), 1) for name in lesson.SYSTEMS}
    assert means == {"bm25": 66.7, "dense": 55.6}


def test_a_recording_is_written_as_it_is_read(tmp_path, monkeypatch):
    data = lesson.load()
    monkeypatch.setattr(diagnose_recording, "read_run_folders", lambda runs, *, task: data)
    write_json(tmp_path / "manifest.json", {"dataset": "mini", "versions": {"xorqa": "1"}})
    path = tmp_path / "diagnose.json"
    diagnose_recording.write(diagnose_recording.record([tmp_path, tmp_path]), path)
    written = json.loads(path.read_text(encoding="utf-8"))
    first = data.systems["dense"][0]
    assert written["systems"]["dense"][0] == [
        data.questions[0].qid,
        first.answer,
        first.gold_rank,
    ]
    assert written["manifest"]["commands"][0] == "xorqa run bm25 --data mini"
    assert {name: len(rows) for name, rows in written["systems"].items()} == {
        "bm25": 168,
        "dense": 168,
    }


def test_tables():
    found = diagnose_exercises.diagnosis()
    assert len(lesson.buckets(found, "language")) == 168
    plain = repr(lesson.bucket_table(found, "answer-type"))
    assert plain.index("| other |") < plain.index("| person |")  # the worst first
    rows = [row for row in found.pairs[0].differences if row.metric == "f1"][:2]
    assert "p corrected" in repr(lesson.difference_table("t", rows))
    assert "question, in English" in repr(lesson.question_table("t", [0, 1]))


def means(values, buckets):
    names = np.array(buckets)
    return {name: (int(sum(names == name)), values[names == name].mean()) for name in buckets}


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda values, buckets: {}, "Every bucket needs an entry"),
        (lambda values, buckets: dict.fromkeys(buckets, (9, 0)), "How many questions"),
        (
            lambda values, buckets: {
                name: (n, values.mean()) for name, (n, _) in means(values, buckets).items()
            },
            "over its own questions only",
        ),
    ],
)
def test_wrong_buckets_get_a_hint(answer, hint):
    verdict = lesson.check_1(answer)
    assert not verdict and hint in verdict.reason
    assert lesson.check_1(means)


def test_the_share_of_lost_questions():
    data = lesson.load()
    lost = [at for at in lesson.of_answer_type("other") if lesson.f1("bm25")[at] == 0]
    first = sum(data.systems["bm25"][at].gold_rank == 1 for at in lost)
    assert lesson.check_2(100 * first / len(lost))
    assert "percentage" in lesson.check_2(first / len(lost)).reason
    share_of_all = 100 * first / len(lesson.of_answer_type("other"))
    assert "wrong answers" in lesson.check_2(share_of_all).reason
    assert "whose `gold_rank` is 1" in lesson.check_2(100 - 100 * first / len(lost)).reason


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (6, "single test"),
        (11, "both directions"),
        (5, "and correct"),
        (3, "So many do differ"),
        (11.2, "whole number"),
        (30, "Multiply"),
    ],
)
def test_the_questions_that_it_would_take(answer, hint):
    verdict = lesson.check_3(answer)
    assert not verdict and hint in verdict.reason


def test_all_twelve_would_have_to_differ():
    reason = lesson.check_3(12).reason
    assert "all twelve" in reason and "73 tests, and 12 questions would still do" in reason


def test_the_share_at_which_the_systems_are_equal():
    inside, across = (np.mean(gains) for gains in lesson.half_gains("fi").values())
    share = 100 * across / (across - inside)
    assert inside < 0 < across
    assert "interval of this percentage is 0 to 100 %" in lesson.check_4(share).reason
    assert "percentage" in lesson.check_4(share / 100).reason
    assert "other questions" in lesson.check_4(100 - share).reason
    assert "Solve" in lesson.check_4(50).reason


def test_halves_are_crossed_with_languages():
    plain = repr(lesson.crossed_table("t", ["fi"])).replace("\\", "")
    assert "| fi | +2.5 [" in plain and "| -20.0 [-42, +0] | +25.0 [+0, +50] |" in plain
    assert "n = 12 in each half" in plain


def test_two_groups_of_questions_are_apart():
    clear = lesson.apart([0, 0, 1, 0, 0, 1], [9, 9, 8, 9, 9, 8])
    assert clear.low > 0 and clear.p < 0.01
    none = lesson.apart([0, 1, 0, 1], [0, 1, 0, 1])
    assert none.points == 0 and none.low < 0 < none.high and none.p == 1
    finnish = lesson.apart(*lesson.half_gains("fi").values())
    assert finnish.low > 0 and 0.03 < finnish.p < 0.05


def test_one_sentence_is_supported_and_its_length_does_not_betray_it():
    sentences = lesson.sentences()
    assert [letter for letter in sentences if lesson.check_5(letter)] == ["c"]
    assert all(len(sentences["c"]) < 2 * len(sentence) for sentence in sentences.values())


@pytest.mark.parametrize(
    ("letter", "hint"),
    [
        ("a", "holds on average"),
        ("b", "the bucket was found by looking"),
        ("d", "cross-lingual difference has a corrected p"),
        ("e", "chosen among many"),
        ("f", "letters"),
    ],
)
def test_the_other_sentences_are_refused(letter, hint):
    verdict = lesson.check_5(letter)
    assert not verdict and hint in verdict.reason
