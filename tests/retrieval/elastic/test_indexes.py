"""Each language's analyzer, asked of the cluster, and the fields of an index."""

from __future__ import annotations

from typing import Any

import pytest

from xorqa.core.lang import LANGUAGES
from xorqa.retrieval.elastic import indexes
from xorqa.retrieval.elastic.client import connect

META = {"analyzer": indexes.NGRAMS, "k1": 0.9}


@pytest.mark.parametrize(
    ("lang", "name"),
    [
        ("ar", "arabic"),
        ("bn", "bengali"),
        ("fi", "finnish"),
        ("ru", "russian"),
        ("en", "english"),
        ("zh", "cjk"),
        ("te", indexes.NGRAMS),
        ("xx", "standard"),
    ],
)
def test_built_in_analyzers_need_no_asking(middle: Any, lang: str, name: str) -> None:
    assert indexes.best_analyzer(connect().client, lang) == name
    assert middle.asked("_analyze") == 0


@pytest.mark.parametrize(("lang", "plugin"), [("ja", "kuromoji"), ("ko", "nori")])
def test_plugins_are_used_where_the_cluster_has_them(middle: Any, lang: str, plugin: str) -> None:
    client = connect().client
    assert indexes.best_analyzer(client, lang) == "cjk"

    def has_it(method: str, path: str, body: bytes) -> Any:
        return (200, {"tokens": []}) if plugin.encode() in body else None

    middle.answer = has_it
    assert indexes.best_analyzer(client, lang) == plugin


def test_the_cluster_knows_every_built_in_analyzer(cluster: str) -> None:
    client = connect().client
    for name in {row.elastic for row in LANGUAGES.values()}:
        assert client.indices.analyze(analyzer=name, text="a 1")["tokens"] is not None


def test_an_index_as_the_cluster_understands_it(cluster: str) -> None:
    client = connect().client
    name = f"{cluster}-mapping"
    client.indices.create(
        index=name, **indexes.index_body(META, k1=0.7, b=0.3, vectors="int8_hnsw")
    )
    made = client.indices.get(index=name)[name]
    assert made["mappings"]["_meta"] == {"xorqa": META}
    assert {"title", "text", "row", "vector"} <= set(made["mappings"]["properties"])
    bm25 = made["settings"]["index"]["similarity"]["default"]
    assert {key: float(bm25[key]) for key in ("k1", "b")} == {"k1": 0.7, "b": 0.3}
    tokens = client.indices.analyze(index=name, field="text", text="గోదావరిలో నది")["tokens"]
    found = [token["token"] for token in tokens]
    assert {"గోదా", "ావరి", "నది"} <= set(found)
    without = indexes.index_body(META, k1=1, b=0, vectors=None)
    assert "vector" not in without["mappings"]["properties"]
