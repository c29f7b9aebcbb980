from collections.abc import Sequence
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question
from xorqa.io.cache import TEXTS, Cache
from xorqa.lab.common.translate_texts import translate_texts
from xorqa.translation.human import NoTranslation


class Shouting(BaseTranslator):
    version = 1

    def __init__(self, *, stop_after: int | None = None) -> None:
        self.seen: list[str] = []
        self.stop_after = stop_after

    def fingerprint(self) -> str:
        return "shouting"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        if self.stop_after is not None and len(self.seen) >= self.stop_after:
            raise KeyboardInterrupt
        self.seen += [question.text for question in questions]
        return [Query(question, question.text.upper(), to) for question in questions]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


def test_equal_texts_are_translated_once(cache: Cache) -> None:
    translator = Shouting()
    found = translate_texts(translator, ["a", "b", "a"], lang="en", to="de", cache=cache)
    assert found == {"a": "A", "b": "B"}
    assert translator.seen == ["a", "b"]
    assert translate_texts(translator, [], lang="en", to="de", cache=cache) == {}


def test_each_pair_of_languages_is_translated_by_itself(cache: Cache) -> None:
    translator = Shouting()
    for lang, to in (("en", "de"), ("en", "es"), ("fr", "de"), ("en", "de")):
        translate_texts(translator, ["a"], lang=lang, to=to, cache=cache)
    assert translator.seen == ["a"] * 3


def test_a_killed_translation_goes_on(cache: Cache) -> None:
    texts = [str(at) for at in range(2 * TEXTS + 5)]
    with pytest.raises(KeyboardInterrupt):
        translate_texts(Shouting(stop_after=TEXTS), texts, lang="en", to="de", cache=cache)
    again, told = Shouting(), []
    translate_texts(
        again,
        texts,
        lang="en",
        to="de",
        cache=cache,
        progress=lambda done, total: told.append((done, total)),
    )
    assert again.seen == texts[TEXTS:]
    assert (told[0], told[-1]) == ((TEXTS, len(texts)), (len(texts), len(texts)))


def test_what_cannot_translate(cache: Cache) -> None:
    for lang, to, message in (
        ("en", "xx", "no language is called 'xx'"),
        ("xx", "en", "no language is called 'xx'"),
        ("de", "de", "there is nothing to translate from 'de' to 'de'"),
    ):
        with pytest.raises(ConfigError, match=message):
            translate_texts(Shouting(), ["a"], lang=lang, to=to, cache=cache)
    with pytest.raises(ConfigError, match="NoTranslation translated none of 1 texts from 'en'"):
        translate_texts(NoTranslation(), ["a"], lang="en", to="de", cache=cache)


class Picky(Shouting):
    """Leaves some texts as they are."""

    def __init__(self, *, leaves: str) -> None:
        super().__init__()
        self.leaves = leaves

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        queries = super().translate(questions, to=to)
        return [
            Query(q.question, q.question.text, q.question.lang)
            if q.question.text in self.leaves
            else q
            for q in queries
        ]


def test_what_was_left_is_tried_again_alone(cache: Cache) -> None:
    first = Picky(leaves="bc")
    assert translate_texts(first, ["a", "b", "c"], lang="en", to="de", cache=cache) == {"a": "A"}
    again = Picky(leaves="")
    found = translate_texts(again, ["a", "b", "c"], lang="en", to="de", cache=cache)
    assert found == {"a": "A", "b": "B", "c": "C"}
    assert again.seen == ["b", "c"]
