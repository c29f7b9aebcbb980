"""The bundled questions over SQuAD's training paragraphs."""

import json
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from xorqa.core.errors import DataError
from xorqa.core.lang import LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import read_pairs
from xorqa.lab.training.multilingual_questions import questions as module
from xorqa.lab.training.multilingual_questions.open_retrieval import load_questions_open
from xorqa.lab.training.multilingual_questions.questions import (
    LANGS,
    SPLITS,
    english_questions,
    paragraph_key,
    translations,
    write_multilingual_questions,
)

SHARED = Path(__file__).parents[4].parent / "shared" / "data"
CONTEXTS = ("The Nile flows  north through Egypt.", "The Rhine rises in Switzerland.")


def squad_file(folder: Path, *contexts: str) -> Path:
    paragraphs = [
        {"context": text, "qas": [{"id": str(n), "question": "Where?", "answers": []}]}
        for n, text in enumerate(contexts)
    ]
    path = folder / "train.json"
    path.write_text(json.dumps({"data": [{"title": "Rivers", "paragraphs": paragraphs}]}))
    return path


@pytest.fixture
def two_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module with two English questions and one in Finnish."""
    folder = tmp_path / "bundled"
    folder.mkdir()
    keys = [paragraph_key(text) for text in CONTEXTS]
    (folder / "questions.tsv").write_text(
        f"a\ttrain\t{keys[0]}\tEgypt\tWhich country does the Nile cross?\n"
        f"b\tvalidation\t{keys[1]}\tSwitzerland\tWhere is the source of the Rhine?\n"
    )
    (folder / "fi.tsv").write_text("a\tMinkä maan läpi Niili virtaa?\n")
    monkeypatch.setattr(module, "FOLDER", folder)
    monkeypatch.setattr(module, "ENGLISH", folder / "questions.tsv")
    monkeypatch.setattr(module, "LANGS", ("fi",))
    return tmp_path


def test_files_have_the_paragraphs_of_squad(two_questions: Path) -> None:
    out = two_questions / "out"
    counts = write_multilingual_questions(squad_file(two_questions, *CONTEXTS), out)
    assert counts == {"en": 2, "fi": 1}
    [finnish] = read_squad(out / "fi.json")
    assert (finnish.qid, finnish.title, finnish.context) == ("a", "Rivers", CONTEXTS[0])
    assert finnish.span and finnish.context[finnish.span.start : finnish.span.end] == "Egypt"
    assert [one.answers for one in read_squad(out / "en.json")] == [("Egypt",), ("Switzerland",)]


def test_pairs_are_split(two_questions: Path) -> None:
    out = two_questions / "out"
    write_multilingual_questions(squad_file(two_questions, *CONTEXTS), out)
    pair = ("fi", "Minkä maan läpi Niili virtaa?", "en", "Which country does the Nile cross?")
    assert read_pairs([out / "train.tsv"]) == [pair]
    assert read_pairs([out / "validation.tsv"]) == []


def test_another_file_is_refused_with_a_hint(two_questions: Path) -> None:
    with pytest.raises(DataError, match=r"lacks 1 of the paragraphs.*xorqa data fetch squad"):
        write_multilingual_questions(squad_file(two_questions, CONTEXTS[0]), two_questions / "out")
    assert not (two_questions / "out").exists()


def test_a_paragraph_without_its_answer_is_refused(
    two_questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = squad_file(two_questions, *CONTEXTS)
    text = (two_questions / "bundled" / "questions.tsv").read_text()
    (two_questions / "bundled" / "questions.tsv").write_text(text.replace("\tEgypt", "\tSudan"))
    with pytest.raises(DataError, match="a paragraph of 'Rivers' lacks 'Sudan'"):
        write_multilingual_questions(path, two_questions / "out")


def test_bundled_questions_are_whole_and_distinct() -> None:
    questions = english_questions()
    assert len(questions) == 3624
    assert len({one.qid for one in questions}) == len({one.text for one in questions}) == 3624
    assert set(Counter(one.paragraph for one in questions).values()) == {1, 2}
    assert Counter(one.split for one in questions) == {"train": 3384, "validation": 240}
    assert {one.split for one in questions} == set(SPLITS)


@pytest.mark.parametrize("lang", LANGS)
def test_translations_are_questions_in_their_script(lang: str) -> None:
    english = {one.qid: one.text for one in english_questions()}
    texts = translations(lang)
    assert texts.keys() == english.keys()
    assert len(set(texts.values())) > 0.99 * len(texts)
    shares = [script_share(text, LANGUAGES[lang].script) for text in texts.values()]
    assert min(shares) > 0
    assert fmean(shares) > 0.9


@pytest.mark.skipif(not SHARED.exists(), reason="needs SQuAD's training file")
def test_splits_are_those_of_the_recipes() -> None:
    from xorqa.lab.training.common.training_data import is_held_out

    held_out = {
        paragraph_key(row.context)
        for row in read_squad(SHARED / "squad" / "train-v1.1.json")
        if is_held_out(row, 0.05)
    }
    for one in english_questions():
        assert (one.split == "validation") == (one.paragraph in held_out)


@pytest.mark.skipif(not SHARED.exists(), reason="needs SQuAD's files")
def test_questions_open_has_the_validation_questions_and_their_paragraphs() -> None:
    dataset = load_questions_open(SHARED)
    assert len(dataset.corpora["en"]) == 20_963
    passages = {passage.docid: passage for passage in dataset.corpora["en"]}
    langs = Counter(example.question.lang for example in dataset.examples)
    assert langs["en"] == 240
    assert set(langs) == {"en", *LANGS}
    first = dataset.examples[0]
    assert first.question.text == first.human_translation
    for example in dataset.examples:
        [gold] = example.golds
        assert gold.docid and gold.span
        assert passages[gold.docid].text[gold.span.start : gold.span.end] == gold.text
