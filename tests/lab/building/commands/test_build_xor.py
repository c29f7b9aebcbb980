"""`xorqa build xor`: two simulated annotators, 60 questions, all rounds, and a run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.mini.world import load
from xorqa.io.files import read_json
from xorqa.lab.building.simulate import simulate
from xorqa.lab.building.tasks import Task, read_tasks
from xorqa.lab.building.write import write_tasks

Xorqa = Callable[..., Any]
ROUNDS = ("translation", "answer", "verification", "back-translation")
LANGS = "bn,fi,ja,ko,ru"  # 12 questions each that W_i does not answer


def gold(task: Task) -> dict[str, str]:
    """What a perfect annotator fills in."""
    qid = task.about.partition("/")[0]
    example = {e.question.qid: e for e in load().examples}[qid]
    english, docid = example.answers("en")[0], example.golds[0].docid
    if task.round == "translation":
        return {"question": example.human_translation or ""}
    if task.round == "answer":
        retrieved = docid in task.passages.values()
        return {"passage": docid or "", "answer": english} if retrieved else {"impossible": "yes"}
    if task.round == "verification":
        return {"verdict": "yes" if task.shown["source_answer"] == english else "no"}
    return {"answer": example.answers(example.question.lang)[0]}


def loop(xorqa: Xorqa, noise: float) -> dict[str, dict[str, int]]:
    """All rounds, by annotator a, and b in the verification; the counts by language."""
    for name in ROUNDS:
        options = {"translation": ("--data", "mini", "--lang", LANGS)}.get(name, ())
        if name == "answer":
            options = ("--data", "mini", "--config", "bm25")
        done = xorqa("build", "xor", "export", "set", "--round", name, "--out", "t.csv", *options)
        assert done.status == 0, done.err
        tasks = [task for task in read_tasks(Path("set")).values() if task.round == name]
        annotator = "b" if name == "verification" else "a"
        write_tasks(Path("t.csv"), tasks, simulate(tasks, gold, annotator=annotator, noise=noise))
        done = xorqa("build", "xor", "import", "set", "t.csv", "--split", "article")
        assert done.status == 0, done.err
    rounds: dict[str, dict[str, int]] = json.loads(Path("set/statistics.json").read_text())[
        "rounds"
    ]
    return rounds


def right(path: str) -> float:
    """The share of the finished English answers that are gold answers."""
    golds = {e.question.qid: e.answers("en") for e in load().examples}
    rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return sum(row["answers"][0] in golds[row["id"]] for row in rows) / len(rows)


def test_the_loop_with_noise(xorqa: Xorqa) -> None:
    counts = loop(xorqa, noise=0.1)
    total = {name: sum(row[name] for row in counts.values()) for name in counts["fi"]}
    assert total["selected"] == total["translated"] == 60
    assert total["in W_i"] == 60
    assert 45 < total["answered"] <= 60
    assert 0 < total["rejected"] < total["answered"]  # what noise does: verification rejects
    assert total["cross-lingual"] == total["verified"] == total["answered"] - total["rejected"]
    assert total["XOR-Full"] == 60 + total["verified"]
    assert xorqa("build", "xor", "import", "set", "t.csv").status == 0  # again, without a split
    full = [
        json.loads(line) for line in Path("set/dataset/xor_full.jsonl").read_text().splitlines()
    ]
    assert len(full) == total["XOR-Full"]
    assert right("set/dataset/xor_engspan.jsonl") > 0.95
    run = xorqa(
        *("run", "bm25", "--data", "mini", "--questions", "set/dataset/questions.jsonl"),
        *("--until", "retrieve", "--out", "out"),
    )
    assert run.status == 0, run.err
    scores = read_json(Path("out/scores.json"))["xor-retrieve"]["strict"]
    assert scores["n"] == {lang: row["cross-lingual"] for lang, row in counts.items()}


def test_two_tiers_of_passages_long_answers_and_rules(xorqa: Xorqa) -> None:
    def build(name: str, *options: str) -> list[Task]:
        done = xorqa("build", "xor", "export", "set", "--round", name, "--out", "t.csv", *options)
        assert done.status == 0, done.err
        return [task for task in read_tasks(Path("set")).values() if task.round == name]

    def fill(tasks: list[Task], cells: dict[str, dict[str, str]]) -> str:
        write_tasks(Path("t.jsonl"), tasks, cells)
        done = xorqa("build", "xor", "import", "set", "t.jsonl")
        assert done.status == 0, done.err
        return str(done.out)

    tasks = build("translation", "--data", "mini", "--lang", "bn", "--sample", "4")
    fill(tasks, {task.id: gold(task) for task in tasks})
    search = ("--data", "mini", "--config", "bm25", "--passages", "1", "--further", "3")
    tasks = build("answer", *search)
    assert {*tasks[0].passages} == {"passage_1", *(f"further_passage_{at}" for at in (1, 2, 3))}
    assert "further_title_3" in tasks[0].shown
    first, second, long, none = tasks
    cells = {
        first.id: {"passage": "passage_1", "answer": first.shown["passage_1"].split()[0]},
        second.id: {
            "passage": "further_passage_2",
            "answer": second.shown["further_passage_2"].split()[0],
        },
        long.id: {"passage": "further_passage_1"},
        none.id: {"impossible": "yes"},
    }
    fill(tasks, cells)
    assert "no short answer" in Path("set/report.csv").read_text(encoding="utf-8-sig")
    tasks = build("verification")
    assert len(tasks) == 2
    fill(tasks, {task.id: {"verdict": "yes", "annotator": "bea"} for task in tasks})
    tasks = build("back-translation")
    assert all("Bengali digits" in task.shown["rules"] for task in tasks)
    printed = fill(tasks, {task.id: {"answer": "x"} for task in tasks})
    assert "Coverage" in printed
    levels = read_json(Path("set/dataset/levels.json"))
    assert levels == {first.about: "easy to annotate", second.about: "hard to annotate"}
    statistics = read_json(Path("set/statistics.json"))
    counts = statistics["rounds"]["bn"]
    assert (counts["selected"], counts["long"], counts["cross-lingual"]) == (4, 3, 2)
    percent = statistics["coverage"]["bn"]
    assert (percent["long"], percent["short"]) == (75.0, 50.0)
    assert percent["after"] - percent["before"] == pytest.approx(percent["gain"])
    assert statistics["coverage"]["all"] == percent
    run = xorqa(
        *("run", "bm25", "--data", "mini", "--questions", "set/dataset/questions.jsonl"),
        *("--until", "retrieve", "--levels", "set/dataset/levels.json", "--out", "out"),
        "--full",
    )
    assert run.status == 0, run.err
    assert "hard to annotate" in run.out
    parts = read_json(Path("out/scores.json"))["xor-retrieve"]["strict"]["parts"]
    assert {"easy to annotate", "hard to annotate"} <= parts.keys()
    Path("wrong.json").write_text("[]")
    run = xorqa("run", "bm25", "--data", "mini", "--levels", "wrong.json")
    assert run.status == 2 and "not an object of labels by question id" in run.err


def test_the_loop_without_noise(xorqa: Xorqa) -> None:
    counts = loop(xorqa, noise=0.0)
    assert all(row["rejected"] == 0 for row in counts.values())
    parts = [Path(f"set/dataset/{name}/questions.jsonl") for name in ("train", "dev", "test")]
    docids = [
        {
            gold["docid"]
            for line in path.open()
            for gold in json.loads(line)["answers"]
            if "docid" in gold
        }
        for path in parts
    ]
    assert not docids[0] & docids[1] and not docids[0] & docids[2] and not docids[1] & docids[2]
    sizes = [sum(1 for _ in path.open()) for path in parts]
    assert sizes[0] > sizes[1] > 0 and sizes[2] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--round", "translation"), "needs --data"),
        (("--round", "answer", "--data", "mini"), "export the round 'translation' first"),
        (("--round", "translation", "--data", "mini", "--lang", "sv"), "no questions in 'sv'"),
    ],
)
def test_mistakes(xorqa: Xorqa, arguments: tuple[str, ...], message: str) -> None:
    done = xorqa("build", "xor", "export", "set", "--out", "t.csv", *arguments)
    assert done.status == 2 and message in done.err


def export(xorqa: Xorqa, name: str, *options: str) -> list[Task]:
    """Export a round; the tasks that the file has."""
    done = xorqa("build", "xor", "export", "set", "--round", name, "--out", "t.jsonl", *options)
    assert done.status == 0, done.err
    ids = {json.loads(line)["id"] for line in Path("t.jsonl").read_text().splitlines()}
    return [task for task in read_tasks(Path("set")).values() if task.id in ids]


def filled(xorqa: Xorqa, name: str, tasks: list[Task], cells: dict[str, dict[str, str]]) -> str:
    """Import the tasks that an annotator filled in; what was printed."""
    write_tasks(Path(f"{name}.jsonl"), tasks, cells)
    done = xorqa("build", "xor", "import", "set", f"{name}.jsonl")
    assert done.status == 0, done.err
    return str(done.out)


@pytest.fixture
def answering(xorqa: Xorqa) -> list[Task]:
    """The tasks of the round answer, for questions in Finnish."""
    tasks = export(xorqa, "translation", "--data", "mini", "--lang", "fi")
    filled(xorqa, "anna", tasks, {task.id: gold(task) for task in tasks})
    return export(xorqa, "answer", "--data", "mini", "--config", "bm25")


def test_annotators_qualify_on_a_batch_with_known_answers(
    xorqa: Xorqa, answering: list[Task]
) -> None:
    write_tasks(Path("experts.jsonl"), answering, {t.id: gold(t) for t in answering[:5]})
    batch = export(xorqa, "answer", "--data", "mini", "--config", "bm25", "--only", "experts.jsonl")
    assert [task.id for task in batch] == [task.id for task in answering[:5]]
    filled(xorqa, "good", batch, {task.id: gold(task) for task in batch})
    filled(xorqa, "eve", batch, simulate(batch, gold, annotator="eve", noise=1.0))
    checked = xorqa(
        *("build", "xor", "quality", "set", "--gold", "experts.jsonl", "--least", "0.9"),
        *("--json", "quality.json"),
    )
    assert checked.status == 0, checked.err
    assert "below 0.9: eve; import with --without eve removes them" in checked.out
    rows = {row["annotator"]: row for row in read_json(Path("quality.json"))["annotators"]}
    assert rows["good"]["score"] == 1.0 and rows["good"]["qualified"] is True
    assert rows["eve"]["gold"] == 5 and rows["eve"]["qualified"] is False
    assert rows["anna"]["gold"] == 0 and rows["anna"]["qualified"] is None
    removed = xorqa("build", "xor", "import", "set", "good.jsonl", "--without", "eve")
    assert "removed: 5 annotations of eve" in removed.out
    unknown = xorqa("build", "xor", "import", "set", "good.jsonl", "--without", "eve")
    assert (unknown.status, "annotators: anna, good" in unknown.err) == (2, True)
    none = xorqa("build", "xor", "quality", "set", "--gold", "t.jsonl")
    assert (none.status, "has no annotation of a task of set" in none.err) == (2, True)


def test_a_rejected_answer_may_be_corrected(xorqa: Xorqa, answering: list[Task]) -> None:
    cells = {task.id: gold(task) for task in answering}
    answered = [task for task in answering if "answer" in cells[task.id]][:3]
    wrong = {
        task.id: cells[task.id] | {"answer": task.shown[column].split()[0]}
        for task in answered
        for column, docid in task.passages.items()
        if docid == cells[task.id]["passage"]
    }
    filled(xorqa, "anna", answering, wrong)
    first, second, third = export(xorqa, "verification", "--correct")
    right = gold(answered[0])["answer"]
    printed = filled(
        xorqa,
        "bea",
        [first, second, third],
        {
            first.id: {"verdict": "no", "answer": right},
            second.id: {"verdict": "no"},
            third.id: {"verdict": "yes", "answer": "another"},
        },
    )
    assert "left out: contradiction: 1" in printed
    counts = read_json(Path("set/statistics.json"))["rounds"]["fi"]
    assert (counts["corrected"], counts["verified"], counts["rejected"]) == (1, 1, 1)
    assert len(export(xorqa, "verification", "--correct")) == 3  # not of the correction
    [back] = export(xorqa, "back-translation")
    assert (back.id, back.shown["source_answer"]) == (
        f"{answered[0].about}-corrected.back-translation",
        right,
    )
    rows = [
        json.loads(line) for line in Path("set/dataset/xor_engspan.jsonl").read_text().splitlines()
    ]
    assert [row["answers"] for row in rows if row["id"] == answered[0].about] == [[right]]


def test_results_of_another_search_engine_are_shown(xorqa: Xorqa) -> None:
    tasks = export(xorqa, "translation", "--data", "mini", "--lang", "fi", "--sample", "1")
    filled(xorqa, "anna", tasks, {task.id: gold(task) for task in tasks})
    texts = [f"Paragraph {at} of an article that Google found." for at in range(7)]
    [about] = [task.about for task in tasks]
    Path("google.json").write_text(json.dumps([{"id": about, "lang": "en", "ctxs": texts}]))
    recorded = "routes.eng.retriever={use='recorded', file='google.json'}"
    [task] = export(
        xorqa,
        *("answer", "--data", "mini", "--config", "bm25", "--set", recorded),
        *("--passages", "5", "--further", "2"),
    )
    shown = [text for name, text in task.shown.items() if "passage" in name]
    assert shown == texts
    filled(xorqa, "bea", [task], {task.id: {"passage": "further_passage_1", "answer": "Google"}})
    [judged] = export(xorqa, "verification")
    assert judged.shown["context"] == texts[5]


def test_translations_are_judged_by_others(xorqa: Xorqa) -> None:
    tasks = export(xorqa, "translation", "--data", "mini", "--lang", "fi", "--sample", "3")
    filled(xorqa, "anna", tasks, {task.id: gold(task) for task in tasks})
    judged = export(xorqa, "review", "--share", "1")
    assert [*judged[0].shown] == ["source_question", "translated_question"]
    cells = {task.id: {"verdict": "no" if task is judged[0] else "yes"} for task in judged}
    assert "review: 2 right, 1 wrong, which stay" in filled(xorqa, "native", judged, cells)
    done = xorqa("build", "xor", "quality", "set", "--json", "quality.json")
    assert done.status == 0, done.err
    rows = {row["annotator"]: row for row in read_json(Path("quality.json"))["annotators"]}
    assert (rows["anna"]["judged"], rows["anna"]["right"]) == (3, 2)
    own = export(xorqa, "review", "--share", "1")
    assert "left out: own answer: 3" in filled(xorqa, "anna", own, cells)
