"""Advice for an address that cannot be reached, and responses without keys and passwords."""

import re
from base64 import b64encode
from collections.abc import Iterable
from urllib.parse import quote, urlsplit
from urllib.request import getproxies

TIMEOUT = 15.0  # seconds without a response

SHORTEST = 8  # characters; local services accept any word as a key: "none", "EMPTY"
HIDDEN = "[key removed]"


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
    """Whether a text contains a secret of at least `SHORTEST` characters, in any form."""
    long = [secret for secret in secrets if len(secret) >= SHORTEST]
    return without_secrets(text, long) != text
