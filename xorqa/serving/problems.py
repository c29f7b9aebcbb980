"""The one shape of all errors: `{"error": {"code", "message"}}`, with a status of HTTP."""

from collections.abc import Mapping
from typing import Any

from ..core.errors import ConfigError, DataError, InputError, XorqaError
from ..core.text.control_characters import visible

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
        self,
        status: int,
        message: str,
        *,
        code: str = "",
        headers: Mapping[str, str] | None = None,
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
