"""The words of an answer as XOR-Full counts them: Moses's, and MeCab's in Japanese."""

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
    these tokenizers drop entirely (control characters) the words between spaces are kept.
    """
    if lang == "ja":
        tokens = wakati(text).split()
    else:
        tokens = _moses(lang).tokenize(text, escape=False)
        if lang in CHARACTERS:
            tokens = CHARACTERS[lang].findall(" ".join(tokens))
    return tuple(tokens or text.split())


def signature() -> str:
    """The tokenizers and their versions, in sacreBLEU's format."""
    moses, mecab = version("sacremoses"), version("unidic-lite")
    return f"words:moses-sacremoses-{moses},ja-mecab-unidic-lite-{mecab}"


@cache
def _moses(lang: str) -> Any:
    return import_module("sacremoses").MosesTokenizer(lang)
