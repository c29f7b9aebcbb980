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

    What could not be translated is left out.

    Raises:
        ConfigError: for an unknown language, twice the same, or if nothing could be translated.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    found = try_texts(translator, texts, lang=lang, to=to, cache=cache, progress=progress)
    made = {query.question.text: query.text for query in found if query.lang == to}
    if found and not made:
        raise ConfigError(
            f"[translator] {type(translator).__name__} translated none of {len(found)} texts from "
            f"'{lang}' to '{to}', the first of them {found[0].text!r:.60}"
        )
    return made
