"""Tokenise answers for XOR-Full: by Moses, and Japanese by MeCab."""

from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from ...core.text.mecab import wakati
from .text import CHARACTERS


@lru_cache(maxsize=16384)  # gold answers and texts that folding does not change recur
def words(text: str, lang: str) -> tuple[str, ...]:
    """Split a text into words and punctuation, none of which contains white space.

    Uses the Moses tokenizer with the language's abbreviations (or English ones), then splits
    Chinese and Thai into characters; Japanese is segmented by MeCab. A text that these tokenizers
    delete entirely (control characters) is split at spaces.
    """
    if lang == "ja":
        tokens = wakati(text).split()
    else:
        tokens = _moses(lang).tokenize(text, escape=False)
        if lang in CHARACTERS:
            tokens = CHARACTERS[lang].findall(" ".join(tokens))
    return tuple(tokens or text.split())


def signature() -> str:
    """The signature of the tokenizers, with their versions, in sacreBLEU's format."""
    moses, mecab = version("sacremoses"), version("unidic-lite")
    return f"words:moses-sacremoses-{moses},ja-mecab-unidic-lite-{mecab}"


@cache
def _moses(lang: str) -> Any:
    return import_module("sacremoses").MosesTokenizer(lang)
