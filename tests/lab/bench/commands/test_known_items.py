import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

LAO = "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ"


def test_pieces_find_their_passages_and_long_passages_are_counted(
    xorqa: Callable[..., Any],
) -> None:
    Path("texts").mkdir()
    english = (f"Number {at} of these lines has word{at} and other{at}, then" for at in range(60))
    Path("texts/eng.txt").write_text(" ".join(english), encoding="utf-8")
    Path("texts/lao.txt").write_text(LAO * 4, encoding="utf-8")
    outcome = xorqa("bench", "known-items", "texts", "--json", "out.json", "--words", "30")
    assert outcome.status == 0, outcome.err
    assert "2 files" in outcome.out
    rows = {row["file"]: row for row in json.loads(Path("out.json").read_text())["rows"]}
    assert rows["eng.txt"]["found"] == 100
    assert rows["eng.txt"]["langs"] == ["en"] and rows["lao.txt"]["langs"] == ["lo"]
    assert 30 < rows["lao.txt"]["longest"] < 200


def test_settings_follow_the_name_of_the_retriever(xorqa: Callable[..., Any]) -> None:
    Path("texts").mkdir()
    lines = (f"number {at} of these lines has words{at} then more" for at in range(60))
    Path("texts/eng.txt").write_text(" ".join(lines), encoding="utf-8")
    named = "bm25,word_pairs=true"
    outcome = xorqa("bench", "known-items", "texts", "--retriever", named, "--json", "out.json")
    assert outcome.status == 0, outcome.err
    written = json.loads(Path("out.json").read_text())
    assert written["retriever"] == {"use": "bm25", "word_pairs": True}


def test_a_folder_without_texts_is_refused(xorqa: Callable[..., Any]) -> None:
    Path("none").mkdir()
    outcome = xorqa("bench", "known-items", "none")
    assert outcome.status == 2
    assert "none has no file that can be read" in outcome.err
