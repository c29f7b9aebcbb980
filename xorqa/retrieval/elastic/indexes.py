"""The indexes behind an alias: which serve, which are half loaded, and the switch to new ones.

An index serves if its alias points at it. Another index of the same base is half loaded, or
what a killed build left behind.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...io.files import digest

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


@dataclass(frozen=True, slots=True)
class Stored:
    """An index of ours; `meta` is what it says of itself."""

    name: str
    serves: bool
    meta: Mapping[str, Any]


def base(prefix: str, corpus: str, folder: str) -> str:
    """The beginning of the names of a corpus's indexes, as Elasticsearch allows them."""
    readable = re.sub(r"[^a-z0-9]+", "_", corpus.lower())[:60].strip("_")
    return f"{prefix}-{readable}-{digest(corpus, folder)[:8]}"


def alias(base: str, lang: str) -> str:
    """The name a language's index is searched by."""
    return f"{base}-{quote(lang, safe='').lower().replace('%', '_')}"


def stored(client: Elasticsearch, base: str) -> list[Stored]:
    """All indexes of a base that are ours, sorted by name."""
    found = client.indices.get(index=f"{base}-*", features="aliases,mappings")
    metas = {name: index["mappings"].get("_meta", {}).get("xorqa") for name, index in found.items()}
    return [
        Stored(name, bool(found[name]["aliases"]), meta)
        for name, meta in sorted(metas.items())
        if meta
    ]


def create(client: Elasticsearch, alias: str, body: Mapping[str, Any]) -> str:
    """An empty index for an alias that will point at it; returns its name."""
    name = f"{alias}-{uuid.uuid4().hex[:8]}"
    client.indices.create(index=name, **body)
    return name


def serve(client: Elasticsearch, names: Mapping[str, str], *, instead_of: set[str]) -> None:
    """Point aliases (keys) at indexes and delete others, all in one step of the cluster."""
    for name in names.values():
        client.indices.put_settings(index=name, settings={"refresh_interval": None})
    actions: list[dict[str, Any]] = [
        {"add": {"alias": alias, "index": name}} for alias, name in names.items()
    ]
    actions += [{"remove_index": {"index": name}} for name in sorted(instead_of)]
    client.indices.update_aliases(actions=actions)
