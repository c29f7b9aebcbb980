"""The checks of an index."""

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.cli.index_checks import Finding, check_index, run_check
from xorqa.core.errors import DataError, MissingExtraError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.io.files import read_json, write_json
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.dpr import Dpr
from xorqa.retrieval.lucene import Lucene
from xorqa.retrieval.psq import Psq

pytest.importorskip("faiss")

NAMES = ("Nile", "Rhine", "Volga", "Tagus", "Indus", "Amur", "Niger", "Congo", "Loire", "Oder")
PASSAGES = [
    Passage(f"p{at}", f"{name} is a river, number {at}.", name, "en")
    for at, name in enumerate(NAMES)
]
CORPUS = Corpus("rivers", PASSAGES)
CHANGED = Corpus("rivers", [*PASSAGES[:3], replace(PASSAGES[3], text="A lake."), *PASSAGES[4:]])
SUMS = ("files", "sum")
OTHER = Corpus("lakes", PASSAGES[:4])


class Hashing:
    """An encoder without weights: a text's vector is made of its hash."""

    def __init__(self, settings: EncoderSettings) -> None:
        self.settings = settings
        self.for_passages = self

    def fingerprint(self) -> str:
        return f"{self.settings.model} {self.settings.transform}"

    def queries(self, texts: Sequence[str], langs: Sequence[str]) -> Any:
        return np.stack([self._vector(str(text)) for text in texts])

    def passages(self, texts: Sequence[Any], langs: Sequence[str], **_: Any) -> Any:
        return self.queries(texts, langs)

    def truncated(self, texts: Sequence[Any]) -> int:
        return 0

    def _vector(self, text: str) -> Any:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        return np.random.default_rng(seed).standard_normal(16).astype(np.float32)


@pytest.fixture(autouse=True)
def _no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xorqa.cli.index_checks.Encoder", Hashing)
    monkeypatch.setattr("xorqa.retrieval.dense.shared_encoder", Hashing)
    monkeypatch.setattr(EncoderSettings, "prefix", lambda *_: "")


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A dense index of the rivers."""
    Dense(corpus=CORPUS, folder=tmp_path / "dense", encoder="one").build()
    return tmp_path / "dense"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A BM25 index of the rivers."""
    Bm25(corpus=CORPUS, folder=tmp_path / "bm25").build()
    return tmp_path / "bm25"


def states(found: dict[str, Finding]) -> dict[str, str]:
    return {name: one.state for name, one in found.items()}


def look_at(folder: Path, *corpora: Corpus, **options: Any) -> dict[str, Finding]:
    return {one.check: one for one in check_index(folder, corpora or [CORPUS], **options)}


def broken(folder: Path, *corpora: Corpus, **options: Any) -> dict[str, str]:
    found = look_at(folder, *corpora, **options)
    return {name: one.note for name, one in found.items() if one.state == "broken"}


def without_sums(folder: Path) -> Path:
    """The index as an earlier version would have built it."""
    table = read_json(folder / "manifest.json")
    write_json(folder / "manifest.json", {k: v for k, v in table.items() if k not in SUMS})
    return folder


def test_a_sound_dense_index(vectors: Path) -> None:
    found = look_at(vectors)
    assert states(found) == dict.fromkeys(
        ("manifest", "sums", "corpus", "languages", "file", "encoder", "vectors"), "ok"
    )
    assert found["manifest"].note == "dense (flat) of 10 passages of rivers"
    assert found["vectors"].note == "10 passages encoded again: cosine 1.0000 or more"


@pytest.mark.parametrize("kind", ["sq8", "ivf-sq8", "hnsw-sq8"])
def test_a_sound_compressed_index(tmp_path: Path, kind: str) -> None:
    Dense(corpus=CORPUS, folder=tmp_path, encoder="one", kind=kind).build()
    assert set(states(look_at(tmp_path)).values()) == {"ok"}


def test_titles_stand_apart_where_the_retriever_has_them_so(tmp_path: Path) -> None:
    Dpr(corpus=CORPUS, folder=tmp_path, question_tower="q", passage_tower="p").build()
    assert set(states(look_at(tmp_path)).values()) == {"ok"}


def test_a_truncated_file(vectors: Path) -> None:
    path = without_sums(vectors) / "index.faiss"
    path.write_bytes(path.read_bytes()[:-30])
    notes = broken(vectors)
    assert list(notes) == ["file"]
    assert "index.faiss is damaged; rebuild it with" in notes["file"]
    path.unlink()
    assert list(broken(vectors)) == ["file"]


