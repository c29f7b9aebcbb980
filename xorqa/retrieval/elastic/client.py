"""The connection to the Elasticsearch cluster, configured by environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...core.errors import ConfigError
from ...core.named import expect
from .errors import API_KEY, REQUIRED, URL, ClusterError, error_cause, response_error

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

CLOUD = "XORQA_ELASTIC_CLOUD_ID"
CA = "XORQA_ELASTIC_CA"
TIMEOUT = "XORQA_ELASTIC_TIMEOUT"

OLDEST = (8, 11)  # the first with inner products of unnormalised vectors
NEWEST = 9


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
                "OpenSearch and other forks are not supported"
            ) from None
        except client.ApiError as error:
            raise self.response_error(error.status_code, error_cause(error.body)) from error
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

    def error(self, problem: str) -> ClusterError:
        return ClusterError(f"the cluster at {self.address} {problem}")

    def response_error(self, status: int, cause: Mapping[str, Any]) -> ClusterError:
        """The error for a response of this cluster."""
        return response_error(self.address, status, cause)

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
    expect("elasticsearch", extra="elastic")
    url, cloud, ca = (os.environ.get(name) for name in (URL, CLOUD, CA))
    if not url and not cloud:
        raise ConfigError(f"no cluster is configured; set {URL} (https://host:9200) or {CLOUD}")
    if ca and not Path(ca).is_file():
        raise ConfigError(f"{CA} names {ca}, which is not a file")
    timeout = _timeout()
    target = {"hosts": url} if url else {"cloud_id": cloud}
    try:
        client = _client(**target, ca_certs=ca, request_timeout=timeout)
        address = _without_credentials(url) if url else "Elastic Cloud"
    except ValueError:  # its message may contain the password
        example = "https://host:9200" if url else "a cloud ID (name:base64)"
        raise ConfigError(f"{URL if url else CLOUD} must look like {example}") from None
    return Cluster(client, address, timeout).with_version()


def _client(**options: Any) -> Elasticsearch:
    from elasticsearch import Elasticsearch

    options |= {"api_key": os.environ.get(API_KEY), "node_class": _node_class()}
    options = {key: value for key, value in options.items() if value}
    return Elasticsearch(**options, retry_on_status=(502, 503, 504))


def _timeout() -> float:
    text = os.environ.get(TIMEOUT, "60")
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ConfigError(f"{TIMEOUT} must be a number of seconds, such as 60, not {text!r}")
    return seconds


def _without_credentials(url: str) -> str:
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
