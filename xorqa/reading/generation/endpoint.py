"""Replies of a chat endpoint: each is stored as it arrives, and recorded ones are replayed.

A row of a recording (JSONL) has the model, its origin ("model at host"), the date, the hash of the
request by which it is looked up, the question with its language, and the reply.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.progress import Progress, silent
from ...core.validation import CountOrZero, NonNegative, Positive
from ...io.cache import Cache
from ...io.files import digest, read_jsonl, write_jsonl
from ...io.locks import lock_path
from ...models.chat_client import ChatService, request_options
from ...models.chat_limits import Messages
from .reply import Reply

Check = Callable[[str], Reply]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation to continue, and the question that it is about."""

    messages: Messages
    question: str
    lang: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """An endpoint and its requests, as in docs/generation.md; `recorded` alone replays."""

    model: str
    endpoint: str = ""
    key_env: str = ""
    options: Mapping[str, Any] | None = None
    retries: CountOrZero = 3
    backoff: NonNegative = 1.0
    timeout: Positive = 60.0
    per_minute: NonNegative = 0.0
    price_in: NonNegative = 0.0
    price_out: NonNegative = 0.0
    recorded: str = ""


class EndpointGenerator:
    """Continues conversations by a service, by a recording, or by both; each is requested once.

    Every reply is in the cache before the next request, so a killed run repeats no request.
    `where` names the settings in error messages.

    Raises:
        ConfigError: for a url or a key_env that cannot be used.
    """

    version = 1

    def __init__(self, settings: EndpointSettings, cache: Cache, *, where: str) -> None:
        self.model, self.options = settings.model, request_options(settings.options)
        self.service: ChatService | None = None
        if settings.endpoint:
            self.service = ChatService(
                url=settings.endpoint,
                model=settings.model,
                key_env=settings.key_env,
                timeout=settings.timeout,
                per_minute=settings.per_minute,
                options=self.options,
                where=where,
                retries=settings.retries,
                backoff=settings.backoff,
                price_in=settings.price_in,
                price_out=settings.price_out,
            )
        recorded = settings.recorded
        self.recording = Recording(Path(recorded).expanduser()) if recorded else None
        self.cache = cache

    @property
    def name(self) -> str:
        """The model and host of each endpoint whose replies are used, for manifests."""
        names = [self.service.name] if self.service else []
        names += self.recording.origins if self.recording else []
        return ", ".join(dict.fromkeys(names))

    @property
    def spent(self) -> Mapping[str, float]:
        """The requests, tokens and costs since this object was built; empty without a service."""
        return self.service.spent if self.service else {}

    def fingerprint(self) -> str:
        """A hash of the endpoint, the model and the options, or of the recorded replies."""
        if self.service is not None:
            return digest(self.service.client.url, self.model, self.options)
        replies = self.recording.fingerprint if self.recording else ""
        return digest("recorded", self.model, self.options, replies)

    def generate(
        self, prompts: Sequence[Prompt], check: Check, *, progress: Progress = silent
    ) -> list[Reply]:
        """The reply to each prompt; `check` finds the problem of a text.

        Raises:
            DataError: for a recording that cannot be read.
            ConfigError: if the key's environment variable is not set.
        """
        received: list[Reply] = []  # the replies to this batch's requests
        replies = self.cache.through(
            self,
            prompts,
            lambda missing: [self._reply(prompt, check, received) for prompt in missing],
            key=self._key,
            dump=lambda reply: reply.text,
            load=lambda text, _: check(text),
            chunk=1,
            keep=lambda reply: not reply.problem,
            progress=progress,
        )
        self._record(prompts, replies)
        return replies

    def _reply(self, prompt: Prompt, check: Check, received: list[Reply]) -> Reply:
        recorded = self.recording.get(self._key(prompt)) if self.recording else None
        if recorded is not None:
            return check(recorded)
        if self.service is None:
            path = self.recording.path if self.recording else "any file"
            return Reply("", problem=f"not recorded in {path}")
        # The first request of a batch tries the service again.
        if self.service.is_down and received:
            return Reply("", problem=f"not sent, the service is down: {received[-1].problem}")
        reply = self.service.ask(prompt.messages, check, lambda why: Reply("", problem=why))
        received.append(reply)
        return reply

    def _record(self, prompts: Sequence[Prompt], replies: Sequence[Reply]) -> None:
        if self.recording is None or self.service is None:
            return
        origin = {"model": self.model, "origin": self.service.name}
        self.recording.add(
            {
                **origin,
                "date": datetime.now(UTC).date().isoformat(),
                "hash": self._key(prompt),
                "lang": prompt.lang,
                "question": prompt.question,
                "reply": reply.text,
            }
            for prompt, reply in zip(prompts, replies, strict=True)
            if not reply.problem
        )

    def _key(self, prompt: Prompt) -> str:
        return request_key(self.model, self.options, prompt.messages)


def request_key(
    model: str, options: Mapping[str, Any], messages: Iterable[Mapping[str, str]]
) -> str:
    """The hash of a request, by which its reply is looked up."""
    return digest(model, dict(options), list(map(dict, messages)))


class Recording:
    """The replies of one file, by the hash of their request; a missing file has none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> str | None:
        """The recorded reply to a request, or None."""
        row = self._rows.get(key)
        return None if row is None else str(row["reply"])

    @property
    def origins(self) -> list[str]:
        """The endpoints that made the replies."""
        return sorted({str(row["origin"]) for row in self._rows.values()})

    @property
    def fingerprint(self) -> str:
        """A hash of the replies."""
        return digest([(key, row["reply"]) for key, row in sorted(self._rows.items())])

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows whose request has no reply yet, and write the file.

        Raises:
            LockedError: if another process writes the file.
        """
        new = {str(row["hash"]): dict(row) for row in rows if row["hash"] not in self._rows}
        if new:
            with lock_path(self.path, "file"):
                self._rows.update(new | read_replies(self.path))
                write_jsonl(self.path, self._rows.values())

    @cached_property
    def _rows(self) -> dict[str, dict[str, Any]]:
        return read_replies(self.path)


def read_replies(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of a file by the hash of their request; none if there is no file.

    Raises:
        DataError: naming the line that lacks a string.
    """
    rows = read_jsonl(path, strings=("origin", "hash", "reply")) if path.is_file() else ()
    return {row["hash"]: row for _, row in rows}
