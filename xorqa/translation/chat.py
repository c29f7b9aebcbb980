"""One OpenAI-compatible chat endpoint: a question goes out, a text or one clear error returns."""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from ..core.errors import ConfigError

_BUSY = {408, 409, 425, 429}  # with all of 500 and above: the same request may succeed later
_THIS = {400, 413, 422}  # about one request; every other status is about all of them
_MOST = 1 << 20  # bytes of a reply


class ChatError(Exception):
    """Why there is no reply. `again`: later there may be one; `everyone`: others fail too.

    `wait` is how many seconds the service asked to be left alone.
    """

    def __init__(self, reason: str, *, again: bool, everyone: bool, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.again, self.everyone, self.wait = again, everyone, wait


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's text, and the tokens that were counted for it (0 if they were not)."""

    text: str
    tokens_in: int
    tokens_out: int


class Chat:
    """Requests one after the other, at most `per_minute` (0: as fast as they go).

    The key comes from the environment variable `key_env` when the first request is made, and
    stays in this object: no message and no fingerprint has it. `options` go into each request.

    Raises:
        ConfigError: for a `url` or a `key_env` that could carry a key into a run's files.
    """

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key_env: str,
        timeout: float,
        per_minute: float,
        options: Mapping[str, Any],
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError("[translator] 'service' needs a url such as http://localhost:8000/v1")
        if parts.query or "@" in parts.netloc:
            raise ConfigError(
                "[translator] a service's url is written to runs: put the key into "
                "an environment variable and name that with key_env"
            )
        if key_env and not re.fullmatch(r"[A-Z][A-Z0-9_]*", key_env):
            raise ConfigError(
                "[translator] key_env is the NAME of an environment variable, "
                "in capitals: OPENAI_API_KEY"
            )
        self.url, self.model, self.key_env = url.rstrip("/"), model, key_env
        self.host = parts.hostname
        self._timeout, self._options = timeout, dict(options)
        self._pause = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._opener = urllib.request.build_opener(_NoRedirect)

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """The reply to a conversation.

        Raises:
            ChatError: if there is none.
            ConfigError: if the key's environment variable is not set.
        """
        body = {**self._options, "model": self.model, "messages": list(messages)}
        request = urllib.request.Request(
            f"{self.url}/chat/completions", json.dumps(body).encode(), self._headers()
        )
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self._pause
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                content = response.read(_MOST)
        except urllib.error.HTTPError as error:
            error.close()
            raise _of_status(error) from error
        except (HTTPException, OSError) as error:  # URLError and TimeoutError are of the latter
            raise self._unreachable(error) from error
        return _reply(content)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if self.key_env:
            key = os.environ.get(self.key_env, "").strip()
            if not key or not (key.isascii() and key.isprintable()):
                raise ConfigError(
                    f"[translator] the environment variable {self.key_env} holds no key"
                )
            headers["Authorization"] = f"Bearer {key}"
        return headers

    def _unreachable(self, error: Exception) -> ChatError:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            told = f"{self.host} did not answer within {self._timeout:g} s"
        else:
            told = f"{self.host} cannot be reached ({str(reason) or type(reason).__name__})"
        return ChatError(told, again=True, everyone=True)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Another address is an error: the key was meant for this one."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _of_status(error: urllib.error.HTTPError) -> ChatError:
    """What a status means. The body is not repeated: some services quote the key in it."""
    wait = error.headers.get("Retry-After", "")
    hint = {401: "; is the key right?", 403: "; may the key use it?", 404: "; are url and model?"}
    return ChatError(
        f"HTTP {error.code} {error.reason}{hint.get(error.code, '')}",
        again=error.code in _BUSY or error.code >= 500,
        everyone=error.code not in _THIS,
        wait=float(wait) if wait.isdigit() else 0.0,
    )


def _reply(content: bytes) -> Reply:
    try:
        body = json.loads(content)
        [choice, *_] = body["choices"]
        text, refusal = choice["message"].get("content"), choice["message"].get("refusal")
        usage = body.get("usage") or {}
        tokens = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ChatError("the reply is no chat completion", again=True, everyone=False) from error
    if refusal or choice.get("finish_reason") == "content_filter":
        told = f"the service refused: {refusal or 'content filter'!r:.80}"
        raise ChatError(told, again=False, everyone=False)
    return Reply(str(text or ""), *tokens)
