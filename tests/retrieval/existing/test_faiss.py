"""FAISS indexes of others: rankings are those of the program that built them."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.zoo import engines
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, Notice, XorqaError
from xorqa.core.registry import build
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.retrieval.existing import prebuilt
from xorqa.retrieval.existing.faiss import FaissIndex
from xorqa.retrieval.update import update_indexes

MINI = load_mini()
CORPUS = Corpus("rivers", MINI.corpora["fi"].passages[:40])
DOCIDS = [passage.docid for passage in CORPUS]
QUERIES = [
    Query(Question(str(number), passage.text[:40], "fi"), passage.text[:40], "fi")
    for number, passage in enumerate(CORPUS.passages[:10])
]


@pytest.fixture(scope="module")
def vectors(tiny: Path) -> Any:
    """The vectors of the passages, in order."""
    return settings_of(tiny).passages([passage.titled for passage in CORPUS])


def settings_of(tiny: Path) -> Encoder:
    return Encoder(EncoderSettings(**table(tiny)))


def table(tiny: Path) -> dict[str, Any]:
    return {"model": str(tiny), "pooling": "mean", "normalize": True, "dtype": "float32"}


def open_as(index: Path | str, tiny: Path, corpus: Corpus = CORPUS, **settings: Any) -> FaissIndex:
    options = {"use": "faiss-index", "index": str(index), "encoder": table(tiny), **settings}
    stage = build("retriever", options, corpus=corpus, folder=Path("unused"))
    assert isinstance(stage, FaissIndex)
    return stage


@pytest.mark.jvm
@pytest.mark.slow
def test_ranks_as_pyserini_does(tmp_path: Path, tiny: Path) -> None:
    pytest.importorskip("pyserini")
    index = engines.encode_with_pyserini(tmp_path, CORPUS.passages, tiny)
    from pyserini.encode import AutoQueryEncoder
    from pyserini.search.faiss import FaissSearcher

    encoder = AutoQueryEncoder(str(tiny), pooling="mean", l2_norm=True)
    searcher = FaissSearcher(str(index), encoder)
    asked = [one.question for one in MINI.examples if one.question.lang == "fi"]
    queries = [*QUERIES, *(Query(one, one.text, "fi") for one in asked)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)  # the encoder is that of the index
        hits = open_as(index, tiny).retrieve(queries, k=10)
    for query, ours in zip(queries, hits, strict=True):
        theirs = searcher.search(query.text, k=10)
        assert [hit.passage.docid for hit in ours] == [hit.docid for hit in theirs]
        scores = [float(hit.score) for hit in theirs]
        assert [hit.score for hit in ours] == pytest.approx(scores, abs=1e-5)


@pytest.mark.parametrize("write", [engines.write_pyserini_faiss, engines.write_dpr_faiss])
def test_both_layouts_rank_as_faiss_itself(
    tmp_path: Path, tiny: Path, vectors: Any, write: Any
) -> None:
    import faiss

    retriever = open_as(write(tmp_path / "index", DOCIDS, vectors), tiny)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    asked = settings_of(tiny).queries([query.question.text for query in QUERIES])
    expected = index.search(asked, 10)[1]
    for hits, rows in zip(retriever.retrieve(QUERIES, k=10), expected, strict=True):
        assert [hit.passage.docid for hit in hits] == [DOCIDS[row] for row in rows]
    assert len(retriever.retrieve(QUERIES, k=99)[0]) == len(CORPUS)


@pytest.mark.parametrize("kind", ["HNSW8", "IVF2,Flat", "SQ8", "PQ4x4"])
def test_compressed_and_approximate_kinds(
    tmp_path: Path, tiny: Path, vectors: Any, kind: str
) -> None:
    import faiss

    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    index = faiss.index_factory(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    faiss.write_index(index, str(folder / "index"))
    asked = settings_of(tiny).queries([query.question.text for query in QUERIES])
    expected = faiss.read_index(str(folder / "index")).search(asked, 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # PQ's codes are far from the vectors
        found = open_as(folder, tiny).retrieve(QUERIES, k=10)
    for hits, scores, rows in zip(found, *expected, strict=True):
        ranked = sorted(
            (-score, DOCIDS[row]) for score, row in zip(scores, rows, strict=True) if row >= 0
        )
        assert [hit.passage.docid for hit in hits] == [docid for _, docid in ranked]


def test_nearest_vectors_rank_first(tmp_path: Path, tiny: Path, vectors: Any) -> None:
    import faiss

    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, str(folder / "index"))
    [hits] = open_as(folder, tiny).retrieve(QUERIES[:1], k=5)
    asked = settings_of(tiny).queries([QUERIES[0].question.text])
    distances, rows = index.search(asked, 5)
    assert [hit.passage.docid for hit in hits] == [DOCIDS[row] for row in rows[0]]
    assert [hit.score for hit in hits] == pytest.approx((-distances[0]).tolist(), abs=1e-5)


def test_another_encoder_is_noticed_or_refused(
    tmp_path: Path, tiny: Path, make_tiny: Any, vectors: Any
) -> None:
    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        open_as(folder, tiny).build()
    with pytest.warns(Notice, match="have another vector when encoded again"):
        open_as(folder, make_tiny(seed=9)).build()
    narrow = engines.write_pyserini_faiss(tmp_path / "narrow", DOCIDS, vectors[:, :16])
    with pytest.raises(IndexMismatchError, match=r"16 dimensions, encoder .* of 32"):
        open_as(narrow, tiny).build()


def test_two_towers_encode_title_and_text_as_a_pair(tmp_path: Path, make_tiny: Any) -> None:
    """As DPR does; queries are compared with transformers."""
    import faiss
    import torch
    from transformers import AutoTokenizer, DPRContextEncoder, DPRQuestionEncoder

    towers = [
        make_tiny(seed=seed, model=model, projection_dim=0)
        for seed, model in ((5, "DPRQuestionEncoder"), (6, "DPRContextEncoder"))
    ]
    tokenizer = AutoTokenizer.from_pretrained(towers[0])
    models = DPRQuestionEncoder, DPRContextEncoder
    asks, reads = (m.from_pretrained(t).eval() for m, t in zip(models, towers, strict=True))
    with torch.no_grad():
        pairs = [p.title for p in CORPUS], [p.text for p in CORPUS]
        rows = tokenizer(*pairs, padding=True, return_tensors="pt")
        passages = reads(rows.input_ids, rows.attention_mask).pooler_output.numpy()
        texts = [query.text for query in QUERIES]
        rows = tokenizer(texts, padding=True, return_tensors="pt")
        questions = asks(rows.input_ids, rows.attention_mask).pooler_output.numpy()
    folder = engines.write_dpr_faiss(tmp_path / "index", DOCIDS, passages)
    encoder = {"model": str(towers[0]), "passage_tower": str(towers[1]), "dtype": "float32"}
    options = {"index": str(folder), "encoder": encoder | {"pooling": "cls", "normalize": False}}
    retriever = build("retriever", {"use": "faiss-index", **options}, corpus=CORPUS, folder=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        hits = retriever.retrieve(QUERIES, k=10)
    index = faiss.IndexFlatIP(passages.shape[1])
    index.add(passages)
    scores, best = index.search(questions, 10)
    for ours, theirs, values in zip(hits, best, scores, strict=True):
        assert [hit.passage.docid for hit in ours] == [DOCIDS[row] for row in theirs]
        assert [hit.score for hit in ours] == pytest.approx(values.tolist(), rel=1e-5)


def test_a_changed_index_has_another_fingerprint(tmp_path: Path, tiny: Path, vectors: Any) -> None:
    one = engines.write_pyserini_faiss(tmp_path / "one", DOCIDS, vectors)
    other = engines.write_pyserini_faiss(tmp_path / "other", DOCIDS, -vectors)
    assert open_as(one, tiny).fingerprint() == open_as(one, tiny).fingerprint()
    assert open_as(one, tiny).fingerprint() != open_as(other, tiny).fingerprint()


def test_damaged_files_and_other_passages_are_refused(
    tmp_path: Path, tiny: Path, vectors: Any
) -> None:
    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    fewer = Corpus("fewer", CORPUS.passages[:3])
    with pytest.raises(DataError, match="which corpus fewer lacks"):
        open_as(folder, tiny, fewer).retrieve(QUERIES, k=10)
    (folder / "docid").write_text("one\n", encoding="utf-8")
    with pytest.raises(DataError, match="1 docids for 40 vectors"):
        open_as(folder, tiny).build()
    (folder / "docid").unlink()
    with pytest.raises(DataError, match="has no file 'docid'"):
        open_as(folder, tiny).build()
    (folder / "docid").write_text("x", encoding="utf-8")
    (folder / "index").write_bytes(b"no index")
    with pytest.raises(DataError, match="is not a FAISS index"):
        open_as(folder, tiny).build()
    with pytest.raises(DataError, match="is not a folder"):
        open_as(tmp_path / "nowhere" / "index", tiny).build()


def test_docids_of_dpr_run_no_code(tmp_path: Path, tiny: Path, vectors: Any) -> None:
    folder = engines.write_dpr_faiss(tmp_path / "index", DOCIDS, vectors)
    (folder / "index_meta.dpr").write_bytes(pickle.dumps(np.float32(1)))
    with pytest.raises(DataError, match="is not a list of docids"):
        open_as(folder, tiny).build()


def test_it_is_never_changed(tmp_path: Path, tiny: Path, vectors: Any) -> None:
    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    with pytest.raises(ConfigError, match="cannot rebuild it"):
        open_as(folder, tiny).build(rebuild=True)
    changed = Corpus("rivers", [*CORPUS, Passage("new", "Uusi joki.", lang="fi")])
    options = {"use": "faiss-index", "index": str(folder), "encoder": table(tiny)}
    with pytest.raises(ConfigError, match="cannot update it"):
        update_indexes(CORPUS, changed, tmp_path, tables=[options], progress=print)


def test_prebuilt_names_need_a_network(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(name: str, *, verbose: bool) -> str:
        problem = "Unrecognized index name" if name == "wiki" else "Unable to download"
        raise ValueError(problem)

    monkeypatch.setattr(prebuilt, "_pyserini", lambda: unreachable)
    with pytest.raises(DataError, match="neither a folder nor a prebuilt index"):
        open_as("wiki", tiny).build()
    with pytest.raises(XorqaError, match=r"cannot be downloaded .* give the folder of a copy"):
        open_as("wikipedia-dpr-100w.dpr-multi", tiny).build()


def test_health(tmp_path: Path, tiny: Path, vectors: Any) -> None:
    folder = engines.write_pyserini_faiss(tmp_path / "index", DOCIDS, vectors)
    checks = open_as(folder, tiny).health(CORPUS.passages[:8])
    notes = {name: check() for name, check in checks.items()}
    assert notes["index"] == "IndexFlatIP, 40 vectors, 32 dimensions"
    assert notes["passages"] == "corpus rivers has all 40 docids"
    assert "8 passages encoded again" in notes["vectors"]
    assert "rank first" in notes["search"]
