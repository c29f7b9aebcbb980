import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LANGS = ("de", "en", "th")


def write(folder: Path, lang: str, *, sentences: bool = True, name: str = "{}.json") -> None:
    """Two articles, each with a paragraph of two sentences and a question on its first."""
    data = []
    for article in range(2):
        first, second = f"{lang} Nile{article} 12{article}.", "A river."
        paragraph: dict[str, Any] = {
            "context": f"{first} {second}",
            "qas": [
                {
                    "id": f"q{article}",
                    "question": f"Nile{article} {lang}?",
                    "answers": [{"text": f"12{article}", "answer_start": first.index("12")}],
                }
            ],
        }
        if sentences:
            end = len(first)
            paragraph["sentences"] = [first, second]
            paragraph["sentence_breaks"] = [[0, end], [end + 1, end + 1 + len(second)]]
        data.append({"paragraphs": [paragraph]})
    (folder / name.format(lang)).write_text(json.dumps({"data": data}), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "tiny-r"
    path.mkdir()
    for lang in LANGS:
        write(path, lang)
    return path


@pytest.fixture
def lareqa(xorqa: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    return lambda *options: xorqa("lareqa", folder, "--out", "out", *options)


def figures(path: str = "out/lareqa.json") -> Any:
    return json.loads(Path(path).read_text())


def test_one_encoder(lareqa: Callable[..., Any], tiny: Path) -> None:
    outcome = lareqa("--encoder", tiny, "--json", "figures.json")
    assert (outcome.status, outcome.err) == (0, "")
    assert "6 questions, 12 candidates (de 2/4, en 2/4, th 2/4)." in outcome.out
    assert "Sentences are those of the files." in outcome.out
    results = figures()
    assert results == figures("figures.json")
    assert 0 < results["mAP"] <= 1 and 0 < results["mAP@20"] <= 1
    assert results["counts"]["th"] == {"questions": 2, "candidates": 4}
    assert (results["encoder"], results["transform"], results["sentences"]) == (
        str(tiny),
        "none",
        "published",
    )
    assert "encoders" not in results
    page = Path("out/report.html").read_text()
    assert "Language bias on tiny-r" in page and "Thai" in page


def test_several_encoders_and_transforms(
    lareqa: Callable[..., Any], tiny: Path, tmp_path: Path
) -> None:
    random = np.random.default_rng(2)
    path = tmp_path / "mine.npz"
    np.savez(path, questions=random.normal(size=(6, 5)), candidates=random.normal(size=(12, 5)))
    outcome = lareqa(
        "--encoder", path, "--encoder", "bm25", "--transform", "none", "--transform", "center"
    )
    assert outcome.status == 0
    assert f"the transform of {path} center was fitted on the vectors" in outcome.out
    rows = figures()["encoders"]
    assert [(row["encoder"], row["transform"]) for row in rows] == [
        (str(path), "none"),
        (str(path), "center"),
        ("bm25", "none"),
    ]
    assert {name: figures()[name] for name in rows[0]} == rows[0]
    assert [row.get("diagnostic") for row in rows] == [None, True, None]
    assert "A diagnosis, not a result" in Path("out/report.html").read_text()


def test_half_is_reported_and_raises_no_warning(lareqa: Callable[..., Any]) -> None:
    outcome = lareqa("--encoder", "bm25", "--fit", "half")
    assert "evaluated on the half of the articles that no transform saw" in outcome.out
    assert "A diagnosis" not in outcome.out
    assert figures()["judged on"] == "half"


def test_the_bundled_pool(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("lareqa", "mini", "--out", "out", "--encoder", "bm25")
    assert outcome.status == 0
    assert "192 questions, 192 candidates" in outcome.out
    assert (figures()["pool"], figures()["sentences"]) == ("mini", "published")


@pytest.mark.parametrize("missing", [True, False])
def test_sentences_are_split_if_files_have_none_or_on_request(
    lareqa: Callable[..., Any], folder: Path, missing: bool
) -> None:
    if missing:
        (folder / "en.json").unlink()
        write(folder, "en", sentences=False, name="xquad.{}.json")
    outcome = lareqa("--encoder", "bm25", *([] if missing else ["--built"]))
    assert outcome.status == 0
    assert "Sentences were split by xorqa" in outcome.out
    assert figures()["sentences"] == "built"
    assert figures()["counts"]["en"]["questions"] == 2


def test_a_table_may_go_into_a_file(lareqa: Callable[..., Any]) -> None:
    outcome = lareqa("--encoder", "bm25", "--format", "csv")
    assert outcome.out.startswith("encoder,metric,de,en,th,mean,over questions,table,caption\n")
    assert "results and report: out" in outcome.err


UPPER = """
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query


class Upper(BaseTranslator):
    version = 1

    def fingerprint(self):
        return "upper"

    def translate(self, questions, *, to):
        return [Query(q, q.text.replace(q.lang, "").upper(), to if q.lang != "th" else q.lang)
                for q in questions]
"""


@pytest.fixture
def upper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A translator that fails for Thai."""
    (tmp_path / "upper_mt.py").write_text(UPPER)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "upper_mt:Upper"
    sys.modules.pop("upper_mt", None)


def test_a_subset_of_the_languages(lareqa: Callable[..., Any]) -> None:
    outcome = lareqa("--encoder", "bm25", "--lang", "th,de")
    assert outcome.status == 0
    assert "4 questions, 8 candidates (de 2/4, th 2/4)." in outcome.out
    assert list(figures()["per language"]["mAP"]) == ["de", "th"]
    assert set(figures()["counts"]) == {"de", "th"}


def test_a_subset_of_the_bundled_pool(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("lareqa", "mini", "--out", "out", "--encoder", "bm25", "--lang", "fi,en")
    assert "48 questions, 48 candidates" in outcome.out
    assert figures()["pool"] == "mini"


def test_translate_test(lareqa: Callable[..., Any], upper: str) -> None:
    lareqa("--encoder", "bm25", "--lang", "de,en")
    raw = figures()
    outcome = lareqa("--encoder", "bm25", "--lang", "de,en", "--translator", upper)
    assert outcome.status == 0
    assert "bm25 translate-test" in outcome.out
    assert f"Translate-Test: questions and candidates were translated into English by {upper}" in (
        outcome.out
    )
    result = figures()
    assert result["mAP"] > raw["mAP"]  # without "de" and "en" in them the texts are the same
    assert result["translator"] == {
        "use": upper,
        "to": "en",
        "fingerprint": "upper",
        "texts": 5,
        "untranslated": 0,
    }
    assert list(result["per language"]["mAP"]) == ["de", "en"]
    assert "Translate-Test" in Path("out/report.html").read_text()


def test_untranslated_texts_are_counted(lareqa: Callable[..., Any], upper: str) -> None:
    outcome = lareqa("--encoder", "bm25", "--translator", upper)
    assert "5 of 10 texts were not translated and are scored as they are" in outcome.out
    assert figures()["translator"]["untranslated"] == 5


def test_the_table_of_xtreme_r(lareqa: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, questions=np.eye(6, 5), candidates=np.eye(12, 5))
    outcome = lareqa("--encoder", "bm25", "--encoder", path, "--format", "csv")
    table, one_target = [
        rows
        for rows in map(str.splitlines, outcome.out.split("\n\n"))
        if rows and rows[0].startswith("model,")
    ]
    assert table[0].startswith("model,de,en,th,avg,")
    for line, row in zip(table[1:], figures()["encoders"], strict=True):
        cells = [*row["per language"]["mAP@20"].values(), row["mAP@20"]]
        shown = ",".join(f"{100 * cell:.1f}" for cell in cells)
        assert line.startswith(f"{row['encoder']},{shown},")
    for line, row in zip(one_target[1:], figures()["encoders"], strict=True):
        shown = ",".join(f"{100 * value:.1f}" for value in row["over targets"].values())
        assert line.startswith(f"{row['encoder']},{shown},")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--encoder", "mine.npz"], "mine.npz cannot be read"),
        (["--encoder", "./nowhere"], "./nowhere is not a folder"),
        (["--lang", "de,fi"], "no file is in 'fi'; valid: de, en, th"),
        (["--lang", "de"], "select at least two languages; valid: de, en, th"),
        (["--translator", "nosuch"], "no translator is called 'nosuch'"),
        (
            ["--translator", "{upper}", "--encoder", "mine.npz"],
            "--translator cannot be used with vectors from a file, mine.npz",
        ),
        (["--encoder", "{tiny}", "--transform", "centre"], "no transform is called 'centre'"),
    ],
)
def test_errors_are_one_line(
    lareqa: Callable[..., Any], tiny: Path, upper: str, options: list[str], message: str
) -> None:
    outcome = lareqa(*(option.format(tiny=tiny, upper=upper) for option in options))
    assert outcome.status == 2
    assert message in outcome.err and outcome.err.count("\n") == 1
    assert not Path("out/lareqa.json").exists()


def test_a_pool_needs_two_languages(lareqa: Callable[..., Any], folder: Path) -> None:
    for lang in LANGS[1:]:
        (folder / f"{lang}.json").unlink()
    outcome = lareqa("--encoder", "bm25")
    assert outcome.status == 2
    assert "one language" in outcome.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "nosuch",
            "no pool is called 'nosuch', and there is no such folder; valid: mini, mlqa/dev, "
            "mlqa/test, xquad, xquad-r, or a folder with a SQuAD-style file per language",
        ),
        ("xquad-r", "xquad-r has not been fetched; fetch it with: xorqa data fetch xquad-r"),
        ("mlqa/test", "mlqa/test has not been fetched; fetch it with: xorqa data fetch mlqa"),
        ("file.json", "file.json is a file; valid: mini, "),
    ],
)
def test_a_missing_pool(xorqa: Callable[..., Any], name: str, message: str) -> None:
    Path("file.json").write_text("{}")
    outcome = xorqa("lareqa", name, "--out", "out")
    assert outcome.status == 2
    assert message in outcome.err and outcome.err.count("\n") == 1


def test_word_vectors_and_what_they_lack(xorqa: Callable[..., Any]) -> None:
    for lang in ("en", "fi"):
        Path(f"v.{lang}.vec").write_text("2 2\nthe 1 0\non 0 1\n", encoding="utf-8")
    outcome = xorqa(
        *("lareqa", "mini", "--lang", "en,fi", "--out", "out", "--encoder", "v.{lang}.vec"),
        *("--transform", "none", "--transform", "center"),
    )
    assert outcome.status == 0, outcome.err
    assert outcome.out.count("v.{lang}.vec: left out, as they have no vector: en ") == 1
    rows = figures()["encoders"]
    counts = rows[0]["word vectors"]
    assert counts == rows[1]["word vectors"] and set(counts) == {"en", "fi"}
    assert 0 < counts["en"]["unknown"] < counts["en"]["words"]
    assert len(rows[0]["weights"]) > 10 and rows[0]["mAP"] > 0
