"""A client for one OpenAI-compatible chat endpoint: each request returns a text or one error.

`ChatService` makes the requests of one stage: retried, priced, and reduced while it is down.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from ..core.errors import ConfigError
from ..core.network import has_secret, without_secrets
from ..io.strict_json import as_text, parse_json

if TYPE_CHECKING:
    from httpx2 import Client, Response

_BUSY = {408, 409, 425, 429}  # and all from 500 on: the same request may succeed later
_ONE_REQUEST = {400, 413, 422}  # concern one request; every other status concerns all requests
_MAX_BYTES = 1 << 20  # of a reply
_MAX_REASON = 120  # characters
_HINTS = {401: "; is the key right?", 403: "; may the key use it?", 404: "; are url and model?"}

PATIENCE = 3  # consecutive unanswered requests after which the service counts as down
MAX_WAIT = 60.0  # seconds
Messages = Sequence[Mapping[str, str]]
"""A conversation: role and content of each message."""


class ChatError(Exception):
    """The reason why there is no reply.

    `retryable`: the same request may succeed later. `affects_all`: other requests fail too.
    `retry_after`: the seconds that the service asks clients to wait.
    """

    def __init__(
        self, reason: str, *, retryable: bool, affects_all: bool, retry_after: float = 0.0
    ) -> None:
        super().__init__(reason)
        self.retryable, self.affects_all, self.retry_after = retryable, affects_all, retry_after


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's text and the tokens that the service counted (0 if it counts none)."""

    text: str
    tokens_in: int
    tokens_out: int


