"""`xorqa leaderboard build`, and metadata in `xorqa submission check`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.lab.leaderboard.systems import write_metadata, write_run, write_system
from xorqa.io.files import read_json, write_json

QUICK = ("--samples", 100)


def test_a_site_is_built(xorqa: Callable[..., Any]) -> None:
    write_system(Path("systems/a"), 0.9, model="better")
    write_system(Path("systems/b"), 0.4, model="worse")
    (Path("systems") / "c").mkdir()
    outcome = xorqa("leaderboard", "build", "systems", "--out", "site", "--no-published", *QUICK)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.index("better") < outcome.out.index("worse")
    assert "XQuAD, 3 languages" in outcome.out and "XLM-R" not in outcome.out
    assert "c is not ranked: there is no metadata.toml" in outcome.out
    assert "2 systems ranked, 1 not ranked; site: site/index.html" in outcome.out
    assert Path("site/index.html").is_file() and Path("site/leaderboard.csv").is_file()


def test_a_run_that_cannot_be_diagnosed_is_still_ranked(xorqa: Callable[..., Any]) -> None:
    write_run(Path("systems/a"), 0.9)
    outcome = xorqa("leaderboard", "build", "systems", "--out", "site", *QUICK)
    assert outcome.status == 0 and "a: no diagnosis, since" in outcome.out
    assert "MLQA" in outcome.out and "1 system ranked" in outcome.out


def test_rows_are_ranked_by_a_language(xorqa: Callable[..., Any]) -> None:
    write_system(Path("systems/a"), 0.9)
    call = ("leaderboard", "build", "systems", "--out", "site", *QUICK)
    outcome = xorqa(*call, "--lang", "fi")
    assert outcome.status == 0 and "Values in Finnish, in percent" in outcome.out
    assert "XOR-Retrieve" in outcome.out and "Tatoeba" in outcome.out
    assert "MLQA" not in outcome.out  # no row has Finnish
    assert read_json(Path("site/leaderboard.json"))["ranked_by"] == "fi"
    outcome = xorqa(*call, "--lang", "finnish")
    assert outcome.status == 2 and "ISO 639-1" in outcome.err


def test_the_site_must_be_outside_the_systems(xorqa: Callable[..., Any]) -> None:
    write_system(Path("systems/a"), 0.9)
    outcome = xorqa("leaderboard", "build", "systems", "--out", "systems/site", *QUICK)
    assert outcome.status == 2 and "is inside systems" in outcome.err
    assert not Path("systems/site").exists()


def test_metadata_beside_predictions_are_checked(xorqa: Callable[..., Any]) -> None:
    write_json(Path("p.json"), {"1": "Oulu"})
    call = ("submission", "check", "p.json", "--task", "xor-engspan", "--json", "found.json")
    assert xorqa(*call).status == 0
    Path("metadata.toml").write_text("model = 'a'\ncolour = 'red'\n")
    outcome = xorqa(*call)
    assert outcome.status == 1 and "not ready to submit; errors: 1" in outcome.out
    assert "metadata: metadata.toml has no field 'colour'" in outcome.out
    assert "has no field 'colour'" in Path("found.json").read_text()
    write_metadata(Path("other"))
    assert xorqa(*call, "--metadata", "other/metadata.toml").status == 0
