"""Questions with likely English translations of their words."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from xorqa.core.errors import WeightsError
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.models.checkpoints import resolve
from xorqa.reading.glosses import glosses, with_glosses
from xorqa.reading.pairs import Pair, PairReader, PairSettings, QuestionPassage

QUESTION, NILE = "나일강은 어느 대륙에 있나요?", "The Nile is a river that flows north in Africa."
NIL = "Der Nil ist ein Strom, der durch Afrika nach Norden fließt und ins Mittelmeer mündet."


def test_words_of_a_question_about_an_english_passage_are_translated_in_order() -> None:
    found = glosses(QUESTION, NILE, 2)
    assert found.index("Nile") < found.index("continent")
    assert len(found) == len(set(found))
    assert len(glosses(QUESTION, NILE, 1)) < len(found)


@pytest.mark.parametrize(
    ("question", "passage"), [("Where does the Nile flow?", NILE), (QUESTION, NIL)]
)
def test_english_questions_and_other_passages_need_none(question: str, passage: str) -> None:
    assert glosses(question, passage, 2) == []


def test_a_language_that_is_known_is_not_guessed() -> None:
    tokyo, passage = "東京人口", "Tokyo is the capital of Japan and has 14 million inhabitants."
    assert glosses(tokyo, passage, 2) != glosses(tokyo, passage, 2, "ja")
    assert "Tokyo" in glosses(tokyo, passage, 2, "ja")
    assert glosses("casa de papel director", NILE, 2, "en") == []


def test_a_query_tells_a_reader_its_language(tiny: Path, tmp_path: Path) -> None:
    query = Query(Question("q", "東京人口", "ja"), "東京人口", "ja")
    one = reader(tiny, tmp_path, glosses=2)
    read: list[Sequence[Pair]] = []
    one.read = lambda pairs: read.append(pairs) or []  # type: ignore[method-assign,func-returns-value]
    with pytest.raises(StopIteration):
        one.read_hits([query], [[Hit(Passage("nile", NILE), 1.0)]], "query")
    assert read == [[QuestionPassage("東京人口", NILE, "ja")]]


def test_they_follow_the_question_in_brackets() -> None:
    assert with_glosses("Missä Niili on?", ["where", "Nile"]) == "Missä Niili on? (where, Nile)"
    assert with_glosses("Missä Niili on?", []) == "Missä Niili on?"


def reader(tiny: Path, folder: Path, **card: object) -> PairReader:
    """A reader with this card."""
    path = folder / "reader.safetensors"
    tensors = {"classifier.bias": torch.zeros(3)}
    save_adapter(path, tensors, task="reader", base=resolve(str(tiny)), card=card)
    return PairReader(PairSettings(str(path), 64, 10, "auto"))


def test_a_reader_with_glosses_in_its_card_is_given_them(tiny: Path, tmp_path: Path) -> None:
    pairs = [QuestionPassage(QUESTION, NILE), QuestionPassage(QUESTION, NIL)]
    read = with_glosses(QUESTION, glosses(QUESTION, NILE, 2))
    wanted = [QuestionPassage(read, NILE), QuestionPassage(QUESTION, NIL)]
    given = [window.ids for window in reader(tiny, tmp_path, glosses=2)._windows(pairs)]
    plain = reader(tiny, tmp_path)
    assert given == [window.ids for window in plain._windows(wanted)]
    assert given != [window.ids for window in plain._windows(pairs)]


def test_the_table_is_part_of_what_readings_depend_on(tiny: Path, tmp_path: Path) -> None:
    plain = reader(tiny, tmp_path).identity()
    assert reader(tiny, tmp_path, glosses=0).identity()[0][1:] == plain[0][1:]
    assert len(reader(tiny, tmp_path, glosses=2).identity()[0]) > len(plain[0])


@pytest.mark.parametrize("number", [-1, 1.5, "2", None, True])
def test_a_number_of_glosses_that_is_none_is_refused(
    tiny: Path, tmp_path: Path, number: object
) -> None:
    with pytest.raises(WeightsError, match="is damaged: its card's glosses"):
        _ = reader(tiny, tmp_path, glosses=number).glosses
