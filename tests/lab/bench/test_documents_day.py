"""Questions over packages' documentation, with a made-up page of each package."""

from collections import Counter
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.lab.bench.documents_day import measure as bench
from xorqa.lab.bench.documents_day.questions import (
    PAGES,
    DocumentQuestion,
    copy_pages,
    read_questions,
)

PAGE = "<html lang='en'><h1>{title}</h1><p>{text}</p></html>"
TEXT = "By default, the daemon waits forty minutes for a lock. Its port is 4711."
OTHER = "The queue is run by a process of its own, which reads the messages one by one."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The layout of the packages' folder, with links and indexes as they have them."""
    exim, aptitude = "exim4-doc-html/spec_html/ch-", "aptitude/html/fi/"
    for name, text in {
        f"{exim}locks.html": TEXT,
        f"{exim}queue.html": OTHER,
        f"{exim}option_index.html": TEXT,
        f"{aptitude}ch01.html": OTHER,
        "apache2-doc/manual/de/mod/core.html": TEXT,
        "apache2-doc/manual/fr/mod/core.html": TEXT,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(title=path.stem, text=text), encoding="utf-8")
    (tmp_path / f"{exim}linked.html").symlink_to("ch-locks.html")
    return tmp_path


def test_the_questions_are_in_halves_of_many_languages() -> None:
    halves = [read_questions("choose"), read_questions("report")]
    both = [question for half in halves for question in half]
    assert len({question.id for question in both}) == 75
    assert len({question.question for question in both}) == 75
    assert Counter(bool(question.answers) for question in both) == {True: 60, False: 15}
    for half in halves:
        assert 27 <= sum(bool(question.answers) for question in half) <= 33
        assert len({question.lang for question in half}) >= 10
    for question in both:
        assert question.corpus in PAGES
        assert bool(question.pages) == bool(question.contains) == bool(question.answers)


def test_pages_are_copied_without_links_and_indexes(docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert copy_pages(docs, "exim", out / "exim") == 2
    assert copy_pages(docs, "packages", out / "packages") == 2
    names = sorted(path.name for path in out.rglob("*.html"))
    assert names == ["ch-locks.html", "ch-queue.html", "ch01.html", "core.html"]


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="exim4-doc-html"):
        copy_pages(tmp_path, "exim", tmp_path / "out")


def question(
    number: int, text: str, answers: tuple[str, ...] = (), **more: str
) -> DocumentQuestion:
    fields = {"lang": "en", "pages": "", "contains": "", "corpus": "exim", **more}
    return DocumentQuestion(f"q{number}", "report", question=text, answers=answers, **fields)


def test_gold_passages_are_found_by_page_and_text() -> None:
    asked = question(1, "?", ("5",), pages="a/*.html", contains=r"limit is \d")
    passages = [
        Passage("a/b.html#1", "The limit\nis 5.", lang="en"),
        Passage("a/b.html#2", "No limit.", lang="en"),
        Passage("c/b.html#1", "The limit is 5.", lang="en"),
    ]
    assert asked.gold(passages) == {"a/b.html#1"}


@pytest.mark.slow
def test_answers_are_right_wrong_or_refused(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = {"pages": "*/ch-locks.html", "contains": "4711"}
    asked = [
        question(1, "What is the port of the daemon?", ("4711",), **gold),
        question(2, "What is the port of the daemon?", ("25",), **gold),
        question(3, "Who painted the Mona Lisa?"),
    ]
    monkeypatch.setattr(bench, "read_questions", lambda half: asked)
    figures = bench.measure(docs, half="report", progress=lambda task, done, total: None)
    outcomes = figures["outcomes"]
    assert [row["verdict"] for row in outcomes] == ["right", "wrong", "refused"]
    assert [(row["rank"], row["peer"]) for row in outcomes[:2]] == [(1, 1), (1, 1)]
    assert figures["passages"]["exim"] == 2
    [row], [total] = bench.grid(figures).rows
    assert row[1:] == total[1:] == ("2", "1", "1", "0", "2", "2", "2", "2", "1", "1")
