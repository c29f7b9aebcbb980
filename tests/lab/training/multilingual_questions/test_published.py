"""SQuAD's own questions in other languages."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from tests.commands.questions import write_set
from xorqa.core.errors import DataError
from xorqa.core.lang import LANGUAGES, XOR_LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import is_held_out, read_pairs
from xorqa.lab.training.multilingual_questions import published as module
from xorqa.lab.training.multilingual_questions.published import (
    LANGS,
    published_translations,
    question_key,
    write_published_questions,
)

SHARED = Path(__file__).parents[4].parent / "shared" / "data"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two questions, of which one is in Finnish."""
    answer = {"text": "Egypt", "answer_start": 29}
    questions = [
        {"id": "a", "question": "Where does the Nile flow?", "answers": [answer]},
        {"id": "b", "question": "What does the Nile cross?", "answers": [answer]},
    ]
    paragraph = {"context": "The Nile flows north through Egypt.", "qas": questions}
    path = tmp_path / "squad" / "train-v1.1.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    flow, cross = map(question_key, read_squad(path))
    texts = {"keys": f"{cross}\n{flow}", "fi": "Mitä Niili halkoo?\n", "ko": "\n나일강은?"}
    write_set(tmp_path / "set", texts)
    monkeypatch.setattr(module, "FOLDER", tmp_path / "set")
    monkeypatch.setattr(module, "LANGS", ("fi", "ko"))
    return tmp_path


def test_questions_are_squads_with_its_spans(data: Path) -> None:
    assert write_published_questions(data, data / "out") == {"fi": 1, "ko": 1}
    [one] = read_squad(data / "out" / "set" / "fi.json")
    [_, cross] = map(question_key, read_squad(data / "squad" / "train-v1.1.json"))
    assert (one.qid, one.question, one.answers) == (cross, "Mitä Niili halkoo?", ("Egypt",))
    assert one.span and one.context[one.span.start : one.span.end] == "Egypt"
    assert read_pairs([data / "out" / "set" / "train.tsv"]) == [
        ("fi", "Mitä Niili halkoo?", "en", "What does the Nile cross?"),
        ("ko", "나일강은?", "en", "Where does the Nile flow?"),
    ]


def test_ids_and_white_space_do_not_matter(data: Path) -> None:
    path = data / "squad" / "train-v1.1.json"
    path.write_text(
        path.read_text().replace('"id": "b"', '"id": "c"').replace("Where ", " Where  ")
    )
    assert write_published_questions(data, data / "out") == {"fi": 1, "ko": 1}


def test_another_squad_is_refused(data: Path) -> None:
    path = data / "squad" / "train-v1.1.json"
    path.write_text(path.read_text().replace("cross", "reach"))
    with pytest.raises(DataError, match=r"lacks 1 of the questions.*xorqa data fetch squad"):
        write_published_questions(data, data / "out")
    assert not (data / "out").exists()


@pytest.mark.parametrize("lang", LANGS)
def test_translations_are_questions_in_their_script(lang: str) -> None:
    texts = published_translations(lang)
    assert len(texts) > (5_000 if lang in XOR_LANGUAGES and lang != "ru" else 1_700)
    assert len(set(texts.values())) > 0.99 * len(texts)
    assert fmean(script_share(text, LANGUAGES[lang].script) for text in texts.values()) > 0.9


@pytest.mark.skipif(not SHARED.exists(), reason="needs SQuAD")
def test_no_question_is_of_an_article_that_recipes_hold_out() -> None:
    rows = read_squad(SHARED / "squad" / "train-v1.1.json")
    held_out = {question_key(row) for row in rows if is_held_out(row, 0.05)}
    assert held_out
    for lang in LANGS:
        assert not held_out & published_translations(lang).keys()
