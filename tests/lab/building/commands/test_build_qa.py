"""`xorqa build qa`: from parallel sentences to files that `mlqa` and `lareqa` read."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.catalog import load_dataset
from xorqa.io.files import read_json, write_json, write_jsonl, write_text
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.building.check_folder import check_folder
from xorqa.lab.building.simulate import simulate
from xorqa.lab.building.tasks import Task, read_tasks
from xorqa.lab.building.write import write_tasks
from xorqa.lab.common.parallel_files import find_files, read_questions
from xorqa.lab.lareqa.data import SHIPPED, read_pool

Xorqa = Callable[..., Any]
TARGETS = ("fi", "ko", "ru")
MINI = {
    lang: {q.qid: q for q in read_squad(SHIPPED["mini"] / f"{lang}.json")}
    for lang in ("en", *TARGETS)
}


@pytest.fixture
def sentences(xorqa: Xorqa) -> None:  # its folder is the working directory
    """The sentences of English and Finnish."""
    write_sentences("fi")


def write_sentences(*targets: str) -> None:
    """The bundled pool's sentences as `xorqa mine` writes them, and its passages.

    A line has an English sentence and one in a target language. Our splitter joins two English
    sentences, which are thus in no passage.
    """
    lines = ["\t".join(("score", "en", *targets))]
    for number, target in enumerate(targets):
        for en, other in zip(*map(paragraphs, ("en", target)), strict=True):
            for english, translation in zip(en["sentences"], other["sentences"], strict=True):
                cells = ["1.2", english, *[""] * len(targets)]
                cells[2 + number] = translation
                lines.append("\t".join(cells))
    for lang in ("en", *targets):
        texts = [paragraph["context"] for paragraph in paragraphs(lang)]
        rows = [{"docid": f"{lang}{number}", "text": text} for number, text in enumerate(texts)]
        write_jsonl(Path(f"wiki.{lang}.jsonl"), rows)
    write_text(Path("parallel.tsv"), "\n".join(lines) + "\n")


def paragraphs(lang: str) -> list[Any]:
    data = read_json(SHIPPED["mini"] / f"{lang}.json")["data"]
    return [paragraph for article in data for paragraph in article["paragraphs"]]


def row_of(task: Task) -> SquadQuestion:
    """The pool's question whose answer is in the task's sentence."""
    start, end = (edge + task.offset for edge in task.sentence)
    return next(
        q
        for q in MINI[task.lang].values()
        if q.context[task.offset :].startswith(task.shown["context"])
        and q.span
        and start <= q.span.start < end
    )


def gold(task: Task) -> dict[str, str]:
    row = row_of(task)
    start = str(row.span.start - task.offset) if row.span else ""
    cells = {"answer": row.answers[0], "start": start}
    return cells if task.round == "answer" else {**cells, "question": row.question}


def rounds(
    xorqa: Xorqa,
    noise: Mapping[str, float],
    *,
    targets: Sequence[str] = ("fi",),
    annotators: Sequence[str] = ("a", "bc", "t"),
) -> dict[str, Any]:
    """All rounds, with the noise and the annotators of each; the statistics."""
    langs = ("en", *targets)
    corpora = [f"--corpus={lang}=wiki.{lang}.jsonl" for lang in langs]
    first = ("--sentences", "parallel.tsv", *corpora)
    for name, by in zip(("question", "answer", "translation"), annotators, strict=True):
        options = first if name == "question" else ()
        done = xorqa("build", "qa", "export", "set", "--round", name, "--out", "t.csv", *options)
        assert done.status == 0, done.err
        tasks = [task for task in read_tasks(Path("set")).values() if task.round == name]
        for annotator in by:
            path = Path(f"{annotator}.csv")
            wrong = noise.get(name, 0.0)
            write_tasks(path, tasks, simulate(tasks, gold, annotator=annotator, noise=wrong))
            done = xorqa("build", "qa", "import", "set", path)
            assert done.status == 0, done.err
    counts: dict[str, Any] = json.loads(Path("set/statistics.json").read_text())
    return counts


@pytest.mark.usefixtures("sentences")
def test_from_sentences_to_a_data_set(xorqa: Xorqa) -> None:
    counts = rounds(xorqa, noise={})
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
    shown = [t for t in read_tasks(Path("set")).values() if t.round == "translation"]
    assert any(task.offset for task in shown)
    assert all(
        task.shown["context"][slice(*task.sentence)] == task.shown["sentence"] for task in shown
    )


@pytest.mark.usefixtures("sentences")
def test_noise_lowers_agreement(xorqa: Xorqa) -> None:
    counts = rounds(xorqa, noise={"answer": 0.5})
    assert counts["agreement"] < 0.9
    assert counts["kept"] < 22


def test_two_noisy_annotators(xorqa: Xorqa, tiny_adapter: Path) -> None:
    """66 questions, 10 % of the annotations wrong, then every command that reads the data set."""
    write_sentences(*TARGETS)
    noise = dict.fromkeys(("question", "answer", "translation"), 0.1)
    counts = rounds(xorqa, noise, targets=TARGETS, annotators=("a", "b", "a"))
    assert counts["written"] == 66
    assert 0.8 < counts["agreement"] < 1.0 and 0.7 < counts["majority"] < 1.0
    rejected, kept = counts["rejected"], counts["kept"]
    assert rejected["low agreement"] > 0 and kept == 66 - sum(rejected.values()) >= 20
    assert counts["per_lang"]["en"] == kept == sum(counts["per_lang"][lang] for lang in TARGETS)
    assert check_folder(Path("set/dataset")).is_valid

    run = xorqa("run", "bm25", "--data", "set/dataset", "--until", "retrieve", "--out", "o")
    assert run.status == 0, run.err
    assert read_json(Path("o/scores.json"))["xor-retrieve"]["strict"]["n"] == counts["per_lang"]

    reader = ("--reader", tiny_adapter, "--out", "read")
    done = xorqa("mlqa", "--dir", "set/dataset", *reader)
    assert done.status == 0, done.err
    n = read_json(Path("read/mlqa.json"))["xlt"]["n"]
    assert n == counts["per_lang"]

    done = xorqa("lareqa", "set/dataset", "--encoder", "bm25", "--out", "bias")
    assert done.status == 0, done.err
    values = read_json(Path("bias/lareqa.json"))
    assert values["sentences"] == "published" and 0 < values["mAP"] <= 1
    assert {lang: of["questions"] for lang, of in values["counts"].items()} == n


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


@pytest.mark.usefixtures("sentences")
def test_a_wrong_pivot_stores_nothing(xorqa: Xorqa) -> None:
    options = ("--round", "question", "--sentences", "parallel.tsv")
    assert xorqa("build", "qa", "export", "set", *options, "--out", "t.csv").status == 0
    done = xorqa("build", "qa", "import", "set", "t.csv", "--pivot", "de")
    assert done.status == 2 and "in 'de' and 'en'; is --pivot right?" in done.err
    assert not Path("set/report.csv").exists() and not Path("set/annotations.jsonl").exists()


@pytest.mark.usefixtures("sentences")
def test_dev_and_test_share_no_article_and_questions_without_an_answer_are_kept_apart(
    xorqa: Xorqa,
) -> None:
    kept = rounds(xorqa, noise={})["kept"]
    tasks = [task for task in read_tasks(Path("set")).values() if task.round == "translation"]
    question = "Mikä on kaupungin nimi suomeksi?"
    text = f"id,question,answer,start,impossible,annotator\n{tasks[0].id},{question},,,yes,t\n"
    Path("none.csv").write_text(text)
    done = xorqa("build", "qa", "import", "set", "none.csv", "--dev", "0.5")
    assert done.status == 0, done.err
    [apart] = read_squad(Path("set/without-answer/fi.json"))
    assert (apart.qid, apart.question, apart.answers) == (tasks[0].about, question, ())
    parts = [read_questions(Path(f"set/{part}/en.json")) for part in ("dev", "test")]
    assert len(parts[0]) + len(parts[1]) == kept
    contexts = [{row.context for row in part.values()} for part in parts]
    assert not contexts[0] & contexts[1]
    assert f"dev: {len(parts[0])} question" in done.out


@pytest.mark.usefixtures("sentences")
def test_others_review_a_share_of_the_translations(xorqa: Xorqa) -> None:
    counts = rounds(xorqa, noise={})
    words = counts["answer_words"]["fi"]
    assert words["fi"] >= 1 and words["en"] >= 1 and counts["review"] == {}
    export = ("build", "qa", "export", "set", "--round", "review", "--out", "review.csv")
    assert "1 task" in xorqa(*export).out  # 2 % of ten, at least one
    assert "5 tasks" in xorqa(*export, "--share", "0.5").out
    tasks = [task for task in read_tasks(Path("set")).values() if task.round == "review"]
    assert {task.lang for task in tasks} == {"fi"} and len(tasks) == 5
    first = tasks[0]
    assert first.shown["translated_answer"] in first.shown["context"]
    rows = [f"{task.id},{word},r" for task, word in zip(tasks, ["no", *["yes"] * 4], strict=True)]
    Path("r.csv").write_text("\n".join(["id,verdict,annotator", *rows, f"{first.id},yes,t"]))
    done = xorqa("build", "qa", "import", "set", "r.csv")
    assert done.status == 0, done.err
    assert "5 accepted" in done.out  # t translated it
    assert "review in fi: 4 right, 1 wrong, which stay" in done.out
    after = read_json(Path("set/statistics.json"))
    assert after["review"] == {"fi": {"yes": 4, "no": 1}}
    assert after["per_lang"] == counts["per_lang"]


def test_agreement_of_given_files(xorqa: Xorqa) -> None:
    answers = [["the Nile", "Nile", "Nile"], ["the river Nile", "Cairo"], ["one"]]
    qas = [
        {"id": str(n), "question": "?", "answers": [{"text": t, "answer_start": 0} for t in texts]}
        for n, texts in enumerate(answers)
    ]
    write_json(Path("dev.json"), {"data": [{"paragraphs": [{"context": "c", "qas": qas}]}]})
    done = xorqa("build", "qa", "agreement", "dev.json", "--lang", "en")
    assert "2 questions with several answers, agreement (F1) 50.0, with equal answers 50.0 %" in (
        done.out
    )
    assert "name the language of dev.json with --lang" in (
        xorqa("build", "qa", "agreement", "dev.json").err
    )