def test_a_file_of_other_passages(vectors: Path, tmp_path: Path) -> None:
    import faiss

    index = faiss.index_factory(16, "IDMap,Flat", faiss.METRIC_INNER_PRODUCT)
    rows = np.ones((10, 16), np.float32)
    index.add_with_ids(rows[:9], np.arange(9))
    faiss.write_index(index, str(without_sums(vectors) / "index.faiss"))
    assert "has 9 vectors for 10 passages" in broken(vectors)["file"]
    index.add_with_ids(rows[:1], np.array([3]))
    faiss.write_index(index, str(vectors / "index.faiss"))
    assert "some passages twice" in broken(vectors)["file"]


def test_another_corpus(vectors: Path, words: Path) -> None:
    for folder in (vectors, words):
        notes = broken(folder, OTHER)
        assert list(notes) == ["corpus"]
        assert "the index has 10 passages, corpus lakes has 4" in notes["corpus"]


def test_the_corpus_that_belongs_is_chosen_among_several(vectors: Path) -> None:
    assert not broken(vectors, OTHER, CORPUS)
    assert "corpus rivers has" in broken(vectors, OTHER, CHANGED)["corpus"]
    unknown = Corpus("seas", PASSAGES[:2])
    assert look_at(vectors, OTHER, unknown)["corpus"].state == "missing"


def test_one_passage_changed(vectors: Path, words: Path) -> None:
    notes = broken(vectors, CHANGED)
    assert list(notes) == ["corpus", "vectors"]
    assert "the same number, but a text" in notes["corpus"]
    assert "1 of 10 passages, such as 'p3'," in notes["vectors"]
    assert list(broken(words, CHANGED)) == ["corpus"]


def test_another_encoder(vectors: Path) -> None:
    notes = broken(vectors, encoder=EncoderSettings("two"))
    assert list(notes) == ["encoder"]
    assert "fingerprint one None, 'two' has two None" in notes["encoder"]
    assert "--transform" in notes["encoder"]


def test_what_the_manifest_cannot_say_is_given(tmp_path: Path) -> None:
    Dense(corpus=CORPUS, folder=tmp_path, encoder="one", transform="center").build()
    assert list(broken(tmp_path)) == ["encoder"]
    assert not broken(tmp_path, encoder=EncoderSettings("one", transform="center"))


def test_vectors_of_another_make(vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hashing, "_vector", lambda self, text: np.ones(16, np.float32))
    assert "10 of 10 passages" in broken(vectors)["vectors"]
    monkeypatch.setattr(Hashing, "_vector", lambda self, text: np.ones(8, np.float32))
    assert "the index has 16 dimensions, the encoder 8" in broken(vectors)["vectors"]


def test_without_a_corpus_the_file_and_the_encoder_are_looked_at(vectors: Path) -> None:
    found = {one.check: one.state for one in check_index(vectors, [])}
    expected = ("manifest", "sums", "corpus", "file", "encoder")
    assert found == dict.fromkeys(expected, "ok") | {"corpus": "missing"}


def test_a_manifest_that_is_none(vectors: Path, tmp_path: Path) -> None:
    assert "cannot be read" in broken(tmp_path / "nowhere")["manifest"]
    (vectors / "manifest.json").write_text("{")
    assert "not valid JSON" in broken(vectors)["manifest"]
    for table, note in (
        ({"kind": "cloud"}, "cannot check an index of kind 'cloud'"),
        ({"kind": "bm25"}, "does not identify its corpus"),
    ):
        write_json(vectors / "manifest.json", table)
        assert note in broken(vectors)["manifest"]
    (vectors / "manifest.json").unlink()
    (vectors / "shards").mkdir()
    assert "not finished" in broken(vectors)["manifest"]


def test_an_unknown_language(tmp_path: Path) -> None:
    corpus = Corpus("rivers", [*PASSAGES, Passage("x", "Nuuk", "", "xx")])
    Bm25(corpus=corpus, folder=tmp_path).build()
    notes = broken(tmp_path, corpus)
    assert list(notes) == ["languages"]
    assert "unknown languages: xx (such as passage 'x')" in notes["languages"]


def test_a_sound_bm25_index(words: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in words.rglob("*")}
    found = look_at(words)
    assert states(found) == dict.fromkeys(
        ("manifest", "sums", "corpus", "languages", "analyzers", "search"), "ok"
    )
    assert found["search"].note == "100% of 10 passages rank first for their own text"
    assert {path: path.stat().st_mtime_ns for path in words.rglob("*")} == before


