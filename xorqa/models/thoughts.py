"""The thoughts of reasoning models, which are no part of their reply."""

import re

_TAGS = r"think|thinking|thought|reasoning"
_END = re.compile(rf"</({_TAGS})>|\[/THINK\]", re.IGNORECASE)
_START = re.compile(rf"<({_TAGS})>|\[THINK\]", re.IGNORECASE)
START_TOKENS = ("<think>", "[THINK]")
TAG_TOKENS = (*START_TOKENS, "</think>", "[/THINK]")
"""The tokens of a vocabulary around thoughts; some tokenizers drop them as special ones."""


def without_thoughts(text: str) -> str:
    """The reply after its thoughts; "" if it ends within them."""
    *_, end = [0, *(match.end() for match in _END.finditer(text))]
    start = _START.search(text, end)
    return text[end : start.start() if start else len(text)]


def ends_in_thoughts(text: str) -> bool:
    """Whether a text has thoughts that do not end, so that a reply is still to come."""
    *_, end = [0, *(match.end() for match in _END.finditer(text))]
    return _START.search(text, end) is not None
