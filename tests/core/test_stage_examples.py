"""Every registered stage has an example in its docstring, and the example runs."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.translation.conftest import service  # noqa: F401  the fixture of a chat service
from tests.zoo.late import splade
from xorqa.core.registry import STAGES, find

REAL_WEIGHTS = {
    "bundled", "dense", "dpr", "hybrid", "late-interaction", "mdpr", "path", "reader", "span",
}  # fmt: skip


def stages() -> list[Any]:
    """Each role and name, with the marker of what its example needs."""
    marks = {name: [pytest.mark.slow] for name in REAL_WEIGHTS} | {"lucene": [pytest.mark.jvm]}
    return [
        pytest.param(role, name, id=f"{role}-{name}", marks=marks.get(name, []))
        for role, names in STAGES.items()
        for name in names
    ]


def example_of(role: str, name: str) -> doctest.DocTest:
    """The example in a class's docstring."""
    cls = find(role, name)
    text = inspect.getdoc(cls) or ""
    return doctest.DocTestParser().get_doctest(text, {}, cls.__qualname__, None, 0)


@pytest.mark.parametrize(("role", "name"), stages())
def test_the_example_runs(
    role: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    example = example_of(role, name)
    NEEDS.get(name, lambda *_: None)(example, tmp_path, request.getfixturevalue)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(("role", "name"), stages())
def test_the_example_is_short_and_shows_a_result(role: str, name: str) -> None:
    examples = example_of(role, name).examples
    lines = [line for one in examples for line in one.source.splitlines()]
    assert 3 <= len(lines) <= 8
    assert examples[-1].want
    assert f"{find(role, name).__qualname__}(" in "\n".join(lines)


def test_a_wrong_example_is_noticed() -> None:
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(wrong, out=[].append)
    assert runner.failures == 1


Fixture = Callable[[str], Any]


def _needs_java(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("jnius_config")


def _needs_cluster(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    fixture("cluster")


def _needs_anyascii(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("anyascii")


def _needs_model(
    example: doctest.DocTest, folder: Path, fixture: Fixture, *, model: str, link: str
) -> None:
    """A tiny random model in place of the one that the example names."""
    (folder / link).symlink_to(fixture(model), target_is_directory=True)


def _needs_splade(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    splade(folder / "splade")


def _needs_service(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The tests' chat service in place of the one that the example names."""
    server = fixture("service")
    server.replies = ["Where is Inari?"]
    for one in example.examples:
        one.source = one.source.replace("http://localhost:8000/v1", server.url)


def _needs_generator(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The same for the reader: a scripted answer, which no model made."""
    _needs_service(example, folder, fixture)
    quote = '"citations": [{"passage": 1, "quote": "in Africa"}]'
    fixture("service").replies = ['{"answer": "Afrikassa", ' + quote + "}"]


def _needs_order(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The same for the ranker."""
    _needs_service(example, folder, fixture)
    fixture("service").replies = ["[2] > [1]"]


NEEDS: dict[str, Callable[[doctest.DocTest, Path, Fixture], None]] = {
    "lucene": _needs_java,
    "elastic": _needs_cluster,
    "learned-sparse": _needs_splade,
    "lexicon": _needs_anyascii,
    "seq2seq": partial(_needs_model, model="tiny_seq2seq", link="opus-mt-fi-en"),
    "ctranslate2": partial(_needs_model, model="tiny_ctranslate2", link="opus-mt-fi-en-int8"),
    "service": _needs_service,
    "generate": _needs_generator,
    "listwise": _needs_order,
}
