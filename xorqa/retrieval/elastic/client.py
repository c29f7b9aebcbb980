"""The connection to the Elasticsearch cluster, configured by environment variables; its errors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from ...core.errors import ConfigError, XorqaError
from ...core.named import expect
from ...core.network import without_secrets

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

EXTRA = "elastic"
URL = "XORQA_ELASTIC_URL"
API_KEY = "XORQA_ELASTIC_API_KEY"
CLOUD = "XORQA_ELASTIC_CLOUD_ID"
CA = "XORQA_ELASTIC_CA"
TIMEOUT = "XORQA_ELASTIC_TIMEOUT"
OPENSEARCH_URL = "XORQA_OPENSEARCH_URL"

OLDEST = (8, 11)  # the first with inner products of unnormalised vectors
NEWEST = 9
REQUIRED = "Elasticsearch 8.11 to 9.x is required"

_FULL = ("flood-stage", "disk usage exceeded", "maximum normal shards", "no space left")
_BY_STATUS = {
    401: f"rejects the credentials; set {API_KEY} to a key of this cluster",
    403: f"forbids this; set {API_KEY} to a key with more privileges",
    406: f"is not a supported version of Elasticsearch; {REQUIRED}",
    **dict.fromkeys((429, 502, 503, 504), "is overloaded; run again later"),
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A client and its address without credentials."""

    client: Elasticsearch
    address: str
    timeout: float
    version: str = ""

    @contextmanager
    def readable_errors(self) -> Iterator[None]:
        """A context that turns the client's exceptions into one-line errors.

        Raises:
            ClusterError: what happened and what to do.
        """
        import elasticsearch as client

        try:
            yield
        except client.UnsupportedProductError:
            raise self.error(
                "does not identify itself as Elasticsearch; "
                "an index of OpenSearch is opened by opensearch-index"
            ) from None
        except client.ApiError as error:
            cause = error_cause(error.body)
            raise response_error(self.address, error.status_code, cause) from error
        except client.ConnectionTimeout as error:
            raise self.error(
                f"did not respond within {self.timeout:g} s; run again later or raise {TIMEOUT}"
            ) from error
        except client.SSLError as error:
            raise self.error(
                f"failed TLS verification; set {CA} to the CA certificate ({error.message})"
            ) from error
        except client.TransportError as error:
            raise self.error(
                f"cannot be reached; start it or set {URL} ({error.message})"
            ) from error

    def bulk(self, actions: Iterator[dict[str, Any]], **options: Any) -> Iterator[Any]:
        """Send actions in order; yields whether each succeeded, and its response."""
        from elasticsearch.helpers import streaming_bulk

        client = self.client.options(retry_on_timeout=True)
        yield from streaming_bulk(client, actions, raise_on_error=False, **options)

    def error(self, problem: str) -> ClusterError:
        return ClusterError(f"the cluster at {self.address} {problem}")

    def with_version(self) -> Cluster:
        """This cluster with its version, which is checked.

        Raises:
            ClusterError: if the version is not supported or the cluster cannot be reached.
        """
        with self.readable_errors():
            about = self.client.info().get("version")
        version = str(about.get("number")) if isinstance(about, Mapping) else ""
        major_minor = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if not major_minor:
            raise self.error("does not report its version")
        if not (major_minor >= OLDEST and major_minor[0] <= NEWEST):
            raise self.error(f"is Elasticsearch {version}; {REQUIRED}")
        return replace(self, version=version)


def connect() -> Cluster:
    """Connect to the cluster that the environment names.

    Raises:
        ConfigError: if the environment names no cluster, or has an invalid value.
        ClusterError: if the cluster cannot be reached or has an unsupported version.
        MissingExtraError: without the extra `elastic`.
    """
    expect("elasticsearch", extra=EXTRA)
    from elasticsearch import Elasticsearch

    url, cloud, ca = (os.environ.get(name) for name in (URL, CLOUD, CA))
    if not url and not cloud:
        raise ConfigError(f"no cluster is configured; set {URL} (https://host:9200) or {CLOUD}")
    if ca and not Path(ca).is_file():
        raise ConfigError(f"{CA} names {ca}, which is not a file")
    timeout = _timeout()
    options = {
        "hosts": url,
        "cloud_id": None if url else cloud,
        "ca_certs": ca,
        "request_timeout": timeout,
        "api_key": os.environ.get(API_KEY),
        "node_class": _node_class(),
    }
    try:
        client = Elasticsearch(
            **{key: value for key, value in options.items() if value},
            retry_on_status=(502, 503, 504),
        )
        address = without_credentials(url) if url else "Elastic Cloud"
    except ValueError:  # its message may contain the password
        example = "https://host:9200" if url else "a cloud ID (name:base64)"
        raise ConfigError(f"{URL if url else CLOUD} must look like {example}") from None
    return Cluster(client, address, timeout).with_version()


def _timeout() -> float:
    text = os.environ.get(TIMEOUT, "60")
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ConfigError(f"{TIMEOUT} must be a number of seconds, such as 60, not {text!r}")
    return seconds


def without_credentials(url: str) -> str:
    """The address of a cluster, without the user and the password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{parts.port}"


def _node_class() -> type[Any]:
    """A connection that requests compatibility with version 8, which servers 8 and 9 accept.

    Client 9 requests version 9, which servers 8 reject; the requests used here did not change.
    """
    from elastic_transport import Urllib3HttpNode

    class Node(Urllib3HttpNode):  # type: ignore[misc]
        def perform_request(self, method, target, body=None, headers=None, **options):  # type: ignore[no-untyped-def]
            for name in ("accept", "content-type"):
                if headers and name in headers:
                    headers[name] = headers[name].replace("compatible-with=9", "compatible-with=8")
            return super().perform_request(method, target, body, headers, **options)

    return Node


class ClusterError(XorqaError):
    """A request that the cluster cannot serve; its message repeats no credentials."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message, _credentials()))


class UnlicensedError(ClusterError):
    """A feature that the cluster's licence does not include."""


def _credentials() -> list[str]:
    """The keys and the passwords that the environment has, as a server may repeat them."""
    secrets = [os.environ.get(API_KEY, "")]
    for name in (URL, OPENSEARCH_URL):
        parts = urlsplit(os.environ.get(name, ""))
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        pair = f"{user}:{password}" if password else ""
        secrets += [parts.password or "", password, pair]
    return secrets


def response_error(address: str, status: int, cause: Mapping[str, Any]) -> ClusterError:
    """The error for a response of the cluster; `cause` has its type and reason."""
    kind, reason = str(cause.get("type", "")), str(cause.get("reason", "")).rstrip(";. ")
    if any(phrase in reason for phrase in _FULL):
        meaning = "is full; free space in it and run again"
    elif kind == "cluster_block_exception":
        meaning = "is read-only; lift the block and run again"
    elif kind == "media_type_header_exception":
        meaning = _BY_STATUS[406]
    else:
        meaning = _BY_STATUS.get(status, f"rejects the request: {kind or status}")
    message = f"the cluster at {address} {meaning}" + (f" ({reason})" if reason else "")
    unlicensed = "license is non-compliant" in reason
    return (UnlicensedError if unlicensed else ClusterError)(message)


def error_cause(body: object) -> Mapping[str, Any]:
    """The error in a response body, which is HTML if a proxy wrote it."""
    error = body.get("error") if isinstance(body, Mapping) else None
    return error if isinstance(error, Mapping) else {"reason": error or ""}


def valid_unicode(text: str) -> str:
    """The text with lone surrogates replaced, which JSON in UTF-8 cannot encode."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
