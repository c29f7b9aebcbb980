"""Japanese words: MeCab with the dictionary unidic-lite."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any


@cache
def tagger() -> Any:
    """A tagger that parts words by blanks; MeCab itself takes the large unidic if there is one."""
    folder = import_module("unidic_lite").DICDIR
    return import_module("MeCab").Tagger(f'-r "{os.devnull}" -d "{folder}" -Owakati')
