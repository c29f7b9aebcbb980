"""Stems of words: inflected forms of a word mostly share one."""

from functools import cache, lru_cache
from importlib import import_module
from threading import Lock
from typing import Any

ALGORITHMS = {
    "ar": "arabic",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Snowball's stemmers of our languages; in others a word is its stem."""

_LOCK = Lock()


@lru_cache(maxsize=1 << 18)
def stem(word: str, lang: str) -> str:
    """The stem of a search token; itself, if nothing would be left of it."""
    if lang not in ALGORITHMS:
        return word
    with _LOCK:  # a stemmer keeps its word as it works
        return str(_stemmer(lang).stemWord(word)) or word


@cache
def _stemmer(lang: str) -> Any:
    return import_module("snowballstemmer").stemmer(ALGORITHMS[lang])
