import json
from pathlib import Path

import pytest

from xorqa.analysis.back_translation import Pair, Said, by_way, read_parallel, say_all, tally
from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.answering.localising.localisers import NoLocalisation
from xorqa.core.errors import DataError

PAIRS = [
    Pair("France", ("フランス",)),
    Pair("1980", ("1980", "1980年")),
    Pair("Open Door", ("ドア",)),
]


def write(path: Path, rows: dict[str, list[str]]) -> None:
    lines = (json.dumps({"id": f"{qid}_x", "answers": answers}) for qid, answers in rows.items())
    path.write_text("\n".join(lines), encoding="utf-8")


def test_right_and_wrong_by_way() -> None:
    ways = by_way(say_all(ChainLocaliser(), PAIRS, lang="ja"))
    assert list(ways) == ["copied", "rule:number", "rule:territory", "dates and numbers", "all"]
    assert (ways["all"].n, ways["all"].right, ways["all"].copied_wrong, ways["all"].rescued) == (
        3,
        2,
        2,
        1,
    )
    assert ways["all"].of_wrong == 50.0
    assert ways["dates and numbers"].exact == ways["dates and numbers"].copying == 100.0


def test_copying_is_its_own_baseline() -> None:
    said = tally(say_all(NoLocalisation(), PAIRS, lang="ja"))
    assert said.exact == pytest.approx(said.copying)
    assert said.of_wrong == 0.0


def test_nothing_to_rescue() -> None:
    assert tally([Said("copied", True, True, False)]).of_wrong == 0.0
    assert tally([]).exact == tally([]).copying == 0.0


def test_files_are_paired_by_id(tmp_path: Path) -> None:
    write(tmp_path / "dev.mkqa-en.jsonl", {"1": ["France", "FR"], "2": ["1980"]})
    write(tmp_path / "dev.mkqa-ja.jsonl", {"2": ["1980"], "1": ["フランス"]})
    write(tmp_path / "questions.mkqa-ja.jsonl", {"3": ["?"]})
    expected = [Pair("France", ("フランス",)), Pair("1980", ("1980",))]
    assert read_parallel(tmp_path) == {"ja": expected}


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"needs files such as"):
        read_parallel(tmp_path)
    write(tmp_path / "dev.mkqa-en.jsonl", {"1": ["France"]})
    write(tmp_path / "dev.mkqa-ja.jsonl", {"2": ["フランス"]})
    with pytest.raises(DataError, match="does not hold the questions"):
        read_parallel(tmp_path)
    write(tmp_path / "dev.mkqa-ja.jsonl", {"1": []})
    with pytest.raises(DataError, match="has no answers"):
        read_parallel(tmp_path)
