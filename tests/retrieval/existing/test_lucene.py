"""Lucene indexes of Pyserini: rankings are those of its own searcher."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.zoo import engines
from xorqa.core.errors import ConfigError, DataError, Notice
from xorqa.core.registry import build
from xorqa.core.types import Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.retrieval.existing.lucene import LuceneIndex

pytestmark = [pytest.mark.jvm, pytest.mark.slow]
pytest.importorskip("jnius_config")

MINI = load_mini()
WORLD = MINI.corpora
ENGLISH = Corpus("world.en", WORLD["en"].passages)
FINNISH = Corpus("world.fi", WORLD["fi"].passages[:60])
TEXTS = [
    *MINI.translations.values(),
    "Who discovered francium?",
    "the longest river in Africa",
    "xyzzy",
    "half \ud83d pair",
]


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of English passages, by pyserini's defaults."""
    return engines.index_with_pyserini(tmp_path_factory.mktemp("lucene"), ENGLISH.passages)


@pytest.fixture(scope="module")
def finnish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of Finnish passages, with Finnish stems."""
    folder = tmp_path_factory.mktemp("lucene-fi")
    return engines.index_with_pyserini(folder, FINNISH.passages, "--language", "fi")


def open_as(index: Path | str, corpus: Corpus = ENGLISH, **settings: Any) -> LuceneIndex:
    table = {"use": "lucene-index", "index": str(index), **settings}
    stage = build("retriever", table, corpus=corpus, folder=Path("unused"))
    assert isinstance(stage, LuceneIndex)
    return stage


def query(text: str, lang: str = "en") -> Query:
    return Query(Question(text, text, lang), text, lang)


def searcher(index: Path) -> Any:
    """Pyserini's own searcher."""
    engines.import_pyserini()
    from pyserini.search.lucene import LuceneSearcher

    return LuceneSearcher(str(index))


def assert_same(retriever: LuceneIndex, theirs: Any, texts: list[str], lang: str = "en") -> None:
    rankings = retriever.retrieve([query(text, lang) for text in texts], k=10)
    for text, hits in zip(texts, rankings, strict=True):
        expected = theirs.search(text.encode(errors="replace").decode(), k=10)
        assert [hit.passage.docid for hit in hits] == [one.docid for one in expected]
        assert [hit.score for hit in hits] == [one.score for one in expected]
    assert any(rankings)


def test_ranks_as_pyserini_does(english: Path) -> None:
    theirs = searcher(english)
    assert_same(open_as(english), theirs, TEXTS)
    theirs.set_bm25(1.2, 0.75)
    assert_same(open_as(english, k1=1.2, b=0.75), theirs, TEXTS)


def test_another_language(finnish: Path) -> None:
    texts = [passage.text[:80] for passage in FINNISH.passages[:10]]
    theirs = searcher(finnish)
    with pytest.warns(Notice, match="set language to what it was indexed with"):
        assert_same(open_as(finnish, FINNISH), theirs, texts, "fi")
    theirs.set_language("fi")
    assert_same(open_as(finnish, FINNISH, language="fi"), theirs, texts, "fi")
    assert (
        open_as(finnish, FINNISH).fingerprint()
        != open_as(finnish, FINNISH, language="fi").fingerprint()
    )


def test_what_cannot_be_opened_is_refused(tmp_path: Path, english: Path) -> None:
    with pytest.raises(ConfigError, match="cannot rebuild it"):
        open_as(english).build(rebuild=True)
    with pytest.raises(DataError, match="is not a Lucene index"):
        open_as(tmp_path).build()
    with pytest.raises(ConfigError, match="no analyzer in Anserini; valid: ar, bn"):
        open_as(english, language="xx").build()
    with pytest.raises(DataError, match=r"which corpus world\.fi lacks"):
        open_as(english, FINNISH, language="en").retrieve([query(TEXTS[0])], k=3)


def test_health(english: Path) -> None:
    checks = open_as(english).health(ENGLISH.passages[:8])
    assert checks["index"]() == "327 documents; queries analysed as en"
    assert checks["search"]() == "8 of 8 passages rank first for their own text"
