"""The words of an answer as XOR-Full counts them: Moses's, and MeCab's in Japanese."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from ...text.mecab import wakati
from .text import CHARACTERS


@lru_cache(maxsize=16384)  # gold answers come again, and so do texts that folding leaves alone
def words(text: str, lang: str) -> tuple[str, ...]:
    """A text's words in their order, punctuation included; none of them holds white space.

    Moses's tokenizer with the language's abbreviations (English ones where it has none), after
    which every character of Chinese and Thai stands alone; Japanese by MeCab. Of a text that
    these tokenizers drop altogether (control characters) the parts between blanks are kept.
    """
    if lang == "ja":
        found = wakati(text).split()
    else:
        found = _moses(lang).tokenize(text, escape=False)
        if lang in CHARACTERS:
            found = CHARACTERS[lang].findall(" ".join(found))
    return tuple(found or text.split())


def signature() -> str:
    """What makes the words, with versions, in sacreBLEU's manner."""
    moses, mecab = version("sacremoses"), version("unidic-lite")
    return f"words:moses-sacremoses-{moses},ja-mecab-unidic-lite-{mecab}"


@cache
def _moses(lang: str) -> Any:
    return import_module("sacremoses").MosesTokenizer(lang)
