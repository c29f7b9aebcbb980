"""`xorqa build qa`: from parallel sentences to files that `mlqa` and `lareqa` read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.analysis.parallel import find_files, read_questions
from xorqa.datasets.building.simulate import simulate
from xorqa.datasets.building.tasks import Task, read_tasks
from xorqa.datasets.building.write import write_tasks
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.check_folder import check_folder
from xorqa.datasets.lareqa import SHIPPED, read_pool
from xorqa.io.files import read_json, write_jsonl, write_text
from xorqa.io.squad_xor import SquadQuestion, read_squad

Xorqa = Callable[..., Any]
MINI = {
    lang: {q.qid: q for q in read_squad(SHIPPED["mini"] / f"{lang}.json")} for lang in ("en", "fi")
}


@pytest.fixture
def sentences(xorqa: Xorqa) -> None:  # its folder is the working directory
    """The bundled pool's sentences as `xorqa mine` writes them, and its passages.

    Our splitter joins two English sentences, which are thus in no passage.
    """
    lines = ["score\ten\tfi"]
    for number, (en, fi) in enumerate(zip(*map(paragraphs, ("en", "fi")), strict=True)):
        lines += [
            f"1.2\t{one}\t{two}" for one, two in zip(en["sentences"], fi["sentences"], strict=True)
        ]
        for lang, of in (("en", en), ("fi", fi)):
            path = Path(f"wiki.{lang}.jsonl")
            rows = [json.loads(line) for line in path.open()] if path.exists() else []
            write_jsonl(path, [*rows, {"docid": f"{lang}{number}", "text": of["context"]}])
    write_text(Path("parallel.tsv"), "\n".join(lines) + "\n")


def paragraphs(lang: str) -> list[Any]:
    data = read_json(SHIPPED["mini"] / f"{lang}.json")["data"]
    return [paragraph for article in data for paragraph in article["paragraphs"]]


def row_of(task: Task) -> SquadQuestion:
    """The pool's question whose answer is in the task's sentence."""
    start, end = task.sentence
    return next(
        q
        for q in MINI[task.lang].values()
        if q.context == task.shown["context"] and q.span and start <= q.span.start < end
    )


def gold(task: Task) -> dict[str, str]:
    row = row_of(task)
    start = str(row.span.start) if row.span else ""
    cells = {"answer": row.answers[0], "start": start}
    return cells if task.round == "answer" else {**cells, "question": row.question}


def rounds(xorqa: Xorqa, noise: float) -> dict[str, Any]:
    corpus = ("--corpus", "en=wiki.en.jsonl", "--corpus", "fi=wiki.fi.jsonl")
    first = ("--sentences", "parallel.tsv", *corpus)
    for name, by, options in (
        ("question", "a", first),
        ("answer", "bc", ()),
        ("translation", "t", ()),
    ):
        done = xorqa("build", "qa", "export", "set", "--round", name, "--out", "t.csv", *options)
        assert done.status == 0, done.err
        tasks = [task for task in read_tasks(Path("set")).values() if task.round == name]
        for annotator in by:
            path = Path(f"{annotator}.csv")
            wrong = noise if name == "answer" else 0
            write_tasks(path, tasks, simulate(tasks, gold, annotator=annotator, noise=wrong))
            done = xorqa("build", "qa", "import", "set", path)
            assert done.status == 0, done.err
    counts: dict[str, Any] = json.loads(Path("set/statistics.json").read_text())
    return counts


@pytest.mark.usefixtures("sentences")
def test_from_sentences_to_a_data_set(xorqa: Xorqa) -> None:
    counts = rounds(xorqa, noise=0.0)
    assert counts["written"] == 22 and counts["agreement"] == counts["majority"] == 1.0
    kept = counts["kept"]
    assert kept + counts["rejected"].get("copied", 0) == 22 and kept == 10
    assert counts["per_lang"] == {"en": kept, "fi": kept}
    files = find_files(Path("set/dataset"))
    english, finnish = (read_questions(files[lang]) for lang in ("en", "fi"))
    assert english.keys() == finnish.keys() and len(english) == kept
    for row in finnish.values():
        assert row.span and row.context[row.span.start : row.span.end] == row.answers[0]
    pool = read_pool(Path("set/dataset"))
    assert len(pool.questions) == 2 * kept
    assert sum(len(sentence.answers) for sentence in pool.sentences) == 2 * kept
    assert check_folder(Path("set/dataset")).is_valid
    assert len(load_dataset("set/dataset").examples) == 2 * kept
    run = xorqa("run", "bm25", "--data", "set/dataset", "--until", "retrieve", "--out", "o")
    assert run.status == 0, run.err


@pytest.mark.usefixtures("sentences")
def test_noise_lowers_agreement(xorqa: Xorqa) -> None:
    counts = rounds(xorqa, noise=0.5)
    assert counts["agreement"] < 0.9
    assert counts["kept"] < 22


@pytest.mark.usefixtures("sentences")
def test_label_studio(xorqa: Xorqa) -> None:
    options = ("--round", "question", "--sentences", "parallel.tsv")
    assert xorqa("build", "qa", "export", "set", *options, "--out", "t.json").status == 0
    assert '<Labels name="answer_in_context" toName="context">' in Path("t.xml").read_text()
    [first, *_] = json.loads(Path("t.json").read_text())
    text = first["data"]["context"]
    word = text.split()[1]
    label = {"text": word, "start": 0, "end": len(word), "labels": ["answer"]}
    label_row = {"type": "labels", "from_name": "answer_in_context", "to_name": "context"}
    question = {"type": "textarea", "from_name": "question", "to_name": "sentence"}
    result = [label_row | {"value": label}, question | {"value": {"text": ["Who was born there?"]}}]
    annotations = [{"completed_by": 7, "result": result}]
    write_text(Path("done.json"), json.dumps([first | {"annotations": annotations}]))
    done = xorqa("build", "qa", "import", "set", "done.json")
    assert done.status == 0 and "1 accepted" in done.out and "moved span: 1" in done.out
    [row] = [json.loads(line) for line in Path("set/annotations.jsonl").read_text().splitlines()]
    assert row["annotator"] == "7" and row["start"] == text.index(word)


def test_mistakes(xorqa: Xorqa) -> None:
    done = xorqa("build", "qa", "export", "set", "--round", "answer", "--out", "t.csv")
    assert done.status == 2 and "export the round 'question' first" in done.err
    done = xorqa("build", "qa", "import", "set", "t.csv")
    assert done.status == 2 and "has no tasks" in done.err
