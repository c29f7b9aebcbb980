"""Requests of one stage to a chat endpoint: retried, priced, and reduced while it is down."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from .chat_client import ChatClient, ChatError

PATIENCE = 3  # consecutive unanswered requests after which the service counts as down
MAX_WAIT = 60.0  # seconds

Messages = Sequence[Mapping[str, str]]
"""A conversation: role and content of each message."""


class Attempt(Protocol):
    """What was made of a reply; `problem` is empty if it can be used."""

    @property
    def problem(self) -> str: ...


Made = TypeVar("Made", bound=Attempt)


class ChatService:
    """A client whose requests are repeated up to `retries` times.

    The first repetition waits `backoff` seconds, each next one twice as long. A service that is
    down or refuses the key gets one request per call of `ask` instead. `price_in` and `price_out`
    are per million tokens; `spent` counts from when this object was built.
    """

    def __init__(
        self, client: ChatClient, *, retries: int, backoff: float, price_in: float, price_out: float
    ) -> None:
        self.client = client
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
        self, messages: Messages, read: Callable[[str], Made], failed: Callable[[str], Made]
    ) -> Made:
        """The first reply that `read` finds no problem in, or the last problem.

        `failed` turns the reason why there is no reply into a result.

        Raises:
            ConfigError: if the key's environment variable is not set.
        """
        made, wait = failed("not sent"), 0.0
        tries = 1 if self.is_down else 1 + self.retries
        for turn in range(tries):
            time.sleep(min(wait, MAX_WAIT))
            wait = self.backoff * 2**turn
            try:
                made = read(self._complete(messages))
                self._unanswered = 0
                if not made.problem:
                    break
            except ChatError as error:
                made, wait = failed(str(error)), max(wait, error.retry_after)
                if not error.retryable or turn == tries - 1:
                    self._count(error)
                    break
        return made

    def _count(self, error: ChatError) -> None:
        """Update the count that decides whether the service is down."""
        if not error.affects_all:
            self._unanswered = 0
        else:
            self._unanswered = self._unanswered + 1 if error.retryable else PATIENCE

    def _complete(self, messages: Messages) -> str:
        self.spent["requests"] += 1
        reply = self.client.complete(messages)
        self.spent["tokens_in"] += reply.tokens_in
        self.spent["tokens_out"] += reply.tokens_out
        cost = reply.tokens_in * self.prices[0] + reply.tokens_out * self.prices[1]
        self.spent["cost"] = round(self.spent["cost"] + cost / 1e6, 6)
        return reply.text
