"""What a user can do when an address cannot be reached."""

from urllib.parse import urlsplit
from urllib.request import getproxies

TIMEOUT = 15.0  # seconds without an answer


def proxy_hint() -> str:
    """Which variable names the proxy, and its present host and port, without credentials."""
    proxy = getproxies().get("https") or getproxies().get("all")
    if not proxy:
        return "behind a proxy, set HTTPS_PROXY=http://HOST:PORT"
    address = urlsplit(proxy).netloc.rpartition("@")[2]
    return f"check HTTPS_PROXY, which names the proxy {address}"
