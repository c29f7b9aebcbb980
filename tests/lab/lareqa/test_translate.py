from collections.abc import Sequence

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question
from xorqa.io.cache import stage_cache
from xorqa.lab.lareqa.pool import Pool
from xorqa.lab.lareqa.similarity import lexical_scores
from xorqa.lab.lareqa.translate import translate_pool


class Suffix(BaseTranslator):
    """Appends what it translates from, but for the languages it does not know."""

    version = 1

    def __init__(self, *unknown: str) -> None:
        self.unknown = unknown
        self.texts: list[str] = []

    def fingerprint(self) -> str:
        return f"suffix {self.unknown}"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        self.texts += [question.text for question in questions]
        return [
            Query(q, q.text, q.lang) if q.lang in self.unknown else Query(q, f"{q.text} ({to})", to)
            for q in questions
        ]


def test_all_but_english_is_translated(pool: Pool, home: object) -> None:
    translator = Suffix()
    translated = translate_pool(pool, translator, cache=stage_cache())
    assert (translated.texts, translated.untranslated) == (24, 0)
    assert not any(" en " in text for text in translator.texts)
    for rows, originals in (
        (translated.pool.questions, pool.questions),
        (translated.pool.sentences, pool.sentences),
    ):
        for row, original in zip(rows, originals, strict=True):  # type: ignore[call-overload]
            suffix = "" if row.lang == "en" else " (en)"
            assert row.text == original.text + suffix
            assert (row.lang, row.article) == (original.lang, original.article)
            assert row.text_lang == "en"
    assert translated.pool.positives() and translated.pool.langs == pool.langs
    german = next(row for row in translated.pool.sentences if row.lang == "de")
    assert german.context == "Nile0 de flows. (en) Amazon0 de rises. (en)"
    again = Suffix()
    assert translate_pool(pool, again, cache=stage_cache()) == translated
    assert again.texts == []  # from the cache


def test_what_is_not_translated_keeps_its_language(pool: Pool, home: object) -> None:
    translated = translate_pool(pool, Suffix("zh"), cache=stage_cache())
    assert (translated.texts, translated.untranslated) == (24, 12)
    assert {row.text_lang for row in translated.pool.sentences if row.lang == "zh"} == {"zh"}
    with pytest.raises(ConfigError, match=r"Suffix translated none of the pool's 24 texts"):
        translate_pool(pool, Suffix("zh", "de"), cache=stage_cache())


def test_bm25_analyses_translations_as_english(pool: Pool, home: object) -> None:
    class Rivers(Suffix):
        def fingerprint(self) -> str:
            return "rivers"

        def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
            return [Query(q, "the Nile" if "?" in q.text else "the Amazon", to) for q in questions]

    translated = translate_pool(pool, Rivers(), cache=stage_cache()).pool
    [row] = lexical_scores(translated)(slice(0, 1))
    german = [at for at, s in enumerate(translated.sentences) if s.lang == "de"]
    assert not row[german].any()  # "the" is a stop word of English, not of German
