"""Tools of lesson 11: tables of rankings and of replies, and the risk-coverage curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from xorqa.metrics.answer_measures import risk_coverage, risk_coverage_area
from xorqa.metrics.resampling import holm

from .bundled import gold_docid
from .intervals import difference, exact_interval, middle, sign_test
from .pictures import subplots
from .rerank_generate_cite_exercises import check_1, check_2, check_3, check_4, check_5
from .rerank_generate_cite_replies import cases, generate, origin, reader
from .rerank_generate_cite_world import (
    HALVES,
    answers,
    changes,
    found,
    pool,
    questions,
    rankings,
    threshold,
)
from .show import Page, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "HALVES",
    "answers",
    "areas",
    "cases",
    "changes",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "difference",
    "exact_interval",
    "found",
    "generate",
    "holm",
    "origin",
    "pool",
    "questions",
    "rankings",
    "reader",
    "sign_test",
    "threshold",
]

BLUE, GREY, RED = "#08519c", "#525252", "#a63603"
LEAST = 0.1  # of the coverage: with fewer answers the risk is that of a handful
SAMPLES = 1000


def recall_table(first: Sequence[int]) -> Page:
    """The questions with a gold passage among the first hits, by half; +gained -lost by ranking."""
    rows = []
    for where, half in HALVES.items():
        for name in rankings():
            counts = [sum(found(name, where, k)) for k in first]
            gained = ["(+{} -{})".format(*changes(name, where, k)) for k in first]
            cells = [
                str(n) if name == "dense" else f"{n} {change}"
                for n, change in zip(counts, gained, strict=True)
            ]
            rows.append((half, name, len(found(name, where, 1)), *cells))
    header = ("questions", "ranked by", "n", *(f"first {k}" for k in first))
    title = "Gold passage among the first hits: questions (+gained -lost, against dense)"
    return table(title, header, rows, labels=2)


def ranking_table(qid: str, names: Sequence[str], first: int = 5) -> Page:
    """The languages and titles of a question's first hits; the gold passage has a star."""
    index = next(index for index, example in enumerate(questions()) if example.question.qid == qid)
    gold = gold_docid(questions()[index])
    columns = [
        [
            f"{'* ' if hit.passage.docid == gold else ''}{hit.passage.lang}: {hit.passage.title}"
            for hit in rankings()[name][index][:first]
        ]
        for name in names
    ]
    rows = [(rank, *cells) for rank, cells in enumerate(zip(*columns, strict=True), 1)]
    return table(questions()[index].question.text, ("rank", *names), rows, labels=1 + len(names))


def reply_table() -> Page:
    """What the reader makes of each reply."""
    rows = []
    for name, case in cases().items():
        result = generate(name)
        supported, every = result.quotations
        answer = result.text or ("failed" if result.failure else "none")
        lang = result.candidate.lang if result.candidate else "–"
        score = f"{result.candidate.score:.2f}" if result.candidate else "–"
        quotations = f"{supported} of {every}" if every else "–"
        rows.append((name, case.example.human_translation, answer, lang, quotations, score))
    header = ("case", "question, in English", "answer", "lang", "supported", "score")
    return table(f"Replies {origin()}", header, rows, labels=5)


def verdict_table() -> Page:
    """The answers, the gold answers, and whether they agree."""
    rows = []
    for name, case in cases().items():
        result = generate(name)
        if result.text:
            golds = " / ".join(case.example.answers(case.example.question.lang))
            rows.append((name, result.text, golds, "right" if result.is_right else "wrong"))
    return table(f"Answers {origin()}", ("case", "answer", "gold", "verdict"), rows, labels=4)


def quotation_table(name: str) -> Page:
    """The passages and the quotations of a reply."""
    case, result = cases()[name], generate(name)
    generated = result.candidate.generated if result.candidate else None
    passages = [
        (f"passage {rank}", hit.passage.title, hit.passage.text)
        for rank, hit in enumerate(case.hits, 1)
    ]
    quotations = [
        (f"quotes {citation.number}", "supported" if citation.span else "false", citation.quote)
        for citation in (generated.citations if generated else ())
    ]
    rows = [*passages, *quotations]
    return table(f"{name}: {origin()}", ("", "title or verdict", "text"), rows, labels=3)


def areas() -> tuple[float, float, float]:
    """The area under the risk-coverage curve, of a constant confidence and of a perfect one."""
    rows = answers()
    return _areas([row.confidence for row in rows], [row.loss for row in rows])


def _areas(confidences: Sequence[float], losses: Sequence[float]) -> tuple[float, float, float]:
    perfect = [-loss for loss in losses]
    return (
        risk_coverage_area(confidences, losses),
        sum(losses) / len(losses),
        risk_coverage_area(perfect, losses),
    )


def way_interval() -> tuple[float, float]:
    """The 95 % interval of how far the area gets from no confidence to a perfect one."""
    rows, stream, ways = answers(), np.random.default_rng(11), []
    for _ in range(SAMPLES):
        drawn = [rows[at] for at in stream.integers(len(rows), size=len(rows))]
        curve, constant, perfect = _areas(
            [row.confidence for row in drawn], [row.loss for row in drawn]
        )
        ways.append((constant - curve) / (constant - perfect))
    return middle(ways)


def curve_picture() -> Figure:
    """The risk-coverage curves of all and of the answerable questions, with the threshold."""
    rows, least = answers(), threshold()
    figure, axes = subplots(figsize=(7, 3.4))
    for label, chosen, colour, style in (
        ("all questions", rows, BLUE, "-"),
        ("answerable questions", [row for row in rows if row.answerable], RED, "--"),
    ):
        losses = [row.loss for row in chosen]
        points = risk_coverage([row.confidence for row in chosen], losses)
        shown = [point for point in points if point[0] >= LEAST]
        axes.plot(*zip(*shown, strict=True), style, color=colour, label=label)
    kept = [row.loss for row in rows if row.confidence >= least]
    label = "all, at the reader's threshold"
    axes.plot(len(kept) / len(rows), sum(kept) / len(kept), "o", color=BLUE, label=label)
    mean = sum(row.loss for row in rows) / len(rows)
    axes.axhline(mean, color=GREY, linestyle=":", label="all, without a confidence")
    axes.set(xlabel="coverage", ylabel="risk", xlim=(0, 1.02), ylim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure
