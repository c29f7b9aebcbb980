from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.files import read_json


def test_a_run_prints_scores_and_leaves_a_folder(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi,te", "--until", "retrieve")
    outcome = xorqa(*command)
    assert outcome.status == 0
    folder = Path("runs") / "tiny-mini"
    assert f"run folder: {folder}" in outcome.out
    assert "xor-retrieve (official)" in outcome.out
    scores = read_json(folder / "scores.json")
    assert list(scores) == ["xor-retrieve"]
    assert scores["xor-retrieve"]["official"]["n"] == {"fi": 12, "te": 12}
    assert scores["xor-retrieve"]["official"]["macro"]["R@2kt"] > 50
    assert f"{scores['xor-retrieve']['official']['macro']['R@2kt']:.1f}" in outcome.out
    assert xorqa(*command).status == 0


def test_another_run_in_the_folder_is_refused(xorqa: Callable[..., Any], config: Path) -> None:
    xorqa("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine")
    before = {path.name: path.read_bytes() for path in Path("mine").iterdir()}
    outcome = xorqa("run", config, "--lang", "te", "--until", "retrieve", "--out", "mine")
    assert outcome.status == 2
    message = "error: ConfigError: mine holds another run; name another folder with --out\n"
    assert outcome.err == message
    assert {path.name: path.read_bytes() for path in Path("mine").iterdir()} == before


def test_a_damaged_cache_is_one_line(xorqa: Callable[..., Any], config: Path, home: Path) -> None:
    home.mkdir()
    (home / "stages.sqlite").write_text("no database, and long enough to be seen as none\n" * 9)
    outcome = xorqa("run", config, "--lang", "fi", "--until", "retrieve")
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert "stages.sqlite cannot be used as a cache: " in line


def test_the_whole_road_with_a_tiny_reader(xorqa: Callable[..., Any], config: Path) -> None:
    outcome = xorqa("run", config, "--lang", "fi", "--out", "mine")
    assert outcome.status == 0
    scores = read_json(Path("mine") / "scores.json")
    assert list(scores) == ["xor-retrieve", "xor-engspan", "xor-full"]
    assert scores["xor-full"]["strict"]["n"] == {"fi": 24}
