"""The replies of a chat endpoint, and the reasons why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..io.strict_json import as_text, parse_json

if TYPE_CHECKING:
    from httpx2 import Response

_BUSY = {408, 409, 425, 429}  # and all from 500 on: the same request may succeed later
_ONE_REQUEST = {400, 413, 422}  # concern one request; every other status concerns all requests
_REFUSALS = {400, 422, 500}  # the statuses of models that refuse a part of a request
_HINTS = {401: "; is the key right?", 403: "; may the key use it?", 404: "; are url and model?"}
_LONGEST = 4096  # characters of an error message


class ChatError(Exception):
    """The reason why there is no reply.

    `retryable`: the same request may succeed later. `affects_all`: other requests fail too.
    `retry_after`: the seconds that the service asks clients to wait. `refusal`: what the service
    says about a request that it does not accept.
    """

    def __init__(
        self,
        reason: str,
        *,
        retryable: bool,
        affects_all: bool,
        retry_after: float = 0.0,
        refusal: str = "",
    ) -> None:
        super().__init__(reason)
        self.retryable, self.affects_all, self.retry_after = retryable, affects_all, retry_after
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's text and the tokens that the service counted (0 if it counts none).

    `is_cut`: it ended at the limit of tokens.
    """

    text: str
    tokens_in: int
    tokens_out: int
    is_cut: bool = False


def status_error(response: Response, content: bytes) -> ChatError:
    """The error for a status, with the service's message about a request that it refuses.

    Other bodies are not quoted, because some services repeat a part of the key in them.
    """
    code, wait = response.status_code, response.headers.get("Retry-After", "")
    refusal = error_message(content) if code in _REFUSALS else ""
    quoted = f": {refusal}" if refusal and code in _ONE_REQUEST else _HINTS.get(code, "")
    return ChatError(
        f"HTTP {code} {response.reason_phrase}{quoted}",
        retryable=code in _BUSY or code >= 500,
        affects_all=code not in _ONE_REQUEST,
        retry_after=float(wait) if wait.isascii() and wait.isdigit() else 0.0,
        refusal=refusal,
    )


def read_reply(content: bytes) -> Reply:
    """The text and the counts of a reply's body. Raises ChatError."""
    try:
        body = parse_json(content)
        [choice, *_] = body["choices"]
        text, refusal = _text(choice["message"].get("content")), choice["message"].get("refusal")
        usage = body.get("usage") or {}
        read, written = (_count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = "the reply is no chat completion"
        raise ChatError(reason, retryable=True, affects_all=False) from error
    if refusal or choice.get("finish_reason") == "content_filter":
        reason = f"the service refused: {refusal or 'content filter'!r}"
        raise ChatError(reason, retryable=False, affects_all=False)
    return Reply(text, read, written, is_cut=choice.get("finish_reason") == "length")


def _text(content: object) -> str:
    """The text of a message, also of one in parts. Raises TypeError or KeyError."""
    if isinstance(content, list):
        return "".join(as_text(part["text"]) for part in content if part["type"] == "text")
    return as_text(content or "")


def _count(value: object) -> int:
    """A number of tokens; 0 if the service leaves it out. Raises TypeError."""
    if value is None or (isinstance(value, int) and value >= 0):
        return int(value or 0)
    raise TypeError(f"{value!r} is not a number of tokens")


def error_message(content: bytes) -> str:
    """The message in the body of an error; "" if it has none."""
    try:
        body = parse_json(content)
        error = body.get("error") or body.get("message") or body.get("detail") or ""
        text = error.get("message") or "" if isinstance(error, dict) else error
    except (ValueError, AttributeError):
        return ""
    return " ".join(text.split())[:_LONGEST] if isinstance(text, str) else ""
