"""SQuAD's own questions in other languages."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from tests.commands.questions import write_published
from xorqa.core.errors import DataError
from xorqa.core.lang import LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.files import read_lines
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import is_held_out, read_pairs
from xorqa.lab.training.multilingual_questions.published import (
    FOLDER,
    LANGS,
    keyed_questions,
    question_key,
    write_published_questions,
)

FEWEST = dict.fromkeys(("ar", "bn", "ja", "ko", "te"), 12_000) | {"fi": 5_000}
SHARED = Path(__file__).parents[4].parent / "shared" / "data"
COUNTS = {"set": {"fi": 1, "ko": 1}, "set/validation": {"fi": 1, "ko": 0}}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with three questions, of which two are in Finnish and one in Korean.

    One of the Finnish questions is of an article that recipes hold out.
    """
    answer = {"text": "Egypt", "answer_start": 29}
    questions = [
        {"id": "a", "question": "Where does the Nile flow?", "answers": [answer]},
        {"id": "b", "question": "What does the Nile cross?", "answers": [answer]},
    ]
    paragraph = {"context": "The Nile flows north through Egypt.", "qas": questions}
    tomb = [{"id": "c", "question": "Where is Khufu buried?", "answers": [answer]}]
    held_out = {"context": "Khufu's tomb is a pyramid in Egypt.", "qas": tomb}
    path = tmp_path / "squad" / "train-v1.1.json"
    path.parent.mkdir()
    articles = [
        {"title": "Nile", "paragraphs": [paragraph]},
        {"title": "Khufu", "paragraphs": [held_out]},
    ]
    path.write_text(json.dumps({"data": articles}))
    finnish = {
        "What does the Nile cross?": "Mitä Niili halkoo?",
        "Where is Khufu buried?": "Minne Kheops on haudattu?",
    }
    korean = {"Where does the Nile flow?": "나일강은?"}
    write_published(monkeypatch, tmp_path / "set", path, fi=finnish, ko=korean)
    return tmp_path


def test_questions_are_squads_with_its_spans(data: Path) -> None:
    assert write_published_questions(data, data / "out") == COUNTS
    [one] = read_squad(data / "out" / "set" / "fi.json")
    [_, cross, _] = map(question_key, read_squad(data / "squad" / "train-v1.1.json"))
    assert (one.qid, one.question, one.answers) == (cross, "Mitä Niili halkoo?", ("Egypt",))
    assert one.span and one.context[one.span.start : one.span.end] == "Egypt"
    assert read_pairs([data / "out" / "set" / "train.tsv"]) == [
        ("fi", "Mitä Niili halkoo?", "en", "What does the Nile cross?"),
        ("ko", "나일강은?", "en", "Where does the Nile flow?"),
    ]


def test_ids_order_and_white_space_do_not_matter(data: Path) -> None:
    path = data / "squad" / "train-v1.1.json"
    squad = json.loads(
        path.read_text().replace('"id": "b"', '"id": "c"').replace("Where ", " Where  ")
    )
    squad["data"][0]["paragraphs"][0]["qas"].reverse()
    path.write_text(json.dumps(squad))
    assert write_published_questions(data, data / "out") == COUNTS


def test_questions_of_articles_that_recipes_hold_out_are_for_validation(data: Path) -> None:
    write_published_questions(data, data / "out")
    [one] = read_squad(data / "out" / "set" / "validation" / "fi.json")
    assert (one.title, one.question) == ("Khufu", "Minne Kheops on haudattu?")
    assert not (data / "out" / "set" / "validation" / "ko.json").exists()
    assert read_pairs([data / "out" / "set" / "validation.tsv"]) == [
        ("fi", "Minne Kheops on haudattu?", "en", "Where is Khufu buried?")
    ]


def test_another_squad_is_refused(data: Path) -> None:
    path = data / "squad" / "train-v1.1.json"
    path.write_text(path.read_text().replace("cross", "reach"))
    with pytest.raises(DataError, match=r"has other questions.*xorqa data fetch squad"):
        write_published_questions(data, data / "out")
    assert not (data / "out").exists()


@pytest.mark.parametrize("lang", LANGS)
def test_translations_are_questions_in_their_script(lang: str) -> None:
    texts = [text for text in read_lines(FOLDER / f"{lang}.txt.bz2") if text]
    assert len(texts) > FEWEST.get(lang, 1_700)
    assert len(set(texts)) > 0.99 * len(texts)
    assert fmean(script_share(text, LANGUAGES[lang].script) for text in texts) > 0.9


@pytest.mark.skipif(not SHARED.exists(), reason="needs SQuAD")
def test_300_questions_that_recipes_hold_out_are_for_validation(tmp_path: Path) -> None:
    counts = write_published_questions(SHARED, tmp_path)["published/validation"]
    assert set(counts.values()) <= {0, 300} and sum(map(bool, counts.values())) >= 8
    rows, folder = keyed_questions(SHARED), tmp_path / "published"
    [keys] = {
        frozenset(row.qid for row in read_squad(folder / "validation" / f"{lang}.json"))
        for lang, count in counts.items()
        if count
    }
    assert all(is_held_out(rows[key], 0.05) for key in keys)
    for lang in LANGS:
        assert not any(is_held_out(row, 0.05) for row in read_squad(folder / f"{lang}.json"))
