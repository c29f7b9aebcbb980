"""Damage files, reproducibly: bytes of any file, lines of text, and values of JSON."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

MARKER = "qzxvw"
"""A string that no reader may split into letters, or read from an object's keys."""

NOT_TEXT = b"\xff\xfe\xff"
"""Bytes that are not text in any encoding that xorqa reads."""

NESTED = 20_000  # levels: Python's recursion limit is 1,000
_BYTES = b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b" ", b'"', b"{"
_MARK = re.compile(rb"<[^<>]*>|&lt;[^&]*&gt;|[{\[]{2}|[}\]]{2}|\{\||\|\}|\||==+|\n")
_MARKS = [
    *(
        b"{{",
        b"}}",
        b"[[",
        b"]]",
        b"{|",
        b"|}",
        b"\n== x ==\n",
        b"&lt;!--",
        b"--&gt;",
        b"&lt;ref&gt;",
    ),
    *(b"<ruby>", b"<rt>", b"<math>", b"</p>", b"<table>", b"<aside>", b"<![CDATA[", b"<!--", b"<"),
    *(
        b"{{convert|1|x",
        b"{{val|e=9}}",
        b"{{age|0|0|0|1|1|1}}",
        b"{{birth date|99999|13|0}}",
        b"\xff",
    ),
]
_NUMBERS = b"-1", b"0", b"1e999", b"NaN", b"9" * 30, b"0.5"
_NUMBER = re.compile(rb"(?<=[=:\s\[])-?\d+(\.\d+)?")
_CELLS = [
    *("", " ", "-1", "0", "²", "٣", "1e999", "nan", "-inf", "9" * 20, "1_0", MARKER, "x" * 5000),
    *("\ufeff", "\u200b", "\0", "en", "é", "\u2028", '"', "{", "#"),
]
_SETTINGS = [
    *("-1", "0", "nan", "inf", "1e308", str(2**63), "true", '""', f'"{MARKER}"', "[]", "[[]]"),
    *("{}", "{ x = 1 }", "2020-01-01", "[" * NESTED, '"\\u0000"', "[1, 'a']", "'''", ""),
]
_TEXTS = ["", " ", "\t", "\n", "\0", "\ud800", MARKER, "²", "x" * 5000, "[" * NESTED]
_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 2**31, -(2**63), 2**80, 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), *_TEXTS),
    *([], {}, [None], [[]], [MARKER], {MARKER: 1}, {"": {}}, [1, 2], [[1, 2]]),
]


def mutate(content: bytes, path: Path, random: Random) -> bytes:
    """Return damaged content, in most cases damaged according to the layout of its suffix."""
    if content == NOT_TEXT:
        return content + random.randbytes(20)
    for _ in range(10):  # some mutations change nothing
        structured = random.random() < 0.6
        damage = _BY_SUFFIX.get(path.suffix, _bytes) if structured else _bytes
        damaged = damage(content, random)
        if damaged != content:
            return damaged
    return content + b"\x00"


def _bytes(content: bytes, random: Random) -> bytes:
    a, b = sorted(random.randrange(len(content)) for _ in range(2))
    start, stop = random.choice([m.span() for m in _NUMBER.finditer(content)] or [(a, b)])
    return random.choice(
        [
            content[:a] + bytes([content[a] ^ 1 << random.randrange(8)]) + content[a + 1 :],
            content[:a],
            content[:a] + content[b:],
            content[:b] + content[a:b] + content[b:],
            content[:a] + random.choice(_BYTES) + content[a:],
            random.choice(_BYTES) + content,
            content[:start] + random.choice(_NUMBERS) + content[stop:],
        ]
    )


