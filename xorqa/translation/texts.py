"""Texts of any kind, sentences of a paragraph too, through a translator of questions."""

from __future__ import annotations

from collections.abc import Iterable

from ..caching import stages as cached
from ..caching.store import Cache
from ..core.errors import ConfigError
from ..core.lang import language
from ..core.progress import Progress, silent
from ..core.stages import Translator


def translate_texts(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache,
    may_fail: bool = False,
    progress: Progress = silent,
) -> dict[str, str]:
    """The translation of each text from `lang` into `to`, equal texts once.

    What could not be translated is left out; that may be all of it if it `may_fail`.

    Raises:
        ConfigError: for an unknown language, twice the same, or if nothing could be translated.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    found = cached.translate_each(
        translator, texts, lang=lang, to=to, cache=cache, progress=progress
    )
    made = {query.question.text: query.text for query in found if query.lang == to}
    if found and not made and not may_fail:
        raise ConfigError(
            f"[translator] {type(translator).__name__} translated none of {len(found)} texts from "
            f"'{lang}' to '{to}', the first of them {found[0].text!r:.60}"
        )
    return made