def test_a_sound_psq_index(tmp_path: Path) -> None:
    Psq(corpus=CORPUS, folder=tmp_path / "psq").build()
    found = {one.check: one for one in check_index(tmp_path / "psq", [CORPUS])}
    assert {one.state for one in found.values()} == {"ok"}
    assert found["analyzers"].note.startswith("tokens of version ")


def test_a_damaged_bm25_index(words: Path) -> None:
    path = next(without_sums(words).rglob("data*.npy"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    assert "is damaged" in broken(words)["search"]
    path.write_bytes(whole[:128] + bytes(len(whole) - 128))  # scores of 0: nothing is found
    assert "0% of 10 passages" in broken(words)["search"]


def test_tokens_of_another_version(words: Path) -> None:
    table = read_json(without_sums(words) / "manifest.json")
    write_json(words / "manifest.json", table | {"tokens": 0})
    notes = broken(words)
    assert list(notes) == ["analyzers"] and "has tokens 0" in notes["analyzers"]


@pytest.mark.jvm
def test_a_lucene_index_sound_and_damaged(tmp_path: Path) -> None:
    pytest.importorskip("jnius_config")
    Lucene(corpus=CORPUS, folder=tmp_path / "sound").build()
    found = look_at(tmp_path / "sound")
    assert states(found)["search"] == "ok"
    assert found["analyzers"].note == "en: en.EnglishAnalyzer"
    path = next(without_sums(tmp_path / "sound").glob("segments_*"))
    path.write_bytes(path.read_bytes()[:-10])
    assert "is damaged" in broken(tmp_path / "sound")["search"]


def build_one(kind: str, folder: Path) -> None:
    if kind == "lucene":
        pytest.importorskip("jnius_config")
        Lucene(corpus=CORPUS, folder=folder).build()
    elif kind == "bm25":
        Bm25(corpus=CORPUS, folder=folder).build()
    else:
        Dense(corpus=CORPUS, folder=folder, encoder="one", kind=kind).build()


@pytest.mark.parametrize(
    "kind",
    ["bm25", "flat", "sq8", "ivf-sq8", "hnsw-sq8", pytest.param("lucene", marks=pytest.mark.jvm)],
)
def test_a_flipped_byte_of_any_file_is_noticed(tmp_path: Path, kind: str) -> None:
    folder, rng = tmp_path / "i", random.Random(kind)
    build_one(kind, folder)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        for at in rng.sample(range(len(whole)), min(8, len(whole))):
            changed = bytearray(whole)
            changed[at] ^= 1 << rng.randrange(8)
            path.write_bytes(changed)
            notes = broken(folder)
            same = path.name == "manifest.json" and read_json_or_none(path) == json.loads(whole)
            assert same or notes.keys() & {"manifest", "sums"}, (path.name, at)
            assert all("\n" not in note for note in notes.values())
        path.write_bytes(whole)
    assert not broken(folder)


def read_json_or_none(path: Path) -> Any:
    try:
        return read_json(path)
    except DataError:
        return None


def test_an_index_without_sums_says_so(words: Path) -> None:
    sums = look_at(without_sums(words))["sums"]
    assert (sums.state, "before sums were stored" in sums.note) == ("ok", True)


def raising(error: BaseException) -> str:
    raise error


def test_what_a_check_returns_or_raises_becomes_a_line() -> None:
    assert run_check("here", "java", lambda: "works").state == "ok"
    found = run_check("here", "java", lambda: raising(MissingExtraError("no jar;\n install it")))
    assert (found.state, found.note) == ("missing", "no jar; install it")
    found = run_check("here", "java", lambda: raising(DataError("cut short")))
    assert (found.state, found.note) == ("broken", "cut short")
    found = run_check("here", "java", lambda: raising(RuntimeError("C++\nfailed")))
    assert (found.state, found.note) == ("broken", "RuntimeError: C++ failed")


def test_an_interruption_is_no_finding() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_check("here", "java", lambda: raising(KeyboardInterrupt()))


def test_an_index_of_documents_that_an_older_version_read(tmp_path: Path) -> None:
    folder = tmp_path / "rivers" / "bm25"
    read_before = Corpus("rivers", PASSAGES, reader_version=3)
    Bm25(corpus=read_before, folder=folder).build()
    assert read_json(folder / "manifest.json")["reader_version"] == 3
    read_now = Corpus("rivers", CHANGED.passages, reader_version=4)
    by_check = {finding.check: finding for finding in check_index(folder, [read_now])}
    assert by_check["corpus"].state == "broken"
    assert "an older version of xorqa read from rivers" in by_check["corpus"].note
    same = Corpus("rivers", PASSAGES, reader_version=4)
    assert {f.check: f.state for f in check_index(folder, [same])}["corpus"] == "ok"
