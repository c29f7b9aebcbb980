import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest
import pytrec_eval

from xorqa.metrics.report import read_scores

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden"
XQUAD = GOLDEN.parent / "data" / "xquad"
needs_golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")

ROWS = [
    {"id": "1", "question": "Missä?", "answers": ["Oulu on"], "lang": "fi"},
    {"id": "2", "question": "どこ?", "answers": ["オウル市"], "lang": "ja"},
]


@pytest.fixture
def call(xorqa, tmp_path):
    """Run a task on rows and a prediction value; what it printed, and the JSON it wrote."""

    def run(task, predictions, *options, data=ROWS):
        lines = "\n".join(json.dumps(row) for row in data)
        (tmp_path / "data.jsonl").write_text(lines, encoding="utf-8")
        (tmp_path / "pred.json").write_text(json.dumps(predictions), encoding="utf-8")
        path = tmp_path / "out" / "scores.json"
        outcome = xorqa(
            "eval",
            task,
            "--data",
            tmp_path / "data.jsonl",
            "--pred",
            tmp_path / "pred.json",
            "--json",
            path,
            *options,
        )
        return outcome, json.loads(path.read_text()) if path.exists() else None

    return run


def squad_file(path, *qas):
    """A SQuAD-style file with a paragraph of its own for each (id, answer)."""
    paragraphs = [
        {
            "context": f"It is {answer}.",
            "qas": [{"id": qid, "question": "?", "answers": [{"text": answer, "answer_start": 6}]}],
        }
        for qid, answer in qas
    ]
    path.write_text(json.dumps({"data": [{"title": "T", "paragraphs": paragraphs}]}))
    return path


def predictions_file(path, predictions):
    path.write_text(json.dumps(predictions), encoding="utf-8")
    return path


def test_retrieve_prints_a_table_and_writes_json(call):
    passages = [{"id": "1", "lang": "fi", "ctxs": ["Siis Oulu on."]}]
    outcome, scores = call("xor-retrieve", passages, "--k", "1", "--k", "3")
    assert outcome.status == 0
    assert "R@1kt" in outcome.out
    assert "questions counted (official): fi 1" in outcome.out
    assert "missing id: 1 ('2')" in outcome.out
    problems = scores.pop("problems")
    assert {kind: number for kind, number in problems.items() if number} == {"missing id": 1}
    assert scores == {
        "task": "xor-retrieve",
        "scorer": "official",
        "per_lang": {"fi": {"R@1kt": 100.0, "R@3kt": 100.0}},
        "macro": {"R@1kt": 100.0, "R@3kt": 100.0},
        "n": {"fi": 1},
    }


def test_retrieve_has_the_tasks_budgets_by_default(call):
    _, scores = call("xor-retrieve", [{"id": "1", "lang": "fi", "ctxs": []}])
    assert scores["macro"] == {"R@2kt": 0.0, "R@5kt": 0.0}


def test_engspan_and_full(call):
    outcome, scores = call("xor-engspan", {"1": "Oulu"})
    assert scores["macro"] == pytest.approx({"f1": 100 / 3, "em": 0.0})
    assert "33.3" in outcome.out
    outcome, scores = call("xor-full", {"dev_1": "Oulu on", "2": "オウル市"})
    assert "missing id" not in outcome.out
    assert scores["macro"]["em"] == 100.0
    assert "macro_over_seven" not in scores


def test_the_macro_over_seven_on_request(call):
    outcome, scores = call("xor-full", {"dev_1": "Oulu on", "2": "オウル市"}, "--over-seven")
    assert scores["macro"]["em"] == 100.0
    assert scores["macro_over_seven"]["em"] == pytest.approx(200 / 7)
    assert "macro_over_seven" in outcome.out
    assert "28.6" in outcome.out


def test_both_scorers_are_printed(call):
    passages = [{"id": "1", "lang": "fi", "ctxs": ["Siis Oulu on."]}]
    outcome, scores = call("xor-retrieve", passages, "--scorer", "both")
    assert scores["official"]["macro"] == {"R@2kt": 100.0, "R@5kt": 100.0}
    assert scores["strict"]["macro"] == {"R@2kt": 50.0, "R@5kt": 50.0}
    assert scores["strict"]["n"] == {"fi": 1, "ja": 1}
    rows = [line.split()[1] for line in outcome.out.splitlines() if "R@2kt" in line]
    assert rows == ["official", "strict"]
    _, alone = call("xor-retrieve", passages, "--scorer", "strict")
    assert alone["macro"] == scores["strict"]["macro"]
    assert alone["scorer"] == "strict"


