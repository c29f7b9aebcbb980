from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.predictions import read_answers
from xorqa.io.squad_xor import read_xor
from xorqa.metrics.registry import TASKS, find_task
from xorqa.metrics.report import Reference, Score
from xorqa.metrics.scorer_differences import differences
from xorqa.metrics.task import Task

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite", "sacremoses", "sacrebleu"):
        pytest.importorskip(name)


def reason(task, prediction, *golds, lang="fi", **options):
    """Why one question is scored differently; None where it is not."""
    predictions = {} if prediction is None else {"q": prediction}
    found = differences(find_task(task), [Reference("q", lang, golds)], predictions, **options)
    return found[0].reason if found else None


@pytest.mark.parametrize(
    ("passages", "gold", "why"),
    [
        (None, "Oulu", "no prediction: official leaves the question out, strict counts a miss"),
        (["a party"], "art", "the answer occurs only inside a longer word or number"),
        (["some 1,294 birds"], "1", "the answer occurs only inside a longer word or number"),
        (["in New", "York"], "New York", "the answer spans two passages"),
        (["can't-do"], "can't", "NLTK splits the answer differently from the passage"),
        (["Isaac NEWTON"], "Newton", "official misses the answer: case or width differs"),
        (
            ["red, blue"],
            "red, blue",
            "official misses the answer: NLTK puts spaces between its tokens",
        ),
        (
            ["Newton's law"],
            "Newton's",
            "official misses the answer: NLTK puts spaces between its tokens",
        ),
        (
            ["Newton’s law"],
            "newton's",
            "official misses the answer: punctuation differs, alone or with case and width",
        ),
        (["Oulu"], "Oulu", None),
        (["Oulu"], "yes", None),
    ],
)
def test_passages(passages, gold, why):
    assert reason("xor-retrieve", passages, gold, k=[2]) == why


def test_the_smallest_budget_that_differs_gives_the_reason():
    found = differences(
        find_task("xor-retrieve"),
        [Reference("q", "fi", ("art",))],
        {"q": ["ART", "w " * 1500 + "party"]},
        k=(1, 2),
    )
    assert found[0].official == {"R@1kt": 0.0, "R@2kt": 1.0}
    assert found[0].strict == {"R@1kt": 1.0, "R@2kt": 1.0}
    assert found[0].reason == "official misses the answer: case or width differs"


@pytest.mark.parametrize(
    ("task", "lang", "prediction", "gold", "why"),
    [
        ("xor-engspan", "ko", "A", "A", "the gold normalises to nothing in official"),
        ("squad", "fi", "«»", "The", None),
        ("squad", "fi", "The Oulu", "Oulu", "official removes English articles"),
        ("tydi-goldp", "fi", "«Oulu»", "Oulu", "Unicode punctuation"),
        ("squad", "de", "die Stadt", "Stadt", "official keeps the articles of de"),
        ("squad", "de", "Straße", "STRASSE", "case, width or composition of characters"),
        ("xor-engspan", "de", "die Stadt", "Stadt", None),
        ("squad", "ar", "الكتاب", "كتاب", "official keeps ال"),
        ("squad", "ja", "東京の歴史", "東京", "strict splits Japanese into words"),
        ("squad", "zh", "北京市", "北京", "strict counts each character as a word"),
        ("mlqa", "ar", "والكتاب", "و كتاب", "official removes ال inside words"),
        ("mlqa", "zh", "北京市", "北京", None),
        ("mlqa", "ja", "東京の歴史", "東京", "strict splits Japanese into words"),
        ("xor-full", "ja", "1998年", "1998", "official removes a counter (年 歳 人 년)"),
        (
            "squad",
            "fi",
            "The «Oulu»",
            "Oulu",
            "official removes English articles; Unicode punctuation",
        ),
        ("xor-full", "fi", "Oulu", "Turku", None),
    ],
)
def test_answers(task, lang, prediction, gold, why):
    assert reason(task, prediction, gold, lang=lang) == why


def test_japanese_points():
    found = reason("xor-full", "ジョン・レノン、ヨーコ", "ジョン・レノン", lang="ja")
    assert found == "the scorers split words differently at ・ and 、"


def test_a_prediction_under_a_prefixed_id():
    found = differences(find_task("xor-full"), [Reference("1", "fi", ("Oulu",))], {"dev_1": "Oulu"})
    assert found[0].official["em"] == 1.0
    assert found[0].strict["em"] == 0.0
    assert found[0].reason.startswith("official also accepts a prediction whose id only ends in")


