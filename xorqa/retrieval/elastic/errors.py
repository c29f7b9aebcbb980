"""Errors of an Elasticsearch cluster, explained in one line each."""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from ...core.errors import XorqaError
from ...core.network import without_secrets

REQUIRED = "Elasticsearch 8.11 to 9.x is required"
URL = "XORQA_ELASTIC_URL"
API_KEY = "XORQA_ELASTIC_API_KEY"

_FULL = ("flood-stage", "disk usage exceeded", "maximum normal shards", "no space left")
_BY_STATUS = {
    401: f"rejects the credentials; set {API_KEY} to a key of this cluster",
    403: f"forbids this; set {API_KEY} to a key with more privileges",
    406: f"is not a supported version of Elasticsearch; {REQUIRED}",
    **dict.fromkeys((429, 502, 503, 504), "is overloaded; run again later"),
}


class ClusterError(XorqaError):
    """A request that the cluster cannot serve; its message repeats no credentials."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message, _credentials()))


class UnlicensedError(ClusterError):
    """A feature that the cluster's licence does not include."""


def _credentials() -> list[str]:
    """The key and the password that the environment has, as a server may repeat them."""
    parts = urlsplit(os.environ.get(URL, ""))
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    pair = f"{user}:{password}" if password else ""
    return [os.environ.get(API_KEY, ""), parts.password or "", password, pair]


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
