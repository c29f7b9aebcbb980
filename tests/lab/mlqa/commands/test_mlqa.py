import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from xorqa.metrics.report import PER_QUESTION, read_scores

TEXTS = {
    "en": ("Cairo is on the Nile.", ("Which river?", "Nile"), ("What city?", "Cairo")),
    "de": ("Kairo liegt am Nil.", ("Welcher Fluss?", "Nil"), ("Welche Stadt?", "Kairo")),
    "fi": ("Kairo on Niilin varrella.", ("Mikä joki?", "Niilin"), ("Mikä kaupunki?", "Kairo")),
}


def write(folder: Path, lang: str, *, qids: str = "ab") -> Path:
    context, *asked = TEXTS[lang]
    qas = [
        {
            "id": qid,
            "question": question,
            "answers": [{"text": answer, "answer_start": context.index(answer)}],
        }
        for qid, (question, answer) in zip(qids, asked, strict=True)
    ]
    paragraphs = [{"context": context, "qas": qas}]
    path = folder / f"tiny.{lang}.json"
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": paragraphs}]}))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "tiny"
    path.mkdir()
    for lang in TEXTS:
        write(path, lang)
    return path


@pytest.fixture
def mlqa(xorqa: Callable[..., Any], folder: Path, tiny_adapter: Path) -> Callable[..., Any]:
    return lambda *options: xorqa(
        "mlqa", "--dir", folder, "--reader", tiny_adapter, "--out", "out", *options
    )


def figures() -> Any:
    return json.loads(Path("out/mlqa.json").read_text())


def test_the_matrix_and_its_diagonal(mlqa: Callable[..., Any]) -> None:
    outcome = mlqa()
    assert (outcome.status, outcome.err) == (0, "")
    assert "Rows: language of context and answer; columns: language of the question" in outcome.out
    assert "questions counted: de 2, en 2, fi 2" in outcome.out
    assert "left out" not in outcome.out
    found = figures()
    pairs = {(row["context"], row["question"]): row for row in found["gxlt"]["pairs"]}
    assert set(pairs) == {(c, q) for c in TEXTS for q in TEXTS}
    assert all((row["n"], row["left_out"]) == (2, 0) for row in pairs.values())
    for lang, means in found["xlt"]["per_lang"].items():
        assert {name: pairs[lang, lang][name] for name in means} == means
    crossed = [row["f1"] for (c, q), row in pairs.items() if c != q]
    assert found["gxlt"]["mean"]["f1"] == pytest.approx(sum(crossed) / 6)
    assert found["reader"]["sha"]
    assert found["lengths"]["en"]["characters"]["context"] == len(TEXTS["en"][0])
    groups = {name: list(some) for name, some in found["breakdowns"].items()}
    assert groups["question word"] == ["what", "which"]
    assert groups["answer type"] == ["place", "other"]
    assert groups["answer length"] == ["1 word"]
    assert found["lengths"]["fi"]["words"] == {"context": 4, "question": 2, "answer": 1}
    assert found["first words"]["English file"]["which"] == 50
    assert "squad" not in found
    assert found["sizes"]["fi"] == {"articles": 1, "contexts": 1, "instances": 2}


def test_tables_have_rows_of_contexts_and_columns_of_questions(mlqa: Callable[..., Any]) -> None:
    out = mlqa("--lang", "fi,en", "--format", "csv").out
    tables: dict[str, list[list[str]]] = {}
    for row in csv.reader(io.StringIO(out)):
        if row and row[-2] != "table":
            tables.setdefault(row[-2], []).append(row[:-2])
    assert list(tables) == [
        "XLT",
        "G-XLT, f1",
        "G-XLT, em",
        "XLT, broken down",
        "XLT, relative to all questions",
        "First words of questions",
    ]
    cells = {(row["context"], row["question"]): row["f1"] for row in figures()["gxlt"]["pairs"]}
    assert tables["G-XLT, f1"] == [
        [context, *(f"{cells[context, question]:.1f}" for question in ("fi", "en"))]
        for context in ("fi", "en")
    ]
    length = next(row for row in tables["XLT, broken down"] if row[:2] == ["characters", "answer"])
    assert length[-2:] == ["5.5", "4.5"]


