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
from xorqa.metrics.tasks.squad import f1

SCORES = {  # made up: xor-full for the macro average, xor-engspan for what got better
    ("asked", "xor-engspan"): (0.0, 0.0, 1.0, 0.0),
    ("translated", "xor-engspan"): (1.0, 1.0, 1.0, 0.0),
    ("one passage", "xor-engspan"): (1.0, 0.0, 1.0, 0.0),
    ("asked, one passage", "xor-engspan"): (0.0, 0.0, 1.0, 0.0),
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


TEXT, ONE = "reader.text=query", "reader.passages=1"


@pytest.mark.parametrize(
    ("configs", "text"),
    [
        ([[], [TEXT], [ONE], [TEXT, ONE]], "Right. Retrieval runs once"),
        (([ONE, TEXT], (ONE,), [TEXT], []), "Right. Retrieval runs once"),
        ([[], [TEXT, ONE]], "Not yet. These two differ in two settings"),
        ([[], [TEXT], [ONE]], "Not yet. Each change alone, but not both"),
        ([[TEXT], [ONE], [TEXT, ONE]], "Not yet. Against which run do you compare?"),
        ([[], [TEXT]], "Not yet. For each change there are two runs"),
        ([[], [TEXT], [ONE], [TEXT, ONE], [ONE, TEXT]], "Not yet. Two of the configs are the same"),
        ([[], [TEXT], ["k=1"], [TEXT, "k=1"]], "Not yet. One of them changes how many passages"),
        ([[], [TEXT], ["reader.passages=3"]], "Not yet. One of them changes something else"),
        ([[], ["reader.max_tokens=256"]], "Not yet. One of them changes something else"),
        ([[], ["reader.pasages=1"]], "Not yet. A config is refused: "),
        ([TEXT, ONE], "Not yet. Give a list of configs"),
        (TEXT, "Not yet. Give a list of configs"),
        (..., "Not yet. Replace the `...`"),
    ],
)
def test_configs_of_two_changes(configs, text):
    assert repr(lesson.check_1(configs)).startswith(text)


def test_two_changes_may_be_worth_more_together():
    verdict = lesson.check_1([[], [TEXT], [ONE], [TEXT, ONE]])
    assert "50.0 points with two passages and 25.0 with one: +25.0 [+0.0, +75.0]" in verdict.reason


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


def judge(spans, answers):
    return max((f1(span, answer) for span in spans for answer in answers), default=0)


@pytest.mark.parametrize(
    ("judge", "text"),
    [
        (judge, "Right. Macro F1 of XOR-EnglishSpan: 100.0 instead of 16.7 for `asked`"),
        (lambda spans, answers: 100 * judge(spans, answers), "Not yet. Of the spans"),
        (lambda spans, answers: judge(spans[:1], answers), "This is the reader's choice, or"),
        (lambda spans, answers: judge(spans, answers[:1]), "This is the reader's choice, or"),
        (
            lambda spans, answers: statistics.fmean(
                judge([span], answers) for span in spans or [""]
            ),
            "This is the mean over the spans",
        ),
        (lambda spans, answers: judge(spans, answers) * 100, "Scores of single questions go from"),
        (lambda spans, answers: judge(spans[2:], answers), "Which span is nearest"),
        (lambda spans, answers: judge(spans, answers) if spans else 1, "Where nothing was read"),
        (lambda spans, answers: ..., "Not yet. Replace the `...`"),
    ],
)
def test_a_perfect_judge(judge, text):
    verdict = repr(lesson.check_4(judge))
    assert verdict.startswith(text) if text.startswith(("Right", "Not yet")) else text in verdict


CHOSEN = {  # system to the final answers of four questions
    "objecting": ("a", "b", "c", "x"),
    "first": ("a", "y", "c", "x"),
    "likeliest": ("z", "b", "c", "x"),
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
        config = two_systems.settings("asked").to_json() | changes
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        by_lang = dict(zip(QIDS, answers, strict=True))
        (tmp_path / "xor_full.json").write_text(json.dumps(by_lang), encoding="utf-8")
        return tmp_path

    return write


OWN = {"chooser": {"use": "__main__:Objecting"}}


@pytest.mark.parametrize(
    ("answers", "changes", "text"),
    [
        ("abcx", OWN, "Right. F1 of XOR-Full is 50.0"),
        ("abcd", {}, "Not yet. Its config has the default chooser"),
        ("abcx", {"chooser": {"use": "__main__:FirstPassage"}}, "Not yet. Its config names"),
        ("abcx", {**OWN, "k": 20}, "Not yet. More than the chooser is changed: k"),
        ("aycx", OWN, "Not yet. You took the first passage's span"),
        ("zbcx", OWN, "Not yet. You took the reader's favourite"),
        ("abcd", OWN, "Not yet. 1 answers differ"),
    ],
)
def test_a_chooser_that_was_run(answers, changes, text, run_folder):
    assert repr(lesson.check_5(run_folder(answers, **changes))).startswith(text)


def test_a_run_that_is_not_there(tmp_path):
    assert "is no run folder" in lesson.check_5(tmp_path / "nowhere").reason
    assert "Replace the `...`" in lesson.check_5(...).reason
