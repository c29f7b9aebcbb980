"""Listwise ranking by a conversation: its prompt, its windows, and what a reply says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.config import read_toml
from ..core.errors import ConfigError
from ..io.files import digest
from ..models.thoughts import without_thoughts

RANKGPT = "rankgpt"
FOLDER = Path(__file__).parent / "prompts"
PARTS = ("before", "each", "after")
_FIELD = re.compile(r"\{(query|count|number|passage)\}")


@dataclass(frozen=True, slots=True)
class ListPrompt:
    """A conversation's messages: before the passages, for each passage, and after them."""

    before: tuple[Mapping[str, str], ...]
    each: tuple[Mapping[str, str], ...]
    after: tuple[Mapping[str, str], ...]

    def messages(self, query: str, passages: Sequence[str]) -> list[dict[str, str]]:
        """The conversation about these passages."""
        values = {"query": query, "count": str(len(passages))}
        filled = [_filled(message, values) for message in self.before]
        for number, passage in enumerate(passages, 1):
            each = values | {"number": str(number), "passage": passage}
            filled += [_filled(message, each) for message in self.each]
        return filled + [_filled(message, values) for message in self.after]

    @property
    def fingerprint(self) -> str:
        """A hash of the messages."""
        return digest([[dict(message) for message in getattr(self, part)] for part in PARTS])


def read_prompt(prompt: str, *, where: str) -> ListPrompt:
    """RankGPT's prompt, or a TOML file with the tables `before`, `each` and `after`.

    Raises:
        ConfigError: for a file that cannot be read, or has no messages, or none with {passage}.
    """
    path = FOLDER / f"{RANKGPT}.toml" if prompt == RANKGPT else Path(prompt).expanduser()
    table = read_toml(path)
    given = [table.get(part) or [] for part in PARTS]
    parts = [tuple(part) if isinstance(part, list) else (part,) for part in given]
    if not all(map(_is_message, (message for part in parts for message in part))):
        raise ConfigError(f"{where}: each message of {path} needs a role and a content")
    if not any("{passage}" in message["content"] for message in parts[1]):
        raise ConfigError(f"{where}: no message [[each]] of {path} has a {{passage}}")
    return ListPrompt(*parts)


def _is_message(value: Any) -> bool:
    fields = [value.get(name) for name in ("role", "content")] if isinstance(value, dict) else []
    return bool(fields) and all(isinstance(field, str) for field in fields)


def _filled(message: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """The message with its fields, in one pass: the texts may have braces of their own."""
    content = _FIELD.sub(lambda field: values.get(field[1], field[0]), message["content"])
    return {"role": message["role"], "content": content}


def windows(count: int, *, window: int, step: int) -> Iterator[tuple[int, int]]:
    """The positions of each window, from the end of the list to its start.

    RankGPT leaves out the first window if the steps do not end at the start; here it is ranked.
    """
    end = count
    while end > 0:
        start = max(0, end - window)
        yield start, end
        if start == 0:
            return
        end -= step


def read_permutation(reply: str, count: int) -> tuple[list[int], bool]:
    """The order of `count` passages, best first from 0, and whether the reply had to be repaired.

    RankGPT's rule: all that is no digit is ignored, as are numbers of no passage and repeated ones;
    passages that are left out follow in their order. A model's thoughts are no part of its reply.
    """
    numbers = [int(digits[:9]) - 1 for digits in re.findall(r"\d+", without_thoughts(reply))]
    valid = [number for number in dict.fromkeys(numbers) if 0 <= number < count]
    rest = [number for number in range(count) if number not in valid]
    return valid + rest, bool(rest) or len(numbers) != len(valid)
