"""Indexes of OpenSearch that other programs filled, through Elasticsearch's older protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.named import expect
from ..elastic.client import OPENSEARCH_URL as URL
from ..elastic.client import Cluster, error_cause, response_error, without_credentials
from .elastic import ElasticIndex

EXTRA = "opensearch"
CA = "XORQA_OPENSEARCH_CA"
TIMEOUT = 60.0  # seconds of a request
OLDEST = (2, 0)
_CREDENTIALS = {
    401: f"rejects the credentials; set {URL} to https://user:password@host:9200",
    403: f"forbids this; set {URL} to a user with more privileges",
}


@dataclass(frozen=True, slots=True)
class OpenSearchCluster(Cluster):
    """A client of OpenSearch, and its address without credentials."""

    @contextmanager
    def readable_errors(self) -> Iterator[None]:
        """A context that turns the client's exceptions into one-line errors.

        Raises:
            ClusterError: what happened and what to do.
        """
        from opensearchpy import exceptions as client

        try:
            yield
        except client.ConnectionTimeout as error:
            raise self.error(
                f"did not respond within {self.timeout:g} s; run again later"
            ) from error
        except client.SSLError as error:
            raise self.error(
                f"failed TLS verification; set {CA} to the CA certificate ({error.error})"
            ) from error
        except client.ConnectionError as error:
            raise self.error(f"cannot be reached; start it or set {URL} ({error.error})") from error
        except client.TransportError as error:
            status = int(error.status_code) if str(error.status_code).isdigit() else 0
            if status in _CREDENTIALS:
                raise self.error(_CREDENTIALS[status]) from error
            raise response_error(self.address, status, error_cause(error.info)) from error

    def msearch(self, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The responses to searches; each has a line with its indexes and one with its body."""
        responses: list[dict[str, Any]] = self.client.msearch(body=lines)["responses"]
        return responses

    def with_version(self) -> OpenSearchCluster:
        """This cluster with its version, which is checked.

        Raises:
            ClusterError: if it is too old, or cannot be reached.
        """
        with self.readable_errors():
            version = str(self.client.info().get("version", {}).get("number", ""))
        if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < OLDEST:
            raise self.error(f"is version {version or 'unknown'}; OpenSearch 2 or 3 is required")
        return replace(self, version=version)


def connect() -> OpenSearchCluster:
    """Connect to the cluster that the environment names; its URL may have a user and password.

    Raises:
        ConfigError: if the environment names no cluster.
        ClusterError: if the cluster cannot be reached or is too old.
        MissingExtraError: without the extra `opensearch`.
    """
    expect("opensearchpy", extra=EXTRA)
    from opensearchpy import OpenSearch

    url, ca = os.environ.get(URL), os.environ.get(CA)
    if not url:
        raise ConfigError(f"no cluster is configured; set {URL} (https://user:password@host:9200)")
    if ca and not Path(ca).is_file():
        raise ConfigError(f"{CA} names {ca}, which is not a file")
    try:
        options = {"ca_certs": ca} if ca else {}
        client = OpenSearch(hosts=[url], timeout=TIMEOUT, **options)
        address = without_credentials(url)
    except ValueError:  # its message may contain the password
        raise ConfigError(f"{URL} must look like https://host:9200") from None
    return OpenSearchCluster(client, address, TIMEOUT).with_version()


class OpenSearchIndex(ElasticIndex):
    """Searches an index, an alias or a pattern in the OpenSearch cluster of the environment.

    The settings are those of `ElasticIndex`. Vectors are in a field of the type `knn_vector`;
    `match = "combined_fields"` needs OpenSearch 3.2.

    Example:
        >>> from xorqa import Corpus, OpenSearchIndex, Passage, Query, Question
        >>> corpus = Corpus("rivers", [Passage("Nile", "The Nile is in Africa.")])
        >>> fields = {"docid": "pid", "title": "heading", "text": "body"}
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
        >>> [hits] = OpenSearchIndex("wiki", fields=fields, corpus=corpus).retrieve([query], k=1)
        >>> hits[0].passage.docid
        'Nile'
    """

    use = "opensearch-index"
    version = 1
    extra = EXTRA
    packages = ("opensearchpy",)

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """The connection to the cluster, if the environment names one."""
        return {"opensearch": _check_cluster}

    @cached_property
    def cluster(self) -> Cluster:
        """The cluster that the environment names."""
        return connect()

    def vector_body(self, vector: Sequence[float], k: int) -> dict[str, Any]:
        """The body of a search for the nearest neighbours of a vector."""
        return {"query": {"knn": {self.fields.vector: {"vector": vector, "k": k}}}, "size": k}


def _check_cluster() -> str:
    if not os.environ.get(URL):
        return f"no cluster is configured ({URL})"
    cluster = connect()
    return f"OpenSearch {cluster.version} at {cluster.address}"
