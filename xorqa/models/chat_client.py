"""A client for one OpenAI-compatible chat endpoint: each request returns a text or one error.

`ChatService` makes the requests of one stage: retried, priced, and reduced while it is down.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit, urlunsplit

from ..core.errors import ConfigError
from ..core.network import has_secret, without_secrets
from .chat_limits import Limits, Messages
from .chat_reply import ChatError, Reply, read_reply, status_error
from .deadline import Deadline
from .thoughts import without_thoughts

if TYPE_CHECKING:
    from httpx2 import Client, Response

_MAX_BYTES = 1 << 20  # of a reply
_MAX_REASON = 120  # characters

PATIENCE = 3  # consecutive unanswered requests after which the service counts as down
MAX_WAIT = 60.0  # seconds
_AZURE = "api-version"  # the only query that a url may have


class ChatClient:
    """Sends requests one after the other, at most `per_minute` (0: no limit).

    The key is read from the environment variable `key_env` for each request and appears in no
    message, no reply and no fingerprint. `options` are part of each request's body; `where` is
    the stage, for error messages. A url with `?api-version=` is one of Azure's. A model that
    refuses `temperature = 0` or the system role gets the request without it, which is reported
    once. `sent` counts the requests.

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
        if "@" in parts.netloc or {*parse_qs(parts.query, keep_blank_values=True)} - {_AZURE}:
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
        self.host, self.is_azure, self.sent = parts.hostname, bool(parts.query), 0
        path = parts.path.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        self._address = urlunsplit(parts._replace(path=path, fragment=""))
        self._limits = Limits(f"{model} at {parts.hostname}")
        self._deadline, self._options, self._where = Deadline(timeout), dict(options), where
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._next_request = 0.0

    def complete(self, messages: Messages) -> Reply:
        """The assistant's reply to a conversation.

        Raises:
            ChatError: if there is none.
            ConfigError: if the key's environment variable is not set.
        """
        key = self._key()
        try:
            reply = self._request(messages, key)
        except ChatError as error:
            reason = without_secrets(str(error), [key])
            if has_secret(reason, [key]):  # in another spelling
                reason = "the service refused, in words that repeat the API key"
            error.args = (reason[:_MAX_REASON],)
            raise
        if has_secret(reply.text, [key]):
            reason = "the reply repeats the API key"
            raise ChatError(reason, retryable=False, affects_all=False)
        return reply

    def _request(self, messages: Messages, key: str) -> Reply:
        """The reply to a request, sent again without each part of it that the model refuses."""
        while True:
            options, sent = self._limits.apply(self._options, messages)
            try:
                return self._send({**options, "model": self.model, "messages": sent}, key)
            except ChatError as error:
                if not self._limits.learn(error.refusal, options, sent):
                    raise

    def _send(self, body: Mapping[str, Any], key: str) -> Reply:
        import httpx2

        headers = {"Accept-Encoding": "identity"}  # the limit on a reply's size is for its text
        if key:
            headers |= {"api-key": key} if self.is_azure else {"Authorization": f"Bearer {key}"}
        time.sleep(max(0.0, self._next_request - time.monotonic()))
        self._next_request = time.monotonic() + self._interval
        self.sent += 1
        client = self._client  # building it counts for nothing
        extensions = {"trace": self._deadline.trace}
        try:
            with (
                self._deadline.running(),
                client.stream(
                    "POST", self._address, json=body, headers=headers, extensions=extensions
                ) as response,
            ):
                content = _content(response)
                if self._deadline.passed:  # a body may end with its connection
                    raise httpx2.ReadTimeout("")
                if not response.is_success:
                    raise status_error(response, content)
                return read_reply(content)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            reason = f"{self.host} cannot be reached ({str(error) or type(error).__name__})"
            if self._deadline.passed or isinstance(error, httpx2.TimeoutException):
                reason = f"{self.host} did not answer within {self._deadline.seconds:g} s"
            raise ChatError(reason, retryable=True, affects_all=True) from error

    @cached_property
    def _client(self) -> Client:
        """A client that follows no redirects, because the key is only for this address."""
        import httpx2

        one = httpx2.Limits(max_connections=1)  # the one that the deadline ends
        return httpx2.Client(timeout=self._deadline.seconds, follow_redirects=False, limits=one)

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


class Attempt(Protocol):
    """The result of reading a reply; `problem` is empty if it can be used."""

    @property
    def problem(self) -> str: ...


Result = TypeVar("Result", bound=Attempt)


def request_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The rest of each request's body; by default it requests the likeliest text."""
    return {"temperature": 0} if options is None else dict(options)


class ChatService:
    """A `ChatClient`, with its settings, whose requests are repeated up to `retries` times.

    The first repetition waits `backoff` seconds, each next one twice as long. A service that is
    down or refuses the key gets one request per call of `ask` instead. `price_in` and `price_out`
    are per million tokens; `spent` counts from when this object was built.
    """

    def __init__(
        self, *, retries: int, backoff: float, price_in: float, price_out: float, **client: Any
    ) -> None:
        self.client = ChatClient(**client)
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
        try:
            reply = self.client.complete(messages)
        finally:
            self.spent["requests"] = self.client.sent
        self.spent["tokens_in"] += reply.tokens_in
        self.spent["tokens_out"] += reply.tokens_out
        cost = reply.tokens_in * self.prices[0] + reply.tokens_out * self.prices[1]
        self.spent["cost"] = round(self.spent["cost"] + cost / 1e6, 6)
        if reply.is_cut and not without_thoughts(reply.text).strip():
            reason = f"the reply ended in its thoughts after {reply.tokens_out} tokens"
            reason += "; options can raise the limit"
            raise ChatError(reason, retryable=False, affects_all=False)
        return reply.text
