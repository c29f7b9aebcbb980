"""Tools of lesson 11: tables of rankings and of replies, and the risk-coverage curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xorqa.metrics.answer_measures import abstention, risk_coverage, risk_coverage_area

from .bundled import gold_docid
from .rerank_generate_cite_exercises import check_1, check_2, check_3, check_4, check_5
from .rerank_generate_cite_replies import cases, generate, origin, reader
from .rerank_generate_cite_world import (
    HALVES,
    answers,
    pool,
    questions,
    rankings,
    recall,
    threshold,
)
from .show import Page, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "HALVES",
    "answers",
    "area",
    "cases",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "generate",
    "origin",
    "pool",
    "questions",
    "rankings",
    "rates_at",
    "reader",
    "recall",
    "threshold",
]

BLUE, GREY, RED = "#08519c", "#525252", "#a63603"


def recall_table(first: Sequence[int]) -> Page:
    """The percentage of questions with a gold passage among the first hits, by half."""
    rows = [
        (half, name, *(f"{recall(name, where, k):.0f}" for k in first))
        for where, half in HALVES.items()
        for name in rankings()
    ]
    header = ("questions", "ranked by", *(f"first {k}" for k in first))
    return table("Gold passage among the first hits, percent", header, rows, labels=2)


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
        verdict = "right" if result.is_right else "wrong" if result.text else "–"
        lang = result.candidate.lang if result.candidate else "–"
        score = f"{result.candidate.score:.2f}" if result.candidate else "–"
        quotations = f"{supported} of {every}" if every else "–"
        rows.append(
            (name, case.example.human_translation, answer, verdict, lang, quotations, score)
        )
    header = ("case", "question, in English", "answer", "verdict", "lang", "supported", "score")
    return table(f"Replies {origin()}", header, rows, labels=6)


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


def area() -> tuple[float, float, float]:
    """The area under the risk-coverage curve, of a constant confidence and of a perfect one."""
    rows = answers()
    errors = [row.error for row in rows]
    return (
        risk_coverage_area([row.confidence for row in rows], errors),
        risk_coverage_area([0.0] * len(rows), errors),
        risk_coverage_area([-error for error in errors], errors),
    )


def rates_at(least: float) -> tuple[float, float]:
    """The hallucination and the error rate at a threshold, in percent."""
    rows = answers()
    answered = [row.confidence >= least for row in rows]
    rates = abstention(answered, [row.answerable for row in rows])
    return 100 * (rates.hallucination_rate or 0.0), 100 * (rates.error_rate or 0.0)


def curve_picture() -> Figure:
    """The risk-coverage curves of all and of the answerable questions, with the threshold."""
    import matplotlib.pyplot as plt

    rows, least = answers(), threshold()
    figure: Figure
    figure, axes = plt.subplots(figsize=(6, 3.6))
    for label, chosen, colour, style in (
        ("all questions", rows, BLUE, "-"),
        ("answerable questions", [row for row in rows if row.answerable], RED, "--"),
    ):
        errors = [row.error for row in chosen]
        points = risk_coverage([row.confidence for row in chosen], errors)
        axes.plot(*zip(*points, strict=True), style, color=colour, label=label)
    kept = [row.error for row in rows if row.confidence >= least]
    axes.plot(len(kept) / len(rows), sum(kept) / len(kept), "o", color=BLUE, label="threshold")
    mean = sum(row.error for row in rows) / len(rows)
    axes.axhline(mean, color=GREY, linestyle=":", label="no confidence")
    axes.set(xlabel="coverage", ylabel="risk", xlim=(0, 1.02), ylim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure
