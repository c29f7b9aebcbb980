"""The indexes behind an alias: their analyzers and fields, and the switch from old to new ones.

An index is live if its alias points at it. Other indexes with the same base name are being
loaded, or were left behind by a killed build.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...core.lang import LANGUAGES
from ...io.files import digest
from .. import manifest

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

MAPPING_VERSION = 1
"""Increased whenever `index_body` changes, so that older indexes are refused."""

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


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """An index made by xorqa; `meta` is its manifest."""

    name: str
    live: bool
    meta: Mapping[str, Any]

    @property
    def manifest(self) -> dict[str, Any]:
        """What it was built from: `meta` without the commits of models, which may move."""
        return {key: value for key, value in self.meta.items() if key != manifest.COMMITS}


def base_name(prefix: str, corpus: str, folder: str) -> str:
    """The common prefix of the names of a corpus's indexes, in characters Elasticsearch allows."""
    readable = re.sub(r"[^a-z0-9]+", "_", corpus.lower())[:60].strip("_")
    return f"{prefix}-{readable}-{digest(corpus, folder)[:8]}"


def alias_name(base: str, lang: str) -> str:
    """The alias that a language's index is searched by."""
    return f"{base}-{quote(lang, safe='').lower().replace('%', '_')}"


def stored_indexes(client: Elasticsearch, base: str) -> list[StoredIndex]:
    """The indexes made by xorqa with this base name, sorted by name."""
    indexes = client.indices.get(index=f"{base}-*", features="aliases,mappings")
    metas = {
        name: index["mappings"].get("_meta", {}).get("xorqa") for name, index in indexes.items()
    }
    return [
        StoredIndex(name, bool(indexes[name]["aliases"]), meta)
        for name, meta in sorted(metas.items())
        if meta
    ]


def create(client: Elasticsearch, alias: str, body: Mapping[str, Any]) -> str:
    """Create an empty index for an alias, without pointing the alias at it; returns its name."""
    name = f"{alias}-{uuid.uuid4().hex[:8]}"
    client.indices.create(index=name, **body)
    return name


def clone(client: Elasticsearch, source: str, alias: str, meta: Mapping[str, Any]) -> str:
    """Copy an index, with its vectors, without pointing the alias at the copy; returns its name.

    The source takes no documents from then on.
    """
    name = f"{alias}-{uuid.uuid4().hex[:8]}"
    client.indices.put_settings(index=source, settings={"index.blocks.write": True})
    settings = {"index.blocks.write": None, "refresh_interval": "-1"}
    client.indices.clone(index=source, target=name, settings=settings)
    client.indices.put_mapping(index=name, meta=_meta(meta))
    return name


def switch_aliases(client: Elasticsearch, names: Mapping[str, str], *, delete: set[str]) -> None:
    """Point aliases (keys) at indexes (values) and delete old indexes, in one atomic step."""
    for name in names.values():
        client.indices.put_settings(index=name, settings={"refresh_interval": None})
    actions: list[dict[str, Any]] = [
        {"add": {"alias": alias, "index": name}} for alias, name in names.items()
    ]
    actions += [{"remove_index": {"index": name}} for name in sorted(delete)]
    client.indices.update_aliases(actions=actions)


def best_analyzer(client: Elasticsearch, lang: str) -> str:
    """The best analyzer that the cluster has for a language."""
    if plugin := _PLUGINS.get(lang):
        try:
            client.indices.analyze(analyzer=plugin, text="a")
            return plugin
        except Exception as error:  # of Elasticsearch's client or OpenSearch's
            if getattr(error, "status_code", None) != 400:  # else the cluster lacks the plugin
                raise
    return _CUSTOM.get(lang) or (LANGUAGES[lang].elastic if lang in LANGUAGES else "standard")


def index_body(
    meta: Mapping[str, Any], *, k1: float, b: float, vectors: str | None
) -> dict[str, Any]:
    """The body that creates an index; `vectors` is the type of the vector field, if any.

    There is one shard, so that IDF covers all passages of the language. Refreshes are off
    while passages are loaded.
    """
    text = {"type": "text", "analyzer": meta["analyzer"]}
    fields: dict[str, Any] = {"row": {"type": "integer"}, "lang": {"type": "keyword"}}
    fields |= {"title": text, "text": text}
    if vectors:  # the number of dimensions is set by the first vector
        fields["vector"] = {
            "type": "dense_vector",
            "similarity": "max_inner_product",
            "index_options": {"type": vectors},
        }
    return {
        "settings": {
            "number_of_shards": 1,
            "refresh_interval": "-1",
            "similarity": {"default": {"type": "BM25", "k1": k1, "b": b}},
            "analysis": _ANALYSIS,
        },
        "mappings": {
            "_meta": _meta(meta),
            "_source": {"excludes": ["vector"]},
            "dynamic": "strict",
            "properties": fields,
        },
    }


def _meta(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {"xorqa": {**meta, **manifest.pinned(meta)}}
