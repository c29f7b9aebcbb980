"""What every request passes first: access, limits of its body, and headers of every response.

A server for other addresses needs a token; one without a token answers only to loopback's names.
"""

import asyncio
import base64
import binascii
import ipaddress
import json
import logging
import re
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from ..core.errors import ConfigError
from ..io.strict_json import parse_json
from .metrics import Metrics
from .problems import Limits, Problem, problem_of
from .uploads import FILES

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

UPLOAD = "/corpora"
DRAINED = 4  # times the limit of a body: read and dropped, so that the client sees the error
LINGER = 1.0  # seconds for which the body of a refused request is read and dropped, as above
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_log = logging.getLogger("xorqa.serving")

REALM = {
    "WWW-Authenticate": 'Basic realm="xorqa: any name, the token as password", charset="UTF-8"'
}
OPEN = "/health"  # needs no token
SHORTEST = 8  # characters of a token
READING = {"GET", "HEAD", "OPTIONS"}  # the methods that change nothing
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:@%]+)(:\d{1,5})?")


class ClientLeft(Exception):
    """The client closed the connection before it had sent its request."""


class Guard:
    """An ASGI application around another one, which sees only whole and permitted requests."""

    def __init__(
        self, app: App, *, limits: Limits, token: str | None, metrics: Metrics, routes: set[str]
    ) -> None:
        self.app, self.limits, self.token = app, limits, token
        self.metrics, self.routes = metrics, routes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request; other events pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.get("headers", [])
                own = {name for name, _ in headers}
                encoded = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                others = [(name, value) for name, value in encoded if name not in own]
                message["headers"] = [*headers, *others]
            await send(message)

        try:
            await self._pass(scope, receive, sending)
        except ClientLeft:
            self.metrics.left()
        except Exception as error:
            problem = problem_of(error)
            if problem.status == 500:
                _report(error)
            if not status:
                await respond(problem, sending)
        finally:
            route = scope["path"] if scope["path"] in self.routes else "other"
            self.metrics.request(route, status, time.perf_counter() - start)

    async def _pass(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        try:
            check_access(scope["method"], scope["path"], headers, self.token)
        except Problem as refusal:
            refusal.headers["Connection"] = "close"
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    while (await receive()).get("more_body"):
                        pass
            raise
        is_upload = scope["path"] == UPLOAD
        most = self.limits.upload if is_upload else self.limits.body
        body = await self._body(headers, receive, most)
        if scope["method"] == "POST":
            _check_body(body, headers.get("content-type", ""), is_upload=is_upload)
        await self.app(scope, _replay(body, receive), send)

    async def _body(self, headers: dict[str, str], receive: Receive, most: int) -> bytes:
        """The body, of at most `most` bytes; a longer one is dropped."""
        size, parts = 0, bytearray()
        too_large = Problem(413, f"at most {most:,} bytes", headers={"Connection": "close"})
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced[:15]) > DRAINED * most:
            raise too_large
        try:
            async with asyncio.timeout(self.limits.sending):
                while size <= DRAINED * most:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientLeft
                    size += len(message.get("body", b""))
                    if size <= most:
                        parts += message.get("body", b"")
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            seconds = self.limits.sending
            raise Problem(
                408, f"not sent within {seconds:g} seconds", headers={"Connection": "close"}
            ) from None
        if size > most:
            raise too_large
        return bytes(parts)


async def respond(problem: Problem, send: Send) -> None:
    """Send an error."""
    body = json.dumps(problem.body, ensure_ascii=False).encode(errors="replace")
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    headers |= {name.lower(): value for name, value in problem.headers.items()}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _check_body(body: bytes, content_type: str, *, is_upload: bool) -> None:
    """Refuse other media types, which browsers send across sites, and damaged JSON."""
    given = media_type(content_type)
    valid = sorted(FILES) if is_upload else ["application/json"]
    if given not in valid:
        raise Problem(415, f"Content-Type must be {' or '.join(valid)}")
    if is_upload:
        return
    try:
        parse_json(body)
    except ValueError as error:
        raise Problem(400, f"the body is not JSON: {error}", code="invalid_json") from None


def media_type(content_type: str) -> str:
    """A media type without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body first."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def replaying() -> Message:
        return messages.pop() if messages else await receive()

    return replaying


def _report(error: BaseException) -> None:
    """Log the class and the place of an error, but no text, which may quote a request."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = " < ".join(f"{frame.name} ({frame.lineno})" for frame in reversed(frames))
    _log.error("%s in %s", type(error).__name__, places)


def is_loopback(host: str) -> bool:
    """Whether an address is reachable from this machine only."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def check_token(token: str) -> None:
    """Refuse a token that is too short, or that a header cannot hold.

    Raises:
        ConfigError: if it is.
    """
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            f"a token needs at least {SHORTEST} ASCII characters without spaces; "
            "leave it out to get a random one"
        )


def new_token() -> str:
    """A random token."""
    return secrets.token_urlsafe(24)


def check_access(method: str, path: str, headers: Mapping[str, str], token: str | None) -> None:
    """Refuse requests without the token, under a foreign `Host`, or from a page of another site.

    A page of another site can make a browser call loopback under a name of its own (DNS
    rebinding), so a server without a token answers only to loopback's names. A browser also sends
    a page's requests to other servers, with the password that it knows, so a request that may
    change something must come from the server's own page or not from a page.

    Raises:
        Problem: 401 or 403.
    """
    if token is None:
        host = HOST.fullmatch(headers.get("host", "localhost"))
        if not host or not is_loopback(host[1]):
            raise Problem(403, "this server answers to localhost only; start it with a token")
    elif path != OPEN and not _is_sent(token, headers.get("authorization", "")):
        raise Problem(
            401,
            "needs the token: Authorization: Bearer TOKEN, or as the password of Basic",
            headers=REALM,
        )
    if method not in READING and _is_foreign(headers):
        raise Problem(403, "a page of another site cannot call this server")


def _is_foreign(headers: Mapping[str, str]) -> bool:
    """Whether a page of another origin sent a request, by headers that a page cannot set."""
    if site := headers.get("sec-fetch-site"):
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def _is_sent(token: str, authorization: str) -> bool:
    """Whether a header has the token, compared in constant time."""
    scheme, _, value = authorization.partition(" ")
    sent = value.strip()
    if scheme.lower() == "basic":
        try:
            sent = base64.b64decode(sent, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return False
    elif scheme.lower() != "bearer":
        return False
    return secrets.compare_digest(sent.encode(errors="replace"), token.encode())
