"""Indexes with several rows per passage: searched, resumed, updated, checked."""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.zoo import late
from xorqa.cli.index_checks import check_index
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, Notice
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.models.encoder import Encoder
from xorqa.ranking.late_interaction import LateInteractionRanker
from xorqa.retrieval import manifest
from xorqa.retrieval.learned_sparse import LearnedSparse
from xorqa.retrieval.over_corpus import retriever_over
from xorqa.retrieval.rows import retriever as rows_retriever
from xorqa.retrieval.rows.retriever import SHARDS, RowIndex
from xorqa.retrieval.rows.store import Rows, open_rows, read_shard, write_rows, write_shard
from xorqa.retrieval.rows.token_codes import stored
from xorqa.retrieval.rows.token_pooling import pooled
from xorqa.retrieval.update import update_indexes

QUERIES = [
    Query(Question(str(number), text, "en"), text, "en")
    for number, text in enumerate(["Where is the Nile?", "What is in Finland, then?", "Why?"])
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus("some", load_mini().corpora["en"].passages[:70])


@pytest.fixture(scope="module")
def colbert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return late.pylate(tmp_path_factory.mktemp("zoo") / "colbert")


@pytest.fixture(scope="module")
def splade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return late.splade(tmp_path_factory.mktemp("zoo") / "splade")


@pytest.fixture(params=["late-interaction", "bits", "learned-sparse"])
def table(request: pytest.FixtureRequest, colbert: Path, splade: Path) -> dict[str, Any]:
    if request.param == "bits":
        return {"use": "late-interaction", "model": str(colbert), "kind": "bits"}
    model = colbert if request.param == "late-interaction" else splade
    return {"use": request.param, "model": str(model)}


def made(table: dict[str, Any], corpus: Corpus, folder: Path) -> RowIndex:
    retriever: RowIndex = build("retriever", table, corpus=corpus, folder=folder)
    return retriever


def test_passages_longer_than_the_model_reads_are_counted(
    table: dict[str, Any], tmp_path: Path
) -> None:
    passages = [Passage("long", "river " * 900), Passage("short", "A river.")]
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads"):
        made(table, Corpus("long", passages), tmp_path / "i").build()


@pytest.mark.parametrize("use", ["late-interaction", "learned-sparse"])
def test_passages_longer_than_bge_m3_reads_are_counted(use: str, tmp_path: Path) -> None:
    table = {"use": use, "model": str(late.bge_m3(tmp_path / "m3")), "max_tokens": 16}
    passages = [Passage("long", "river " * 40), Passage("short", "A river.")]
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads"):
        made(table, Corpus("long", passages), tmp_path / "i").build()


def test_passages_longer_than_the_bundled_encoder_reads_are_counted(tmp_path: Path) -> None:
    table = {"use": "late-interaction"}
    passages = [Passage("long", "river " * 600), Passage("short", "A river.")]
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads"):
        made(table, Corpus("long", passages), tmp_path / "i").build()


def ranking(retriever: Any, k: int = 10) -> list[list[tuple[str, float]]]:
    hits = retriever.retrieve(QUERIES, k=k)
    return [[(hit.passage.docid, round(hit.score, 3)) for hit in found] for found in hits]


@pytest.mark.slow
@pytest.mark.parametrize("way", [{"workers": 2}, {"devices": ["cpu", "cpu"]}])
def test_workers_make_the_same_index(
    way: dict[str, Any],
    table: dict[str, Any],
    corpus: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows_retriever, "CHUNK", 20)
    alone, shared = (made(table, corpus, tmp_path / name) for name in ("alone", "shared"))
    alone.build()
    calls: list[tuple[int, int]] = []
    shared.build(progress=lambda *call: calls.append(call), **way)
    assert calls[0] == (0, 70) and calls[-1] == (70, 70) and len({*calls}) > 2
    for name, array in alone.index.table.items():
        np.testing.assert_allclose(shared.index.table[name], array, rtol=1e-5, atol=1.0)
    assert ranking(shared) == ranking(alone)


@pytest.mark.parametrize(
    ("kind", "tolerance"), [("float32", 1e-5), ("int16", 5e-5), ("int8", 0.01)]
)
def test_the_whole_corpus_is_ranked_as_the_library_ranks_it(
    kind: str, tolerance: float, corpus: Corpus, colbert: Path, tmp_path: Path
) -> None:
    from sentence_transformers import MultiVectorEncoder

    model = MultiVectorEncoder(str(colbert), device="cpu")
    texts = [passage.titled for passage in corpus]
    queries = model.encode_query([query.text for query in QUERIES])
    expected = model.similarity(queries, model.encode_document(texts)).numpy()
    retriever = made(
        {"use": "late-interaction", "model": str(colbert), "kind": kind}, corpus, tmp_path / "i"
    )
    numbers = {passage.docid: number for number, passage in enumerate(corpus)}
    for row, hits in zip(expected, retriever.retrieve(QUERIES, k=10), strict=True):
        found = [numbers[hit.passage.docid] for hit in hits]
        assert np.allclose(row[found], [hit.score for hit in hits], rtol=tolerance)
        if kind != "int8":
            assert found == np.argsort(-row)[:10].tolist()
        else:
            assert len({*found} & {*np.argsort(-row)[:10].tolist()}) >= 8


def test_bits_rank_nearly_as_numbers_do(corpus: Corpus, tmp_path: Path) -> None:
    numbers, bits = (
        made({"use": "late-interaction", "kind": kind}, corpus, tmp_path / kind)
        for kind in ("float32", "bits")
    )
    for exact, coded in zip(ranking(numbers), ranking(bits), strict=True):
        assert len({docid for docid, _ in exact} & {docid for docid, _ in coded}) >= 6
    assert ranking(bits)[0][0][0] == ranking(numbers)[0][0][0]
    assert numbers.index.table["vectors"].shape[1] == 384
    assert bits.index.table["vectors"].shape[1] == 48
    assert {path.stem for path in (tmp_path / "bits").glob("*.npy")} == {"lengths", "vectors"}


def test_pooling_leaves_one_vector_of_factor_and_loses_no_direction() -> None:
    two = np.repeat(np.eye(2, 8, dtype=np.float32), 3, axis=0)[[3, 0, 1, 4, 2, 5]]
    assert np.allclose(pooled(two, 3), np.eye(2, 8)[[1, 0]])  # in the order of first tokens
    assert pooled(two, 1) is two
    rows = np.random.default_rng(0).standard_normal((90, 8)).astype(np.float32)
    means = pooled(rows, 1.5)
    assert means.shape == (60, 8)
    assert np.allclose(np.linalg.norm(means, axis=1), 1)
    assert len(pooled(rows[:1], 50)) == 1


def test_pooled_bits_find_what_numbers_find(corpus: Corpus, tmp_path: Path) -> None:
    table = {"use": "late-interaction", "kind": "bits"}
    whole, fewer = (
        made({**table, "pool_factor": factor}, corpus, tmp_path / str(factor))
        for factor in (1.0, 1.5)
    )
    assert ranking(fewer)[0][0][0] == ranking(whole)[0][0][0]
    rows = [len(retriever.index.table["vectors"]) for retriever in (whole, fewer)]
    assert rows[0] / rows[1] == pytest.approx(1.5, abs=0.02)


def test_bits_need_whole_bytes() -> None:
    with pytest.raises(ConfigError, match=r"12 dimensions .* set kind = \"int8\""):
        stored(np.ones((3, 12), np.float32), "bits")


def test_a_first_stage_finds_what_is_compared(corpus: Corpus, tmp_path: Path) -> None:
    alone = {"use": "late-interaction", "kind": "bits"}
    table = {**alone, "first": {"use": "bm25"}, "depth": 5}
    staged = made(table, corpus, tmp_path / "staged")
    staged.build()
    assert staged.is_complete()
    scores = [dict(found) for found in ranking(made(alone, corpus, tmp_path / "staged"), k=70)]
    bm25 = build("retriever", {"use": "bm25"}, corpus=corpus, folder=tmp_path / "bm25")
    expected = bm25.retrieve(QUERIES, k=5)
    for row, found, first in zip(scores, staged.retrieve(QUERIES, k=3), expected, strict=True):
        docids = [hit.passage.docid for hit in first]
        best = sorted(docids, key=lambda docid: (-row[docid], docid))[:3]
        assert [hit.passage.docid for hit in found] == best
    weighted = made({**table, "retrieval": 1e6}, corpus, tmp_path / "staged")
    for found, first in zip(weighted.retrieve(QUERIES, k=5), expected, strict=True):
        assert [hit.passage.docid for hit in found] == [hit.passage.docid for hit in first]
    assert len({retriever.fingerprint() for retriever in (staged, weighted)}) == 2


@pytest.mark.parametrize("workers", [0, 2])
def test_one_pass_of_the_encoder_serves_both_stages(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    table = {"use": "late-interaction", "model": "encoder-questions", "kind": "bits"}
    first = {"use": "dense", "adapter": "encoder-questions"}
    folder = tmp_path / "indexes"
    staged = made({**table, "first": first}, corpus, folder / "late")
    with monkeypatch.context() as patched:
        patched.setattr(Encoder, "passages", lambda *_, **__: pytest.fail("encoded twice"))
        staged.build(workers=workers)
    assert staged.is_complete()
    apart = retriever_over(corpus, first, tmp_path / "apart")
    found = retriever_over(corpus, first, folder).retrieve(QUERIES, k=70)
    for hits, expected in zip(found, apart.retrieve(QUERIES, k=70), strict=True):
        scores = {hit.passage.docid: hit.score for hit in expected}
        assert hits[0].passage.docid == expected[0].passage.docid
        assert max(abs(scores[hit.passage.docid] - hit.score) for hit in hits) < 2e-3
    assert ranking(made(table, corpus, folder / "late")) == ranking(
        made(table, corpus, tmp_path / "alone")
    )


@pytest.mark.parametrize(
    "first", [{"pooling": "cls"}, {"passage_prefix": ""}, {"max_tokens": 64}, {"dtype": "float32"}]
)
def test_other_vectors_of_the_first_stage_are_encoded_apart(
    corpus: Corpus, tmp_path: Path, first: dict[str, Any]
) -> None:
    some = Corpus("some", corpus.passages[:3])
    alone = {"use": "dense", **first}
    staged = made({"use": "late-interaction", "first": alone}, some, tmp_path / "i" / "late")
    staged.build()
    found, expected = (
        retriever_over(some, alone, folder).retrieve(QUERIES, k=3)
        for folder in (tmp_path / "i", tmp_path / "apart")
    )
    assert found == expected


def test_the_questions_side_does_not_change_an_index(corpus: Corpus, tmp_path: Path) -> None:
    some = Corpus("some", corpus.passages[:3])
    table = {"use": "late-interaction", "transform": "none"}
    built = made(table, some, tmp_path / "i")
    built.build()
    asked_otherwise = made({**table, "query_prefix": "question: "}, some, tmp_path / "i")
    assert asked_otherwise.is_complete()
    assert asked_otherwise.fingerprint() != built.fingerprint()
    with pytest.raises(IndexMismatchError, match="settings"):
        made({**table, "passage_prefix": ""}, some, tmp_path / "i").build()


def test_hits_of_several_first_stages_are_compared(corpus: Corpus, tmp_path: Path) -> None:
    alone = {"use": "late-interaction", "kind": "bits"}
    stages = [{"use": "bm25"}, {"use": "psq"}]
    both = {**alone, "first": stages, "depth": 3, "retrieval": [0, 0.5]}
    folder = tmp_path / "late"
    expected = made(alone, corpus, folder).retrieve(QUERIES, k=70)
    runs = [retriever_over(corpus, one, tmp_path).retrieve(QUERIES, k=3) for one in stages]
    for found, scores, *rankings in zip(
        made(both, corpus, folder).retrieve(QUERIES, k=9), expected, *runs, strict=True
    ):
        wanted = {hit.passage.docid for ranking in rankings for hit in ranking}
        added = {hit.passage.docid: 0.5 * hit.score for hit in rankings[1]}
        total = {hit.passage.docid: hit.score + added.get(hit.passage.docid, 0) for hit in scores}
        assert {hit.passage.docid: hit.score for hit in found} == pytest.approx(
            {docid: score for docid, score in total.items() if docid in wanted}, rel=1e-5
        )


@pytest.mark.parametrize("first", ["bm25", ["bm25"], {"use": "bm25"}])
def test_a_first_stage_by_name(corpus: Corpus, tmp_path: Path, first: object) -> None:
    staged = made({"use": "late-interaction", "first": first}, corpus, tmp_path / "late")
    assert [stage.fingerprint() for stage in staged.first] == [
        retriever_over(corpus, {"use": "bm25"}, tmp_path).fingerprint()
    ]
    assert made({"use": "late-interaction", "first": None}, corpus, tmp_path / "late").first == []


def test_each_first_stage_has_its_weight(corpus: Corpus, tmp_path: Path) -> None:
    table = {"use": "late-interaction", "first": {"use": "bm25"}, "retrieval": [0, 1]}
    with pytest.raises(ConfigError, match="has 1 first stages but 2 weights in 'retrieval'"):
        made(table, corpus, tmp_path / "late")


def test_a_mistake_in_the_first_stage_is_reported_at_once(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'"):
        made({"use": "late-interaction", "first": {"use": "bm26"}}, corpus, tmp_path / "i")


def test_the_inverted_index_ranks_as_the_library_does(
    corpus: Corpus, splade: Path, tmp_path: Path
) -> None:
    from sentence_transformers import SparseEncoder

    model = SparseEncoder(str(splade), device="cpu")
    queries = model.encode_query([query.text for query in QUERIES])
    passages = model.encode_document([passage.titled for passage in corpus])
    expected = model.similarity(queries, passages).numpy()
    retriever = LearnedSparse(str(splade), corpus=corpus, folder=tmp_path / "i")
    numbers = {passage.docid: number for number, passage in enumerate(corpus)}
    for row, hits in zip(expected, retriever.retrieve(QUERIES, k=10), strict=True):
        found = [numbers[hit.passage.docid] for hit in hits]
        assert found == np.argsort(-row)[:10].tolist()
        assert np.allclose(row[found], [hit.score for hit in hits], rtol=1e-5)


def test_the_ranker_scores_as_the_library_does(corpus: Corpus, colbert: Path) -> None:
    from sentence_transformers import MultiVectorEncoder

    hits = [[Hit(passage, 1.0) for passage in corpus.passages[:30]]] * len(QUERIES)
    ranked = LateInteractionRanker(model=str(colbert), depth=30).rank(QUERIES, hits)
    model = MultiVectorEncoder(str(colbert), device="cpu")
    texts = [passage.titled for passage in corpus.passages[:30]]
    queries = model.encode_query([query.text for query in QUERIES])
    expected = model.similarity(queries, model.encode_document(texts)).numpy()
    for row, found in zip(expected, ranked, strict=True):
        order = np.argsort(-row)
        assert [hit.passage.docid for hit in found] == [corpus.passages[at].docid for at in order]
        assert np.abs(row[order] - [hit.score for hit in found]).max() < 1e-4


def test_a_killed_build_resumes(
    table: dict[str, Any], corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_retriever, "CHUNK", 20)
    expected = ranking(made(table, corpus, tmp_path / "whole"))
    encoded: list[int] = []
    retriever = made(table, corpus, tmp_path / "killed")
    encode = retriever.encode

    def killed_after_two(passages: Any, progress: Any = None) -> Any:
        if len(encoded) == 2:
            raise KeyboardInterrupt
        encoded.append(len(passages))
        return encode(passages)

    monkeypatch.setattr(retriever, "encode", killed_after_two)
    with pytest.raises(KeyboardInterrupt):
        retriever.build()
    shards = tmp_path / "killed" / SHARDS
    assert len(list(shards.glob("*.safetensors"))) == 2
    path = min(shards.glob("*.safetensors"))
    path.write_bytes(path.read_bytes()[:-1] + b"?")  # damaged on disk: encoded again
    again = made(table, corpus, tmp_path / "killed")
    done: list[int] = []
    encode = again.encode
    monkeypatch.setattr(
        again, "encode", lambda passages, progress: done.append(len(passages)) or encode(passages)
    )
    assert ranking(again) == expected
    assert done == [20, 20, 10]
    assert not shards.exists()


def test_an_update_encodes_only_what_changed(
    table: dict[str, Any], corpus: Corpus, tmp_path: Path
) -> None:
    indexes = tmp_path / "indexes"
    folder = manifest.folder_of(corpus, indexes) / "index"
    made(table, corpus, folder).build()
    first = corpus.passages[0]
    changed = Corpus(
        "some",
        [replace(first, text="The Nile is long."), *corpus.passages[5:], Passage("new", "Why?")],
    )
    later = made(table, changed, tmp_path / "later")
    assert later.update(made(table, corpus, folder)) == 2
    assert ranking(later) == ranking(made(table, changed, tmp_path / "rebuilt"))
    [updated] = update_indexes(corpus, changed, indexes, progress=lambda *_: None)
    assert updated.written == 2


def test_other_weights_are_refused_and_doctor_compares(
    table: dict[str, Any], corpus: Corpus, tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    made(table, corpus, folder).build()
    findings = {found.check: found for found in check_index(folder, [corpus], sample=5)}
    assert {found.state for found in findings.values()} == {"ok"}
    assert "5 passages encoded again: cosine 1.0000" in findings["rows"].note
    with pytest.raises(IndexMismatchError, match="settings"):
        made({**table, "max_tokens": 20}, corpus, folder).build()
    stored = made(table, corpus, folder).index
    assert isinstance(stored, Rows) and len(stored.lengths) == len(corpus)
    with pytest.raises(IndexMismatchError, match="has other rows when encoded again"):
        made(table, corpus, folder).check_sample({0: corpus.passages[1]})
    lengths = folder / "lengths.npy"
    lengths.write_bytes(lengths.read_bytes()[:-8])
    with pytest.raises(DataError, match="damaged"):
        made(table, corpus, folder).build()


@pytest.mark.parametrize("damage", [(b" }", b"  "), (b"'<i8'", b"'(,)'")])
def test_a_header_that_numpy_cannot_parse(tmp_path: Path, damage: tuple[bytes, bytes]) -> None:
    path = tmp_path / "lengths.npy"
    np.save(path, np.arange(3))
    assert len(open_rows(tmp_path, [], passages=3).lengths) == 3
    path.write_bytes(path.read_bytes().replace(*damage, 1))
    with pytest.raises(DataError, match=r"lengths\.npy cannot be read"):
        open_rows(tmp_path, [], passages=3)


def test_a_shard_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "one.safetensors"
    write_shard(path, {"lengths": np.array([1, 2]), "terms": np.arange(3)})
    assert read_shard(path)["terms"].tolist() == [0, 1, 2]
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    with pytest.raises(DataError, match="damaged"):
        read_shard(path)


def test_the_command_builds_an_index_with_settings(
    xorqa: Any, splade: Path, corpus: Corpus, tmp_path: Path
) -> None:
    from xorqa.datasets.corpus import write_passages

    write_passages(tmp_path / "passages.jsonl", corpus, {})
    command = ["index", "--corpus", tmp_path / "passages.jsonl", "--retriever", "learned-sparse"]
    assert "needs a setting 'model'" in xorqa(*command).err
    out = xorqa(*command, "--set", f"model={splade}", "--indexes", tmp_path / "i", "--verify").out
    assert "70 passages" in out and "have their sums" in out


def test_files_of_rows_are_those_of_numpy_and_a_full_disk_names_one(tmp_path: Path) -> None:
    """A process that writes mapped memory would end with SIGBUS."""
    tables = [
        {"lengths": np.array([1, 2], np.int32), "values": np.ones((3, 700), np.float16)},
        {"lengths": np.array([1], np.int32), "values": np.zeros((1, 700), np.float16)},
    ]
    shards = [tmp_path / f"{number}.safetensors" for number in range(2)]
    for shard, table in zip(shards, tables, strict=True):
        write_shard(shard, table)
    write_rows(tmp_path, shards, ["values"])
    for name in tables[0]:
        np.save(tmp_path / "whole.npy", np.concatenate([table[name] for table in tables]))
        assert (tmp_path / f"{name}.npy").read_bytes() == (tmp_path / "whole.npy").read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large: '.*values\.npy'"):
            write_rows(tmp_path, shards, ["values"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
