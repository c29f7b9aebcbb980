import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question, Span
from xorqa.io.cache import Cache
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.common.squad_json import squad_articles
from xorqa.lab.training.reader.samples import is_in_place
from xorqa.lab.training.translate_train.translate import translate_train

NILE = "The Nile is a river. It is 6,650 km long. Cairo stands on the Nile."


def backwards(text: str, *, drop: str = "", turn: bool = False) -> str:
    """A language of words spelt backwards, in the same order or, as a whole, backwards too."""
    tokens = re.findall(r"\w+|\s+|[^\w\s]", text)
    tokens = [token[::-1] for token in tokens if token not in drop or not drop]
    return "".join(tokens[::-1] if turn else tokens)


class Backwards(BaseTranslator):
    version = 1

    def __init__(self, *, drop: str = "", turn: bool = False) -> None:
        self.drop, self.turn = drop, turn
        self.seen: list[str] = []

    def fingerprint(self) -> str:
        return f"{self.drop}{self.turn}"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        self.seen += [question.text for question in questions]
        return [
            Query(question, backwards(question.text, drop=self.drop, turn=self.turn), to)
            for question in questions
        ]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


def question(answer: str, *, context: str = NILE, qid: str = "q", start: int = -1) -> SquadQuestion:
    start = context.index(answer) if start < 0 else start
    span = Span(start, start + len(answer))
    return SquadQuestion(qid, f"What about {qid}?", "Nile", context, (answer, "x"), span, 1)


def test_sentences_answers_and_questions_are_translated(cache: Cache) -> None:
    asked = [question("a river", qid="one"), question("Cairo", qid="two")]
    translator = Backwards(turn=True)
    made = translate_train(asked, translator, lang="en", to="de", cache=cache)
    assert made.counts == {"quotes": 2, "answer": 0, "failed": 0, "misplaced": 0, "untranslated": 0}
    one, two = made.questions
    assert one.context == ".revir a si eliN ehT .gnol mk 056,6 si tI .eliN eht no sdnats oriaC"
    assert (one.qid, one.question, one.title) == ("one", "?eno tuoba tahW", "Nile")
    assert (one.answers, two.answers) == (("revir a",), ("oriaC",))
    assert two.context == one.context
    assert all(is_in_place(q) for q in made.questions)
    assert sorted(translator.seen).count("It is 6,650 km long.") == 1


def test_what_cannot_be_translated_is_left_out(cache: Cache) -> None:
    class Picky(Backwards):
        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            return [
                Query(q, q.text, "en") if "two" in q.text else Query(q, q.text, to)
                for q in questions
            ]

    asked = [question("a river", qid="one"), question("Cairo", qid="two")]
    made = translate_train(asked, Picky(), lang="en", to="de", cache=cache)
    assert [one.qid for one in made.questions] == ["one"]
    assert made.counts["untranslated"] == 1 and sum(made.counts.values()) == 2


def test_lost_answers_that_cannot_be_translated_alone(cache: Cache) -> None:
    class Marked(Backwards):
        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            made = super().translate(questions, to=to)
            return [
                replace(q, lang=to if "?" in q.text or '"' in q.question.text else "en")
                for q in made
            ]

    asked = [question("Nile", context="The Nile is long.")]
    made = translate_train(asked, Marked(drop='"'), lang="en", to="de", cache=cache)
    assert (made.questions, made.counts["failed"]) == ((), 1)


def test_a_translator_that_eats_quotation_marks(cache: Cache) -> None:
    asked = [
        question("6,650 km", qid="once"),
        question("Nile", context="Nile, O Nile, so long!", qid="twice"),
    ]
    translator = Backwards(drop='"“”«»「」')
    made = translate_train(asked, translator, lang="en", to="de", cache=cache)
    assert made.counts == {"quotes": 0, "answer": 1, "failed": 1, "misplaced": 0, "untranslated": 0}
    [one] = made.questions
    assert one.answers == ("6,056 mk",)
    assert one.context[one.span.start : one.span.end] == "6,056 mk"


def test_an_answer_over_two_sentences_and_answers_out_of_place(cache: Cache) -> None:
    asked = [
        question("long. Cairo"),
        question("Nile", start=5),
        question("", start=0),
        SquadQuestion("none", "Why?", "", NILE, (), None),
    ]
    made = translate_train(asked, Backwards(), lang="en", to="de", cache=cache)
    assert made.counts == {"quotes": 1, "answer": 0, "failed": 0, "misplaced": 3, "untranslated": 0}
    assert made.questions[0].answers == ("gnol. oriaC",)


words = st.sampled_from(["Nile", "river", '"', "“so”", "«", "long.", "Then", "6,650", "\n", "s"])


@settings(max_examples=60)
@given(st.lists(words, min_size=1, max_size=12), st.data(), st.sampled_from(["", '"“”«»「」']))
def test_whatever_is_kept_is_right(parts: list[str], data: st.DataObject, drop: str) -> None:
    context = " ".join(parts)
    place = data.draw(st.sampled_from([m.span() for m in re.finditer(r"\S+", context)] or [(0, 0)]))
    answer = context[slice(*place)]
    asked = [question(answer, context=context, start=place[0])]
    cache = Cache(Path(":memory:"))
    made = translate_train(asked, Backwards(drop=drop), lang="en", to="de", cache=cache)
    assert sum(made.counts.values()) == 1
    for one in made.questions:
        assert one.answers == (backwards(answer, drop=drop),)
        assert is_in_place(one)


def test_the_file_is_read_back_as_it_was_made(cache: Cache, tmp_path: Path) -> None:
    other = question("Rhine", context="The Rhine is another.", qid="three")
    asked = [question("a river", qid="one"), question("Cairo", qid="two"), other]
    made = translate_train(asked, Backwards(), lang="en", to="de", cache=cache)
    path = tmp_path / "de.json"
    path.write_text(json.dumps({"data": squad_articles(made.questions)}))
    found = list(read_squad(path))
    assert [(q.qid, q.question, q.title, q.context, q.answers, q.span) for q in found] == [
        (q.qid, q.question, q.title, q.context, q.answers, q.span) for q in made.questions
    ]
    assert [q.paragraph for q in found] == [1, 1, 2]
