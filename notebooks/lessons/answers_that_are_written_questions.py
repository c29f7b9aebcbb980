"""What lesson 15 asks a language model: questions over a passage, and verdicts on answers.

A request has a key, by which its recorded reply is looked up: "right/fi/mini-fi-03" is that
question, asked in Finnish over the passage that answers it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.mini import load
from xorqa.experiments.settings import load_settings
from xorqa.lab.judging.verdict import BUNDLED_PROMPT, conversation
from xorqa.reading.generation.endpoint import Prompt
from xorqa.reading.generation.prompts import prompt_text
from xorqa.reading.generation.reader import GenerativeReader
from xorqa.reading.generation.reply import read_reply

from .bundled import gold_docid

LANGS = ("en", "fi", "ja")
PASSAGES = ("right", "wrong")
JUDGED = ("gold", "other", "own")
PAIRS = ("other", "long", "own")  # what is set against the gold answer
ORDERS = ("gold first", "gold second")
PREFERENCE = """You compare two answers to a question. The user's message is a JSON object with a \
question, a passage that answers it, and two answers, "first" and "second".

Choose the answer that the passage supports. Their order and their length do not matter.

Reply with one JSON object and nothing else, {"better": "first"} or {"better": "second"}."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in one language, its gold answers in it, the passage that answers it, another."""

    question: Question
    golds: tuple[str, ...]
    right: Passage
    wrong: Passage
    other: str  # the gold answer to the next question: wrong here

    def hits(self, passage: str) -> list[Hit]:
        """The one passage of a request, "right" or "wrong"."""
        return [Hit(self.right if passage == "right" else self.wrong, 1.0)]


@dataclass(frozen=True, slots=True)
class Request:
    """A conversation to continue, and the JSON schema that its reply is held to."""

    key: str
    prompt: Prompt
    options: Mapping[str, Any]


@cache
def asked() -> dict[str, tuple[Asked, ...]]:
    """24 questions per language.

    The English ones are the translations of those of the other two that English passages answer.
    """
    mini = load().only(LANGS[1:])
    passages = {one.docid: one for corpus in mini.corpora.values() for one in corpus}
    by_lang: dict[str, tuple[Asked, ...]] = {}
    for lang in LANGS:
        examples = [
            one
            for one in mini.examples
            if (one.answered_in == "en" if lang == "en" else one.question.lang == lang)
        ]
        rows = []
        for one, following in zip(examples, [*examples[1:], examples[0]], strict=True):
            text = one.human_translation if lang == "en" else one.question.text
            rows.append(
                Asked(
                    Question(one.question.qid, text or "", lang),
                    tuple(one.answers(lang)),
                    passages[gold_docid(one)],
                    passages[gold_docid(following)],
                    following.answers(lang)[0],
                )
            )
        by_lang[lang] = tuple(rows)
    return by_lang


def reader(**changed: str) -> GenerativeReader:
    """That of the example `generate-small`, with one passage, and answers as questions are.

    `changed` are other settings, such as `endpoint` and `model`.
    """
    settings = {name: _settings()[name] for name in ("endpoint", "model")}
    return GenerativeReader(**settings | changed, passages=1, options=answer_options())


def answer_options() -> Mapping[str, Any]:
    """Those of `generate-small`: temperature 0 and the schema of a reply with one citation."""
    options: Mapping[str, Any] = _settings()["options"]
    return options


@cache
def _settings() -> Mapping[str, Any]:
    return dict(load_settings("generate-small").reader)


def answer_requests() -> Iterator[Request]:
    """Each question over its right and over a wrong passage."""
    asking = reader()
    for lang, rows in asked().items():
        for passage in PASSAGES:
            for row in rows:
                query = Query(row.question, row.question.text, lang)
                prompt = asking.conversation(query, row.hits(passage))
                yield Request(f"{passage}/{lang}/{row.question.qid}", prompt, answer_options())


def judge_requests(own: Mapping[str, str]) -> Iterator[Request]:
    """Verdicts on the gold answer, another question's and the model's own; `own` has these."""
    prompt, options = prompt_text(BUNDLED_PROMPT, where="[judge]"), _choice("right", [True, False])
    for lang, rows in asked().items():
        for row in rows:
            answers = {"gold": row.golds[0], "other": row.other, "own": own.get(_own(row), "")}
            for name, answer in answers.items():
                if answer:
                    made = conversation(prompt, row.question, row.golds, answer)
                    yield Request(f"verdict {name}/{lang}/{row.question.qid}", made, options)


def pair_requests(own: Mapping[str, str]) -> Iterator[Request]:
    """Preferences between the gold answer and three others, in both orders, in English."""
    options = _choice("better", ["first", "second"])
    for row in asked()["en"]:
        long = f"The answer to this question, as far as the passage says, is {row.golds[0]}."
        others = {"other": row.other, "long": long, "own": own.get(_own(row), "")}
        for name, other in others.items():
            for order in ORDERS if other else ():
                pair = [row.golds[0], other]
                first, second = pair if order == "gold first" else reversed(pair)
                shown = {"question": row.question.text, "passage": row.right.text}
                content = json.dumps({**shown, "first": first, "second": second})
                messages = [
                    {"role": "system", "content": PREFERENCE},
                    {"role": "user", "content": content},
                ]
                made = Prompt(messages, row.question.text, "en")
                yield Request(f"pair {name}, {order}/en/{row.question.qid}", made, options)


def own_answer(reply: str) -> str:
    """The answer of a recorded reply; empty without one."""
    return read_reply(reply).answer


def _own(row: Asked) -> str:
    """The key of the model's answer over the right passage."""
    return f"right/{row.question.lang}/{row.question.qid}"


def _choice(key: str, values: list[Any]) -> Mapping[str, Any]:
    """Options that hold a reply to one key with one of two values."""
    schema = {"type": "object", "required": [key], "properties": {key: {"enum": values}}}
    form = {"type": "json_schema", "json_schema": {"name": key, "schema": schema}}
    return {"temperature": 0, "max_tokens": 20, "response_format": form}
