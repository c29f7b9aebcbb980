"""LAReQA's Translate-Test: questions and candidates are translated before they are scored.

Roy et al. 2020 score machine translations by an encoder of English. The measures keep the
languages of the originals.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TypeVar

from ...core.errors import ConfigError
from ...core.lang import ENGLISH
from ...core.progress import TaskProgress, silent
from ...core.stages import Translator
from ...io.cache import Cache
from ..common.translate_texts import translate_texts
from .pool import Pool, PoolQuestion, PoolSentence

Row = TypeVar("Row", PoolQuestion, PoolSentence)


@dataclass(frozen=True, slots=True)
class TranslatedPool:
    """A pool in English, with the numbers of texts to translate and of texts left untranslated."""

    pool: Pool
    texts: int
    untranslated: int


def translate_pool(
    pool: Pool, translator: Translator, *, cache: Cache, progress: TaskProgress = silent
) -> TranslatedPool:
    """Translate a pool into English; English texts stay as they are.

    A candidate's context becomes the translations of its paragraph's sentences. An interrupted
    call resumes from the cache.

    Raises:
        ConfigError: for a translator that cannot be used, or that translates no text at all.
    """
    english: dict[tuple[str, str], str] = {}
    texts = 0
    for lang in pool.langs:
        if lang == ENGLISH:
            continue
        questions = [row.text for row in pool.questions if row.lang == lang]
        sentences = [row.text for row in pool.sentences if row.lang == lang]
        sources = dict.fromkeys(questions + sentences)
        translations = translate_texts(
            translator,
            sources,
            lang=lang,
            to=ENGLISH,
            cache=cache,
            may_fail=True,
            progress=partial(progress, f"translating {lang}"),
        )
        texts += len(sources)
        english |= {(lang, text): translation for text, translation in translations.items()}
    if texts and not english:
        raise ConfigError(
            f"[translator] {type(translator).__name__} translated none of the pool's {texts} texts"
        )
    translated = Pool(
        pool.name,
        tuple(_translated(row, english) for row in pool.questions),
        tuple(_with_context(pool, english)),
    )
    return TranslatedPool(translated, texts, texts - len(english))


def _translated(row: Row, english: Mapping[tuple[str, str], str]) -> Row:
    text = english.get((row.lang, row.text))
    return row if text is None else replace(row, text=text, translated_to=ENGLISH)


def _with_context(pool: Pool, english: Mapping[tuple[str, str], str]) -> Iterator[PoolSentence]:
    """The candidates; consecutive ones with the same context are a paragraph's sentences."""
    for (lang, context), group in groupby(pool.sentences, lambda row: (row.lang, row.context)):
        rows = [_translated(row, english) for row in group]
        text = context if lang == ENGLISH else " ".join(row.text for row in rows)
        yield from (replace(row, context=text) for row in rows)
