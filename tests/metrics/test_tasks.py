import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.metrics.report import Reference, Score
from xorqa.metrics.tasks import SCORERS, TASKS, evaluate, score, summary, with_parts

ANSWERED = [task for task in TASKS if task != "xor-retrieve"]
ROWS = [Reference("a", "fi", ("Oulu",)), Reference("b", "te", ("Turku", "Vaasa"))]


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite", "sacremoses", "sacrebleu"):
        pytest.importorskip(name)


def per_lang(task, scorer, answers):
    """The values of each language as a set."""
    ranked = {qid: ["Elsewhere.", answer] for qid, answer in answers.items()}
    predictions = ranked if task == "xor-retrieve" else answers
    report = evaluate(task, ROWS, predictions, scorer=scorer)
    assert (report.task, report.scorer) == (task, scorer)
    return {lang: set(values.values()) for lang, values in report.per_lang.items()}


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", TASKS)
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
def test_a_question_without_gold_is_refused_or_in_retrieval_passed_over(task, scorer):
    rows = [*ROWS, Reference("bare", "fi", ())]
    if task in ANSWERED:
        with pytest.raises(DataError, match=f"{task}: question 'bare' has no gold answer"):
            score(task, rows, {}, scorer=scorer)
    else:
        predictions = {row.qid: ["Oulu"] for row in rows}
        found = score(task, rows, predictions, scorer=scorer)
        assert [some.qid for some in found] == ["a", "b"]


@pytest.mark.parametrize("task", TASKS)
def test_both_scorers_name_the_same_metrics(task):
    predictions = {"a": ["Oulu"]} if task == "xor-retrieve" else {"a": "Oulu"}
    reports = [evaluate(task, ROWS, predictions, scorer=scorer) for scorer in SCORERS]
    assert reports[0].metrics == reports[1].metrics


@pytest.mark.parametrize("scorer", SCORERS)
def test_retrieval_takes_its_budgets(scorer):
    report = evaluate("xor-retrieve", ROWS, {"a": ["Oulu"]}, scorer=scorer, k=(3, 1))
    assert report.metrics == ("R@1kt", "R@3kt")


def test_unknown_names_list_what_there_is():
    with pytest.raises(ConfigError) as error:
        score("xor-ful", ROWS, {})
    assert str(error.value) == (
        "no task is called 'xor-ful'; there are: "
        "mlqa, squad, tydi-goldp, xor-engspan, xor-full, xor-retrieve"
    )
    with pytest.raises(ConfigError, match="no scorer is called 'lax'; there are: official, strict"):
        evaluate("squad", ROWS, {}, scorer="lax")


def full(*langs):
    """The scores of XOR-Full with one question a language, each of them 1."""
    return [Score(lang, lang, {"f1": 1.0, "em": 1.0, "bleu": 1.0}) for lang in langs]


def test_official_xor_full_divides_by_seven():
    assert summary("xor-full", full("fi", "te")).macro["f1"] == pytest.approx(200 / 7)
    assert summary("xor-full", full(*XOR_LANGUAGES)).macro["f1"] == 100.0


def test_official_xor_full_has_no_macro_with_another_language_in_the_data():
    report = summary("xor-full", full(*XOR_LANGUAGES, "de"))
    assert report.macro == {}
    assert report.per_lang["de"]["f1"] == 100.0


def test_strict_xor_full_averages_the_languages_there_are_and_is_signed():
    report = summary("xor-full", full("fi", "de"), scorer="strict")
    assert report.macro == {"f1": 100.0, "em": 100.0, "bleu": 100.0}
    assert report.signature


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("task", TASKS)
def test_without_a_score_there_is_no_report(task, scorer):
    with pytest.raises(DataError, match=f"{task}: no question can be scored"):
        evaluate(task, [], {}, scorer=scorer)


def test_a_report_with_its_parts_beside_it():
    rows = [
        Score(qid, lang, {"f1": value})
        for qid, lang, value in (
            ("a", "fi", 1.0),
            ("b", "fi", 0.0),
            ("c", "te", 0.5),
            ("d", "te", 0.25),
        )
    ]
    where = {"a": "here", "b": "there", "c": "here", "elsewhere": "nowhere"}
    report = summary("xor-full", rows)
    made = with_parts(report, rows, [where, {"d": "hard"}])
    assert list(made.parts) == ["here", "there", "hard"]
    assert made.parts["here"].per_lang == {"fi": {"f1": 100.0}, "te": {"f1": 50.0}}
    assert made.parts["here"].macro == {"f1": 75.0}
    assert made.parts["hard"].n == {"te": 1}
    assert (made.per_lang, made.macro, made.n) == (report.per_lang, report.macro, report.n)
    assert made.to_json() == report.to_json() | {
        "parts": {name: part.to_json() for name, part in made.parts.items()}
    }
    assert with_parts(report, rows, []) == report
