"""Texts of any kind, sentences of a paragraph too, through a translator of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..cache import Cache
from ..errors import ConfigError
from ..lang import language
from ..stages import Translator
from ..types import Query, Question

CHUNK = 64  # texts; what a killed translation loses at most


def try_texts(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache | None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Query]:
    """A query of each text, equal texts once; in `lang` is what could not be translated.

    What was translated before comes from the cache, so a killed translation goes on, and what
    could not be is tried again the next time.
    """
    asked = [Question(f"text-{at}", text, lang) for at, text in enumerate(dict.fromkeys(texts))]
    if cache is None:
        return translator.translate(asked, to=to)
    return cache.through(
        translator,
        asked,
        lambda some: translator.translate(some, to=to),
        key=lambda question: ("text", question.text, lang, to),
        dump=lambda query: query.text,
        load=lambda text, question: Query(question, text, to),
        chunk=CHUNK,
        keep=lambda query: query.lang == to,
        progress=progress,
    )


def translate_texts(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, str]:
    """The translation of each text from `lang` into `to`, equal texts once, as `try_texts`.

    Raises:
        ConfigError: for an unknown language, twice the same, or a translator that leaves a text
            in its language, after all have been tried.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    found = try_texts(translator, texts, lang=lang, to=to, cache=cache, progress=progress)
    left = [query.text for query in found if query.lang != to]
    if left:
        raise ConfigError(
            f"[translator] {type(translator).__name__} does not translate from '{lang}' to '{to}': "
            f"{len(left)} of {len(found)} texts are left, the first of them {left[0]!r:.60}"
        )
    return {query.question.text: query.text for query in found}
