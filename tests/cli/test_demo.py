import pytest

from xorqa.cli.demo import SYSTEMS, scores
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.models.checkpoints import Checkpoint

TASKS = ["xor-retrieve", "xor-engspan", "xor-full"]


@pytest.mark.slow
def test_three_systems_answer_the_bundled_world_with_the_shipped_weights(e5: Checkpoint) -> None:
    reports = scores()
    assert list(reports) == list(SYSTEMS)
    for by_task in reports.values():
        assert list(dict.fromkeys(task for task, _ in by_task)) == TASKS
        assert all(tuple(report.per_lang) == XOR_LANGUAGES for report in by_task.values())
        assert set(by_task["xor-retrieve", "official"].n.values()) == {12}
        assert set(by_task["xor-full", "official"].n.values()) == {24}
    oracle, dense, hybrid = (
        by_task["xor-retrieve", "official"].macro["R@2kt"] for by_task in reports.values()
    )
    assert oracle > 85
    assert dense > 60
    assert hybrid >= dense
    assert all(by_task["xor-engspan", "official"].macro["f1"] > 35 for by_task in reports.values())
    assert all(by_task["xor-full", "official"].macro["f1"] > 20 for by_task in reports.values())
