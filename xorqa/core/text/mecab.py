"""Japanese words: MeCab with the dictionary unidic-lite."""

import os
from functools import cache
from importlib import import_module
from typing import Any


def wakati(text: str) -> str:
    """MeCab's raw `-Owakati` line: words separated by spaces, then a space and a newline.

    NUL and unpaired surrogates, which MeCab cannot read, become "?".
    """
    readable = text.replace("\0", "?").encode(errors="replace").decode()
    return str(_tagger().parse(readable))


@cache
def _tagger() -> Any:
    """A tagger with unidic-lite: by default MeCab prefers the large unidic if it is installed."""
    folder = import_module("unidic_lite").DICDIR
    return import_module("MeCab").Tagger(f'-r "{os.devnull}" -d "{folder}" -Owakati')
