"""The checks of lesson 7a accept right answers, however written, and reject the usual mistakes."""

import json
import statistics
from collections import defaultdict
from types import SimpleNamespace

import pytest
from lessons import two_systems
from lessons import your_experiment as lesson

from xorqa.core.types import (
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Question,
    Span,
    Trace,
)
from xorqa.datasets.dataset import Dataset
from xorqa.metrics.report import Score

SCORES = {  # made up: xor-full for the macro average, xor-engspan for what got better
    ("asked", "xor-engspan"): (0.0, 0.0, 1.0, 0.0),
    ("translated", "xor-engspan"): (1.0, 1.0, 1.0, 0.0),
    ("asked", "xor-full"): (0.5, 0.25, 0.0, 1.0),
    ("translated", "xor-full"): (1.0, 0.25, 0.0, 1.0),
}
QIDS = ("mini-fi-01", "mini-fi-02", "mini-fi-03", "mini-ko-01")
TEXTS = {"en-1": "Turku is old.", "en-2": "Oulu is not."}


def candidate(docid, rank, score):
    hit = Hit(Passage(docid, TEXTS[docid]), 1.0)
    return Candidate(hit, rank, Span(0, 5), CandidateScores(score, score), "eng")


def trace(qid, first, second):
    read = (candidate("en-1", 0, first), candidate("en-2", 1, second))
    return Trace(Question(qid, "?", qid[5:7]), {}, read, None)


@pytest.fixture(autouse=True)
def made_up(monkeypatch):
    """Two systems over four questions; Turku, in en-1, answers each of them."""
    examples = tuple(
        Example(Question(qid, "?", qid[5:7]), (Gold("Turku", "en", "en-1", Span(0, 5)),))
        for qid in QIDS
    )
    scores = {
        (name, task): tuple(
            Score(qid, qid[5:7], {"f1": value}) for qid, value in zip(QIDS, values, strict=True)
        )
        for (name, task), values in SCORES.items()
    }
    asked = [(-3, -1), (-1, -3), (-3, -1), (-3, -1)]  # all but the second: the wrong passage
    translated = [(-1, -3), (-1, -3), (-1, -3), (-3, -1)]
    traces = {
        name: {qid: trace(qid, *pair) for qid, pair in zip(QIDS, pairs, strict=True)}
        for name, pairs in (("asked", asked), ("translated", translated))
    }
    world = Dataset("made-up", examples, {})
    monkeypatch.setattr(two_systems, "crossing_world", lambda: world)
    monkeypatch.setattr(two_systems, "scores", lambda name, task: scores[name, task])
    monkeypatch.setattr(two_systems, "traces", lambda name: traces[name])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("reader.passages=1", "Right."),
        ("k=1", "Not yet. This changes how many passages are retrieved"),
        ("routes.eng.k=1", "Not yet. "),
        ("reader.pasages=1", "Not yet. The config refuses it: "),
        ("reader.passages=3", "Not yet. The config takes it, but"),
        ("reader.max_tokens=256", "Not yet. The config takes it, but"),
        (1, "Not yet. This is not the kind of answer asked for"),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_one_passage(change, text):
    assert repr(lesson.check_1(change)).startswith(text)


def by_statistics(rows):
    by_lang = defaultdict(list)
    for lang, score in rows:
        by_lang[lang].append(score)
    return statistics.fmean(100 * statistics.fmean(scores) for scores in by_lang.values())


@pytest.mark.parametrize(
    ("macro", "text"),
    [
        (by_statistics, "Right."),
        (lambda rows: 100 * statistics.fmean(s for _, s in rows), "Not yet. This is the mean over"),
        (lambda rows: by_statistics(rows) / 100, "Not yet. Almost"),
        (lambda rows: 37.5, "Not yet. It is right for the made-up rows"),
        (lambda rows: 0, "Not yet. For [("),
        (lambda rows: ..., "Not yet. Replace the `...`"),
    ],
)
def test_the_macro_average(macro, text):
    assert repr(lesson.check_2(macro)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (2, "Right. 2 of 3."),
        (1, "Not yet. You counted those in the right passage"),
        (3, "Not yet. You counted all questions"),
        (0, "Not yet. For each question"),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_spans_of_the_wrong_passage(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (50.0, "Right. 50.0 points."),
        (100.0, "Not yet. This is what a perfect choice reaches"),
        (83.3, "Not yet. This compares with the other system"),
        (12.0, "Not yet. Subtract"),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_a_perfect_choice(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


CHOSEN = {  # system to the final answers of four questions
    "translated": ("a", "b", "c", "d"),
    "likeliest": ("a", "b", "c", "x"),
    "first": ("a", "y", "c", "x"),
    "own score": ("z", "b", "c", "x"),
}


@pytest.fixture
def run_folder(tmp_path, monkeypatch):
    """Writes a run folder with a config and answers; the systems answer as in `CHOSEN`."""
    monkeypatch.setattr(
        two_systems,
        "traces",
        lambda name: {
            qid: SimpleNamespace(answer=SimpleNamespace(text=text))
            for qid, text in zip(QIDS, CHOSEN[name], strict=True)
        },
    )
    monkeypatch.setattr(two_systems, "scores", lambda *_: [Score("q", "fi", {"f1": 0.5})])

    def write(answers, **changes):
        config = two_systems.settings("translated").to_json() | changes
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        by_lang = dict(zip(QIDS, answers, strict=True))
        (tmp_path / "xor_full.json").write_text(json.dumps(by_lang), encoding="utf-8")
        return tmp_path

    return write


OWN = {"chooser": {"use": "__main__:Likeliest"}}


@pytest.mark.parametrize(
    ("answers", "changes", "text"),
    [
        ("abcx", OWN, "Right. F1 of XOR-Full is 50.0"),
        ("abcd", {}, "Not yet. Its config has the default chooser"),
        ("abcx", {"chooser": {"use": "__main__:FirstPassage"}}, "Not yet. Its config names"),
        ("abcx", {**OWN, "k": 20}, "Not yet. More than the chooser is changed: k"),
        ("aycx", OWN, "Not yet. You took the first passage's span"),
        ("zbcx", OWN, "Not yet. You took the highest `score` of the answer"),
        ("abcd", OWN, "Not yet. 1 answers are not from the span"),
    ],
)
def test_a_chooser_that_was_run(answers, changes, text, run_folder):
    assert repr(lesson.check_5(run_folder(answers, **changes))).startswith(text)


def test_a_run_that_is_not_there(tmp_path):
    assert "is no run folder" in lesson.check_5(tmp_path / "nowhere").reason
    assert "Replace the `...`" in lesson.check_5(...).reason
