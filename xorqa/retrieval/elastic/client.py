"""The connection to the cluster that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...core.errors import ConfigError
from ...core.lazy import expect
from .errors import KEY, NEEDED, ClusterError, cause, refusal

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

URL = "XORQA_ELASTIC_URL"
CLOUD = "XORQA_ELASTIC_CLOUD_ID"
CA = "XORQA_ELASTIC_CA"
TIMEOUT = "XORQA_ELASTIC_TIMEOUT"

OLDEST = (8, 11)  # the first with inner products of vectors that are not of length 1
NEWEST = 9


@dataclass(frozen=True, slots=True)
class Cluster:
    """A client, and what of its address may be shown: never a password or a key."""

    client: Elasticsearch
    where: str
    timeout: float
    version: str = ""

    @contextmanager
    def told(self) -> Iterator[None]:
        """Says in one line what the client raises.

        Raises:
            ClusterError: what happened, and what to do.
        """
        import elasticsearch as client

        try:
            yield
        except client.UnsupportedProductError:
            raise self.error(
                "is not Elasticsearch (its answers do not say so); "
                "OpenSearch and other forks are not supported"
            ) from None
        except client.ApiError as error:
            raise self.refusal(error.status_code, cause(error.body)) from error
        except client.ConnectionTimeout as error:
            raise self.error(
                f"has not answered within {self.timeout:g} s; run again later or raise {TIMEOUT}"
            ) from error
        except client.SSLError as error:
            raise self.error(
                f"cannot be spoken to over TLS; name its authority's file in {CA} ({error.message})"
            ) from error
        except client.TransportError as error:
            raise self.error(f"does not answer; start it or set {URL} ({error.message})") from error

    def error(self, what: str) -> ClusterError:
        return ClusterError(f"the cluster at {self.where} {what}")

    def refusal(self, status: int, cause: Mapping[str, Any]) -> ClusterError:
        """The error for an answer with an error."""
        return refusal(self.where, status, cause)

    def checked(self) -> Cluster:
        """The same with its version.

        Raises:
            ClusterError: if it is one we do not speak, or there is no answer.
        """
        with self.told():
            number = str(self.client.info()["version"]["number"])
        parts = tuple(int(part) for part in number.split(".")[:2])
        if not (parts >= OLDEST and parts[0] <= NEWEST):
            raise self.error(f"is Elasticsearch {number}; {NEEDED}")
        return replace(self, version=number)


def connect() -> Cluster:
    """The cluster the environment names, which has answered.

    Raises:
        ConfigError: if it names none, or not as it should.
        ClusterError: if it does not answer, or is of another version.
        MissingExtraError: without the client.
    """
    expect("elasticsearch", extra="elastic")
    url, cloud, ca = (os.environ.get(name) for name in (URL, CLOUD, CA))
    if not url and not cloud:
        raise ConfigError(f"no cluster is named; set {URL} (https://host:9200) or {CLOUD}")
    if ca and not Path(ca).is_file():
        raise ConfigError(f"{CA} names {ca}, which is no file")
    timeout = _seconds()
    named = {"hosts": url} if url else {"cloud_id": cloud}
    try:
        client = _client(**named, ca_certs=ca, request_timeout=timeout)
        where = _shown(url) if url else "Elastic Cloud"
    except ValueError:  # which may show the value, and the value a password
        wanted = f"{URL} must look like https://host:9200" if url else f"{CLOUD} is no cloud id"
        raise ConfigError(wanted) from None
    return Cluster(client, where, timeout).checked()


def _client(**options: Any) -> Elasticsearch:
    from elasticsearch import Elasticsearch

    options |= {"api_key": os.environ.get(KEY), "node_class": _node_class()}
    given = {key: value for key, value in options.items() if value}
    return Elasticsearch(**given, retry_on_status=(502, 503, 504))


def _seconds() -> float:
    text = os.environ.get(TIMEOUT, "60")
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ConfigError(f"{TIMEOUT} must be seconds, such as 60, not {text!r}")
    return seconds


def _shown(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{parts.port}"


def _node_class() -> type[Any]:
    """A connection that says it speaks version 8, as servers 8 and 9 both understand.

    Client 9 says 9, which servers 8 refuse; what we ask of them did not change.
    """
    from elastic_transport import Urllib3HttpNode

    class Node(Urllib3HttpNode):  # type: ignore[misc]
        def perform_request(self, method, target, body=None, headers=None, **options):  # type: ignore[no-untyped-def]
            for name in ("accept", "content-type"):
                if headers and name in headers:
                    headers[name] = headers[name].replace("compatible-with=9", "compatible-with=8")
            return super().perform_request(method, target, body, headers, **options)

    return Node
