import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.translation.checks import Attempt, CheckedTranslator, check_translation

XQUAD = Path(__file__).parents[3] / "shared" / "data" / "xquad"
INARI = Question("q", "Missä Inari on?", "fi")


@pytest.mark.parametrize(
    ("question", "to", "text", "clean"),
    [
        (INARI, "en", " Where\n is  Inari? ", "Where is Inari?"),
        (Question("q", "7+8=?", "bn"), "en", "7+8=?", "7+8=?"),
        (Question("q", "Missä?", "xx"), "en", "Where?", "Where?"),
        (Question("q", "Where is Inari?", "en"), "fi", "Missä Inari on?", "Missä Inari on?"),
        (Question("q", "Where?", "en"), "ja", "イナリはどこですか?", "イナリはどこですか?"),
        (Question("q", "Who won Super Bowl 50?", "en"), "zh", "谁赢了 Super Bowl 50？", ""),
        (Question("q", "Tokyo", "en"), "ja", "東京", ""),
        (Question("q", "Anteeksi?", "fi"), "en", "I'm sorry, what?", "I'm sorry, what?"),
    ],
)
def test_what_passes(question: Question, to: str, text: str, clean: str) -> None:
    assert check_translation(question, text, to=to) == Attempt(clean or text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the output is empty"),
        (" \n", "the output is empty"),
        ("Missä Inari on?", "the output is not in 'en'"),
        ("イナリはどこですか?", "the output is not in 'en'"),
        ("Missä Inari Finland on?", "the output is not in 'en'"),
        ("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "the output is not in 'en'"),
        ("so " * 100, "the output has 299 characters, the question 15"),
        ("I’m sorry, I can't assist with that.", "the output is a refusal"),
        ("As an AI language model, I", "the output is a refusal"),
        ("I cannot translate this.", "the output is a refusal"),
        ("Unfortunately, I am unable to help.", "the output is a refusal"),
    ],
)
def test_what_does_not_pass(text: str, problem: str) -> None:
    attempt = check_translation(INARI, text, to="en")
    assert attempt.text == ""
    assert attempt.problem.startswith(problem)


def test_an_unknown_target() -> None:
    with pytest.raises(ConfigError, match="no language is called 'xx'"):
        check_translation(INARI, "Where?", to="xx")


def test_equal_questions_go_once_and_failures_are_told_of_each() -> None:
    questions = [
        INARI,
        Question("e", "Where?", "en"),
        Question("r", INARI.text, "fi"),
        Question("s", INARI.text, "et"),
        Question("t", "Kuka?", "fi"),
    ]
    asked: list[list[Question]] = []
    failures: list[TranslationFailure] = []

    class Translator(CheckedTranslator):
        def __init__(self) -> None:
            self.failed = failures.append

        def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
            asked.append(list(questions))
            return [Attempt("", "too hard"), Attempt("Where is Inari?"), Attempt("Who?")]

    queries = Translator().translate(questions, to="en")
    assert [[(q.text, q.lang) for q in batch] for batch in asked] == [
        [(INARI.text, "fi"), (INARI.text, "et"), ("Kuka?", "fi")]
    ]
    assert queries == [
        Query(INARI, INARI.text, "fi"),
        Query(questions[1], "Where?", "en"),
        Query(questions[2], INARI.text, "fi"),
        Query(questions[3], "Where is Inari?", "en"),
        Query(questions[4], "Who?", "en"),
    ]
    assert failures == [
        TranslationFailure(INARI, "too hard"),
        TranslationFailure(questions[2], "too hard"),
    ]
    assert Translator().translate(questions[1:2], to="en") == queries[1:2]
    assert len(asked) == 1


@pytest.mark.skipif(not XQUAD.is_dir(), reason="XQuAD is not beside the checkout")
@pytest.mark.parametrize("lang", ["es", "ro", "th", "tr", "vi", "zh"])
def test_human_translations_pass(lang: str) -> None:
    files = [XQUAD / f"xquad.{code}.json" for code in (lang, "en")]
    source, english = (
        [
            qa["question"]
            for article in json.loads(file.read_text())["data"]
            for paragraph in article["paragraphs"]
            for qa in paragraph["qas"]
        ][:300]
        for file in files
    )
    pairs = list(zip(source, english, strict=True))
    refused = [check_translation(Question("q", a, lang), b, to="en").problem for a, b in pairs]
    refused += [check_translation(Question("q", b, "en"), a, to=lang).problem for a, b in pairs]
    assert sum(map(bool, refused)) <= 2
