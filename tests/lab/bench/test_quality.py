import json
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.progress import silent
from xorqa.datasets import mini
from xorqa.experiments.evaluate import evaluate
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import EXAMPLES, PipelineSettings, load_settings
from xorqa.lab.bench import quality


def point(f1: float, ms: float, queries: str = "none") -> dict[str, object]:
    return {"scores": {"f1": f1}, "ms": {"p50": ms}, "queries": [queries]}


def test_the_curve_has_what_nothing_beats_in_both() -> None:
    rows = {
        "fast": point(40, 50),
        "good": point(60, 200),
        "slow": point(60, 300),  # as good as `good`, but slower
        "middle": point(39, 100),  # worse and slower than `fast`
        "oracle": point(90, 10, quality.ORACLE),
        "twin": point(60, 200),
        "missing": {"skipped": "no weights"},
    }
    assert quality.frontier(rows) == {"fast", "good", "twin"}


def test_an_oracle_takes_nothing_from_the_curve() -> None:
    rows = {"oracle": point(90, 10, quality.ORACLE), "system": point(30, 100)}
    assert quality.frontier(rows) == {"system"}


def test_the_default_configs_are_examples() -> None:
    assert {*quality.SHIPPED} <= {*EXAMPLES}


@pytest.fixture
def settings() -> dict[str, PipelineSettings]:
    return {"bm25": load_settings("bm25")}


def test_scores_are_those_of_a_run(settings: dict[str, PipelineSettings]) -> None:
    dataset = mini.load().sample(1)
    figures = quality.measure(settings, dataset, progress=silent)
    row = figures["rows"]["bm25"]
    pipeline = Pipeline.from_config("bm25", dataset.corpora, translations=dataset.translations)
    traces = pipeline.answer([example.question for example in dataset.examples])
    reports = evaluate(dataset, traces, routes=pipeline.settings.routes)
    assert row["scores"]["f1"] == reports["xor-full", "official"].macro["f1"]
    assert 0 < row["ms"]["p50"] <= row["ms"]["p95"]
    assert row["queries"] == ["human", "none"]


def test_reading_scores_the_english_span(settings: dict[str, PipelineSettings]) -> None:
    dataset = mini.load().only(["fi"]).sample(4)
    figures = quality.measure(settings, dataset, until=Stop.READ, progress=silent)
    assert figures["task"] == "xor-engspan"
    assert figures["rows"]["bm25"]["scores"]["R@2kt"] == 100


def test_what_cannot_run_is_skipped_with_its_reason(
    settings: dict[str, PipelineSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ConfigError("no cluster at this address")

    monkeypatch.setattr(Pipeline, "answer", refuse)
    figures = quality.measure(settings, mini.load().sample(1), progress=silent)
    assert figures["rows"]["bm25"]["skipped"] == "no cluster at this address"
    assert quality.grid(figures).rows == ((),)
    assert quality.lines(figures) == ["skipped bm25: no cluster at this address"]


def test_a_measured_row_is_kept_until_its_settings_change(
    settings: dict[str, PipelineSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, file = mini.load().only(["fi"]).sample(1), tmp_path / "curve.json"
    first = quality.measure(settings, dataset, kept=file, progress=silent)
    assert json.loads(file.read_text())["rows"] == first["rows"]
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "answer", None)  # nothing is asked again
        again = quality.measure(settings, dataset, kept=file, progress=silent)
    assert (again["reused"], again["rows"]) == (1, first["rows"])
    assert quality.lines(again) == ["1 row taken from the file, measured before"]
    changed = {"bm25": load_settings("bm25", changes=["chooser.use=best"])}
    assert quality.measure(changed, dataset, kept=file, progress=silent)["reused"] == 0