def test_diff_prints_questions_and_reasons(call):
    passages = [{"id": "1", "lang": "fi", "ctxs": ["Kuusamo on kaukana."]}]
    row = {**ROWS[0], "answers": ["samo"]}
    outcome, _ = call("xor-retrieve", passages, "--diff", data=[row, ROWS[1]])
    assert "official and strict disagree on 2 questions" in outcome.out
    assert "the answer occurs only inside a longer word or number (fi)" in outcome.out
    assert "not counted" in outcome.out
    block = outcome.out.split("longer word or number (fi)")[1]
    assert [line.split(None, 1)[1].rstrip() for line in block.splitlines()[1:7]] == [
        "1",
        "R@2kt 100, R@5kt 100",
        "R@2kt 0, R@5kt 0",
        "1 passage",
        "samo",
        "Kuusamo on kaukana.",
    ]


def test_diff_groups_and_limits(xorqa, tmp_path):
    names = {"fi": ("Oulu", "Turku", "Pori", "Vaasa"), "sv": ("Lund",)}
    far = "A long way off, " * 20
    files = []
    for lang, places in names.items():
        path = squad_file(tmp_path / f"p.{lang}.json", *((f"{lang}-{at}", at) for at in places))
        path.write_text(path.read_text().replace("It is ", f"{far}it is "))
        files += ["--data", path]
    answers = {f"{lang}-{at}": f"The {at}" for lang, places in names.items() for at in places}
    pred = predictions_file(tmp_path / "pred.json", answers)
    command = ("eval", "tydi-goldp", *files, "--pred", pred, "--diff")
    shown = xorqa(*command)
    assert "official and strict disagree on 5 questions" in shown.out
    assert shown.out.count("official removes English articles (fi)") == 1
    assert shown.out.count("official removes English articles (sv)") == 1
    assert shown.out.count("  The ") == 4 and "it is Oulu." in shown.out and "… " in shown.out
    assert "1 question of 5 left out; --limit shows 3 for each reason and language" in shown.out
    fewer = xorqa(*command, "--limit", 1)
    assert fewer.out.count("  The ") == 2 and "3 questions of 5 left out" in fewer.out
    every = xorqa(*command, "--limit", 4, "--format", "csv")
    assert "left out" not in every.out + every.err
    table = every.out[every.out.index("reason,") :]
    rows = [*csv.DictReader(io.StringIO(table))]
    assert [(row["language"], row["prediction"]) for row in rows] == [
        *(("fi", f"The {at}") for at in names["fi"]),
        ("sv", "The Lund"),
    ]
    assert rows[0]["gold"] == "Oulu" and rows[0]["passage"].endswith("it is Oulu.")
    assert xorqa(*command, "--limit", 0).status == 2


def test_diff_of_a_runs_answers_shows_its_passages(xorqa, tmp_path):
    question = {"id": "1", "question": "?", "answers": ["Oulu"], "lang": "fi"}
    (tmp_path / "data.jsonl").write_text(json.dumps(question))
    predictions_file(tmp_path / "xor_full.json", {"1": "«Oulu»"})
    passages = [{"id": "1", "lang": "fi", "ctxs": ["Something else.", "There is «Oulu» here."]}]
    predictions_file(tmp_path / "xor_retrieve.json", passages)
    pred, data = tmp_path / "xor_full.json", tmp_path / "data.jsonl"
    shown = xorqa("eval", "xor-full", "--data", data, "--pred", pred, "--diff")
    assert "Unicode punctuation (fi)" in shown.out
    assert "There is «Oulu» here." in shown.out and "Something else" not in shown.out


def test_no_difference_is_one_line(call):
    outcome, _ = call("xor-engspan", {"1": "Oulu on", "2": "オウル市"}, "--diff")
    assert "official and strict disagree on 0 questions" in outcome.out
    assert "reason" not in outcome.out


def test_languages_outside_xor_qa_have_an_official_macro(call):
    german = {"id": "3", "question": "Wo?", "answers": ["Bonn"], "lang": "de"}
    outcome, scores = call("xor-full", {"3": "Bonn"}, data=[german])
    assert scores["scorer"] == "official"
    assert scores["macro"] == scores["per_lang"]["de"]
    assert "strict" not in outcome.out


