"""Tools of lesson 15: recorded replies of a small language model, its verdicts, a live question."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from xorqa.core.types import Candidate, Query
from xorqa.io.strict_json import parse_json
from xorqa.lab.judging.agreement import Agreement, agreement
from xorqa.lab.judging.verdict import read_verdict
from xorqa.metrics.answer_measures import LANGUAGE, score_language
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_full import score_xor_full_strict
from xorqa.reading.generation.prompts import BUNDLED, fill, read_prompt
from xorqa.reading.generation.reply import (
    Reply,
    candidate_from_reply,
    find_quotation,
    objects_with,
    read_reply,
)

from .answers_that_are_written_exercises import check_1, check_2, check_3, check_4
from .answers_that_are_written_questions import (
    JUDGED,
    LANGS,
    ORDERS,
    PAIRS,
    PASSAGES,
    Asked,
    asked,
    reader,
)
from .intervals import exact_interval
from .show import Page, table

__all__ = [
    "JUDGED",
    "LANGS",
    "ORDERS",
    "PAIRS",
    "PASSAGES",
    "agreement_with_gold",
    "answers",
    "asked",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "choices",
    "live",
    "manifest",
    "reply_table",
    "share",
    "verdicts",
]

ENDPOINT, MODEL = "XORQA_LESSON_ENDPOINT", "XORQA_LESSON_MODEL"
RIGHT = 0.5  # F1
CLOSED = re.compile(r'"answer":\s*("(?:[^"\\]|\\.)*")')  # up to its closing quotation mark
LIMIT, END = 200, 20  # characters of a quotation by the schema, and of its end


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, the passage that the model read ("right" or "wrong"), and what it replied."""

    asked: Asked
    passage: str
    reply: Reply
    candidate: Candidate | None

    @property
    def is_usable(self) -> bool:
        """Whether the reply is a complete JSON object with an answer, or with null."""
        return not self.reply.problem

    @property
    def written(self) -> str:
        """The answer, also that of a reply which ends after it, in the quotation."""
        finished = CLOSED.search(self.reply.text)
        return self.reply.answer or (json.loads(finished[1]) if finished else "")

    @property
    def abstains(self) -> bool:
        """Whether the model replied that the passage has no answer."""
        return self.is_usable and not self.reply.answer

    @property
    def quotations(self) -> list[bool]:
        """For each quotation whether it is in its passage, as `eval attribution` decides."""
        generated = self.candidate.generated if self.candidate else None
        return [one.span is not None for one in generated.citations] if generated else []

    @property
    def is_cut_quotation(self) -> bool:
        """Whether the quotation is false only by its end: the schema stops it at 200 characters."""
        _, quote = self.reply.citations[0] if self.reply.citations else (0, "")
        text = self.asked.hits(self.passage)[0].passage.text
        is_cut = len(quote) >= LIMIT - END and not any(self.quotations)
        return is_cut and find_quotation(quote[:-END], text) is not None

    @property
    def is_echo(self) -> bool:
        """Whether the answer is a piece of the question or of the prompt, but for its end."""
        question = self.asked.question
        prompt = fill(read_prompt(BUNDLED, "answer", question.lang), question.lang)
        given = f"{prompt}\n{question.text}".casefold()
        kept = self.reply.answer.casefold().strip(" :.?")
        return find_quotation(kept, given) is not None

    @property
    def is_right(self) -> bool:
        """Whether the answer has an F1 of at least 0.5 with a gold answer (XOR-Full, strict)."""
        question = self.asked.question
        reference = Reference(question.qid, question.lang, self.asked.golds)
        [score] = score_xor_full_strict([reference], {question.qid: self.reply.answer})
        return score.values["f1"] >= RIGHT

    @property
    def names_gold(self) -> bool:
        """Whether a gold answer occurs in the answer, however long this is."""
        return any(find_quotation(gold, self.written) for gold in self.asked.golds)

    @property
    def in_its_language(self) -> bool | None:
        """Whether the answer is in the question's language; None if it is too short to judge."""
        question = self.asked.question
        scores = score_language({question.qid: question.lang}, {question.qid: self.reply.answer})
        return bool(scores[0].values[LANGUAGE]) if scores else None


