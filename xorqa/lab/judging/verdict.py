"""The conversation about an answer, and the verdict of a reply.

Question, gold answers and answer are one JSON object, so that no answer can pretend to be a gold
answer or an instruction of ours by its punctuation.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from ...core.types import Question
from ...reading.generation.endpoint import Prompt
from ...reading.generation.reply import objects_with

BUNDLED_PROMPT = Path(__file__).parent / "prompt.en.txt"
KEY = "right"


def conversation(prompt: str, question: Question, golds: Sequence[str], answer: str) -> Prompt:
    """The conversation that asks whether an answer is right; `prompt` is the system's message."""
    graded = {"question": question.text, "gold_answers": list(golds), "answer": answer}
    messages = [
        {"role": "system", "content": prompt},
        {"role": "user", "content": json.dumps(graded, ensure_ascii=False)},
    ]
    return Prompt(messages, question.text, question.lang)


def read_verdict(text: str) -> bool | None:
    """The value of `{"right": true}` in a reply; None without one, or if there are both values.

    Text around the object, such as a code fence, is ignored.
    """
    values = [row[KEY] for row in objects_with(text, KEY)]
    verdicts = {value for value in values if isinstance(value, bool)}
    return verdicts.pop() if len(verdicts) == 1 else None
