import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.metrics.report import PER_QUESTION, Score, write_scores

QUICK = ("--samples", 300)
LANGS = ("fi", "te")


def full(value: float, *, qids: str = "abcdefghij") -> list[Score]:
    """The first three questions of a language are right, of the others `value`."""
    return [
        Score(f"{lang}-{qid}", lang, {"f1": 1.0 if at < 3 else value, "em": float(at < 3)})
        for lang in LANGS
        for at, qid in enumerate(qids)
    ]


def retrieve(qids: str) -> list[Score]:
    return [Score(qid, "fi", {"R@2kt": float(qid > "b")}) for qid in qids]


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Three run folders: a baseline, a better one, and an equal one with fewer questions."""
    folders = [tmp_path / name for name in ("base", "better", "short")]
    values, found = (0.0, 0.5, 0.0), ("abcde", "abcde", "abc")
    for folder, value, qids in zip(folders, values, found, strict=True):
        write_scores(
            folder / PER_QUESTION,
            {
                ("xor-retrieve", "official"): retrieve(qids),
                ("xor-retrieve", "strict"): retrieve("abcde"),
                ("xor-full", "official"): full(value, qids="abcdefghij"[: 2 * len(qids)]),
            },
        )
    return folders


def test_a_table_per_metric_with_its_settings(xorqa: Callable[..., Any], runs: list[Path]) -> None:
    outcome = xorqa("compare", *runs[:2], *QUICK, "--seed", 5)
    assert (outcome.status, outcome.err) == (0, "")
    titles = [line.strip() for line in outcome.out.splitlines() if "(official)" in line]
    assert titles == [
        "xor-retrieve (official), R@2kt",
        "xor-full (official), F1",
        "xor-full (official), EM",
    ]
    assert outcome.out.count(f"A = {runs[0]}, B = {runs[1]}.") == 2  # of each task
    row = next(line for line in outcome.out.splitlines() if "macro" in line and "│" in line)
    assert row.replace("│", " ").split()[:4] == ["macro", "30.0", "65.0", "+35.0"]
    assert row.rstrip(" │").endswith("*")
    assert "over the 3 comparisons of the metric: languages, macro, all runs" in outcome.out
    assert "at most 0.05. 300 samples, seed 5." in " ".join(outcome.out.split())


def test_json_is_complete_and_unrounded(
    xorqa: Callable[..., Any], runs: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "out" / "compared.json"
    outcome = xorqa(
        "compare",
        *runs[:2],
        *QUICK,
        "--task",
        "xor-full",
        "--json",
        path,
        "--correction",
        "bh",
        "--confidence",
        0.9,
    )
    assert outcome.status == 0
    written = json.loads(path.read_text(encoding="utf-8"))
    rows = written.pop("tasks")
    assert written == {
        "scorer": "official",
        "baseline": str(runs[0]),
        "samples": 300,
        "seed": 1,
        "confidence": 0.9,
        "correction": "bh",
    }
    assert list(rows) == ["xor-full"]
    assert [(row["metric"], row["lang"]) for row in rows["xor-full"]] == [
        (metric, lang) for metric in ("f1", "em") for lang in (*LANGS, "macro")
    ]
    first, last = rows["xor-full"][0], rows["xor-full"][-1]
    assert set(first) == {
        "metric",
        "lang",
        "run",
        "n",
        "baseline",
        "score",
        "difference",
        "low",
        "high",
        "p_bootstrap",
        "p_randomisation",
        "p_corrected",
        "significant",
    }
    assert (first["run"], first["n"], first["significant"]) == (str(runs[1]), 10, True)
    assert first["difference"] == pytest.approx(35.0)
    assert 0 < first["p_randomisation"] < 0.05
    assert (last["difference"], last["low"], last["high"], last["p_corrected"]) == (0, 0, 0, 1)


def test_folders_and_files_give_the_same_result_every_time(
    xorqa: Callable[..., Any], runs: list[Path]
) -> None:
    call = ("--format", "csv", "--task", "xor-full", "--metric", "f1", *QUICK)
    rows = [
        [row[:-2] for row in csv.reader(io.StringIO(xorqa("compare", *some, *call).out)) if row]
        for some in (runs[:2], [run / PER_QUESTION for run in runs[:2]])
    ]
    assert rows[0] == rows[1]
    assert [row[0] for row in rows[0]] == ["lang", *LANGS, "macro"]


def test_more_runs_are_compared_with_the_first(xorqa: Callable[..., Any], runs: list[Path]) -> None:
    again = runs[0] / PER_QUESTION
    outcome = xorqa(
        "compare",
        runs[0],
        runs[1],
        again,
        *QUICK,
        "--task",
        "xor-full",
        "--metric",
        "f1",
        "--format",
        "csv",
    )
    header, *rows = [row for row in csv.reader(io.StringIO(outcome.out)) if row]
    assert header[:4] == ["run", "lang", "A", "B"]
    assert [row[:2] for row in rows] == [
        [str(run), lang] for run in (runs[1], again) for lang in (*LANGS, "macro")
    ]
    assert "over the 6 comparisons" in rows[0][-1]


def test_questions_that_differ_are_named(xorqa: Callable[..., Any], runs: list[Path]) -> None:
    outcome = xorqa("compare", runs[0], runs[2], *QUICK)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: DataError: xor-retrieve: {runs[2]} and the baseline have different questions; "
        f"only in the baseline: fi 2 (d, e); only in {runs[2]}: none; the official scorer skips "
        "questions without a prediction, so try --scorer strict\n"
    )
    assert xorqa("compare", runs[0], runs[2], *QUICK, "--scorer", "strict").status == 0
    full = xorqa("compare", runs[0], runs[2], *QUICK, "--task", "xor-full")
    assert "baseline: fi 4 (fi-g, fi-h, fi-i, ...), te 4 (te-g, te-h, te-i, ...);" in full.err
    assert "--scorer strict" not in full.err


def test_runs_over_different_languages_are_one_line(
    xorqa: Callable[..., Any], tmp_path: Path
) -> None:
    for name, lang in (("ko", "ko"), ("te", "te")):
        row = Score("q", lang, {"f1": 1.0})
        write_scores(tmp_path / name / PER_QUESTION, {("xor-full", "official"): [row]})
    outcome = xorqa("compare", tmp_path / "ko", tmp_path / "te")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: DataError: xor-full: {tmp_path / 'te'} has questions in te, the baseline in ko; "
        "run both over the same languages\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--task", "mlqa"), "the runs share no official scores of mlqa; "),
        (("--task", "xor-full", "--scorer", "strict"), "has xor-full (official), xor-retrieve ("),
        (("--metric", "bleu"), "the baseline has no metric 'bleu'; valid: R@2kt"),
        (("--confidence", "95"), "confidence must be between 0 and 1, such as 0.95, not 95.0"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
    ],
)
def test_incomparable_runs_raise_errors_with_the_valid_values(
    xorqa: Callable[..., Any],
    runs: list[Path],
    tmp_path: Path,
    options: tuple[str, ...],
    message: str,
) -> None:
    outcome = xorqa("compare", *runs[:2], *options, "--json", tmp_path / "out.json")
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (tmp_path / "out.json").exists()


def test_a_single_run_and_a_missing_run(xorqa: Callable[..., Any], runs: list[Path]) -> None:
    assert "needs two runs or more, the baseline first" in xorqa("compare", runs[0]).err
    missing = xorqa("compare", runs[0], "nowhere")
    assert (missing.status, missing.out) == (2, "")
    assert "nowhere cannot be read: No such file or directory" in missing.err
