"""Make characters visible that move a terminal's cursor or reorder a line."""

import re

_INVISIBLE = re.compile(
    r"\r(?!\n)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Escape control characters, bidi overrides and lone surrogates, as `\u001b`.

    Tabs and line ends stay. The escapes are JSON's, so JSON stays JSON.
    """
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
