import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.metrics.registry import TASKS, find_task
from xorqa.metrics.report import Reference, Score
from xorqa.metrics.task import SCORERS, Task

RANKED = ("xor-retrieve", "mewsli-x")  # predictions are lists, best first
ANSWERED = [task for task in TASKS if task != "xor-retrieve"]
ROWS = [Reference("a", "fi", ("Oulu",)), Reference("b", "te", ("Turku", "Vaasa"))]


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite", "sacremoses", "sacrebleu"):
        pytest.importorskip(name)


def per_lang(task, scorer, answers):
    """The values of each language as a set."""
    before = [] if task == "mewsli-x" else ["Elsewhere."]  # its score depends on the rank
    ranked = {qid: [*before, answer] for qid, answer in answers.items()}
    predictions = ranked if task in RANKED else answers
    report = find_task(task).evaluate(ROWS, predictions, scorer=scorer)
    assert (report.task, report.scorer) == (task, scorer)
    return {lang: set(values.values()) for lang, values in report.per_lang.items()}


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", [task for task in TASKS if task != "mewsli-x"])  # one gold each
def test_a_gold_answer_scores_100_and_another_0(task, scorer):
    assert per_lang(task, scorer, {"a": "Oulu", "b": "Vaasa"}) == {"fi": {100.0}, "te": {100.0}}
    assert per_lang(task, scorer, {"a": "Oulu", "b": "xyz"}) == {"fi": {100.0}, "te": {0.0}}


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", TASKS)
def test_an_absent_question_is_a_miss_but_for_official_retrieval(task, scorer):
    left_out = (task, scorer) == ("xor-retrieve", "official")
    expected = {"fi": {100.0}} | ({} if left_out else {"te": {0.0}})
    assert per_lang(task, scorer, {"a": "Oulu"}) == expected


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", TASKS)
def test_a_question_without_gold_is_rejected_or_skipped_in_retrieval(task, scorer):
    rows = [*ROWS, Reference("bare", "fi", ())]
    if task in ANSWERED:
        with pytest.raises(DataError, match=f"{task}: question 'bare' has no gold answer"):
            find_task(task).score(rows, {}, scorer=scorer)
    else:
        predictions = {row.qid: ["Oulu"] for row in rows}
        found = find_task(task).score(rows, predictions, scorer=scorer)
        assert [some.qid for some in found] == ["a", "b"]


@pytest.mark.parametrize("task", TASKS)
def test_both_scorers_name_the_same_metrics(task):
    predictions = {"a": ["Oulu"]} if task in RANKED else {"a": "Oulu"}
    reports = [find_task(task).evaluate(ROWS, predictions, scorer=scorer) for scorer in SCORERS]
    assert reports[0].measures == reports[1].measures


@pytest.mark.parametrize("scorer", SCORERS)
def test_retrieval_takes_its_budgets(scorer):
    report = find_task("xor-retrieve").evaluate(ROWS, {"a": ["Oulu"]}, scorer=scorer, k=(3, 1))
    assert report.measures == ("R@1kt", "R@3kt")


def test_an_unknown_scorer_lists_the_scorers():
    with pytest.raises(ConfigError, match="squad has no scorer 'lax'; valid: official, strict"):
        find_task("squad").evaluate(ROWS, {}, scorer="lax")


@pytest.mark.parametrize("scorers", [{}, {"official": "squad"}])
def test_a_task_needs_scorers_that_can_be_called(scorers):
    with pytest.raises(ConfigError, match="task mine: scorers must map at least one name"):
        Task(name="mine", title="Mine", scorers=scorers)


@pytest.mark.parametrize("returned", [None, {"a": 1.0}, [1.0]])
def test_a_scorer_must_return_scores(returned):
    task = Task(name="mine", title="Mine", scorers={"all": lambda rows, predictions: returned})
    with pytest.raises(ConfigError, match="mine: scorer 'all' must return a list of Score"):
        task.score(ROWS, {})


def full(*langs):
    """The scores of XOR-Full with one question a language, each of them 1."""
    return [Score(lang, lang, {"f1": 1.0, "em": 1.0, "bleu": 1.0}) for lang in langs]


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_macro_of_xor_full_is_over_the_languages_present(scorer):
    for langs in (("fi", "te"), XOR_LANGUAGES, ("de",)):
        report = find_task("xor-full").report(full(*langs), scorer=scorer)
        assert report.macro == {"f1": 100.0, "em": 100.0, "bleu": 100.0}


def test_the_published_division_where_all_seven_languages_are_present_or_it_is_requested():
    task = find_task("xor-full")
    assert "macro_over_seven" not in task.report(full("fi", "te")).to_json()
    assert task.report(full(*XOR_LANGUAGES, "de")).to_json()["macro_over_seven"]["f1"] == 100.0
    assert task.report(full(*XOR_LANGUAGES), scorer="strict").macro_over_seven == {}
    divided = task.report(full("fi", "te", "de")).over_seven()
    assert divided.macro_over_seven["f1"] == pytest.approx(200 / 7)
    assert divided.to_json()["macro_over_seven"] == divided.macro_over_seven


def test_strict_xor_full_averages_the_languages_present_and_has_a_signature():
    report = find_task("xor-full").report(full("fi", "de"), scorer="strict")
    assert report.macro == {"f1": 100.0, "em": 100.0, "bleu": 100.0}
    assert report.signature


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", TASKS)
def test_without_a_score_there_is_no_report(task, scorer):
    with pytest.raises(DataError, match=f"{task}: no question can be scored"):
        find_task(task).evaluate([], {}, scorer=scorer)