def _lines(change: Callable[[bytes, Random], bytes]) -> Callable[[bytes, Random], bytes]:
    """A mutation that repeats, deletes or changes a line; in TOML, a line with a setting."""

    def damage(content: bytes, random: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        settings = [number for number, line in enumerate(lines) if b" = " in line]
        number = random.choice(settings or range(len(lines)))
        kind = random.randrange(8)
        changed = (
            [lines[number]] * (2 * kind) if kind < 2 else [change(lines[number], random) + b"\n"]
        )
        return b"".join([*lines[:number], *changed, *lines[number + 1 :]])

    return damage


def _cells(line: bytes, random: Random) -> bytes:
    """A line with a cell, or one side of a setting, removed, repeated or replaced."""
    text = line.decode().rstrip("\n")
    separator = next((mark for mark in (" = ", "\t") if mark in text), " ")
    cells = text.split(separator, 1 if separator == " = " else -1)
    column = random.randrange(len(cells))
    other = random.choice(_SETTINGS if separator == " = " else _CELLS)
    changed = random.choice([[], [cells[column]] * 2, [other], [other]])
    return separator.join([*cells[:column], *changed, *cells[column + 1 :]]).encode()


def _json(content: bytes, random: Random) -> bytes:
    text = json.dumps(_changed(json.loads(content), random))
    prefix = random.choice(["[", '{"a":']) * NESTED if random.random() < 0.05 else ""
    return f"{prefix}{text}".encode()


def _safetensors(content: bytes, random: Random) -> bytes:
    """Damage the header, but keep the length that its first bytes state."""
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.dumps(_changed(json.loads(content[8:end]), random)).encode()
    return len(header).to_bytes(8, "little") + header + content[end:]


def _changed(value: Any, random: Random) -> Any:
    """A JSON value with one of its values, at any depth, replaced, removed, renamed or repeated.

    Some strings remain strings, and some that contain JSON remain JSON.
    """
    places = list(_places(value))
    if not places:
        return random.choice(_VALUES)
    holder, key = random.choice(places)
    action, old = random.random(), holder[key]
    if action < 0.1:
        del holder[key]
    elif action < 0.2 and isinstance(holder, dict):
        holder[random.choice([MARKER, "", "\ud800"])] = holder.pop(key)
    elif action < 0.25 and isinstance(holder, list):
        holder.append(old)
    elif isinstance(old, str) and old.startswith("{") and action < 0.6:
        holder[key] = json.dumps(_changed(json.loads(old), random))
    else:
        stays = isinstance(old, str) and action > 0.9
        holder[key] = random.choice(_TEXTS if stays else _VALUES)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (object or list, key or position) in a JSON value."""
    items = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else items:
        yield value, key
        yield from _places(inner)


def _markup(content: bytes, random: Random) -> bytes:
    """Remove, repeat, move or cut a tag, or a sign of wikitext."""
    marks = [match.span() for match in _MARK.finditer(content)]
    if len(marks) < 2:
        return _bytes(content, random)
    (start, end), (at, _) = random.choice(marks), random.choice(marks)
    mark = content[start:end]
    return random.choice(
        [
            content[:start] + content[end:],
            content[:end] + mark * random.choice((1, 2, 500)) + content[end:],
            content[:at] + mark + content[at:],
            content[:start] + mark[: len(mark) // 2] + content[end:],
            content[:start] + random.choice(_MARKS) + content[end:],
            content[:at] + random.choice(_MARKS) + content[at:],
        ]
    )


def _docx(content: bytes, random: Random) -> bytes:
    """Damage a part of the package, and pack it again."""
    with ZipFile(BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice([*parts, *["word/document.xml"] * len(parts)])
    parts[name] = random.choice((_markup, _markup, _bytes))(parts[name], random)
    if random.random() < 0.05:
        del parts[random.choice([*parts])]
    with ZipFile(stream := BytesIO(), "w") as archive:
        for part, text in parts.items():
            archive.writestr(part, text)
    return stream.getvalue()


def _either(*changes: Callable[[bytes, Random], bytes]) -> Callable[[bytes, Random], bytes]:
    return lambda content, random: random.choice(changes)(content, random)


_BY_SUFFIX: dict[str, Callable[[bytes, Random], bytes]] = {
    **dict.fromkeys([".toml", ".trec", ".tsv", ".txt"], _lines(_cells)),
    **dict.fromkeys([".html", ".md"], _markup),
    ".xml": _either(_markup, _lines(_cells)),
    ".docx": _docx,
    **dict.fromkeys([".safetensors", ".transform"], _safetensors),
    ".json": _json,
    ".jsonl": _lines(_json),
}
