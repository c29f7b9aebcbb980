"""Translate any texts, such as the sentences of a paragraph, with a translator of questions."""

from collections.abc import Iterable

from ...core.errors import ConfigError
from ...core.lang import language
from ...core.progress import Progress, silent
from ...core.stages import Translator
from ...io.cache import Cache


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
    """The translation of each text from `lang` into `to`; equal texts are translated once.

    Texts that could not be translated are left out.

    Raises:
        ConfigError: if a language is unknown, both are the same, or no text could be translated
            and `may_fail` is false.
    """
    if language(lang) == language(to):
        raise ConfigError(f"there is nothing to translate from '{lang}' to '{to}'")
    queries = cache.translate_texts(translator, texts, lang=lang, to=to, progress=progress)
    translations = {query.question.text: query.text for query in queries if query.lang == to}
    if queries and not translations and not may_fail:
        raise ConfigError(
            f"[translator] {type(translator).__name__} translated none of {len(queries)} texts "
            f"from '{lang}' to '{to}', such as {queries[0].text!r:.60}"
        )
    return translations
