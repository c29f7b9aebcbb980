"""The settings and mappings of a language's index: analyzer, fields and BM25."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.lang import LANGUAGES

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

VERSION = 1
"""Increased whenever `body` changes, so that older indexes are refused."""

NGRAMS = "xorqa_ngrams"
"""Words and their character 4-grams, for languages without an Elasticsearch stemmer."""

_PLUGINS = {"ja": "kuromoji", "ko": "nori"}  # preferred to the built-in analyzers
_CUSTOM = {"te": NGRAMS}
_ANALYSIS = {
    "filter": {NGRAMS: {"type": "ngram", "min_gram": 4, "max_gram": 4, "preserve_original": True}},
    "analyzer": {
        NGRAMS: {"type": "custom", "tokenizer": "standard", "filter": ["lowercase", NGRAMS]}
    },
}


def analyzer(client: Elasticsearch, lang: str) -> str:
    """The best analyzer that the cluster has for a language."""
    plugin = _PLUGINS.get(lang)
    if plugin and _has(client, plugin):
        return plugin
    return _CUSTOM.get(lang) or (LANGUAGES[lang].elastic if lang in LANGUAGES else "standard")


def _has(client: Elasticsearch, name: str) -> bool:
    from elasticsearch import BadRequestError

    try:
        client.indices.analyze(analyzer=name, text="a")
    except BadRequestError:
        return False
    return True


def body(
    meta: Mapping[str, Any], *, k1: float, b: float, vectors: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The body that creates an index; `vectors` is the mapping of the vector field, if any.

    There is one shard, so that IDF covers all passages of the language. Refreshes are off
    while passages are loaded.
    """
    text = {"type": "text", "analyzer": meta["analyzer"]}
    fields: dict[str, Any] = {"row": {"type": "integer"}, "lang": {"type": "keyword"}}
    fields |= {"title": text, "text": text} | ({"vector": dict(vectors)} if vectors else {})
    return {
        "settings": {
            "number_of_shards": 1,
            "refresh_interval": "-1",
            "similarity": {"default": {"type": "BM25", "k1": k1, "b": b}},
            "analysis": _ANALYSIS,
        },
        "mappings": {
            "_meta": {"xorqa": dict(meta)},
            "_source": {"excludes": ["vector"]},
            "dynamic": "strict",
            "properties": fields,
        },
    }
