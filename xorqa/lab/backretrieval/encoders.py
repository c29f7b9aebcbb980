"""Text encoders by name: vectors of source and target texts whose cosine is their similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError, one_of
from ...core.text.search_tokens import tokens
from ...core.types import Question
from ...io.files import ARRAY_ERRORS
from ...translation.lexicon import LexiconTranslator
from ..common.word_vectors import Coverage, is_word_vectors
from .model_encoders import ModelEncoder
from .terms import bm25_vectors, character_vectors
from .texts import Texts
from .word_encoder import WordEncoder

Floats = NDArray[np.float32]
Sides = tuple[Floats, Floats]

CHARACTERS, BM25, LEXICON = "characters", "bm25", "lexicon"
WITHOUT_MODEL = (CHARACTERS, BM25, LEXICON)
OPTIONS = ("layer", "pooling", "transform", "fields")
LEXICON_OPTIONS = ("file",)
WORD_OPTIONS = ("fields",)


@dataclass(frozen=True, slots=True)
class EncoderName:
    """A name with options, `e5-small-q4,layer=8,pooling=cls`."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)


def encode_texts(name: str, source: Texts, target: Texts) -> Sides:
    """Vectors of source and target texts by a `TextEncoder`."""
    return TextEncoder(name)(source, target)


class TextEncoder:
    """Vectors of the texts of two languages; a model encodes each language once.

    Args:
        name: a checkpoint or an adapter, with options: `layer=N`, `pooling=cls`,
            `transform=NAME` (a stored one, or center, remove:K and subspace, fitted on the texts)
            and `fields=both` (titles and bodies); a document head (`models.document_head`);
            `characters`: how often each letter occurs; `bm25`: BM25's weights of the terms;
            `lexicon`: the same, with the source texts translated word by word first, with the
            option `file=DICTIONARY`; files of word vectors, `wiki.{lang}.align.vec`, with the
            option `fields=both`; or an .npz file with an array per language, whose rows are in
            the order of the language's data.

    Raises:
        ConfigError: for an unknown option.
        WeightsError: if a checkpoint or adapter does not exist.
    """

    def __init__(self, name: str) -> None:
        parsed = parse_name(name)
        self._name, self._options = parsed.name, parsed.options
        self._model: ModelEncoder | WordEncoder | None = None
        if is_word_vectors(self._name):
            self._model = WordEncoder(self._name, self._options)
        elif self._name not in WITHOUT_MODEL and not self._name.endswith(".npz"):
            self._model = ModelEncoder(self._name, self._options)

    @property
    def coverage(self) -> Mapping[str, Coverage]:
        """By language, the words that files of word vectors lack; empty for other encoders."""
        return self._model.vectors.coverage if isinstance(self._model, WordEncoder) else {}

    def __call__(self, source: Texts, target: Texts) -> Sides:
        """The vectors of both sides.

        Raises:
            DataError: if a file of vectors or a dictionary does not fit, or the texts have no
                bodies but the encoder needs them.
        """
        if self._model:
            return self._model(source, target)
        if self._name.endswith(".npz"):
            return _from_file(Path(self._name), source), _from_file(Path(self._name), target)
        if self._name == CHARACTERS:
            return character_vectors(source.texts, target.texts)
        lexicon = self._name == LEXICON
        texts = _translated(source, target.lang, self._options) if lexicon else source.texts
        words = [tokens(text, target.lang if lexicon else source.lang) for text in texts]
        return bm25_vectors(words, [tokens(text, target.lang) for text in target.texts])


def parse_name(name: str) -> EncoderName:
    """Split an encoder's name and options.

    Raises:
        ConfigError: for an option that the encoder does not have.
    """
    base, *assignments = name.split(",")
    valid: Sequence[str] = OPTIONS
    if base in (CHARACTERS, BM25) or base.endswith(".npz"):
        valid = ()
    elif base == LEXICON or is_word_vectors(base):
        valid = LEXICON_OPTIONS if base == LEXICON else WORD_OPTIONS
    options = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if key not in valid or not equals or not value:
            listed = one_of(f"{option}=..." for option in valid)
            raise ConfigError(f"encoder '{name}' has no option '{assignment}'; valid: {listed}")
        options[key] = value
    return EncoderName(base, options)


def _translated(source: Texts, to: str, options: Mapping[str, str]) -> list[str]:
    files = [options["file"]] if "file" in options else []
    questions = [
        Question(str(number), text, source.lang) for number, text in enumerate(source.texts)
    ]
    return [query.text for query in LexiconTranslator(files=files).translate(questions, to=to)]


def _from_file(path: Path, side: Texts) -> Floats:
    try:
        with np.load(path, allow_pickle=False) as stream:
            array = stream[side.lang]
    except ARRAY_ERRORS as error:
        raise DataError(f"{path} cannot be read as an .npz file: {error}") from error
    except KeyError as error:
        raise DataError(f"{path} has no array '{side.lang}'") from error
    if array.ndim != 2 or len(array) != side.total or array.dtype.kind not in "fiu":
        raise DataError(
            f"{path}: '{side.lang}' has type {array.dtype} and shape {array.shape}; needed are "
            f"numbers of shape ({side.total}, dimensions)"
        )
    rows: Floats = array[list(side.rows)].astype(np.float32)
    return rows
