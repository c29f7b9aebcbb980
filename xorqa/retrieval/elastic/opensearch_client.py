"""The connection to the OpenSearch cluster, with the calls of Elasticsearch's client."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.named import expect
from .client import OPENSEARCH_URL as URL
from .client import Cluster, error_cause, response_error, without_credentials

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

    def bulk(self, actions: Iterator[dict[str, Any]], **options: Any) -> Iterator[Any]:
        """Send actions in order; yields whether each succeeded, and its response."""
        from opensearchpy.helpers import streaming_bulk

        yield from streaming_bulk(self.client.inner, actions, raise_on_error=False, **options)

    def with_version(self, oldest: tuple[int, int] = OLDEST) -> OpenSearchCluster:
        """This cluster with its version, which is checked.

        Raises:
            ClusterError: if it is too old, or cannot be reached.
        """
        with self.readable_errors():
            version = str(self.client.info().get("version", {}).get("number", ""))
        if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < oldest:
            needed = ".".join(map(str, oldest))
            raise self.error(
                f"is version {version or 'unknown'}; OpenSearch {needed} or later is required"
            )
        return replace(self, version=version)


class OpenSearchClient:
    """OpenSearch's client, called as Elasticsearch's is: each part of a body by its name."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.indices = _Indices(inner.indices)

    def info(self) -> Any:
        return self.inner.info()

    def count(self, *, index: str | list[str]) -> Any:
        return self.inner.count(index=index)

    def search(self, *, index: str, **body: Any) -> Any:
        return self.inner.search(index=index, body=body)

    def msearch(self, *, searches: Sequence[Mapping[str, Any]]) -> Any:
        return self.inner.msearch(body=searches)


class _Indices:
    """The same for the operations on indexes."""

    def __init__(self, inner: Any) -> None:
        self.stats, self.refresh, self.forcemerge = inner.stats, inner.refresh, inner.forcemerge
        self._inner = inner

    def get(self, *, index: str, features: str = "") -> Any:
        return self._inner.get(index=index)  # which returns all features

    def create(self, *, index: str, **body: Any) -> Any:
        return self._inner.create(index=index, body=body)

    def clone(self, *, index: str, target: str, **body: Any) -> Any:
        return self._inner.clone(index=index, target=target, body=body)

    def put_settings(self, *, index: str, settings: Mapping[str, Any]) -> Any:
        return self._inner.put_settings(index=index, body=settings)

    def put_mapping(self, *, index: str, meta: Mapping[str, Any]) -> Any:
        return self._inner.put_mapping(index=index, body={"_meta": meta})

    def update_aliases(self, **body: Any) -> Any:
        return self._inner.update_aliases(body=body)

    def analyze(self, **body: Any) -> Any:
        return self._inner.analyze(body=body)


def connect(oldest: tuple[int, int] = OLDEST) -> OpenSearchCluster:
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
    return OpenSearchCluster(OpenSearchClient(client), address, TIMEOUT).with_version(oldest)
