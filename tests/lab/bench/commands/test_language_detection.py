import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.lab.bench.language_detection import file_language


def test_accuracy_per_language(xorqa: Callable[..., Any]) -> None:
    finnish = "Missä kaupungissa Suomen presidentti asuu nykyään?\nlyhyt\n"
    Path("a.fin").write_text(finnish, encoding="utf-8")
    Path("a.deu").write_text(finnish + "In welcher Stadt wohnt der Präsident heute?\n")
    Path("a.swe").write_text("kort\n" * 3 + "I vilken stad bor presidenten i Finland idag?\n")
    files = ("a.fin", "a.deu", "a.swe")
    command = ("eval", "language-detection", *files, "--json", "out.json", "--format", "csv")
    outcome = xorqa(*command, "--count", "2")
    assert outcome.status == 0
    assert json.loads(Path("out.json").read_text()) == {"macro": 0.5, "languages": {"de": 0.5}}
    assert "left out: a.fin (1 lines), a.swe (1 lines)" in outcome.err
    outcome = xorqa("eval", "language-detection", *files, "--count", "9")
    assert outcome.status == 2
    assert "no file has 9 lines" in outcome.err


def test_tagalog_has_a_short_code(tmp_path: Path) -> None:
    assert file_language(tmp_path / "tatoeba.tgl-eng.tgl") == "tl"