@cache
def _data() -> Mapping[str, Any]:
    path = files("lessons") / "data" / "written.json"
    data: Mapping[str, Any] = parse_json(path.read_text(encoding="utf-8"))
    return data


def manifest() -> Mapping[str, Any]:
    """The model, its licence, the versions and the command of the recording."""
    manifest: Mapping[str, Any] = _data()["manifest"]
    return manifest


@cache
def answers(lang: str, passage: str) -> tuple[Answered, ...]:
    """The replies to the questions of a language over the right or over the wrong passages."""
    rows = []
    for row in asked()[lang]:
        reply = read_reply(_data()["replies"][f"{passage}/{lang}/{row.question.qid}"])
        candidate = candidate_from_reply(reply, row.hits(passage), expected=lang)
        rows.append(Answered(row, passage, reply, candidate))
    return tuple(rows)


def verdicts(lang: str, answer: str) -> list[bool]:
    """Whether the judge calls "gold" answers right, those to "other" questions, or its "own"."""
    replies = (
        _data()["replies"].get(f"verdict {answer}/{lang}/{row.question.qid}")
        for row in asked()[lang]
    )
    read = (read_verdict(text) for text in replies if text is not None)
    return [verdict for verdict in read if verdict is not None]


def agreement_with_gold(langs: Sequence[str] = LANGS) -> Agreement:
    """The judge beside the truth: gold answers are right, other questions' answers are wrong."""
    given = [(name, one) for name in JUDGED[:2] for lang in langs for one in verdicts(lang, name)]
    return agreement([one for _, one in given], [name == "gold" for name, _ in given])


def choices(against: str) -> list[tuple[str, str]]:
    """What the judge chose, "gold" or "other", with the gold answer first and with it second."""
    pairs = []
    for row in asked()["en"]:
        keys = [f"pair {against}, {order}/en/{row.question.qid}" for order in ORDERS]
        replies = [_data()["replies"].get(key) for key in keys]
        if None not in replies:
            first, second = (_better(text) for text in replies)
            pairs.append(
                ("gold" if first == "first" else "other", "gold" if second == "second" else "other")
            )
    return pairs


def _better(text: str) -> str:
    return str(next(objects_with(text, "better"))["better"])


def share(flags: Sequence[bool]) -> str:
    """A percentage with its exact 95 % interval, and its n."""
    low, high = exact_interval(sum(flags), len(flags))
    return f"{100 * sum(flags) / len(flags):.0f} [{low:.0f}, {high:.0f}], {len(flags)}"


def reply_table(lang: str, passage: str, first: int = 5) -> Page:
    """The first replies of a language."""
    rows = []
    for one in answers(lang, passage)[:first]:
        quotations = one.reply.citations[:1]
        rows.append(
            (
                one.asked.question.text,
                one.asked.golds[0],
                one.reply.answer or ("unfinished" if one.reply.problem else "null"),
                quotations[0][1] if quotations else "–",
                "supported" if any(one.quotations) else "false" if quotations else "–",
            )
        )
    header = ("question", "gold answer", "answer", "quotation", "verdict")
    return table(f"{manifest()['model']}, {passage} passage", header, rows, labels=5)


def live(lang: str = "en", at: int = 0) -> str:
    """Ask a model of your own one of the questions; without an endpoint, what to set."""
    endpoint = os.environ.get(ENDPOINT, "")
    if not endpoint:
        return f"Set {ENDPOINT} to the URL of a chat service, such as http://localhost:8000/v1."
    row = asked()[lang][at]
    model = reader(endpoint=endpoint, model=os.environ.get(MODEL, manifest()["model"]))
    [read] = model.read([Query(row.question, row.question.text, lang)], [row.hits("right")])
    generated = read[0].generated if read else None
    if generated is None:
        return f"{row.question.text} → no usable answer"
    supported = f"{generated.supported} of {len(generated.citations)} quotations supported"
    return f"{row.question.text} → {generated.text} ({supported}; gold answer {row.golds[0]})"