def test_predictions_of_others_make_the_same_tables(
    mlqa: Callable[..., Any], xorqa: Callable[..., Any], folder: Path
) -> None:
    theirs = Path("theirs")
    theirs.mkdir()
    right = {lang: {"a": first[1], "b": second[1]} for lang, (_, first, second) in TEXTS.items()}
    for lang, answers in right.items():
        (theirs / f"{lang}.json").write_text(json.dumps(answers))
    (theirs / "context-de-question-en.json").write_text(json.dumps({"a": "Nil", "other": "x"}))
    (theirs / "notes.json").write_text("{}")
    outcome = xorqa("mlqa", "--dir", folder, "--pred", theirs, "--out", "out")
    assert outcome.status == 0
    assert "without a prediction, and counted as wrong: 1" in outcome.out
    assert "not named by a pair of languages: notes.json" in outcome.out
    found = figures()
    assert (found["missing"], found["ignored"], "reader" in found) == (1, ["notes.json"], False)
    assert {row["f1"] for row in found["xlt"]["per_lang"].values()} == {100}
    assert found["gxlt"]["mean"]["f1"] == 50
    assert found["gxlt"]["drop"]["f1"] == 50
    assert "question word" in found["breakdowns"]


def test_predictions_that_no_language_names(xorqa: Callable[..., Any], folder: Path) -> None:
    Path("theirs").mkdir()
    outcome = xorqa("mlqa", "--dir", folder, "--pred", "theirs", "--out", "out")
    assert outcome.status == 2
    assert "theirs has no predictions named by language, such as de.json" in outcome.err


def test_the_heat_map_shows_the_matrix(mlqa: Callable[..., Any]) -> None:
    mlqa()
    root = ElementTree.parse("out/gxlt.svg").getroot()
    shown = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{row['f1']:.1f}" for row in figures()["gxlt"]["pairs"]} <= set(shown)
    assert {"language of the context", "language of the question", *TEXTS} <= set(shown)


def test_scores_can_be_compared(xorqa: Callable[..., Any], mlqa: Callable[..., Any]) -> None:
    mlqa("--task", "squad")
    scores = read_scores(Path("out") / PER_QUESTION)
    assert set(scores) == {("squad", "official"), ("squad", "strict")}
    assert len(scores["squad", "strict"]) == 6
    outcome = xorqa("compare", "out", "out", "--samples", 10)
    assert outcome.status == 0
    assert "squad (official), F1" in outcome.out


def test_the_diagonal_alone(mlqa: Callable[..., Any]) -> None:
    outcome = mlqa("--pairs", "xlt")
    assert outcome.status == 0
    assert "G-XLT" not in outcome.out
    assert "gxlt" not in figures()
    assert not Path("out/gxlt.svg").exists()


def test_without_english_files(mlqa: Callable[..., Any]) -> None:
    outcome = mlqa("--lang", "de,fi")
    assert "no breakdowns, since there is no English file" in outcome.out
    assert "answer type" not in outcome.out
    assert figures()["breakdowns"] == {}
    assert set(figures()["lengths"]) == {"de", "fi"}


def test_ids_that_are_not_shared_are_counted(mlqa: Callable[..., Any], folder: Path) -> None:
    write(folder, "fi", qids="bc")
    outcome = mlqa()
    assert "left out, since only one file of a pair has them: up to 2 questions" in outcome.out
    pairs = {(row["context"], row["question"]): row for row in figures()["gxlt"]["pairs"]}
    assert (pairs["fi", "en"]["n"], pairs["fi", "en"]["left_out"]) == (1, 2)
    assert pairs["fi", "fi"]["n"] == 2


