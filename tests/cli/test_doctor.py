"""`xorqa doctor`, and its checks of this machine."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.cli import doctor
from xorqa.cli.index_checks import Finding
from xorqa.core import registry
from xorqa.core.errors import XorqaError
from xorqa.io.files import read_json
from xorqa.retrieval.elastic.opensearch import OpenSearch
from xorqa.retrieval.elastic.retriever import Elastic
from xorqa.retrieval.existing.elastic import ElasticIndex
from xorqa.retrieval.existing.lucene import LuceneIndex
from xorqa.retrieval.existing.opensearch import OpenSearchIndex
from xorqa.retrieval.existing.qdrant import QdrantCollection
from xorqa.retrieval.late_interaction import LateInteraction
from xorqa.retrieval.learned_sparse import LearnedSparse
from xorqa.retrieval.lucene import Lucene
from xorqa.retrieval.qdrant.retriever import Qdrant

Xorqa = Callable[..., Any]


def machine(state: Any) -> Callable[[], Iterator[Finding]]:
    found = [
        Finding("this machine", "java", "ok", "Java 21"),
        Finding("this machine", "extra mt", state, "not [installed]"),
    ]
    return lambda: iter(found)


def test_a_line_per_check_of_this_machine(
    xorqa: Xorqa, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "check_machine", machine("missing"))
    outcome = xorqa("doctor", "--json", tmp_path / "found.json")
    assert outcome.status == 0
    assert [line.split(maxsplit=1) for line in outcome.out.splitlines()] == [
        ["this", "machine"],
        ["ok", "java             Java 21"],
        ["missing", "extra mt         not [installed]"],
    ]
    assert read_json(tmp_path / "found.json")[1] == {
        "subject": "this machine",
        "check": "extra mt",
        "state": "missing",
        "note": "not [installed]",
    }
    monkeypatch.setattr(doctor, "check_machine", machine("broken"))
    assert xorqa("doctor").status == 1


def test_an_index_of_the_users_passages(xorqa: Xorqa, corpus: Path, home: Path) -> None:
    xorqa("index", "--corpus", corpus, "--retriever", "bm25")
    [folder] = home.glob("indexes/rivers-*/bm25")
    outcome = xorqa("doctor", folder, "--corpus", corpus)
    assert outcome.status == 0 and str(folder) in outcome.out and "broken" not in outcome.out
    corpus.write_text(corpus.read_text(encoding="utf-8").replace("Africa", "Asia"), "utf-8")
    outcome = xorqa("doctor", folder, "--corpus", corpus, "--json", "found.json")
    assert outcome.status == 1 and "the same number, but a text" in outcome.out
    assert [one["state"] for one in read_json(Path("found.json"))] == ["ok", "ok", "broken", "ok"]


def test_indexes_of_a_data_set_find_their_corpora(xorqa: Xorqa, home: Path) -> None:
    xorqa("index", "--data", "mini", "--lang", "fi,te", "--retriever", "bm25")
    folders = sorted(home.glob("indexes/mini.*/bm25"))
    outcome = xorqa("doctor", *folders, "--data", "mini")
    assert outcome.status == 0, outcome.out
    assert "50 passages of mini.fi" in outcome.out and "50 passages of mini.te" in outcome.out
    assert xorqa("doctor", folders[0], "--data", "mini", "--lang", "te").status == 1
    outcome = xorqa("doctor", folders[0], "--data", "mini", "--lang", "xx")
    assert outcome.status == 2 and "no corpus 'xx'" in outcome.err


def test_two_corpora_are_rejected(xorqa: Xorqa, corpus: Path) -> None:
    outcome = xorqa("doctor", "somewhere", "--corpus", corpus, "--data", "mini")
    assert outcome.status == 2 and "not both" in outcome.err


ROOT = Path(__file__).parents[2]


class Known:
    """An encoder that gives one vector, turned by `factor`."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def passages(self, texts: list[str]) -> Any:
        vector = np.zeros((len(texts), 384), np.float32)
        vector[:, : len(doctor.REFERENCE)] = doctor.REFERENCE
        vector[:, 0] *= self.factor
        return vector


