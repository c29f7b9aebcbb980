import re
from pathlib import Path

import pytest

from tests.command_line import Xorqa
from xorqa.cli.demo import SYSTEMS, scores
from xorqa.datasets.mini import load
from xorqa.experiments.run import run
from xorqa.metrics.report import Report
from xorqa.models.checkpoints import Checkpoint

PAGE = Path(__file__).parents[2] / "docs" / "getting-started.md"
TASKS = ["xor-retrieve", "xor-engspan", "xor-full"]
LANGS = ("ar", "fi", "ko")  # of seven, to be fast


def printed(title):
    """{(system, metric, language): score} of a table on the page that shows the demo."""
    table = PAGE.read_text("utf-8").partition(title)[2].partition("Percent.")[0]
    header, *rows = (
        re.split(r" *[│┃] *", line)[1:-1] for line in re.findall(r"^[│┃].*", table, re.M)
    )
    cells, system = {}, ""
    for name, metric, *values in rows:
        system = name or system
        cells |= {
            (system, metric, lang): float(v) for lang, v in zip(header[2:], values, strict=True)
        }
    return cells


@pytest.mark.slow
def test_the_documented_scores_are_those_of_the_shipped_weights(
    e5: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = scores(load().only(LANGS))
    systems = [line.rpartition(" ")[2] for line in capsys.readouterr().err.splitlines()]
    assert [name for name in systems if name in SYSTEMS] == list(SYSTEMS)
    assert run("dense", load().only(LANGS), tmp_path / "run") == reports["dense"]
    assert list(reports) == list(SYSTEMS)
    tables = {
        task: printed(f"{title}:")
        for task, title in zip(TASKS, ("XOR-Retrieve", "XOR-EnglishSpan", "XOR-Full"), strict=True)
    }
    assert [len(table) for table in tables.values()] == [3 * 2 * 8, 3 * 2 * 8, 3 * 3 * 8]
    for system, by_task in reports.items():
        assert list(dict.fromkeys(task for task, _ in by_task)) == TASKS
        assert set(by_task["xor-retrieve", "official"].n.values()) == {12}
        for task, table in tables.items():
            report = by_task[task, "official"]
            for lang in LANGS:
                for metric in {"R@2kt", "R@5kt", "f1", "em"} & {*report.measures}:
                    name = metric if "kt" in metric else metric.upper()
                    expected = pytest.approx(table[system, name, lang], abs=10)
                    assert report.per_lang[lang][metric] == expected


def test_scores_that_do_not_differ_are_one_line(
    monkeypatch: pytest.MonkeyPatch, xorqa: Xorqa
) -> None:
    def report(task, value, metrics):
        means = dict.fromkeys(metrics, value)
        return Report(task, "official", {"fi": means}, means, {"fi": 1})

    found = {
        name: {
            ("xor-retrieve", "official"): report("xor-retrieve", 100.0, ("R@2kt", "R@5kt")),
            ("xor-engspan", "official"): report("xor-engspan", score, ("f1", "em")),
            ("xor-full", "official"): report("xor-full", score, ("f1", "em", "bleu")),
        }
        for name, score in zip(SYSTEMS, (10.0, 20.0, 20.0), strict=True)
    }
    monkeypatch.setattr("xorqa.cli.demo.scores", lambda dataset: found)
    out = xorqa("demo").out
    assert out.splitlines()[-1] == 'xorqa ask "1993년 프랑스 총리는 누구인가요?"'
    assert "R@2kt and R@5kt are 100.0 for every system and language." in out
    assert re.search(r"bm25 +│ F1 +│ 10.0", out) and "BLEU" in out and "f1" not in out
