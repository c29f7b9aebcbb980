"""`xorqa paper NAME TABLE RUN...`: the results of other commands beside the printed values."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lab.diagnosis.made_up import write_squad

Xorqa = Callable[..., Any]
F1 = {"en": 70.04, "de": 60.0}
PAIRS = [
    {"context": c, "question": q, "f1": F1[c] - (c != q), "em": 40.0, "n": 2}
    for c in F1
    for q in F1
]
RESULTS = {
    "xlt": {
        "per_lang": {lang: {"f1": f1, "em": f1 - 10} for lang, f1 in F1.items()},
        "macro": {"f1": 65.02, "em": 55.02},
    },
    "gxlt": {"mean": {"f1": 64.0}, "pairs": PAIRS},
    "squad": {
        name: {"n": 2, "f1": f1, "em": 50.0}
        for name, f1 in {"SQuAD": 90.0, "SQuAD, one answer": 80.0, "English file": 70.04}.items()
    },
    "lengths": {lang: {"words": {"context": 100.0, "question": 8.0, "answer": 3.0}} for lang in F1},
    "sizes": {lang: {"articles": 1, "contexts": 2, "instances": 3} for lang in F1},
}


@pytest.fixture
def out(xorqa: Xorqa) -> Path:
    folder = Path("theirs")
    folder.mkdir()
    (folder / "mlqa.json").write_text(json.dumps(RESULTS))
    return folder


def rows(xorqa: Xorqa, *arguments: object) -> list[list[str]]:
    outcome = xorqa("paper", *arguments, "--format", "csv")
    assert outcome.status == 0, outcome.err
    return [line.split(",") for line in outcome.out.splitlines()]


def test_f1_and_em_in_one_cell(xorqa: Xorqa, out: Path) -> None:
    table = rows(xorqa, "mlqa", "table-5", out)
    [mine] = [row for row in table if row[0] == "theirs"]
    assert mine[1:8] == ["70.0 / 60.0", "–", "60.0 / 50.0", "–", "–", "–", "–"]


def test_a_matrix_gets_a_second_matrix(xorqa: Xorqa, out: Path) -> None:
    for place in ("table-6", "table-9"):
        table = rows(xorqa, "mlqa", place, out)
        assert ["theirs en", "70.0", "–", "69.0"] in [row[:4] for row in table]
        assert ["theirs de", "59.0", "–", "60.0"] in [row[:4] for row in table]
        assert any(row[0] == "en" and row[2] in ("65.0", "64.4") for row in table)


def test_english_beside_squad_and_lengths(xorqa: Xorqa, out: Path) -> None:
    [mine] = [row for row in rows(xorqa, "mlqa", "table-7", out) if row[0] == "theirs"]
    assert mine[1:4] == ["90.0 / 50.0", "80.0 / 50.0", "70.0 / 50.0"]
    table = rows(xorqa, "mlqa", "table-8", out)
    assert ["theirs context", "100.0", "100.0", "–"] in [row[:4] for row in table]
    table = rows(xorqa, "mlqa", "table-2", out)
    assert ["theirs contexts", "2", "2", "–"] in [row[:4] for row in table]


def test_lareqa_s_shares_are_printed_as_in_the_paper(xorqa: Xorqa) -> None:
    langs = ("ar", "de", "el", "en", "es", "hi", "ru", "th", "tr", "vi", "zh")
    values = {
        "counts": {lang: {} for lang in langs},
        "mAP": 0.521,
        "monolingual mAP": 0.7,
        "per language": {
            "mAP": dict.fromkeys(langs, 0.5),
            "monolingual mAP": dict.fromkeys(langs, 0.6) | {"ar": 0.761},
        },
    }
    Path("lareqa.json").write_text(json.dumps(values))
    [mine] = [row for row in rows(xorqa, "lareqa", "table-4", "lareqa.json") if "json" in row[0]]
    assert mine[1:4] == ["0.76", "0.60", "0.60"]
    assert "0.70" in mine
    [mine] = [row for row in rows(xorqa, "lareqa", "table-2", "lareqa.json") if "json" in row[0]]
    assert mine[1:3] == ["0.52", "–"]
    values["counts"] = {"ar": {}}
    Path("lareqa.json").write_text(json.dumps(values))
    outcome = xorqa("paper", "lareqa", "table-2", "lareqa.json")
    assert (outcome.status, "none of the paper's pools" in outcome.err) == (2, True)


def test_results_that_lack_what_a_table_needs(xorqa: Xorqa, out: Path) -> None:
    (out / "mlqa.json").write_text(json.dumps({"xlt": RESULTS["xlt"]}))
    outcome = xorqa("paper", "mlqa", "table-6", out)
    assert (outcome.status, "has no gxlt" in outcome.err) == (2, True)
    outcome = xorqa("paper", "mlqa", "table-1", out)
    assert (outcome.status, "has no scores to put runs beside" in outcome.err) == (2, True)


def test_questions_of_two_folders_are_counted_together(xorqa: Xorqa) -> None:
    for folder, langs in (("dev", ("de", "es")), ("test", ("de", "hi"))):
        Path(folder).mkdir()
        for lang in langs:
            asked = [(f"{folder}-{at}", "Who?", "a b", "b") for at in range(2 + (lang == "de"))]
            write_squad(Path(folder, f"{folder}-context-{lang}-question-{lang}.json"), asked)
    table = rows(xorqa, "mlqa", "table-3", "dev", "test")
    of_files = {row[0]: row[1:4] for row in table if row[0].startswith("dev + test ")}
    assert of_files["dev + test de"] == ["6", "2", "–"]
    assert of_files["dev + test hi"] == ["2", "0", "–"]
    outcome = xorqa("paper", "mlqa", "table-3", "nowhere")
    assert (outcome.status, "no data set is called 'nowhere'" in outcome.err) == (2, True)


def test_backretrieval_beside_table_1(xorqa: Xorqa) -> None:
    row = {"pearson": 0.957, "pearson error": 0.0031, "spearman": 0.92, "spearman error": 0.01}
    corr = {"pearson": -0.07, "pearson error": 0.04, "spearman": -1.0, "spearman error": None}
    values = {"source": "en", "target": "ja", "correlation": {"BkR": row, "CORR": corr, "p": {}}}
    Path("ours.json").write_text(json.dumps(values))
    table = [row[:5] for row in rows(xorqa, "backretrieval", "table-1", "ours.json")]
    assert ["Stair en-jp", ".98 ± .001", ".76 ± .002", ".98 ± .003", ".91 ± .003"] in table
    [mine] = [row for row in table if "ours" in row[0]]
    assert mine[0] == "ours.json en-ja"
    cells = [cell.removeprefix("'") for cell in mine[1:]]  # CSV guards a leading minus
    assert cells == [".96 ± .003", "-.07 ± .040", ".92 ± .010", "-1.00 ± –"]
    values["correlation"] = {"p": {}}
    Path("ours.json").write_text(json.dumps(values))
    outcome = xorqa("paper", "backretrieval", "table-1", "ours.json")
    assert (outcome.status, "two languages and three encoders" in outcome.err) == (2, True)


def test_backretrieval_beside_table_2(xorqa: Xorqa) -> None:
    values = {"random": 0.125, "encoders": {"e5-small-q4": {"BkR": {"mean": 0.2215}}}}
    Path("heads.json").write_text(json.dumps(values))
    table = [row[:2] for row in rows(xorqa, "backretrieval", "table-2", "heads.json")]
    assert ["TripletXL", "9.4"] in table and ["heads.json Random", "125.0"] in table
    assert table[-1] == ["heads.json e5-small-q4", "221.5"]
    Path("heads.json").write_text(json.dumps({"correlation": {}}))
    outcome = xorqa("paper", "backretrieval", "table-2", "heads.json")
    assert (outcome.status, "with --lang" in outcome.err) == (2, True)
