from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.translation.conftest import service  # noqa: F401
from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Example, Gold, Passage, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json
from xorqa.lab.building.without_gold import without_gold
from xorqa.lab.ledger.abstention import ALL, ANSWERABLE, abstention_of_run

GAPS = without_gold(load().only(["fi", "te"]), 0.5).sample(6)


@pytest.fixture
def span_run(home: Path, tmp_path: Path, tiny_adapter: Path) -> Path:
    routes = (Route("eng", "bm25", "human"), Route("target", "bm25", corpus="target"))
    reader = {"use": "span", "adapter": str(tiny_adapter)}
    settings = PipelineSettings(routes, k=9, reader=reader, chooser="learned")
    run(settings, GAPS, tmp_path / "run")
    return tmp_path / "run"


def test_a_saved_run_has_the_rates_of_the_live_one(span_run: Path) -> None:
    """The confidence is estimated again from the folder, and is that of the run's own answers."""
    live = read_json(span_run / "scores.json")["measures"]["abstention"]
    measured = abstention_of_run(span_run)
    assert measured.hallucination_rate == live["hallucination_rate"]
    assert measured.error_rate == live["error_rate"]
    assert measured.min_confidence == live["min_confidence"]
    nowhere = sum(example.answered_in == "nowhere" for example in GAPS.examples)
    assert measured.unanswerable == nowhere > 0
    assert measured.answerable + nowhere == len(GAPS.examples)
    assert measured.calibrated is False


def test_the_threshold_is_a_point_of_the_curve(span_run: Path) -> None:
    for least in (0.0, 0.02, 0.05, 1.0):
        measured = abstention_of_run(span_run, min_confidence=least)
        points = [tuple(point) for point in measured.curves[ALL]["points"]]
        if measured.coverage:
            assert any(
                (measured.coverage, measured.risk) == pytest.approx(point) for point in points
            )
        else:
            assert measured.risk is None and measured.error_rate == 1.0
    always = abstention_of_run(span_run, min_confidence=0.0)
    assert always.hallucination_rate == 1.0 and always.error_rate == 0.0
    assert always.curves[ALL]["area"] >= always.curves[ANSWERABLE]["area"]


TEXTS = {"q1": "Where is Inari?", "q2": "Where is the Nile?", "q3": "Where is Atlantis?"}
LAKES = Dataset(
    "lakes",
    (
        Example(Question("q1", TEXTS["q1"], "fi"), (Gold("Suomi", "fi"),)),
        Example(Question("q2", TEXTS["q2"], "fi"), (Gold("Afrikka", "fi"),)),
        Example(Question("q3", TEXTS["q3"], "fi"), (), answered_in="nowhere"),
        Example(Question("q4", "What is not known?", "fi"), ()),
    ),
    {"en": Corpus("lakes", [Passage("inari", "Inari is in Finland. The Nile. Atlantis. What?")])},
)
REPLIES = {  # no model made them
    TEXTS["q1"]: {"answer": "Suomi", "citations": [{"passage": 1, "quote": "in Finland"}]},
    TEXTS["q2"]: {"answer": "Aasia", "citations": [{"passage": 1, "quote": "in Asia"}]},
    TEXTS["q3"]: {"answer": None},
}


@pytest.fixture
def generated_run(service: Any, home: Path, tmp_path: Path) -> Callable[..., Path]:  # noqa: F811
    def scripted(message: str) -> str:
        return json.dumps(REPLIES.get(json.loads(message)["question"], {"answer": "?"}))

    def make(*replies: Any, dataset: Dataset = LAKES) -> Path:
        service.replies = [*replies, scripted]
        reader = {"use": "generate", "endpoint": service.url, "model": "m", "retries": 0}
        settings = PipelineSettings((Route("eng", "bm25"),), reader=reader, chooser="rule")
        run(settings, dataset, tmp_path / "run")
        return tmp_path / "run"

    return make


def test_generated_answers_go_by_their_quotations(generated_run: Callable[..., Path]) -> None:
    """q1 is right and quotes truly, q2 neither; q3 is not answered; nothing is known of q4."""
    measured = abstention_of_run(generated_run())
    assert (measured.answerable, measured.unanswerable, measured.failed) == (2, 1, 0)
    assert measured.curves[ANSWERABLE] == {"area": 0.25, "points": [(0.5, 0.0), (1.0, 0.5)]}
    assert measured.curves[ALL]["points"][-1] == (1.0, pytest.approx(2 / 3))
    assert (measured.hallucination_rate, measured.error_rate) == (0.0, 0.0)
    assert (measured.coverage, measured.risk) == (pytest.approx(2 / 3), 0.5)
    assert measured.calibrated is None


def test_failures_are_left_out(generated_run: Callable[..., Path]) -> None:
    measured = abstention_of_run(generated_run((500, {})))
    assert (measured.answerable, measured.failed) == (1, 1)


def test_runs_that_cannot_be_measured(generated_run: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        abstention_of_run(tmp_path)
    with pytest.raises(ConfigError, match="min_confidence"):
        abstention_of_run(generated_run(), min_confidence=1.5)
