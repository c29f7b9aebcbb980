from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from xorqa.core.errors import DataError
from xorqa.core.stages import BaseTranslator
from xorqa.core.text.words import word_spans
from xorqa.core.types import Query, Question, Span
from xorqa.io.cache import Cache
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.mlqa.alignment import Links, SegmentedText, WordAligner
from xorqa.lab.mlqa.translate_test import (
    BackTranslation,
    given_english,
    read_english,
    translate_test,
)
from xorqa.reading.decode import ScoredSpan
from xorqa.reading.pairs import Reading


def turned(text: str) -> str:
    """A text with its words, and the characters of each, in reverse order; its own inverse."""
    tokens = [text[span.start : span.end] for span in word_spans(text)]
    return " ".join(token[::-1] for token in reversed(tokens))


class Turning(BaseTranslator):
    """Translates by `turned`, and knows which words are which."""

    version = 1

    def fingerprint(self) -> str:
        return "turning"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, turned(question.text), to) for question in questions]

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]:
        return [
            {(word, len(target.words) - 1 - word): 0.5 for word in range(len(source.words))}
            for source, target in pairs
        ]


class Deaf(Turning):
    """Links nothing."""

    def fingerprint(self) -> str:
        return "deaf"

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]:
        return [{} for _ in pairs]


class Finder:
    """A reader that finds the question itself in the passage."""

    version = 1

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []
        self.pairs = SimpleNamespace(read=self.read)

    def fingerprint(self) -> str:
        return "finder"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        self.seen += pairs
        places = [
            Span(passage.find(text), passage.find(text) + len(text)) for text, passage, *_ in pairs
        ]
        return [
            Reading(0.0, [ScoredSpan(place, 0.0)] if place.start >= 0 else []) for place in places
        ]


def question(text: str, *, context: str, qid: str = "q") -> SquadQuestion:
    return SquadQuestion(qid, turned(text), "", context, (), None)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


def test_an_answer_is_projected_to_its_original_location(cache: Cache) -> None:
    contexts = [turned("Cairo stands on the Nile in Africa"), turned("The Nile is 6650 km long")]
    questions = [
        question("the Nile", qid="a", context=contexts[0]),
        question("Cairo", qid="b", context=contexts[0]),
        question("6650 km", qid="c", context=contexts[1]),
        question("Rhine", qid="d", context=contexts[1]),
    ]
    assert isinstance(Turning(), WordAligner)
    result = translate_test(questions, Turning(), Finder(), Turning(), lang="de", cache=cache)
    assert result.answers == {"a": "eliN eht", "b": "oriaC", "c": "mk 0566", "d": ""}
    assert result.counts == {"answered": 3, "unread": 1, "unaligned": 0}


def test_an_answer_that_nothing_is_linked_to(cache: Cache) -> None:
    questions = [question("Nile", context=turned("The Nile is long"))]
    result = translate_test(questions, Turning(), Finder(), Deaf(), lang="de", cache=cache)
    assert result.answers == {"q": ""}
    assert result.counts == {"answered": 0, "unread": 0, "unaligned": 1}


def test_what_cannot_be_translated_is_read_as_it_is(cache: Cache) -> None:
    class Picky(Turning):
        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            return [Query(q, q.text, "de" if "eliN" in q.text else to) for q in questions]

    questions = [question("Nile", context="The eliN is long"), question("long", context="so gnol")]
    result = translate_test(questions, Picky(), Finder(), Turning(), lang="de", cache=cache)
    assert (result.answers["q"], result.untranslated) == ("so", 2)  # its words turned by the links


def test_a_second_time_nothing_is_computed(cache: Cache) -> None:
    class Broken(Turning):
        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            raise KeyboardInterrupt

    questions = [question("Nile", context=turned("The Nile is long"))]
    first, reader = (Turning(), Finder())
    result = translate_test(questions, first, reader, first, lang="de", cache=cache)
    assert translate_test(questions, first, reader, first, lang="de", cache=cache) == result
    assert len(reader.seen) == 1
    with pytest.raises(KeyboardInterrupt):
        translate_test(questions, Broken(), reader, first, lang="de", cache=cache)


def test_nothing_to_read(cache: Cache) -> None:
    stage = Turning()
    questions = [question("Nile", context=" ")]
    result = translate_test(questions, stage, Finder(), stage, lang="de", cache=cache)
    assert result.answers == {"q": ""}
    assert translate_test([], stage, Finder(), stage, lang="de", cache=cache).answers == {}


def test_answers_may_be_translated_back_instead(cache: Cache) -> None:
    class Missing(Turning):
        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            queries = super().translate(questions, to=to)
            return [Query(q.question, q.text, "en") if q.text == "oriaC" else q for q in queries]

    context = turned("Cairo stands on the Nile")
    rows = [question(t, qid=t, context=context) for t in ("the Nile", "Cairo", "Rhine")]
    back = BackTranslation(Missing())
    result = translate_test(rows, Turning(), Finder(), back, lang="hi", cache=cache)
    assert result.answers == {"the Nile": "eliN eht", "Cairo": "", "Rhine": ""}
    assert result.counts == {"answered": 1, "unread": 1, "unaligned": 1}


def test_released_translations_are_read_by_id(cache: Cache) -> None:
    english = ["Cairo stands on the Nile. It is old."]
    rows = [question("Nile", context="Das ist eliN eht. Dlo.", qid="a")]
    given = {"a": SquadQuestion("a", "the Nile", "", english[0], (), None)}
    texts = given_english(rows, given, lang="de")
    [(asked, context)] = texts.rows
    assert asked == "the Nile"
    assert len(context.source_sentences) == len(context.target_sentences) == 2
    result = read_english(rows, texts, Finder(), Turning(), lang="de", cache=cache)
    assert result.counts["answered"] == 1
    assert result.answers["a"] in rows[0].context
    with pytest.raises(DataError, match="1 of 1 questions have no translation by id, such as a"):
        given_english(rows, {}, lang="de")
