from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.training.distant.questions import read_translated

REAL = Path(__file__).parents[5] / "shared" / "data" / "xor-tydi"


def test_questions_come_with_translations_and_without_the_development_part(
    questions: Path,
) -> None:
    examples, counts = read_translated(questions)
    assert [example.question.qid for example in examples] == ["q1", "q2", "q3", "q4", "q5"]
    first = examples[0]
    assert (first.question.lang, first.human_translation) == ("fi", "How long is the Nile?")
    assert first.answers("en") == ("6650 km",)
    assert counts == {
        "fi": {"an evaluation question": 1, "no translation": 1},
        "ja": {"an evaluation question": 1},
    }


def test_questions_of_other_files_are_left_out_too(questions: Path, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text('{"question": "ナイル川は、何日"}', encoding="utf-8")
    examples, counts = read_translated(questions, [tmp_path / "more.jsonl"])
    assert [example.question.qid for example in examples] == ["q1", "q2", "q4", "q5"]
    assert counts["ja"] == {"an evaluation question": 2}


def test_without_development_files_nothing_is_read(questions: Path) -> None:
    (questions / "xor_dev_full_v1_1.half.jsonl").unlink()
    with pytest.raises(DataError, match=r"contains no xor_dev_\*\.jsonl"):
        read_translated(questions)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the data beside the checkout")
def test_real_questions_all_have_translations() -> None:
    examples, counts = read_translated(REAL)
    dropped = {fate for of_lang in counts.values() for fate in of_lang}
    assert dropped == {"an evaluation question"}
    assert len(examples) + sum(counts[lang].total() for lang in counts) == 15250
