import json
from pathlib import Path

import pytest

from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.answering.localising.localisers import NoLocalisation
from xorqa.core.errors import DataError
from xorqa.lab.ledger.back_translation import (
    AnswerPair,
    LocalisedAnswer,
    count_answers,
    count_by_method,
    localise_answers,
    read_parallel,
)

PAIRS = [
    AnswerPair("France", ("フランス",)),
    AnswerPair("1980", ("1980", "1980年")),
    AnswerPair("Open Door", ("ドア",)),
]


def write(path: Path, rows: dict[str, list[str]]) -> None:
    lines = (json.dumps({"id": f"{qid}_x", "answers": answers}) for qid, answers in rows.items())
    path.write_text("\n".join(lines), encoding="utf-8")


def test_counts_by_localisation_method() -> None:
    by_method = count_by_method(localise_answers(ChainLocaliser(), PAIRS, lang="ja"))
    assert list(by_method) == [
        "copied",
        "rule:number",
        "rule:territory",
        "dates and numbers",
        "all",
    ]
    assert (
        by_method["all"].n,
        by_method["all"].right,
        by_method["all"].copied_wrong,
        by_method["all"].rescued,
    ) == (
        3,
        2,
        2,
        1,
    )
    assert by_method["all"].rescued_exact == 50.0
    assert (
        by_method["dates and numbers"].exact == by_method["dates and numbers"].copy_exact == 100.0
    )


def test_copying_is_its_own_baseline() -> None:
    counts = count_answers(localise_answers(NoLocalisation(), PAIRS, lang="ja"))
    assert counts.exact == pytest.approx(counts.copy_exact)
    assert counts.rescued_exact == 0.0


def test_nothing_to_rescue() -> None:
    assert count_answers([LocalisedAnswer("copied", True, True, False)]).rescued_exact == 0.0
    assert count_answers([]).exact == count_answers([]).copy_exact == 0.0


def test_files_are_paired_by_id(tmp_path: Path) -> None:
    write(tmp_path / "dev.mkqa-en.jsonl", {"1": ["France", "FR"], "2": ["1980"]})
    write(tmp_path / "dev.mkqa-ja.jsonl", {"2": ["1980"], "1": ["フランス"]})
    write(tmp_path / "questions.mkqa-ja.jsonl", {"3": ["?"]})
    expected = [AnswerPair("France", ("フランス",)), AnswerPair("1980", ("1980",))]
    assert read_parallel(tmp_path) == {"ja": expected}


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"needs files such as"):
        read_parallel(tmp_path)
    write(tmp_path / "dev.mkqa-en.jsonl", {"1": ["France"]})
    write(tmp_path / "dev.mkqa-ja.jsonl", {"2": ["フランス"]})
    with pytest.raises(DataError, match="does not have the questions"):
        read_parallel(tmp_path)
    write(tmp_path / "dev.mkqa-ja.jsonl", {"1": []})
    with pytest.raises(DataError, match=r"mkqa-ja\.jsonl, line 1: 'answers' is empty"):
        read_parallel(tmp_path)
