"""Advice for an address that cannot be reached, and responses without keys and passwords."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import unescape
from unicodedata import category, normalize
from urllib.parse import quote, unquote, urlsplit
from urllib.request import getproxies

TIMEOUT = 15.0  # seconds without a response

SHORTEST = 8  # characters; local services accept any word as a key: "none", "EMPTY"
HIDDEN = "[key removed]"
_URL_SAFE = str.maketrans("+/", "-_")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_MOST_LAYERS = 5


def proxy_hint() -> str:
    """Advice about the proxy variable, with its host and port but no credentials."""
    proxy = getproxies().get("https") or getproxies().get("all")
    if not proxy:
        return "behind a proxy, set HTTPS_PROXY=http://HOST:PORT"
    address = urlsplit(proxy).netloc.rpartition("@")[2]
    return f"check HTTPS_PROXY, which names the proxy {address}"


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Replace each secret, also in upper or lower case, percent-encoded or in base64."""
    forms = set[str]()
    for secret in filter(None, secrets):
        forms |= {secret, quote(secret, safe=""), b64encode(secret.encode()).decode()}
    for form in sorted(forms, key=len, reverse=True):
        text = re.sub(re.escape(form), HIDDEN, text, flags=re.IGNORECASE)
    return text


def has_secret(text: str, secrets: Iterable[str]) -> bool:
    """Whether a text contains a secret of at least `SHORTEST` characters, in any usual spelling.

    Besides those that `without_secrets` replaces: escapes of JSON, Python, HTML and addresses,
    also several times; full-width letters, invisible characters between; hex, base64 anywhere in
    a text, and backwards.
    """
    long = [secret for secret in secrets if len(secret) >= SHORTEST]
    forms = {form.casefold() for secret in long for form in _forms(secret)}
    return bool(forms) and any(form in spelled for spelled in _decoded(text) for form in forms)


def _forms(secret: str) -> Iterator[str]:
    data = secret.encode()
    yield from (secret, secret[::-1], data.hex(), quote(secret, safe=""))
    for before in range(3):  # base64 spells three bytes at a time; its ends depend on neighbours
        coded = b64encode(bytes(before) + data).decode().rstrip("=")
        inner = coded[-(-before * 4 // 3) : len(coded) - (before + len(data)) % 3]
        yield from (inner, inner.translate(_URL_SAFE))


def _decoded(text: str) -> Iterator[str]:
    """A text in lower case, then without one layer of escapes, without two, ..."""
    for _ in range(_MOST_LAYERS):
        text = "".join(c for c in normalize("NFKC", text) if category(c) != "Cf")
        yield text.casefold()
        decoded = unquote(unescape(_ESCAPE.sub(_unescaped, text)))
        if decoded == text:
            return
        text = decoded


def _unescaped(found: re.Match[str]) -> str:
    """The character of an escape of JSON or Python."""
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else found[3]