def test_a_pair_that_shares_no_id_has_no_figure(mlqa: Callable[..., Any], folder: Path) -> None:
    write(folder, "fi", qids="cd")
    outcome = mlqa()
    assert outcome.status == 0
    row = next(line for line in outcome.out.splitlines() if line.startswith("│ fi "))
    assert row.replace("│", " ").split()[1:3] == ["–", "–"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lang", "en,ru"), "no file is in 'ru'; valid: de, en, fi"),
        (("--lang", "en"), "select at least two languages; valid: de, en, fi"),
        (("--pairs", "some"), "Invalid value for '--pairs'"),
        (("--reader", "reader-xx"), "no adapter is called 'reader-xx'; valid: "),
    ],
)
def test_unreadable_input_raises_an_error_with_the_valid_values(
    mlqa: Callable[..., Any], options: tuple[str, ...], message: str
) -> None:
    outcome = mlqa(*options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert not Path("out").exists()


def test_a_folder_without_files(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("mlqa", "--dir", ".", "--out", "out")
    assert outcome.status == 2
    assert "has no .json file with a language in its name" in outcome.err


def test_a_missing_folder(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("mlqa", "--dir", "nosuch", "--out", "out")
    assert outcome.status == 2
    assert outcome.err.endswith(
        "no parallel data set is called 'nosuch', and there is no such folder; valid: "
        "mlqa/dev, mlqa/test, xquad, xquad-r, or a folder with a SQuAD-style file per language\n"
    )
    assert outcome.err.count("\n") == 1
    outcome = xorqa("mlqa", "--dir", "mlqa/test", "--out", "out")
    assert "mlqa/test has not been fetched; fetch it with: xorqa data fetch mlqa" in outcome.err


TAGS = """
def tag(text):
    return {"Nile": "LOC", "Cairo": "GPE"}.get(text)
"""


def test_entity_types_by_any_callable(
    mlqa: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_entities.py").write_text(TAGS)
    monkeypatch.syspath_prepend(str(tmp_path))
    outcome = mlqa("--pairs", "xlt", "--entities", "own_entities:tag")
    sys.modules.pop("own_entities", None)
    assert outcome.status == 0
    groups = figures()["breakdowns"]["entity type"]
    assert list(groups) == ["any entity", "GPE", "LOC"]
    assert groups["any entity"]["n"] == {"de": 2, "en": 2, "fi": 2}
    assert groups["LOC"]["n"] == {"de": 1, "en": 1, "fi": 1}
    assert "entity type" in outcome.out


def test_english_beside_squad(mlqa: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path, "en")
    data = json.loads(path.read_text())
    qas = data["data"][0]["paragraphs"][0]["qas"]
    for qa in qas:  # three annotators: two agree on an answer that is not in the first file
        qa["answers"] += [{"text": "is on", "answer_start": 6}] * 2
    squad = tmp_path / "dev-v1.1.json"
    squad.write_text(json.dumps(data))
    outcome = mlqa("--pairs", "xlt", "--squad", squad)
    assert (outcome.status, outcome.err) == (0, "")
    found = figures()
    assert found["lengths"]["SQuAD"]["words"]["context"] > 0
    rows = found["squad"]
    assert list(rows) == ["SQuAD", "SQuAD, one answer", "English file"]
    assert {row["n"] for row in rows.values()} == {2}
    assert rows["SQuAD"]["f1"] >= max(rows["SQuAD, one answer"]["f1"], rows["English file"]["f1"])
    assert rows["English file"]["f1"] == found["xlt"]["per_lang"]["en"]["f1"]
    assert found["first words"]["SQuAD"] == found["first words"]["English file"]
    assert "English beside SQuAD" in outcome.out and "First words of questions" in outcome.out


@pytest.mark.parametrize("option", [("--entities", "spacy"), ("--squad", "squad.json")])
def test_options_that_need_english_are_rejected_without_it(
    mlqa: Callable[..., Any], option: tuple[str, str]
) -> None:
    outcome = mlqa("--lang", "de,fi", *option)
    assert outcome.status == 2
    assert "--entities and --squad need an English file, and none is selected" in outcome.err
    assert outcome.err.count("\n") == 1
