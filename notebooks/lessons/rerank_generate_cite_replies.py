"""Lesson 11: replies to a generator's questions that were written by hand; no model made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from xorqa.core.types import Candidate, Example, Hit, Passage, Query, ReadingFailure
from xorqa.datasets.mini import load
from xorqa.io.files import write_jsonl
from xorqa.io.strict_json import parse_json
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_full import score_xor_full
from xorqa.reading.generation.endpoint import request_key
from xorqa.reading.generation.reader import GenerativeReader
from xorqa.reading.generation.reply import read_reply

from . import bundled
from .bundled_reader import examples

MODEL = "written by hand"
OPTIONS: Mapping[str, Any] = {"temperature": 0}
RIGHT = 0.5  # F1


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the passages that it is asked with, and the replies that were written for it."""

    name: str
    example: Example
    hits: tuple[Hit, ...]
    reply: str
    again: str | None = None

    @property
    def query(self) -> Query:
        """The question as it was asked."""
        question = self.example.question
        return Query(question, question.text, question.lang)


@dataclass(frozen=True, slots=True)
class Generated:
    """What the reader makes of a reply: an answer, none, or a failure with its reason."""

    case: Case
    candidate: Candidate | None
    failure: str = ""

    @property
    def text(self) -> str:
        """The answer; empty without one."""
        return self.candidate.text if self.candidate else ""

    @property
    def quotations(self) -> tuple[int, int]:
        """The number of supported quotations, and of all."""
        generated = self.candidate.generated if self.candidate else None
        return (generated.supported, len(generated.citations)) if generated else (0, 0)

    @property
    def is_right(self) -> bool:
        """Whether the answer has an F1 of at least 0.5 (XOR-Full, official scorer)."""
        question = self.case.example.question
        golds = self.case.example.answers(question.lang)
        reference = Reference(question.qid, question.lang, golds)
        [score] = score_xor_full([reference], {question.qid: self.text})
        return score.values["f1"] >= RIGHT


@cache
def _data() -> dict[str, Any]:
    path = files("lessons") / "data" / "handwritten_replies.json"
    data: dict[str, Any] = parse_json(path.read_text(encoding="utf-8"))
    return data


def origin() -> str:
    """Who made the replies."""
    return str(_data()["origin"])


@cache
def cases() -> dict[str, Case]:
    """The cases by name."""
    return {row["name"]: _case(row) for row in _data()["cases"]}


def _case(row: Mapping[str, Any]) -> Case:
    english = load().corpora["en"]
    passages = [english[docid] for docid in row["passages"]]
    if "injection" in row:
        passages.append(Passage(**row["injection"]))
    hits = tuple(Hit(passage, float(-rank)) for rank, passage in enumerate(passages, 1))
    return Case(row["name"], examples()[row["qid"]], hits, row["reply"], row.get("again"))


def reader(*, ask_again: bool = False) -> GenerativeReader:
    """The reader `generate`, which replays the replies."""
    return GenerativeReader(
        model=MODEL, recorded=str(_recording()), options=OPTIONS, ask_again=ask_again
    )


@cache
def _recording() -> Path:
    """The replies in a file for `recorded`, as an endpoint's replies would be in it."""
    path = bundled.folder("replies.jsonl")
    plain = GenerativeReader(model=MODEL, recorded=str(path), options=OPTIONS)
    rows = []
    for case in cases().values():
        prompts = [(plain.conversation(case.query, case.hits), case.reply)]
        if case.again:
            after = plain.conversation(case.query, case.hits, after=read_reply(case.reply))
            prompts.append((after, case.again))
        for prompt, reply in prompts:
            key = request_key(MODEL, OPTIONS, prompt.messages)
            row = {"model": MODEL, "origin": origin(), "hash": key, "lang": prompt.lang}
            rows.append(row | {"question": prompt.question, "reply": reply})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_jsonl(path, rows)
    return path


def generate(name: str, *, ask_again: bool = False) -> Generated:
    """Ask about a case; its reply is replayed and checked as any model's."""
    case, failures = cases()[name], list[ReadingFailure]()
    stage = reader(ask_again=ask_again)
    stage.failed = failures.append
    [candidates] = stage.read([case.query], [case.hits])
    reason = failures[0].reason if failures else ""
    return Generated(case, candidates[0] if candidates else None, reason)