class Turned:
    """A ranker that keeps the order it gets."""

    def rank(self, queries: Any, hits: Any) -> Any:
        return hits


def test_every_extra_that_brings_packages_is_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brings = {name for name, packages in project["optional-dependencies"].items() if packages}
    retrievers = (registry.find("retriever", name) for name in registry.STAGES["retriever"])
    named = {retriever.extra for retriever in retrievers} - {""}
    assert {*doctor.EXTRAS} | named == brings - {"dev", "all"}
    assert not {*doctor.EXTRAS} & named


def test_what_is_there_is_ok_and_what_is_not_names_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "EXTRAS", {"mt": ("json",), "wiki": ("json", "no_such_parser")})
    monkeypatch.setattr(Lucene, "_check_java", lambda: "left out here")
    monkeypatch.setattr(Lucene, "packages", ("json",))
    monkeypatch.setattr(Elastic, "packages", ("json",))
    for name in ("XORQA_ELASTIC_URL", "XORQA_ELASTIC_CLOUD_ID", "XORQA_OPENSEARCH_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Qdrant, "_check_machine", lambda: "left out here")
    for retriever in (
        ElasticIndex,
        LateInteraction,
        LearnedSparse,
        LuceneIndex,
        OpenSearch,
        OpenSearchIndex,
        Qdrant,
        QdrantCollection,
    ):
        monkeypatch.setattr(retriever, "packages", ("json",))
    monkeypatch.setattr(doctor, "Encoder", lambda: Known(-100))
    monkeypatch.setattr(doctor, "ReaderRanker", Turned)
    found = {one.check: one for one in doctor.check_machine()}
    states = {name: one.state for name, one in found.items()}
    assert states == {
        "python": "ok",
        "bm25": "ok",
        "java": "ok",
        "elastic": "ok",
        "opensearch": "ok",
        "qdrant": "ok",
        "mecab": "ok",
        "faiss": "ok",
        "encoder": "broken",
        "ranker": "broken",
        "generator": "ok",
        "extra lucene": "ok",
        "extra elastic": "ok",
        "extra opensearch": "ok",
        "extra qdrant": "ok",
        "extra hub": "ok",
        "extra mt": "ok",
        "extra wiki": "missing",
    }
    assert "no_such_parser not installed" in found["extra wiki"].note
    assert "pip install 'xorqa[wiki]'" in found["extra wiki"].note
    assert "has cosine -0." in found["encoder"].note
    assert "finds another passage more relevant" in found["ranker"].note


def test_a_package_that_does_not_import_is_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "half_installed.py").write_text("raise ImportError('libfoo.so: not found')")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = doctor.run_check(
        doctor.HERE, "extra mt", lambda: doctor._imports("mt", ("half_installed",))
    )
    assert (found.state, found.note) == ("broken", "ImportError: libfoo.so: not found")


def test_the_encoder_is_held_to_a_stored_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "Encoder", lambda: Known(1))
    assert "1.0000" in doctor._encoder()
    monkeypatch.setattr(doctor, "Encoder", lambda: Known(np.nan))
    with pytest.raises(XorqaError, match="nan"):
        doctor._encoder()


def test_mecab_that_cuts_otherwise_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "wakati", lambda text: "")
    with pytest.raises(XorqaError, match="into nothing"):
        doctor._mecab()


def test_a_retriever_of_another_package_that_does_not_import_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "STAGES", {"retriever": {"theirs": "no_such_package:Theirs"}})
    monkeypatch.setattr(doctor, "STAGES", registry.STAGES)
    findings = doctor.check_machine()
    finding = next(one for one in findings if one.check == "retriever theirs")
    assert finding.state == "broken" and "no_such_package" in finding.note


@pytest.mark.slow
def test_the_bundled_encoder_gives_the_stored_vector() -> None:
    assert "cosine" in doctor._encoder()


@pytest.mark.jvm
def test_java_searches() -> None:
    pytest.importorskip("jnius_config")
    assert "retrieved the right one" in Lucene._check_java()
