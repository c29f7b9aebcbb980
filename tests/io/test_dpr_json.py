import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError
from xorqa.io import dpr_json
from xorqa.io.dpr_json import DprPassage, is_dpr, read_dpr


def passage(title: str, text: str) -> dict[str, Any]:
    """A passage as DPR's files have it."""
    return {"title": title, "text": text, "score": 1000, "title_score": 1, "passage_id": "7"}


def rows(count: int = 2) -> list[dict[str, Any]]:
    return [
        {
            "dataset": "nq_train_psgs_w100",
            "question": f"どこ {at}",
            "answers": ["Oulu"],
            "positive_ctxs": [passage("Oulu", 'Oulu is [in] "Finland".'), passage("Kemi", "b")],
            "negative_ctxs": [],
            "hard_negative_ctxs": [passage("Turku", "Turku is a city.")],
        }
        for at in range(count)
    ]


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize("packed", [False, True])
def test_questions_with_their_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, packed: bool
) -> None:
    monkeypatch.setattr(dpr_json, "BLOCK", block)
    data = json.dumps(rows(3), ensure_ascii=False, indent=1).encode()
    path = tmp_path / ("a.json.gz" if packed else "a.json")
    path.write_bytes(gzip.compress(data) if packed else data)
    questions = list(read_dpr(path))
    assert [question.question for question in questions] == ["どこ 0", "どこ 1", "どこ 2"]
    assert questions[0].positives[0] == DprPassage("Oulu", 'Oulu is [in] "Finland".')
    assert questions[0].hard_negatives == (DprPassage("Turku", "Turku is a city."),)
    assert questions[2].answers == ("Oulu",) and questions[2].lang == ""


def test_xor_qas_own_fields(tmp_path: Path) -> None:
    path = tmp_path / "dpr_train_data.json"
    path.write_text(json.dumps([{**rows(1)[0], "q_id": "-12", "lang": "ja"}]))
    [question] = read_dpr(path)
    assert (question.qid, question.lang) == ("-12", "ja")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"data": []}', r"a\.json is not a list of questions"),
        ("[{}]", r"a\.json, question 1 is not DPR's layout \(KeyError\('question'\)\); it needs"),
        ('[{"question": 5}]', r"question 1 is not DPR's layout"),
        ('[{"id": ["a"], "question": "b", "answers": []}]', r"question 1 is not DPR's layout"),
        ("[3]", r"question 1 is not DPR's layout"),
        (json.dumps(rows())[:-5], r"a\.json is truncated or not valid JSON"),
        ("", r"a\.json is not a list"),
        ("[", r"a\.json is truncated"),
        ("[" * 200_000, r"a\.json is not valid JSON \(it nests too deeply\)"),
    ],
)
def test_another_layout_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_dpr(path))


@pytest.mark.parametrize(("given", "qid"), [(None, "1"), (0, "0"), ("a", "a")])
def test_a_question_without_an_id_has_its_number(tmp_path: Path, given: object, qid: str) -> None:
    row = {"id": given, "question": "Who?", "answers": [], "positive_ctxs": []}
    (tmp_path / "a.json").write_text(json.dumps([row]))
    assert [question.qid for question in read_dpr(tmp_path / "a.json")] == [qid]


def test_a_layout_is_known_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(" \n[]")
    assert is_dpr(path)
    path.write_text('{"data": []}')
    assert not is_dpr(path)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'[{"question": "\xe4iti", "answers": []}]')
    with pytest.raises(DataError, match=r"a\.json is not UTF-8"):
        list(read_dpr(path))
