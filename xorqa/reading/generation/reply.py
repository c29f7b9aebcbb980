"""A model's reply: its answer and what it cites, or the reason why it has neither."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ...io.strict_json import parse_json

LONGEST = 1000  # characters of an answer
MOST_CITATIONS = 50
MOST_OBJECTS = 50  # tried, in a reply with text around its object
_AFTER_THOUGHT = "</think>"  # reasoning models write their reply after it
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is the whole reply; `answer` is "" for "not in the passages".

    `problem` is the reason why it has no answer, else empty. `citations` are a passage's number,
    0 without one, and a quotation.
    """

    text: str
    answer: str = ""
    citations: tuple[tuple[int, str], ...] = ()
    problem: str = ""


def read_reply(text: str) -> Reply:
    """Read `{"answer": ..., "citations": [{"passage": 1, "quote": ...}]}`, the first in the text.

    Text around the object, such as a code fence, is ignored. null is "not in the passages".
    """
    value = next(objects_with(text, "answer"), None)
    if value is None:
        return Reply(text, problem=_no_object(text))
    answer, citations = value["answer"], value.get("citations") or []
    if isinstance(answer, bool) or not isinstance(answer, str | int | float | None):
        return Reply(text, problem=f"the reply's answer is not a text: {answer!r:.80}")
    if not isinstance(citations, list) or len(citations) > MOST_CITATIONS:
        return Reply(text, problem=f"the reply has no list of at most {MOST_CITATIONS} citations")
    read = read_answer("" if answer is None else str(answer))
    return Reply(text, read.answer, tuple(map(_citation, citations)), read.problem)


def read_answer(text: str) -> Reply:
    """A reply that is only the answer, without citations."""
    answer = " ".join(text.split())
    if len(answer) > LONGEST:
        return Reply(text, problem=f"the answer has {len(answer)} characters")
    return Reply(text, answer)


def objects_with(text: str, key: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a reply that have a key, in order, without those of its thoughts."""
    reply = text.rpartition(_AFTER_THOUGHT)[2]
    for brace in islice(re.finditer(r"\{", reply), MOST_OBJECTS):
        try:
            _, end = _DECODER.raw_decode(reply, brace.start())
            value = parse_json(reply[brace.start() : end])
        except (ValueError, RecursionError):
            continue
        if key in value:
            yield dict(value)


def _no_object(text: str) -> str:
    if text.count("{") > text.count("}"):
        why = "no complete JSON object with an answer (raise the limit of tokens?)"
    else:
        why = "no JSON object with an answer"
    return f"the reply has {why}: {text!r:.80}"


def _citation(value: Any) -> tuple[int, str]:
    """A citation's number and quotation; 0 and "" for what it lacks."""
    if not isinstance(value, dict):
        return _number(value), ""
    quote = value.get("quote")
    return _number(value.get("passage")), quote if isinstance(quote, str) else ""


def _number(value: Any) -> int:
    """A passage's number, also as "3" or "[3]"."""
    digits = value.strip(" []") if isinstance(value, str) else str(value)
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 10
    return int(digits) if is_number and not isinstance(value, bool) else 0
