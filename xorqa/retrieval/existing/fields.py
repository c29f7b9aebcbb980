"""The fields of other people's indexes, and passages made from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import ConfigError, DataError, IndexMismatchError, one_of
from ...core.lang import code_of, language
from ...core.types import Passage
from ...core.validation import SETTINGS
from ...datasets.corpus import Corpus
from ...models.towers import Text
from ..vectors.encoding import VectorField, compare_vectors

ID = "_id"  # stands for the engine's own id of a document
PROBES = 3  # passages that are encoded again when an index is opened
MIN_COSINE = 0.99  # of a stored vector and the same passage encoded again
NO_VECTORS = "the index does not return its vectors, so they are not compared"

Document = tuple[str, Mapping[str, Any]]
"""The engine's id of a document, and its fields."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The names of an index's fields; "" if it has none.

    `docid` is "_id" for the engine's own id. Without `text`, passages come from the corpus.
    A dot separates the names of nested fields.
    """

    docid: str = ID
    title: str = ""
    text: str = "text"
    lang: str = ""
    vector: str = ""

    @classmethod
    def of(cls, table: Mapping[str, Any] | None) -> "Fields":
        """The fields of a table of settings."""
        return SETTINGS.fill(cls, table or {}, where="[retriever] fields")

    @property
    def stored(self) -> list[str]:
        """The fields that a passage is made from."""
        names = (self.docid if self.docid != ID else "", self.title, self.text, self.lang)
        return [name for name in names if name]

    def check(self, valid: Mapping[str, Any] | Sequence[str], place: str) -> None:
        """Refuse fields that an index lacks.

        Raises:
            ConfigError: naming the first, and those that there are.
        """
        for name in [*self.stored, *([self.vector] if self.vector else [])]:
            if name not in valid:
                raise ConfigError(f"{place} has no field '{name}'; its fields: {one_of(valid)}")


def _code(lang: object) -> str:
    """The code of a language tag; another text as it is."""
    return code_of(str(lang or "")) or str(lang or "")


class PassageMaker:
    """Passages from documents: of their own fields, or else the corpus's by docid."""

    def __init__(self, fields: Fields, lang: str | None, place: str) -> None:
        self.fields, self.place = fields, place
        self.lang = language(lang).code if lang else None

    def passage(
        self, document: Document, lookup: Callable[[str], Passage], corpus: Corpus | None
    ) -> Passage:
        """The passage of a document; `lookup` returns the corpus's passage of a docid.

        Raises:
            DataError: if the document lacks its docid or its text.
            ConfigError: if its language is unknown.
        """
        number, source = document
        fields = self.fields
        docid = number if fields.docid == ID else self._value(document, fields.docid)
        if not fields.text:
            return lookup(docid)
        text = self._value(document, fields.text)
        title = value_of(source, fields.title) if fields.title else ""
        lang = value_of(source, fields.lang) if fields.lang else self.lang
        return Passage(docid, text, str(title or ""), _code(lang) or self._only(corpus))

    def _value(self, document: Document, name: str) -> str:
        value = value_of(document[1], name)
        if value is None:
            raise DataError(f"{self.place}: document '{document[0]}' has no field '{name}'")
        return str(value)

    def _only(self, corpus: Corpus | None) -> str:
        if corpus is None or len(corpus.languages) != 1:
            raise ConfigError(
                f"{self.place} does not name the language of its passages, and neither does the "
                "corpus; set lang, or the name of the field that has it"
            )
        return corpus.languages[0]


def value_of(source: Mapping[str, Any], name: str) -> Any:
    """A field's value, or None; the first of a list. A dot separates the names of nested fields."""
    if name in source:
        value = source[name]
    else:
        outer, dot, inner = name.partition(".")
        below = source.get(outer)
        value = value_of(below, inner) if dot and isinstance(below, Mapping) else None
    return value[0] if isinstance(value, list) and value else value


def check_dimensions(field: VectorField, dimensions: object, place: str) -> None:
    """Refuse an encoder whose vectors have other dimensions than an index.

    Raises:
        IndexMismatchError: with both.
    """
    encoder = field.encoder.dimensions
    if isinstance(dimensions, int) and dimensions != encoder:
        raise IndexMismatchError(
            f"{place} has vectors of {dimensions} dimensions, encoder '{field.settings.name}' of "
            f"{encoder}; set the encoder of the index"
        )


def compare_stored(
    field: VectorField,
    stored: Sequence[tuple[Passage, Sequence[float]]],
    *,
    min_cosine: float = MIN_COSINE,
) -> str:
    """Encode passages again and compare the vectors with those of an index; returns a note.

    An index does not name the text that was encoded: title and text as one text or as a pair, or
    the text alone. One that agrees suffices.

    Raises:
        IndexMismatchError: if none agrees.
    """
    if not stored:
        return NO_VECTORS
    passages = [passage for passage, _ in stored]
    texts: dict[str, list[Text]] = {
        "title and text": [passage.titled for passage in passages],
        "title and text as a pair": [
            (one.title, one.text) if one.title else one.text for one in passages
        ],
        "text without title": [passage.text for passage in passages],
    }
    refusals: list[IndexMismatchError] = []
    for name, encoded in texts.items():
        try:
            note = _compare(field, stored, encoded, min_cosine)
        except IndexMismatchError as error:
            refusals.append(error)
        else:
            return note if name == "title and text" else f"{note} ({name})"
    raise refusals[0]


def _compare(
    field: VectorField,
    stored: Sequence[tuple[Passage, Sequence[float]]],
    texts: Sequence[Text],
    min_cosine: float,
) -> str:
    return compare_vectors(
        np.array([vector for _, vector in stored], np.float32),
        field.encoder.passages(texts, [passage.lang for passage, _ in stored]),
        [passage.docid for passage, _ in stored],
        min_cosine=min_cosine,
        remedy="is this its encoder, with its pooling, its prefixes and its passage_tower?",
    )
