"""What a cluster's refusals mean, in one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import XorqaError

NEEDED = "Elasticsearch 8.11 to 9.x is needed"
KEY = "XORQA_ELASTIC_API_KEY"

_FULL = ("flood-stage", "disk usage exceeded", "maximum normal shards", "no space left")
_BUSY = "is overloaded; run again later"
_BY_STATUS = {
    401: f"refuses the credentials; set {KEY} to a key of this cluster",
    403: f"forbids this; set {KEY} to a key with more privileges",
    406: f"is of another version or no Elasticsearch; {NEEDED}",
    429: _BUSY,
    502: _BUSY,
    503: _BUSY,
    504: _BUSY,
}


class ClusterError(XorqaError):
    """A cluster that cannot do now what is asked of it."""


class UnlicensedError(ClusterError):
    """Something that the cluster's licence does not include."""


def refusal(where: str, status: int, cause: Mapping[str, Any]) -> ClusterError:
    """The error for an answer of the cluster at `where`; `cause` has its type and reason."""
    kind, reason = str(cause.get("type", "")), str(cause.get("reason", "")).rstrip(";. ")
    if any(sign in reason for sign in _FULL):
        meaning = "is full; free space in it and run again"
    elif kind == "cluster_block_exception":
        meaning = "is read-only; lift the block and run again"
    elif kind == "media_type_header_exception":
        meaning = _BY_STATUS[406]
    else:
        meaning = _BY_STATUS.get(status, f"cannot do this: {kind or status}")
    unlicensed = "license is non-compliant" in reason
    line = f"the cluster at {where} {meaning}" + (f" ({reason})" if reason else "")
    return (UnlicensedError if unlicensed else ClusterError)(line)


def cause(body: object) -> Mapping[str, Any]:
    """The error in an answer's body, which a proxy may have written as HTML."""
    error = body.get("error") if isinstance(body, Mapping) else None
    return error if isinstance(error, Mapping) else {"reason": error or ""}
