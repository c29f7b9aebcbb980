"""What a request may use, and the one shape of all errors.

An error is `{"error": {"code", "message"}}` with a status of HTTP.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.errors import ConfigError, DataError, InputError, XorqaError
from ..core.text.normalize import visible

CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "slow_request",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "busy",
    500: "internal",
    503: "unavailable",
}
LONGEST = 300  # characters of a message
RETRY = 2  # seconds until a busy server is asked again


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self, status: int, message: str, *, code: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.code = code or CODES.get(status, CODES[400])
        self.headers = dict(headers or {})

    @property
    def body(self) -> dict[str, Any]:
        """The error as JSON values; control characters are made visible."""
        message = visible(self.message)
        return {"error": {"code": self.code, "message": message[:LONGEST]}}


def busy(message: str) -> Problem:
    """A full queue: 429, with the seconds until the client may try again."""
    return Problem(429, message, headers={"Retry-After": str(RETRY)})


def unavailable(message: str, code: str = "unavailable") -> Problem:
    """A server that cannot answer now: 503, with the seconds until the client may try again."""
    return Problem(503, message, code=code, headers={"Retry-After": str(RETRY)})


def problem_of(error: BaseException) -> Problem:
    """The problem of an error; of one that is not expected, only the class is reported."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, ConfigError | InputError | DataError):
        return Problem(422, str(error))
    if isinstance(error, XorqaError):
        return unavailable(str(error))
    return Problem(500, f"the server failed ({type(error).__name__}); its log has the place")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request, one upload and the whole server may use.

    Bytes are of a request's body, characters of a text, seconds of one request from its arrival.
    """

    body: int = 1_000_000  # bytes
    upload: int = 8_000_000  # bytes
    uploading: int = 2  # uploads at the same time
    corpora: int = 4  # uploaded corpora; the oldest is removed
    passages: int = 2_000  # of an upload
    passage: int = 20_000  # characters
    text: int = 1_000_000  # characters of an upload that is split; to split it takes seconds
    name: int = 1_000  # characters of a docid or of a title
    question: int = 2_000  # characters
    batch: int = 64  # questions or passages of one request
    items: int = 1_000  # answers to score in one request
    queue: int = 64  # waiting questions
    together: int = 8  # waiting questions answered in one batch
    connections: int = 200
    headers: float = 10.0  # seconds a client may take to send a request's headers
    sending: float = 15.0  # seconds it may take to send the body
    seconds: float = 60.0
    upload_seconds: float = 600.0
    shutdown: float = 30.0  # seconds from a signal to the end
    stage: float = 5.0  # of these, for the running stage after the running requests
