"""Lesson 10: its files, its simulated annotators, its interval, and the verdicts on answers."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from lessons import make_a_data_set as lesson
from lessons.make_a_data_set_scores import Answered

from xorqa.core.errors import DataError

PAIR = ("Denali is in Alaska.", "Denali on Alaskassa.")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_known_translations_are_in_both_wikipedias():
    assert lesson.write_wikis() == {"en": 94, "fi": 58}
    texts = {lang: Path(f"wiki.{lang}.jsonl").read_text("utf-8") for lang in ("en", "fi")}
    assert len(lesson.known()) == 24
    for english, finnish in lesson.known():
        assert english in texts["en"] and finnish in texts["fi"]


def test_a_command_prints_and_its_error_is_raised(capsys):
    lesson.command("xorqa data check --help")
    assert "Usage" in capsys.readouterr().out
    with pytest.raises(DataError, match="has no tasks; export some first"):
        lesson.command("xorqa build qa import nothing nothing.csv")


def test_tasks_are_exported_filled_and_imported(capsys):
    lesson.write_wikis()
    english, finnish = next(pair for pair in sorted(lesson.known()) if "Vivaldi" in pair[0])
    Path("pairs.tsv").write_text(f"1.5\t{english}\t{finnish}\n", encoding="utf-8")
    assert lesson.read_pairs("pairs.tsv") == [(1.5, (english, finnish))]
    plain = repr(lesson.pair_table("Pairs", [(1.5, (english, finnish)), (1.25, PAIR)]))
    assert "| 1.50 | yes |" in plain and "| 1.25 |  |" in plain
    lesson.command(
        "xorqa build qa export facts --round question --sentences pairs.tsv --langs en,fi "
        "--corpus en=wiki.en.jsonl --corpus fi=wiki.fi.jsonl --out questions.csv"
    )
    row = {"question": "Where did Vivaldi come from?", "answer": "Vienna"}
    lesson.fill("questions.csv", "anna.csv", {"Vivaldi": row})
    lesson.drop_zeros("anna.csv")
    assert lesson.read_tasks("anna.csv")[0]["id"] == "s1.question"
    lesson.command("xorqa build qa import facts anna.csv")
    report = repr(lesson.report_table("facts/report.csv"))
    assert "changed id" in report and "span not in passage" in report
    lesson.fill("questions.csv", "anna.csv", {"Vivaldi": row | {"answer": "Venice"}})
    lesson.command("xorqa build qa import facts anna.csv")
    assert lesson.statistics("facts")["kept"] == 1
    assert "1 accepted" in capsys.readouterr().out
    with pytest.raises(DataError, match="0 rows of questions"):
        lesson.fill("questions.csv", "bea.csv", {"Sibelius": row})


def test_noise_costs_questions_and_agreement():
    clean, noisy = lesson.noise(0.0), lesson.noise(0.4)
    assert clean.agreement == clean.kept == clean.right == clean.alone == 100
    assert noisy.agreement < noisy.alone < noisy.kept < noisy.right < 100
    tasks, gold = lesson.pool_tasks()
    assert len(tasks) == 24 and tasks.keys() == gold.keys()
    for name, task in tasks.items():
        start, end = task.sentence
        assert gold[name] in task.shown["context"][start:end]
    assert lesson.noise_rows([clean]) == [("0", "100", "100 ± 0", "100", "100")]


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(3, 3, 29.24, 100), (0, 3, 0, 70.76), (2, 3, 9.43, 99.16), (12, 24, 29.12, 70.88)],
)
def test_the_exact_interval(right, n, low, high):
    assert lesson.exact_interval(right, n) == pytest.approx((low, high), abs=0.01)


def test_a_table_of_answers():
    row = Answered("How high?", "5,895 metres", "5,895 metres high", 80.0, 0.0)
    plain = repr(lesson.answer_table("English", [row]))
    assert "| How high? | 5,895 metres | 5,895 metres high | 80 | 0 |" in plain


def threshold(scores, labels, precision):
    scores, labels = np.array(scores), np.array(labels)
    return min(score for score in scores if labels[scores >= score].mean() >= precision)


def until_the_first_failure(scores, labels, precision):
    best = scores[0]
    for n in range(1, len(scores) + 1):
        if np.mean(labels[:n]) < precision:
            break
        best = scores[n - 1]
    return best


def agreement(answers, f1):
    return np.mean([f1(one, other) for one, other in combinations(answers, 2)])


def with_themselves(answers, f1):
    return np.mean([f1(one, other) for one in answers for other in answers])


def majority(error):
    return (1 - error) ** 3 + 3 * (1 - error) ** 2 * error


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        (1, lambda scores, labels, precision: min(scores), "the share of right ones"),
        (1, until_the_first_failure, "go through all of them"),
        (2, ("Dolly the sheep was named after the singer?", "Dolly Parton"), "copied"),
        (2, ("Wer hat dem Schaf seinen Namen gegeben?", "Dolly Parton"), "other language"),
        (2, ("Who was it?", "Martha"), "outside the sentence"),
        (2, ("Who was it?", "Madonna"), "span not in passage"),
        (2, ("Who was it?", ""), "incomplete"),
        (3, with_themselves, "Nobody is compared with themselves"),
        (3, lambda answers, f1: 100 * agreement(answers, f1), "not in percent"),
        (3, lambda answers, f1: np.mean([f1(answers[0], o) for o in answers[1:]]), "each other"),
        (3, lambda answers, f1: 0.5, "over all pairs"),
        (4, lambda error: (1 - error) ** 3, "all three are right"),
        (4, lambda error: (1 - error) ** 3 + (1 - error) ** 2 * error, "Any of the three"),
        (4, lambda error: 100 * majority(error), "not in percent"),
        (4, lambda error: 1 - error, "exactly two"),
        (5, 29, "2.5 % on each side"),
        (5, 10, "with a probability of 0.35"),
        (5, 0, "Count questions"),
    ],
)
def test_wrong_answers_get_a_hint(check, answer, hint):
    verdict = getattr(lesson, f"check_{check}")(answer)
    assert not verdict and hint in verdict.reason


def test_equal_scores_are_kept_together():
    def one_by_one(scores, labels, precision):
        ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])
        kept = [
            score
            for n, (score, _) in enumerate(ranked, 1)
            if sum(label for _, label in ranked[:n]) / n >= precision
        ]
        return min(kept)

    assert "are kept or dropped together" in lesson.check_1(one_by_one).reason


def test_right_answers():
    assert lesson.check_1(threshold)
    assert lesson.check_2(("Which performer gave a famous clone its name?", "Dolly Parton"))
    assert lesson.check_3(agreement) and lesson.check_4(majority) and lesson.check_5(36)
