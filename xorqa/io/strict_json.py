"""The parser of all JSON that xorqa reads.

It rejects values that Python's parser accepts but no later step can use: lone surrogates, which
UTF-8 cannot encode, NaN, infinity, and numbers beyond 64 bits.
"""

import json
import math
import re
from typing import Any, NoReturn

from ..core.config import DEEPEST, nests_too_deeply

LARGEST = 2**64
_DEEP = "it nests too deeply"
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))
_OUTSIZE = re.compile(r"\d{20}|\d[eE]\+?\d{3}")


def parse_json(text: bytes | str) -> Any:
    """Parse a JSON text; bytes are UTF-8, with a byte order mark or without.

    Raises:
        ValueError: if it is not JSON, nests too deeply, or has a lone surrogate or a number that
            is out of range.
    """
    return _parse(text, _STRICT, _STRICT_NUMBERS)


def parse_json_pairs(text: bytes | str) -> Any:
    """As `parse_json`, with each object as a list of (key, value) pairs, which may repeat a key."""
    return _parse(text, _PAIRS, _PAIRS)


def as_text(value: object) -> str:
    """Check that a JSON value is a string; raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.60} is not a string")
    return value


def as_id(value: object) -> str:
    """Check that a JSON value is an id: a string, or an integer, which becomes a string.

    Raises:
        TypeError: if it is anything else.
    """
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_integer else as_text(value)


def as_texts(value: object) -> tuple[str, ...]:
    """Check that a JSON value is a list of strings; raises TypeError."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.60} is not a list of strings")
    return tuple(map(as_text, value))


def _parse(text: bytes | str, plain: json.JSONDecoder, numbers: json.JSONDecoder) -> Any:
    text = text if isinstance(text, str) else text.decode("utf-8-sig")
    try:
        value = (numbers if _OUTSIZE.search(text) else plain).decode(text)
        if _may_nest_deeply(text) and nests_too_deeply(value):
            raise ValueError(_DEEP)
        if "\\ud" in text or "\\uD" in text:  # an escaped surrogate, of a pair or alone
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError(_DEEP) from None
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"it has a lone surrogate, {half!a}") from None
    return value


def _may_nest_deeply(text: str) -> bool:
    """Whether more than `DEEPEST` brackets may be open at once; those in strings count too."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    brackets = text.encode(errors="surrogatepass").translate(None, _OTHERS)
    for level in range(DEEPEST):
        fewer = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(fewer) == len(brackets):  # without brackets in strings nothing is left
            return level + len(fewer) > DEEPEST
        brackets = fewer
    return bool(brackets)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {text:.30} is out of range")
    return value


def _int(text: str) -> int:
    value = int(text) if len(text) < 30 else LARGEST
    if abs(value) >= LARGEST:
        raise ValueError(f"the number {text:.30} is out of range")
    return value


_STRICT = json.JSONDecoder(parse_constant=_constant)
_STRICT_NUMBERS = json.JSONDecoder(parse_constant=_constant, parse_float=_float, parse_int=_int)
_PAIRS = json.JSONDecoder(
    object_pairs_hook=list, parse_constant=_constant, parse_float=_float, parse_int=_int
)
