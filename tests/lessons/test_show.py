from lessons.show import follow, marked, show, table

from xorqa.core.types import (
    Answer,
    Candidate,
    CandidateScores,
    Hit,
    Passage,
    Query,
    Question,
    RouteResult,
    Span,
    Trace,
)
from xorqa.tables.grid import Grid

QUESTION = Question("q", "ما أطول نهر؟", "ar")
PASSAGE = Passage("en-1", "The Nile <is> long.", "Nile")
SPAN = Candidate(Hit(PASSAGE, 0.9), 0, Span(4, 8), CandidateScores(-0.5, -0.25), "eng")


def trace(answer):
    hits = [Hit(PASSAGE, 0.9), Hit(Passage("en-2", "Rhine"), 0.1)]
    by_route = {"eng": RouteResult(Query(QUESTION, QUESTION.text, "ar"), hits)}
    return Trace(QUESTION, by_route, (SPAN,), answer)


def test_tables_come_as_html_and_as_markdown_one_below_the_other():
    one, two = (Grid(title, ("a",), (((title,),),)) for title in ("first", "second"))
    page = show(one, two)
    assert page._repr_html_().count("<table>") == 2
    assert repr(page).index("first") < repr(page).index("second")


def test_a_table_takes_any_values():
    page = table("counts", ("lang", "questions"), [("fi", 12), ("te", 3.5)])
    assert ">fi</td>" in page.html and "| te | 3.5 |" in page.plain


def test_a_question_is_followed_from_its_query_to_its_evidence():
    page = follow(trace(Answer("النيل", "ar", -0.75, "rule:name", SPAN)))
    stops = ["1 translate", "2 retrieve", "3 read", "4 localise", "Nile [en-1]"]
    assert sorted(map(page.plain.index, stops)) == list(map(page.plain.index, stops))
    assert "-0.75" in page.plain and "the first of 2" in page.plain
    assert "النيل (Nile)" in page.plain
    assert "The [[Nile]] <is> long." in page.plain
    assert "The <mark>Nile</mark> &lt;is&gt; long." in page.html


def test_as_many_hits_are_shown_as_were_asked_for():
    assert "en-2" in follow(trace(None), first=2).plain
    assert "en-2" not in follow(trace(None), first=1).plain


def test_without_an_answer_nothing_is_marked():
    for nothing in (None, Answer("", "ar", 0.0, "none")):
        assert marked(trace(nothing)).plain == ""
        assert "mark>" not in follow(trace(nothing)).html