class ChatClient:
    """Sends requests one after the other, at most `per_minute` (0: no limit).

    The key is read from the environment variable `key_env` for each request and appears in no
    message, no reply and no fingerprint. `options` are part of each request's body; `where` is
    the stage, for error messages.

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
        where: str,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{where} needs a url such as http://localhost:8000/v1")
        if parts.query or "@" in parts.netloc:
            raise ConfigError(
                f"{where}: a service's url is written to runs: put the key into "
                "an environment variable and name that with key_env"
            )
        if key_env and not re.fullmatch(r"[A-Z][A-Z0-9_]*", key_env):
            raise ConfigError(
                f"{where}: key_env is the NAME of an environment variable, "
                "in capitals: OPENAI_API_KEY"
            )
        self.url, self.model, self.key_env = url.rstrip("/"), model, key_env
        self.host = parts.hostname
        self._timeout, self._options, self._where = timeout, dict(options), where
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._next_request = 0.0

    def complete(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """The assistant's reply to a conversation.

        Raises:
            ChatError: if there is none.
            ConfigError: if the key's environment variable is not set.
        """
        key = self._key()
        try:
            reply = self._request(messages, key)
        except ChatError as error:
            error.args = (without_secrets(str(error), [key])[:_MAX_REASON],)
            raise
        if has_secret(reply.text, [key]):
            reason = "the reply repeats the API key"
            raise ChatError(reason, retryable=False, affects_all=False)
        return reply

    def _request(self, messages: Sequence[Mapping[str, str]], key: str) -> Reply:
        import httpx2

        url = f"{self.url}/chat/completions"
        headers = {"Accept-Encoding": "identity"}  # the limit on a reply's size is for its text
        if key:
            headers["Authorization"] = f"Bearer {key}"
        body = {**self._options, "model": self.model, "messages": list(messages)}
        time.sleep(max(0.0, self._next_request - time.monotonic()))
        self._next_request = time.monotonic() + self._interval
        try:
            with self._client.stream("POST", url, json=body, headers=headers) as response:
                if not response.is_success:
                    raise _status_error(response)
                return read_reply(_content(response))
        except httpx2.TimeoutException as error:
            reason = f"{self.host} did not answer within {self._timeout:g} s"
            raise ChatError(reason, retryable=True, affects_all=True) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            reason = f"{self.host} cannot be reached ({str(error) or type(error).__name__})"
            raise ChatError(reason, retryable=True, affects_all=True) from error

    @cached_property
    def _client(self) -> Client:
        """A client that follows no redirects, because the key is only for this address."""
        import httpx2

        return httpx2.Client(timeout=self._timeout, follow_redirects=False)

    def _key(self) -> str:
        """The key, or "" for a service that needs none."""
        if not self.key_env:
            return ""
        key = os.environ.get(self.key_env, "").strip()
        if not key or not (key.isascii() and key.isprintable()):
            raise ConfigError(
                f"{self._where}: the environment variable {self.key_env} holds no key"
            )
        return key


def _content(response: Response) -> bytes:
    """The body, truncated to the maximum size of a reply."""
    content = b""
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > _MAX_BYTES:
            break
    return content[:_MAX_BYTES]


def _status_error(response: Response) -> ChatError:
    """The error for a status. It does not quote the body, in which some services repeat the key."""
    code, wait = response.status_code, response.headers.get("Retry-After", "")
    return ChatError(
        f"HTTP {code} {response.reason_phrase}{_HINTS.get(code, '')}",
        retryable=code in _BUSY or code >= 500,
        affects_all=code not in _ONE_REQUEST,
        retry_after=float(wait) if wait.isascii() and wait.isdigit() else 0.0,
    )


def read_reply(content: bytes) -> Reply:
    """The text and the counts of a reply's body. Raises ChatError."""
    try:
        body = parse_json(content)
        [choice, *_] = body["choices"]
        text, refusal = choice["message"].get("content"), choice["message"].get("refusal")
        usage = body.get("usage") or {}
        tokens = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        text = as_text(text or "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = "the reply is no chat completion"
        raise ChatError(reason, retryable=True, affects_all=False) from error
    if refusal or choice.get("finish_reason") == "content_filter":
        reason = f"the service refused: {refusal or 'content filter'!r}"
        raise ChatError(reason, retryable=False, affects_all=False)
    return Reply(text, *tokens)


def _count(value: object) -> int:
    """A number of tokens; 0 if the service leaves it out. Raises TypeError."""
    if value is None or (isinstance(value, int) and value >= 0):
        return int(value or 0)
    raise TypeError(f"{value!r} is not a number of tokens")


class Attempt(Protocol):
    """The result of reading a reply; `problem` is empty if it can be used."""

    @property
    def problem(self) -> str: ...


Result = TypeVar("Result", bound=Attempt)


def request_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The rest of each request's body; by default it requests the likeliest text."""
    return {"temperature": 0} if options is None else dict(options)


class ChatService:
    """A `ChatClient` whose requests are repeated up to `retries` times.

    The first repetition waits `backoff` seconds, each next one twice as long. A service that is
    down or refuses the key gets one request per call of `ask` instead. `price_in` and `price_out`
    are per million tokens; `spent` counts from when this object was built.
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
        where: str,
        retries: int,
        backoff: float,
        price_in: float,
        price_out: float,
    ) -> None:
        self.client = ChatClient(
            url=url,
            model=model,
            key_env=key_env,
            timeout=timeout,
            per_minute=per_minute,
            options=options,
            where=where,
        )
        self.retries, self.backoff = retries, backoff
        self.prices = price_in, price_out
        self.spent: dict[str, float] = {"requests": 0, "tokens_in": 0, "tokens_out": 0, "cost": 0.0}
        self._unanswered = 0  # consecutive requests

    @property
    def name(self) -> str:
        """The model and host, for a run's manifest."""
        return f"{self.client.model} at {self.client.host}"

    @property
    def is_down(self) -> bool:
        """Whether the last requests were not answered, or the service refuses all."""
        return self._unanswered >= PATIENCE

    def ask(
        self, messages: Messages, read: Callable[[str], Result], failed: Callable[[str], Result]
    ) -> Result:
        """The first reply that `read` finds no problem in, or the last problem.

        `failed` turns the reason why there is no reply into a result.

        Raises:
            ConfigError: if the key's environment variable is not set.
        """
        result, wait = failed("not sent"), 0.0
        tries = 1 if self.is_down else 1 + self.retries
        for turn in range(tries):
            time.sleep(min(wait, MAX_WAIT))
            wait = self.backoff * 2**turn
            try:
                result = read(self._complete(messages))
                self._unanswered = 0
                if not result.problem:
                    break
            except ChatError as error:
                result, wait = failed(str(error)), max(wait, error.retry_after)
                if error.retryable and turn < tries - 1:
                    continue
                if not error.affects_all:
                    self._unanswered = 0
                else:
                    self._unanswered = self._unanswered + 1 if error.retryable else PATIENCE
                break
        return result

    def _complete(self, messages: Messages) -> str:
        self.spent["requests"] += 1
        reply = self.client.complete(messages)
        self.spent["tokens_in"] += reply.tokens_in
        self.spent["tokens_out"] += reply.tokens_out
        cost = reply.tokens_in * self.prices[0] + reply.tokens_out * self.prices[1]
        self.spent["cost"] = round(self.spent["cost"] + cost / 1e6, 6)
        return reply.text
