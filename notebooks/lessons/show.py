"""Tables and traces for notebooks; each text keeps its own direction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from xorqa.core.types import Candidate, Hit, Query, Trace
from xorqa.tables.grid import Grid
from xorqa.tables.render import render


@dataclass(frozen=True, slots=True)
class Page:
    """A cell's output: HTML, or Markdown as a fallback."""

    html: str
    plain: str

    def __repr__(self) -> str:
        return self.plain

    def _repr_html_(self) -> str:
        return self.html

    def __add__(self, other: Page) -> Page:
        return Page(self.html + other.html, f"{self.plain}\n{other.plain}")


def show(*grids: Grid) -> Page:
    """Tables, one below the other."""
    htmls, plains = ([render(grid, form) for grid in grids] for form in ("html", "markdown"))
    return Page("".join(htmls), "\n".join(plains))


def table(
    title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], *, labels: int = 1
) -> Page:
    """A table of any values; the first `labels` columns are text, the others numbers."""
    cells = tuple(tuple(map(str, row)) for row in rows)
    return show(Grid(title, tuple(header), (cells,), labels=labels))


def follow(trace: Trace, *, first: int = 3) -> Page:
    """A question's trace, stage by stage: queries, hits, candidates, and the answer with evidence.

    Each route shows its `first` hits and candidates.
    """
    grids = []
    for route, result in trace.by_route.items():
        candidates = [c for c in trace.candidates if c.route == route]
        candidates.sort(key=lambda candidate: -candidate.score)
        grids += [
            _query(f"1 translate, route {route}", result.query),
            _hits(f"2 retrieve, route {route}", result.hits[:first], of=len(result.hits)),
            _candidates(f"3 read, route {route}", candidates[:first], of=len(candidates)),
        ]
    if answer := trace.answer:
        header = ("question", "answer", "lang", "method", "log P")
        cells = (
            trace.question.text,
            answer.with_original,
            answer.lang,
            answer.method,
            f"{answer.score:.2f}",
        )
        grids.append(Grid("4 localise and choose", header, ((cells,),), labels=4))
    return show(*grids) + marked(trace) if answer else show(*grids)


def marked(trace: Trace) -> Page:
    """The passage of an answer, with its span marked; empty without an answer."""
    passage = trace.evidence
    if passage is None or trace.answer is None or trace.answer.source is None:
        return Page("", "")
    span, text = trace.answer.source.span, passage.text
    parts = text[: span.start], text[span.start : span.end], text[span.end :]
    before, inside, after = map(escape, parts)
    title = f"{passage.title} [{passage.docid}]"
    return Page(
        f'<p dir="auto"><b>{escape(title)}</b><br>{before}<mark>{inside}</mark>{after}</p>\n',
        f"{title}\n{parts[0]}[[{parts[1]}]]{parts[2]}",
    )


def _query(title: str, query: Query) -> Grid:
    question = query.question
    row = (question.text, question.lang, query.text, query.lang)
    return Grid(title, ("asked", "lang", "searched with", "lang"), ((row,),), labels=4)


def _hits(title: str, hits: Sequence[Hit], *, of: int) -> Grid:
    rows = tuple(
        (str(rank), hit.passage.docid, hit.passage.title, hit.passage.lang, f"{hit.score:.3f}")
        for rank, hit in enumerate(hits, start=1)
    )
    header = ("rank", "docid", "title", "lang", "score")
    return Grid(title, header, (rows,), f"the first of {of}", labels=4)


def _candidates(title: str, candidates: Sequence[Candidate], *, of: int) -> Grid:
    rows = tuple(
        (c.docid, c.text, *(f"{log:.2f}" for log in (c.scores.passage, c.scores.span)))
        for c in candidates
    )
    header = ("docid", "span", "log P(passage)", "log P(span)")
    return Grid(title, header, (rows,), f"the best of {of}", labels=2)
