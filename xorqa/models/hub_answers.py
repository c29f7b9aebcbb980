"""Answers of the model hub that lead out of its cache are refused.

huggingface_hub 2.4 writes to paths made of the commits, ETags and hashes that the hub, or the
mirror that `HF_ENDPOINT` names, answers with. Each answer is checked before the library reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..core.errors import WeightsError

if TYPE_CHECKING:
    from httpx2 import Client, Response

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HASH = re.compile(r"[0-9a-f]{64}")
_ETAG = re.compile(r'(W/)?"?\w[\w.+=~-]{0,199}"?')
_REVISION = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")  # a branch, a tag, refs/pr/1


def check_revision(revision: str | None) -> None:
    """Refuse a revision that leads out of the cache. Raises WeightsError."""
    _check("revision", revision or "main", _REVISION)


def checked_snapshot(folder: str) -> Path:
    """The folder, whose name an earlier answer may have decided. Raises WeightsError."""
    _check("commit", Path(folder).name, _COMMIT)
    return Path(folder)


def check_answers() -> None:
    """Check all answers to huggingface_hub from now on; its client may be the user's own."""
    from huggingface_hub import set_client_factory
    from huggingface_hub.utils import _http

    if not isinstance(_http._GLOBAL_CLIENT_FACTORY, _Guarded):
        set_client_factory(_Guarded(_http._GLOBAL_CLIENT_FACTORY))


class _Guarded:
    """A factory of clients, each of which checks what it receives."""

    def __init__(self, factory: Callable[[], Client]) -> None:
        self.factory = factory

    def __call__(self) -> Client:
        client = self.factory()
        hooks = client.event_hooks
        client.event_hooks = {**hooks, "response": [*hooks.get("response", []), _check_response]}
        return client


def _check_response(response: Response) -> None:
    from huggingface_hub import constants

    headers, of_file = response.headers, response.request.method == "HEAD"
    for name in ("ETag", "X-Linked-Etag"):
        if of_file and name in headers:
            _check("ETag", headers[name], _ETAG)
    if "X-Repo-Commit" in headers:
        _check("commit", headers["X-Repo-Commit"], _COMMIT)
    if "X-Xet-Hash" in headers:
        _check("hash", headers["X-Xet-Hash"], _HASH)
    api = re.compile(re.escape(urlsplit(constants.ENDPOINT).path + "/api/") + ".*")
    if api.match(response.request.url.path):
        onward = (headers.get("Location"), response.links.get("next", {}).get("url"))
        for address in filter(None, onward):  # whose answer is to be checked, too
            _check("address", urlsplit(address).path, api)
        response.read()
        for noun, value, pattern in _values(response):
            _check(noun, value, pattern)


def _values(response: Response) -> Iterator[tuple[str, Any, re.Pattern[str] | None]]:
    """The parts of an answer of the API that become paths."""
    try:
        answer = response.json()  # as the library parses it
    except (ValueError, RecursionError):
        return  # which the library reports
    if isinstance(answer, dict) and answer.get("sha") is not None:
        yield "commit", answer["sha"], _COMMIT
    for row in answer if isinstance(answer, list) else ():
        if isinstance(row, dict) and "path" in row:
            yield "file", row["path"], None
            if isinstance(row.get("lfs"), dict):
                yield "hash", row["lfs"].get("oid"), _HASH


def _check(noun: str, value: Any, pattern: re.Pattern[str] | None) -> None:
    """Refuse a value that does not fit its pattern or, without one, is no path inside a folder."""
    if isinstance(value, str):
        path = PurePosixPath(value)
        inside = value.isprintable() and not path.is_absolute() and ".." not in path.parts
        if pattern.fullmatch(value) if pattern else inside and "\\" not in value:
            return
    raise WeightsError(
        f"the model hub names the {noun} {value!r:.80}, which could lead out of its cache; "
        "is HF_ENDPOINT the address of a hub that you trust?"
    )