def test_bleu_alone_is_no_difference():
    reference, predictions = Reference("q", "fi", ("Oulu on kaupunki",)), {"q": "Oulu kaupunki"}
    bleu = [
        find_task("xor-full").score([reference], predictions, scorer=one)[0].values["bleu"]
        for one in ("official", "strict")
    ]
    assert bleu[0] != pytest.approx(bleu[1])
    assert differences(find_task("xor-full"), [reference], predictions) == []


def test_the_same_id_in_two_languages():
    references = [Reference("q", "en", ("city",)), Reference("q", "fi", ("city",))]
    found = differences(find_task("squad"), references, {"q": "the city"})
    assert [row.lang for row in found] == ["fi"]


def test_errors_are_those_of_scoring():
    with pytest.raises(DataError, match="question 'q' has no gold answer"):
        reason("squad", "Oulu")
    with pytest.raises(ConfigError, match="k must be thousands of tokens"):
        reason("xor-retrieve", ["Oulu"], "Oulu", k=[0])


def test_a_task_from_outside_needs_two_scorers_but_no_reasons():
    def exact(references, predictions):
        return [
            Score(row.qid, row.lang, {"em": float(predictions[row.qid] in row.answers)})
            for row in references
        ]

    def lenient(references, predictions):
        return [Score(row.qid, row.lang, {"em": 1.0}) for row in references]

    task = Task(name="mine", title="Mine", scorers={"exact": exact})
    with pytest.raises(ConfigError, match="mine has only one scorer, 'exact'"):
        differences(task, [Reference("q", "fi", ("Oulu",))], {"q": "Turku"})
    task = replace(task, scorers={"exact": exact, "lenient": lenient})
    [row] = differences(task, [Reference("q", "fi", ("Oulu",))], {"q": "Turku"})
    assert (row.official, row.strict, row.reason) == ({"em": 0.0}, {"em": 1.0}, "")


answers = st.text("aA .-–年1東京・ةال", min_size=1, max_size=6)
langs = st.sampled_from(["ar", "de", "en", "fi", "ja", "ko", "th", "zh", "xx"])
tasks = st.sampled_from([task for task in TASKS if task not in ("xor-retrieve", "mewsli-x")])


@settings(deadline=None)
@given(tasks, st.lists(st.tuples(langs, answers, st.lists(answers, min_size=1)), max_size=4))
def test_exactly_the_questions_that_differ_are_reported(task, rows):
    references = [Reference(str(i), lang, tuple(golds)) for i, (lang, _, golds) in enumerate(rows)]
    predictions = {str(i): text for i, (_, text, _) in enumerate(rows)}
    official, strict = (
        find_task(task).score(references, predictions, scorer=one) for one in ("official", "strict")
    )
    wanted = [
        one.qid
        for one, other in zip(official, strict, strict=True)
        if any(one.values[name] != pytest.approx(other.values[name]) for name in ("f1", "em"))
    ]
    found = differences(find_task(task), references, predictions)
    assert [row.qid for row in found] == wanted
    assert all(row.reason for row in found)


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
@pytest.mark.parametrize("task", ["xor-engspan", "xor-full"])
def test_every_difference_of_a_real_system_is_explained(task):
    stem = task.replace("-", "_")
    rows = read_xor(GOLDEN / f"{stem}.data.jsonl")
    references = [Reference(row.qid, row.lang, row.answers) for row in rows]
    found = differences(
        find_task(task), references, read_answers(GOLDEN / f"{stem}.pred.json").by_qid
    )
    assert found
    assert "the scorers' tokens differ" not in {row.reason for row in found}


def test_a_difference_has_prediction_golds_and_an_excerpt():
    far = "x" * 200
    passage = f"{far} in OULU\nitself {far}"
    row = Reference("q", "fi", ("Turku", "Oulu"), passage)
    [found] = differences(find_task("squad"), [row], {"q": "The Oulu"})
    assert (found.prediction, found.answers) == ("The Oulu", ("Turku", "Oulu"))
    assert found.excerpt(12) == "… xxxxxxxx in OULU itself xxxx …"
    [found] = differences(find_task("squad"), [row], {"q": "The Turku"})
    assert "OULU" in found.excerpt()
    [found] = differences(find_task("squad"), [Reference("q", "fi", ("Oulu",))], {"q": "The Oulu"})
    assert found.excerpt() == ""


def test_the_passages_of_a_difference_are_the_datas_the_predictions_or_retrieved():
    row, retrieved = Reference("q", "fi", ("Oulu",)), {"q": ["the Oulu", "other"]}
    [found] = differences(find_task("squad"), [row], {"q": "The Oulu"}, retrieved=retrieved)
    assert found.passages == ("the Oulu", "other")
    [found] = differences(find_task("xor-retrieve"), [row], {"q": ["OULU"]}, retrieved=retrieved)
    assert found.passages == ("OULU",)
