"""Who may ask: the token of other addresses, and the host names of loopback."""

import base64
import binascii
import ipaddress
import secrets
from collections.abc import Mapping

from ..core.errors import ConfigError
from .problems import Problem

REALM = {
    "WWW-Authenticate": 'Basic realm="xorqa: any name, the token as password", charset="UTF-8"'
}
OPEN = "/health"  # needs no token
SHORTEST = 8  # characters of a token


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


def check_access(path: str, headers: Mapping[str, str], token: str | None) -> None:
    """Refuse a request without the token; without one to check, a foreign `Host`.

    A page of another site can make a browser call loopback under a name of its own (DNS
    rebinding), so a server without a token answers only to loopback's names.

    Raises:
        Problem: 401 or 403.
    """
    if token is None:
        host = headers.get("host", "localhost")
        name = host[: host.index("]") + 1] if "]" in host else host.partition(":")[0]
        if not is_loopback(name):
            raise Problem(403, "this server answers to localhost only; start it with a token")
        return
    if path != OPEN and not _is_sent(token, headers.get("authorization", "")):
        raise Problem(
            401,
            "needs the token: Authorization: Bearer TOKEN, or as the password of Basic",
            headers=REALM,
        )


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
