from pathlib import Path

import pytest
import torch

from xorqa.core.errors import ConfigError
from xorqa.core.types import Question
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.translator import TranslatorModel
from xorqa.translation.bundled import BundledTranslator

QUESTIONS = [
    Question("1", "Missä Nile on?", "fi"),
    Question("2", "Where is the Nile?", "en"),
    Question("3", "ナイル川はどこ？" * 200, "ja"),
    Question("4", "", "ko"),
    Question("5", "Missä Nile on?", "fi"),
]


def test_english_stays_and_the_rest_becomes_english(tiny_translator: Path) -> None:
    found = BundledTranslator(model=str(tiny_translator), beams=2, max_tokens=12).translate(
        QUESTIONS, to="en"
    )
    assert [query.question for query in found] == QUESTIONS
    assert {query.lang for query in found} == {"en"}
    assert found[1].text == QUESTIONS[1].text
    assert found[0].text == found[4].text != QUESTIONS[0].text


def test_neither_company_nor_order_matters(tiny_translator: Path) -> None:
    translator = BundledTranslator(model=str(tiny_translator), beams=2, max_tokens=12)
    together = [query.text for query in translator.translate(QUESTIONS, to="en")]
    torch.manual_seed(99)
    alone = [translator.translate([one], to="en")[0].text for one in QUESTIONS[::-1]][::-1]
    assert alone == together


def test_of_three_hypotheses_the_one_closest_to_the_question_is_taken() -> None:
    """The more similarity counts, the closer; without it, the likeliest one is taken."""
    texts = [
        "Milloin Suomi itsenäistyi Venäjästä?",
        "Kuka keksi puhelimen ja missä hän asui?",
        "Mikä joki virtaa Pariisin läpi mereen?",
        "Kuinka monta ihmistä asuu Norjan pääkaupungissa?",
    ]
    rankings = TranslatorModel("translator").translate(texts, langs=["fi"] * 4, beams=4)
    likeliest, closest = [], []
    for text, ranking in zip(texts, rankings, strict=True):
        made = [hypothesis for hypothesis, _ in ranking[:3]]
        source, *vectors = Encoder(EncoderSettings(dtype="float32")).queries([text, *made])
        cosines = [float(vector @ source) for vector in vectors]
        likeliest.append(made[0])
        closest.append(made[cosines.index(max(cosines))])
    assert likeliest != closest
    questions = [Question(str(at), text, "fi") for at, text in enumerate(texts)]
    for similarity, expected in ((0.0, likeliest), (1e6, closest)):
        found = BundledTranslator(beams=4, similarity=similarity).translate(questions, to="en")
        assert [query.text for query in found] == expected


def test_fingerprints_know_weights_and_settings(tiny_translator: Path) -> None:
    one = BundledTranslator(model=str(tiny_translator)).fingerprint()
    assert one == BundledTranslator(model=str(tiny_translator)).fingerprint()
    assert one != BundledTranslator(model=str(tiny_translator), beams=1).fingerprint()
    plain = BundledTranslator(model=str(tiny_translator), beams=4, similarity=0.0).fingerprint()
    assert one != plain


def test_what_it_cannot_do_is_said(tiny_translator: Path) -> None:
    with pytest.raises(ConfigError, match="cannot translate into 'fi'; valid: en"):
        BundledTranslator(model=str(tiny_translator)).translate(QUESTIONS, to="fi")
    with pytest.raises(ConfigError, match="beams"):
        BundledTranslator(beams=0)
