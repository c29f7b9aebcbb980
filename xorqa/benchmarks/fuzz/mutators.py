"""Seeded damage to files: bytes of any file, and values, lines and cells of the field's layouts."""

import json
import re
from collections.abc import Callable, MutableMapping, MutableSequence
from random import Random
from typing import Any, Literal

Layout = Literal["binary", "cells", "json", "jsonl", "lines", "no text", "safetensors", "toml"]
"""What a file is made of; "cells" are separated by tabs or blanks, "lines" have no structure, and
"no text" stays what it is: bytes that no encoding of text has."""

MARKER = "qzxvw"
"""A string that no reader may take apart into letters, nor read out of an object's keys."""

NESTED = 20_000  # levels: Python's recursion limit is 1,000
_DAMAGE = b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b" ", b'"', b"{"
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**31, -(2**63), 2**80, 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), "", " ", "\t", "\n", "\0", "\ud800", MARKER, "²", "x" * 5000),
    *([], {}, [None], [[]], [MARKER], {MARKER: 1}, {"": {}}, [1, 2], [[1, 2]]),
)
_CELLS = (
    *("", " ", "-1", "0", "²", "٣", "1e999", "nan", "-inf", "99999999999999999999", "1_0", MARKER),
    *("\ufeff", "\u200b", "\0", "x" * 5000, "en", "é", "\u2028", '"', "{", "#"),
)
_LITERALS = (
    *("-1", "0", "nan", "inf", "1e308", "9223372036854775808", "true", '""', f'"{MARKER}"', "[]"),
    *("[[]]", "{}", "2020-01-01", f"{'[' * NESTED}", '"\\u0000"', "[1, 'a']", "'''", ""),
)
_NUMBER = re.compile(rb"(?<=[=:\s\[])-?\d+(\.\d+)?")


def mutate(content: bytes, layout: Layout, random: Random) -> bytes:
    """A damaged copy of a file: half of all by its layout, half by bytes."""
    if layout == "no text":
        return content + random.randbytes(20)
    for _ in range(10):  # some damage leaves a file as it was
        damage = _BY_LAYOUT.get(layout, _bytes) if random.random() < 0.6 else _bytes
        damaged = damage(content, random)
        if damaged != content:
            return damaged
    return content + b"\x00"


def _bytes(content: bytes, random: Random) -> bytes:
    at, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
    bit = bytes([content[at] ^ 1 << random.randrange(8)]) if at < len(content) else b"\x01"
    numbers = [match.span() for match in _NUMBER.finditer(content)] or [(at, end)]
    start, stop = random.choice(numbers)
    other = random.choice([b"-1", b"0", b"1e999", b"NaN", b"9" * 30, b"0.5"])
    return random.choice(
        [
            content[:at] + bit + content[at + 1 :],
            content[:at],
            content[:at] + content[end:],
            content[:end] + content[at:end] + content[end:],
            content[:at] + random.choice(_DAMAGE) + content[at:],
            random.choice(_DAMAGE) + content,
            content[:start] + other + content[stop:],
        ]
    )


def _json(content: bytes, random: Random) -> bytes:
    text = json.dumps(_with_other_value(json.loads(content), random), ensure_ascii=True)
    if random.random() < 0.05:
        text = random.choice(["[", '{"a":']) * NESTED + text
    return text.encode()


def _jsonl(content: bytes, random: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    at = random.randrange(len(lines))
    match random.randrange(8):
        case 0:
            lines.insert(at, lines[at])
        case 1:
            del lines[at]
        case _:
            lines[at] = _json(lines[at], random) + b"\n"
    return b"".join(lines)


def _cells(content: bytes, random: Random) -> bytes:
    lines = content.decode().split("\n")
    at = random.randrange(len(lines))
    separator = "\t" if "\t" in lines[at] else " "
    cells = lines[at].split(separator)
    column = random.randrange(len(cells))
    match random.randrange(6):
        case 0:
            del cells[column]
        case 1:
            cells.insert(column, cells[column])
        case 2:
            lines.insert(at, lines[at])
        case _:
            cells[column] = random.choice(_CELLS)
    lines[at] = separator.join(cells)
    return "\n".join(lines).encode()


def _toml(content: bytes, random: Random) -> bytes:
    lines = content.decode().split("\n")
    settings = [at for at, line in enumerate(lines) if "=" in line]
    at = random.choice(settings or range(len(lines)))
    key, _, _ = lines[at].partition("=")
    match random.randrange(8):
        case 0:
            lines.insert(at, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines.insert(at, f"{MARKER} = 1")
        case 3:
            lines[at] = f"{key}.x = 1"
        case _:
            lines[at] = f"{key}= {random.choice(_LITERALS)}"
    return "\n".join(lines).encode()


def _safetensors(content: bytes, random: Random) -> bytes:
    """Damage to the header, which stays as long as its own first bytes say."""
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    metadata = header.get("__metadata__", {})
    if metadata and random.random() < 0.5:
        key = random.choice(sorted(metadata))
        inner = metadata[key]
        metadata[key] = random.choice(["", MARKER, "[" * NESTED, "{}", "[]", "null", "\ud800"])
        if inner.startswith("{") and random.random() < 0.6:
            metadata[key] = _json(inner.encode(), random).decode()
    else:
        header = _with_other_value(header, random)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content[end:]


def _with_other_value(value: Any, random: Random) -> Any:
    """A JSON value with one of its values, at any depth, replaced, removed or added."""
    places = list(_places(value))
    if not places:
        return random.choice(_VALUES)
    holder, key = random.choice(places)
    action = random.random()
    if action < 0.1:
        del holder[key]
    elif action < 0.2 and isinstance(holder, MutableMapping):
        holder[random.choice([MARKER, "", "\ud800"])] = holder.pop(key)
    elif action < 0.25 and isinstance(holder, MutableSequence):
        holder.append(holder[key])
    else:
        holder[key] = random.choice(_VALUES)
    return value


def _places(value: Any) -> Any:
    """Every (object or list, key or position) in a JSON value."""
    if isinstance(value, dict):
        items = list(value.items())
    else:
        items = list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in items:
        yield value, key
        yield from _places(inner)


_BY_LAYOUT: dict[str, Callable[[bytes, Random], bytes]] = {
    "cells": _cells,
    "json": _json,
    "jsonl": _jsonl,
    "safetensors": _safetensors,
    "toml": _toml,
}
