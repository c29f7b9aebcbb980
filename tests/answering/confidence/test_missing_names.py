import pytest

from xorqa.answering.confidence.model import missing_names
from xorqa.core.types import Answer, Candidate, CandidateScores, Hit, Passage, Question, Span


def answered(passage: str, *, title: str = "", lang: str = "en") -> Answer:
    hit = Hit(Passage("d", passage, title, lang), 1.0)
    source = Candidate(hit, 0, Span(0, 1), CandidateScores(0.0, 0.0))
    return Answer("x", lang, 0.0, "span", source)


@pytest.mark.parametrize(
    ("question", "passage", "share"),
    [
        ("What is the capital of Bolivia?", "Brasília is the capital of Brazil.", 1),
        ("What is the capital of Brazil?", "Brasília is the capital of Brazil.", 0),
        ("What is the capital of Brazil?", "The Brazilian capital is Brasília.", 0),
        ("Who won the Nobel Prize in 1911?", "Curie won the nobel prize in 1903.", 1 / 3),
        ("Who won it in ١٩٠٣?", "Curie won it in 1903.", 0),
        ("Brasília, what is it?", "A city.", 0),  # the first word has a capital anyway
        ("What did I do?", "Nothing.", 0),
        ("what is the capital of bolivia?", "Brasília is the capital of Brazil.", 0),
        ("", "", 0),
    ],
)
def test_the_share(question: str, passage: str, share: float) -> None:
    assert missing_names(Question("q", question, "en"), answered(passage)) == pytest.approx(share)


def test_the_title_counts_and_another_language_does_not() -> None:
    question = Question("q", "What is the capital of Bolivia?", "en")
    assert missing_names(question, answered("La Paz.", title="Bolivia")) == 0
    assert missing_names(question, answered("La Paz.", lang="es")) == 0
    assert missing_names(question, Answer("x", "en", 0.0, "span")) == 0
