from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.io.squad_xor import read_squad


def test_questions_are_written_and_counted(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "made.json"
    outcome = xorqa("data", "synthetic", "--out", out, "--count", 100, "--seed", 5)
    assert outcome.status == 0
    counts = Counter(one.title.split()[0] for one in read_squad(out))
    assert counts == {
        "comparison": 32,
        "degree": 26,
        "property": 18,
        "occupation": 16,
        "negation": 10,
    }
    assert all(f"{kind} │" in " ".join(outcome.out.split()) for kind in counts)


def test_a_seed_gives_the_same_file(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        assert xorqa("data", "synthetic", "--out", tmp_path / name, "--count", 50).status == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_no_questions_are_a_mistake(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    assert xorqa("data", "synthetic", "--out", tmp_path / "a.json", "--count", 0).status == 2
