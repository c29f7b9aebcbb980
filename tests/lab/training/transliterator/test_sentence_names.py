"""Names in sentence pairs, and the table of their words."""

from pathlib import Path

import pytest

from xorqa.answering.transliteration.name_table import ATTESTED, read_titles
from xorqa.answering.transliteration.transliterate import spell, transliterate
from xorqa.lab.training.transliterator.attested import attested_words, write_words
from xorqa.lab.training.transliterator.sentence_names import form_in, names_in, sentence_names


@pytest.mark.parametrize(
    ("english", "names"),
    [
        ("When was Marie Curie born?", ["Marie Curie"]),
        ("Is Tallahassee's river the Amazon?", ["Tallahassee", "Amazon"]),
        ("Nagoya is a city. Where is it?", []),  # a first word may be any word
        ("What is the Big Bang?", []),
    ],
)
def test_names_of_a_sentence(english: str, names: list[str]) -> None:
    assert list(names_in(english)) == names


@pytest.mark.parametrize(
    ("lang", "text", "name", "form"),
    [
        (
            "ja",
            "ルイ・アームストロングはどこで生まれましたか?",
            "Louis Armstrong",
            "ルイ アームストロング",
        ),
        ("ko", "찰스 다윈은 언제 태어났나요?", "Charles Darwin", "찰스 다윈"),
        ("ru", "Где родился Дэвид Боуи?", "David Bowie", "Дэвид Боуи"),
        ("bn", "আইজাক নিউটনের জন্ম কবে?", "Isaac Newton", "আইজাক নিউটন"),
        ("te", "ఆగ్రాలో తాజ్ మహల్", "Agra", "ఆగ్రా"),
        ("ar", "متى ولدت ماريا شارابوفا؟", "Maria Sharapova", "ماريا شارابوفا"),
        ("ja", "首都はどこですか?", "Nagoya", None),
    ],
)
def test_the_form_of_a_name_is_without_endings(
    lang: str, text: str, name: str, form: str | None
) -> None:
    assert form_in(text, name, lang) == form


def test_the_most_frequent_form_is_chosen() -> None:
    forms = ("チャールズ・ダーウィン", "チャールズ・ダーウイン", "チャールズ・ダーウィン")
    pairs = [("ja", f"{form}は誰?", "en", "Who is Charles Darwin?") for form in forms]
    pairs.append(("de", "Wer ist Charles Darwin?", "en", "Who is Charles Darwin?"))
    assert list(sentence_names(pairs)) == [("ja", "Charles Darwin", ("チャールズ ダーウィン",))]


QUESTIONS = [
    ("ko", "찰스 다윈은 언제 태어났나요?", "en", "when was charles darwin born"),
    ("ko", "다윈은 어디에 살았나요?", "en", "Where did Darwin live?"),
    ("ja", "ダーウィンの船は?", "en", "What was Darwin's ship?"),
    ("ja", "船の名前は?", "en", "What was the ship called?"),
    ("de", "Wer war Darwin?", "en", "Who was Darwin?"),
]


def test_the_words_of_names_have_the_form_that_most_sentences_have(tmp_path: Path) -> None:
    forms = attested_words([*QUESTIONS, *QUESTIONS])
    assert forms == {"darwin": {"ja": "ダーウィン", "ko": "다윈"}}  # Charles is in names.tsv
    out = tmp_path / "words.tsv"
    assert write_words(out, QUESTIONS) == {"ja": 1, "ko": 1}
    assert read_titles(out) == {("ja", "darwin"): "ダーウィン", ("ko", "darwin"): "다윈"}


def test_attested_words_come_before_sounds() -> None:
    word, form = "Darjeeling", read_titles(ATTESTED)["te", "darjeeling"]
    assert transliterate(word, "te") == form != spell(word, "te")
