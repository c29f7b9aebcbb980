"""Encoders that are objects, or classes named `module:Class`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, IndexMismatchError
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.retrieval.dense import Dense

CORPUS = Corpus("rivers", [Passage(name, f"The {name} is a river.") for name in ("Nile", "Rhine")])


class Letters:
    """Counts of letters: a passage and a query with the same words are near."""

    def __init__(self, size: int = 26) -> None:
        self.size = size

    def encode_query(self, inputs: list[str]) -> Any:
        return self.encode_document(inputs)

    def encode_document(self, inputs: list[str]) -> Any:
        rows = [[text.lower().count(chr(97 + i)) for i in range(self.size)] for text in inputs]
        return np.array(rows, np.float64)


NAME = f"{__name__}:Letters"


def test_an_object_or_its_class_has_an_index(tmp_path: Path) -> None:
    query = Query(Question("q", "the nile", "en"), "the nile", "en")
    for encoder in (Letters(), NAME):
        retriever = Dense(encoder, corpus=CORPUS, folder=tmp_path / "index", normalize=True)
        [hits] = retriever.retrieve([query], k=2)
        assert [hit.passage.docid for hit in hits] == ["Nile", "Rhine"]
    with pytest.raises(IndexMismatchError, match="has weights"):
        Dense(Letters(20), corpus=CORPUS, folder=tmp_path / "index", normalize=True).build()


def test_its_vectors_are_passed_on_as_they_are() -> None:
    encoder = Encoder(EncoderSettings(Letters(3)))
    np.testing.assert_array_equal(encoder.queries(["abba", "c"]), [[2, 2, 0], [0, 0, 1]])
    np.testing.assert_array_equal(encoder.passages([("a", "b")]), [[1, 1, 0]])
    assert encoder.dimensions == 3
    assert Encoder(EncoderSettings(Letters(3), query_prefix="aa")).queries(["b"])[0, 0] == 2


def test_its_own_fingerprint_counts() -> None:
    class Versioned(Letters):
        version = 1

        def fingerprint(self) -> str:
            return f"letters-{self.version}"

    first, second = Versioned(), Versioned()
    second.version = 2
    prints = [Encoder(EncoderSettings(model)).fingerprint() for model in (first, second, first)]
    assert prints[0] == prints[2] != prints[1]


def test_what_is_no_encoder() -> None:
    with pytest.raises(ConfigError, match="is no encoder: it has no encode_query"):
        Encoder(EncoderSettings(object())).queries(["a"])  # type: ignore[arg-type]

    class Flat(Letters):
        def encode_query(self, inputs: list[str]) -> Any:
            return np.zeros(3)

    with pytest.raises(ConfigError, match=r"encode_query returned an array of shape \(3,\) for 1"):
        Encoder(EncoderSettings(Flat())).queries(["a"])
    with pytest.raises(ConfigError, match=r"'builtins:ord' cannot be made by calling it without"):
        Encoder(EncoderSettings("builtins:ord")).queries(["a"])
    with pytest.raises(ConfigError, match=r"encoder 'no.such:Class' cannot be imported"):
        Encoder(EncoderSettings("no.such:Class")).queries(["a"])


def test_settings_of_models_are_refused() -> None:
    for setting in ({"pooling": "cls"}, {"max_tokens": 9}, {"layer": 1}, {"truncate_dim": 2}):
        with pytest.raises(ConfigError, match=r"no effect on .*:Letters, an object of another"):
            Encoder(EncoderSettings(Letters(), **setting)).queries(["a"])


def test_a_model_of_sentence_transformers_as_an_object(tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    from tests.zoo.encoders import save_released

    model = library.SentenceTransformer(str(save_released(tmp_path / "model")), device="cpu")
    expected = model.encode_query(["joki"], show_progress_bar=False)
    np.testing.assert_allclose(
        Encoder(EncoderSettings(model)).queries(["joki"]), expected, atol=1e-6
    )


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ("down\nand more", "encode_query failed: down$"),
        ([[1.0], [1.0, 2.0], [1.0]], "encode_query failed: setting an array element"),
        ([["a"], ["b"], ["c"]], "encode_query failed: could not convert string to float"),
        ([[1.0], [float("nan")], [1.0]], "encode_query returned values that are no finite numbers"),
    ],
)
def test_an_object_that_fails_is_named_in_one_line(vectors: Any, message: str) -> None:
    class Failing:
        def encode_query(self, inputs: list[str]) -> Any:
            if isinstance(vectors, str):
                raise RuntimeError(vectors)
            return vectors[: len(inputs)]

        encode_document = encode_query

    with pytest.raises(ConfigError, match=message):
        Encoder(EncoderSettings(Failing())).queries(["a", "b", "c"])
