"""Texts of any kind, sentences of a paragraph too, through a translator of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..cache import Cache
from ..errors import ConfigError
from ..lang import language
from ..stages import Translator
from ..types import Question

CHUNK = 64  # texts; what a killed translation loses at most


def translate_texts(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, str]:
    """The translation of each text from `lang` into `to`, equal texts once.

    What was translated before comes from the cache, so a killed translation goes on.

    Raises:
        ConfigError: for an unknown language, twice the same, or a translator that leaves a text
            in its language.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    asked = [Question(f"text-{at}", text, lang) for at, text in enumerate(dict.fromkeys(texts))]

    def translate(some: Sequence[Question]) -> list[str]:
        queries = translator.translate(some, to=to)
        if any(query.lang != to for query in queries):
            name = type(translator).__name__
            raise ConfigError(f"[translator] {name} does not translate from '{lang}' to '{to}'")
        return [query.text for query in queries]

    found = cache.through(
        translator,
        asked,
        translate,
        key=lambda question: ("text", question.text, lang, to),
        dump=str,
        load=lambda text, _: str(text),
        chunk=CHUNK,
        progress=progress,
    )
    return {question.text: text for question, text in zip(asked, found, strict=True)}
