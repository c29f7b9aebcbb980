import json
from collections import Counter
from pathlib import Path

import pytest

from xorqa.core.types import Gold
from xorqa.datasets.dataset import gold_subsets
from xorqa.datasets.xor import load_xor_tydi

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def put(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (
        json.dumps({"id": qid, "question": "?", "lang": "te", "answers": [answer], "split": "dev"})
        for qid, answer in rows
    )
    path.write_text("\n".join(lines))


@pytest.mark.parametrize("half", ["", ".half"])
def test_questions_of_both_files(tmp_path, half):
    base = tmp_path / "xor-tydi"
    put(base / f"xor_dev_full_v1_1{half}.jsonl", ("1", "భారతదేశం"), ("2", "18"))
    put(base / f"xor_dev_retrieve_eng_span_v1_1{half}.jsonl", ("1", "India"), ("3", "5"))
    made = load_xor_tydi(tmp_path)
    assert gold_subsets(made) == {"1": "cross-lingual", "2": "in-language"}
    assert [example.golds for example in made.examples] == [
        (Gold("India", "en"), Gold("భారతదేశం", "te")),
        (Gold("18", "te"),),
    ]
    assert made.corpora == {}


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_the_published_half():
    made = load_xor_tydi(SHARED)
    assert len(made.examples) == 1736
    assert Counter(gold_subsets(made).values()) == {"cross-lingual": 1020, "in-language": 716}
    first, last = made.examples[0], made.examples[-1]
    assert first.question.qid == "-1192578748769149182"
    assert first.golds == (Gold("India", "en"), Gold("భారతదేశం", "te"))
    assert last.golds[-1] == Gold("Christopher Reeve", "fi")
