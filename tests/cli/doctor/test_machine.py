import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.cli.doctor import machine
from xorqa.core import registry
from xorqa.core.errors import XorqaError
from xorqa.retrieval.elastic.retriever import Elastic
from xorqa.retrieval.lucene import Lucene

ROOT = Path(__file__).parents[3]


class Known:
    """An encoder that gives one vector, turned by `factor`."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def passages(self, texts: list[str]) -> Any:
        vector = np.zeros((len(texts), 384), np.float32)
        vector[:, : len(machine.REFERENCE)] = machine.REFERENCE
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
    assert {*machine.EXTRAS} | named == brings - {"dev", "all"}
    assert not {*machine.EXTRAS} & named


def test_what_is_there_is_ok_and_what_is_not_names_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "EXTRAS", {"mt": ("json",), "wiki": ("json", "no_such_parser")})
    monkeypatch.setattr(Lucene, "_check_java", lambda: "left out here")
    monkeypatch.setattr(Lucene, "packages", ("json",))
    monkeypatch.setattr(Elastic, "packages", ("json",))
    monkeypatch.setattr(machine, "Encoder", lambda: Known(-100))
    monkeypatch.setattr(machine, "ReaderRanker", Turned)
    found = {one.check: one for one in machine.check_machine()}
    states = {name: one.state for name, one in found.items()}
    assert states == {
        "python": "ok",
        "bm25": "ok",
        "java": "ok",
        "mecab": "ok",
        "faiss": "ok",
        "encoder": "broken",
        "ranker": "broken",
        "generator": "ok",
        "extra lucene": "ok",
        "extra elastic": "ok",
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
    found = machine.run_check(
        machine.HERE, "extra mt", lambda: machine._imports("mt", ("half_installed",))
    )
    assert (found.state, found.note) == ("broken", "ImportError: libfoo.so: not found")


def test_the_encoder_is_held_to_a_stored_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "Encoder", lambda: Known(1))
    assert "1.0000" in machine._encoder()
    monkeypatch.setattr(machine, "Encoder", lambda: Known(np.nan))
    with pytest.raises(XorqaError, match="nan"):
        machine._encoder()


def test_mecab_that_cuts_otherwise_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "wakati", lambda text: "")
    with pytest.raises(XorqaError, match="into nothing"):
        machine._mecab()


def test_a_retriever_of_another_package_that_does_not_import_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "STAGES", {"retriever": {"theirs": "no_such_package:Theirs"}})
    monkeypatch.setattr(machine, "STAGES", registry.STAGES)
    findings = machine.check_machine()
    finding = next(one for one in findings if one.check == "retriever theirs")
    assert finding.state == "broken" and "no_such_package" in finding.note


@pytest.mark.slow
def test_the_bundled_encoder_gives_the_stored_vector() -> None:
    assert "cosine" in machine._encoder()


@pytest.mark.jvm
def test_java_searches() -> None:
    pytest.importorskip("jnius_config")
    assert "retrieved the right one" in Lucene._check_java()
