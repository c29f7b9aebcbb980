"""Texts of any kind, sentences of a paragraph too, through a translator of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..cache import Cache, try_texts
from ..errors import ConfigError
from ..lang import language
from ..stages import Translator


def translate_texts(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, str]:
    """The translation of each text from `lang` into `to`, as `translate_some`.

    Raises:
        ConfigError: for an unknown language, twice the same, or if nothing could be translated.
    """
    asked = list(texts)
    made = translate_some(translator, asked, lang=lang, to=to, cache=cache, progress=progress)
    if asked and not made:
        raise ConfigError(
            f"[translator] {type(translator).__name__} translated none of {len(set(asked))} texts "
            f"from '{lang}' to '{to}', the first of them {asked[0]!r:.60}"
        )
    return made


def translate_some(
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
        ConfigError: for an unknown language, or twice the same.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    found = try_texts(translator, texts, lang=lang, to=to, cache=cache, progress=progress)
    return {query.question.text: query.text for query in found if query.lang == to}