def test_per_question_scores_for_compare(call, tmp_path):
    path = tmp_path / "questions.jsonl"
    call("xor-engspan", {"1": "Oulu", "2": "オウル市"}, "--per-question", path)
    scores = read_scores(path)
    assert set(scores) == {("xor-engspan", "official"), ("xor-engspan", "strict")}
    found = [(row.qid, row.values["em"]) for row in scores["xor-engspan", "official"]]
    assert found == [("1", 0.0), ("2", 1.0)]


def test_tables_can_be_redirected(call):
    outcome, scores = call("xor-engspan", {"1": "Oulu on", "9": "x"}, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [(row["metric"], row["macro"]) for row in rows] == [("f1", "50.0"), ("em", "50.0")]
    assert "extra id: 1 ('9')" in outcome.err
    assert scores["problems"]["extra id"] == 1


def test_problems_are_counted_and_the_rest_is_scored(call):
    outcome, scores = call("xor-full", {"1": 5, "2": "オウル市", "8": "x"})
    assert outcome.status == 0
    assert scores["per_lang"] == {
        "fi": {"f1": 0.0, "em": 0.0, "bleu": 0.0},
        "ja": {"f1": 100.0, "em": 100.0, "bleu": pytest.approx(scores["per_lang"]["ja"]["bleu"])},
    }
    assert scores["problems"]["wrong type"] == scores["problems"]["extra id"] == 1
    passages = [
        {"id": "1", "lang": "te", "ctxs": ["Oulu on"]},
        {"id": "2", "lang": "xx", "ctxs": []},
    ]
    _, scores = call("xor-retrieve", passages)
    assert scores["n"] == {"fi": 1, "ja": 1}
    assert scores["problems"]["other language"] == scores["problems"]["unknown language"] == 1


@pytest.mark.parametrize(
    ("task", "predictions", "data", "message"),
    [
        ("xor-retrieve", {"1": "Oulu"}, ROWS, "pred.json must be a JSON list"),
        ("xor-retrieve", [], ROWS, "xor-retrieve: no question can be scored"),
        ("xor-engspan", [], ROWS, "must be a JSON object"),
        ("xor-engspan", {}, [{**ROWS[0], "answers": []}], "question '1' has no gold answer"),
        ("xor-full", {}, [], "no question can be scored"),
    ],
)
def test_invalid_files_are_reported_in_one_line(call, task, predictions, data, message):
    outcome, scores = call(task, predictions, data=data)
    assert outcome.status == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert outcome.out == ""
    assert scores is None


def test_a_missing_file_is_named(xorqa, tmp_path):
    missing = tmp_path / "none.jsonl"
    outcome = xorqa("eval", "xor-full", "--data", missing, "--pred", missing)
    assert f"{missing} cannot be read: No such file or directory" in outcome.err


@pytest.mark.parametrize("task", ["squad", "mlqa", "tydi-goldp"])
def test_squad_style_files_of_several_languages(xorqa, tmp_path, task):
    files = [
        squad_file(tmp_path / f"set.{lang}.json", ("q", word))
        for lang, word in (("de", "der Fluss"), ("es", "el rio"))
    ]
    found = [
        predictions_file(tmp_path / "a.json", {"q": "Fluss"}),
        predictions_file(tmp_path / "b.json", {"q": "mar"}),
    ]
    pairs = [
        part
        for pair in zip(files, found, strict=True)
        for part in ("--data", pair[0], "--pred", pair[1])
    ]
    outcome = xorqa("eval", task, *pairs, "--json", "scores.json")
    scores = json.loads(Path("scores.json").read_text())
    assert outcome.status == 0
    assert scores["task"] == task
    german = {"f1": 100.0, "em": 100.0} if task == "mlqa" else {"f1": 200 / 3, "em": 0.0}
    assert scores["per_lang"]["de"] == pytest.approx(german)
    assert scores["per_lang"]["es"] == {"f1": 0.0, "em": 0.0}


def test_one_file_of_predictions_for_all_languages(xorqa, tmp_path):
    one = squad_file(tmp_path / "all.json", ("finnish-1-0", "Oulu"), ("telugu-2-0", "నది"))
    pred = predictions_file(tmp_path / "pred.json", {"finnish-1-0": "Oulu"})
    xorqa("eval", "tydi-goldp", "--data", one, "--pred", pred, "--json", "scores.json")
    scores = json.loads(Path("scores.json").read_text())
    assert scores["per_lang"] == {"fi": {"f1": 100.0, "em": 100.0}, "te": {"f1": 0.0, "em": 0.0}}
    assert scores["problems"]["missing id"] == 1


def test_hexadecimal_ids_do_not_name_a_language(xorqa, tmp_path):
    one = squad_file(tmp_path / "dev-v1.1.json", ("56de0f6a4396", "Bonn"), ("57fa-1", "Oulu"))
    pred = predictions_file(tmp_path / "pred.json", {"56de0f6a4396": "Bonn"})
    xorqa("eval", "squad", "--data", one, "--pred", pred, "--json", "scores.json")
    assert list(json.loads(Path("scores.json").read_text())["per_lang"]) == ["en"]


def test_squad_style_files_that_do_not_fit(xorqa, tmp_path):
    one = squad_file(tmp_path / "dev-v1.1.json", ("q", "Bonn"))
    other = squad_file(tmp_path / "set.de.json", ("q", "Bonn"))
    pred = predictions_file(tmp_path / "pred.json", {"q": "Bonn"})
    outcome = xorqa("eval", "mlqa", "--data", one, "--pred", pred)
    assert "no language in the file's name; set it with --lang" in outcome.err
    assert xorqa("eval", "mlqa", "--data", one, "--pred", pred, "--lang", "de").status == 0
    assert "en" in xorqa("eval", "squad", "--data", one, "--pred", pred).out
    outcome = xorqa("eval", "squad", "--data", one, "--data", other, "--pred", pred)
    assert "share ids; give a --pred file for each" in outcome.err
    pairs = ("--pred", pred) * 3
    outcome = xorqa("eval", "squad", "--data", one, "--data", other, *pairs)
    assert "2 --data files for 3 --pred files" in outcome.err


def test_rankings(xorqa, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 b 1\nq2 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 b 1 1.0 x\nq1 Q0 a 2 1.0 x\nq9 Q0 a 1 1.0 x\n")
    (tmp_path / "queries.jsonl").write_text(
        '{"qid": "q1", "lang": "fi"}\n{"qid": "q2", "lang": "te"}\n'
    )
    files = ("--data", tmp_path / "qrels", "--pred", tmp_path / "run", "--json", "scores.json")
    outcome = xorqa(
        "eval",
        "ranking",
        *files,
        "--scorer",
        "both",
        "--measure",
        "mAP@20",
        "--measure",
        "RR",
        "--queries",
        tmp_path / "queries.jsonl",
    )
    scores = json.loads(Path("scores.json").read_text())
    assert outcome.status == 0
    assert scores["official"]["per_lang"] == {"fi": {"mAP@20": 100.0, "RR": 100.0}}  # b first
    assert scores["strict"]["macro"] == {"mAP@20": 25.0, "RR": 25.0}
    assert scores["problems"] == {"missing id": 1, "extra id": 1}
    outcome = xorqa("eval", "ranking", *files, "--measure", "nDGC@10")
    assert outcome.status == 2
    assert "nDCG@10" in outcome.err


@pytest.fixture
def my_tasks(xorqa, monkeypatch):
    """A module in the current directory with a task and a scorer."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield Path("my_tasks.py").write_text(
        "from xorqa.metrics.report import Score\n"
        "def prefix(references, predictions):\n"
        "    return [Score(r.qid, r.lang, {'prefix': float(predictions[r.qid][:1] == "
        "r.answers[0][:1])}) for r in references]\n"
        "class MyTask:\n"
        "    name, title, scorers = 'my-task', 'Mine', {'prefix': prefix}\n"
    )
    sys.modules.pop("my_tasks", None)


def test_a_task_from_the_current_directory(call, my_tasks):
    outcome, scores = call("my_tasks:MyTask", {"1": "Osaka", "2": "x"})
    assert outcome.status == 0
    assert (scores["task"], scores["scorer"]) == ("my-task", "prefix")
    assert scores["macro"] == {"prefix": 50.0}
    outcome, _ = call("my_tasks:MyTask", {"1": "Osaka", "2": "x"}, "--scorer", "strict")
    assert outcome.status == 2
    assert "no scorer is called 'strict'; valid: both, prefix" in outcome.err
    outcome, _ = call("my_tasks:MyTask", {"1": "Osaka", "2": "x"}, "--diff")
    assert "my-task has only one scorer, 'prefix'" in outcome.err
    outcome, _ = call("my_tasks:prefix", {})
    assert (outcome.status, outcome.out) == (2, "")
    assert "'my_tasks:prefix' is not a task: it lacks name, title, scorers" in outcome.err


def test_a_scorer_from_the_current_directory(call, my_tasks, tmp_path):
    path = tmp_path / "questions.jsonl"
    predictions = {"1": "Osaka", "2": "オウル市"}
    _, scores = call(
        "xor-engspan", predictions, "--scorer", "my_tasks:prefix", "--per-question", path
    )
    assert (scores["scorer"], scores["macro"]) == ("my_tasks:prefix", {"prefix": 100.0})
    assert [scorer for _, scorer in read_scores(path)] == ["official", "strict", "my_tasks:prefix"]
    outcome, _ = call("xor-engspan", predictions, "--scorer", "my_tasks:MyTask")
    assert "'my_tasks:MyTask' is not a scorer: it must be callable as" in outcome.err


def test_lang_is_rejected_if_the_file_states_languages(call):
    outcome, _ = call("xor-full", {}, "--lang", "fi")
    assert outcome.status == 2
    assert "states its language; leave out --lang" in outcome.err


@pytest.fixture
def read(xorqa, tmp_path, tiny_adapter):
    """Runs `xorqa eval reader` with a tiny reader on a German and a Finnish file."""
    files = [
        squad_file(tmp_path / "set.de.json", ("q", "der Fluss"), ("p", "Bonn")),
        squad_file(tmp_path / "finnish_tydiqa_dev.json", ("f", "Oulu")),
    ]

    def run(*options):
        out = ("--json", "scores.json")
        outcome = xorqa("eval", "reader", *files, "--adapter", tiny_adapter, *out, *options)
        return outcome, json.loads(Path("scores.json").read_text())

    return run


def test_a_reader_is_scored_by_both_normalisations(read, monkeypatch):
    monkeypatch.setattr(
        "xorqa.lab.mlqa.commands.reader.read_given",
        lambda reader, questions, **_: ["Fluss"] * len(questions),
    )
    outcome, scores = read()
    assert (outcome.status, outcome.err) == (0, "")
    assert scores["n"] == {"de": 2, "fi": 1}
    found = {"f1": 100 / 3, "em": 0.0, "MLQA f1": 50.0, "MLQA em": 50.0}
    assert scores["per_lang"] == {"de": pytest.approx(found), "fi": dict.fromkeys(found, 0.0)}
    _, scores = read("--scorer", "strict")
    assert list(scores["macro"]) == ["f1", "em"]


def test_a_readers_size_and_speed_are_printed(read):
    outcome, scores = read()
    assert (outcome.status, outcome.err) == (0, "")
    assert ", adapter 227" in outcome.out
    assert re.search(r"[\d.]+ ms per question in batches, over 3 questions", outcome.out)
    outcome, again = read("--format", "csv")
    assert "all answers came from the cache; reading was not timed" in outcome.err
    assert again == scores


def golden(task):
    """The official figures by language, "macro" among them, and metric as we name it."""
    expected = json.loads((GOLDEN / "expected.json").read_text())
    if task == "xor_retrieve":
        tables = {name: expected[f"{task} {name}"] for name in ("R@2kt", "R@5kt")}
        rows = {
            name: {**table["per_lang"], "macro": table["macro"]} for name, table in tables.items()
        }
        return {lang: {name: rows[name][lang] for name in rows} for lang in rows["R@2kt"]}
    rows = {**expected[task]["per_lang"], "macro": expected[task]["macro"]}
    names = {"exact_match": "em"}
    return {
        lang: {names.get(name, name): value for name, value in row.items() if name != "count"}
        for lang, row in rows.items()
    }


@needs_golden
@pytest.mark.parametrize("task", ["xor_retrieve", "xor_engspan", "xor_full"])
def test_golden_figures_of_xor_qa_from_the_command_line(xorqa, task):
    data, pred = GOLDEN / f"{task}.data.jsonl", GOLDEN / f"{task}.pred.json"
    xorqa("eval", task.replace("_", "-"), "--data", data, "--pred", pred, "--json", "scores.json")
    scores = json.loads(Path("scores.json").read_text())
    macro = "macro_over_seven" if task == "xor_full" else "macro"
    found = {**scores["per_lang"], "macro": scores[macro]}
    wanted = golden(task)
    assert set(found) == set(wanted)
    for lang, row in wanted.items():
        assert found[lang] == pytest.approx(row, abs=1e-6)


@needs_golden
@pytest.mark.parametrize("lang", ["ar", "de", "en", "es", "hi", "vi", "zh"])
def test_golden_figures_of_mlqa_from_the_command_line(xorqa, tmp_path, lang):
    data = json.loads((XQUAD / f"xquad.{lang}.json").read_text())
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                del question["answers"][1:]  # what the figures were made with
    (tmp_path / "gold.json").write_text(json.dumps(data))
    xorqa(
        "eval",
        "mlqa",
        "--lang",
        lang,
        "--data",
        tmp_path / "gold.json",
        "--pred",
        GOLDEN / f"mlqa.{lang}.pred.json",
        "--json",
        "scores.json",
    )
    found = json.loads(Path("scores.json").read_text())["per_lang"][lang]
    wanted = json.loads((GOLDEN / "mlqa.expected.json").read_text())[lang]
    assert found["f1"] == pytest.approx(wanted["f1"], abs=1e-6)
    assert found["em"] == pytest.approx(wanted["exact_match"], abs=1e-6)


def test_the_official_ranking_orders_ties_as_trec_eval(xorqa, tmp_path):
    run = {"q1": {"a": 1.0, "c": 1.0, "b": 1.0}, "q2": {"x": 0.1, "y": 0.1 + 1e-9, "z": 0.05}}
    qrels = {"q1": {"a": 1, "c": 2}, "q2": {"x": 1}}
    lines = [f"{q} Q0 {d} 1 {s!r} t" for q, docs in run.items() for d, s in docs.items()]
    (tmp_path / "run").write_text("\n".join(lines))
    rows = [f"{q} 0 {d} {g}" for q, docs in qrels.items() for d, g in docs.items()]
    (tmp_path / "qrels").write_text("\n".join(rows))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "map", "recip_rank"})
    expected = evaluator.evaluate(run)
    xorqa(
        *("eval", "ranking", "--data", tmp_path / "qrels", "--pred", tmp_path / "run"),
        *("--json", tmp_path / "out.json"),
        *("--measure", "nDCG", "--measure", "AP", "--measure", "RR", "--scorer", "official"),
    )
    scores = json.loads((tmp_path / "out.json").read_text())
    means = {
        name: 100 * sum(values[name] for values in expected.values()) / len(expected)
        for name in ("ndcg", "map", "recip_rank")
    }
    assert [scores["macro"][name] for name in ("nDCG", "AP", "RR")] == pytest.approx(
        [*means.values()]
    )


SQUAD_V2 = [
    {"id": "1", "question": "When?", "answers": [{"text": "1987", "answer_start": 27}]},
    {"id": "2", "question": "What?", "answers": [{"text": "museum", "answer_start": 3}]},
    {"id": "3", "question": "Who?", "answers": [], "is_impossible": True},
    {"id": "4", "question": "Which?", "answers": [{"text": "Kuura"}]},
    {"id": "4", "question": "Which one?", "answers": [{"text": "Kuura", "answer_start": 4}]},
]


def test_squad_v2_is_scored_by_its_answerable_questions(xorqa, tmp_path):
    paragraphs = [{"context": "The Kuura museum opened in 1987.", "qas": SQUAD_V2}]
    data, pred, scores = (tmp_path / name for name in ("v2.json", "pred.json", "scores.json"))
    data.write_text(json.dumps({"data": [{"title": "Kuura", "paragraphs": paragraphs}]}))
    pred.write_text('{"1": "1987", "2": "museum", "3": "", "4": "Oulu"}')
    outcome = xorqa("eval", "squad", "--data", data, "--pred", pred, "--json", scores)
    assert outcome.status == 0
    said = " ".join((outcome.out + outcome.err).split())
    assert "left out: no gold answer: 1 ('3')" in said
    assert "repeated id: 1 (such as question '4')" in said
    assert "answer without an offset: 1 (such as question '4')" in said
    assert "wrong offset of an answer: 1 (such as question '2')" in said
    written = json.loads(scores.read_text())
    assert written["n"] == {"en": 4} and written["macro"]["em"] == 50.0
    assert written["problems"]["left out: no gold answer"] == 1
    for kind in ("repeated id", "answer without an offset", "wrong offset of an answer"):
        assert written["problems"][kind] == 1
