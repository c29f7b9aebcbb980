"""One conformance test a Protocol, over every implementation the registry knows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.candidates import candidate
from tests.translation.conftest import service  # noqa: F401  the fixture of a chat service
from tests.zoo.engines import (
    FIELDS,
    fill_elastic,
    fill_qdrant,
    index_with_pyserini,
    write_pyserini_faiss,
)
from tests.zoo.late import splade
from xorqa.answering.choosing.features import FEATURES
from xorqa.answering.choosing.learned import ChooserWeights, save_chooser
from xorqa.core.registry import STAGES, build
from xorqa.core.stages import BaseLocaliser, BaseRetriever, BaseTranslator
from xorqa.core.types import Answer, Candidate, Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.trec import write_run
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.translation.recorded import record

PASSAGES = [
    Passage("en-1", "The Nile is a river in Africa. It is 6650 km long.", "Nile"),
    Passage("en-2", "The Rhine is a river in Europe.", "Rhine"),
    Passage("en-3", "Lake Inari stands in Finland; Ivalo is near.", "Inari"),
    Passage("te-1", "గోదావరి భారతదేశంలో ఒక నది.", "గోదావరి", "te"),
    Passage("ja-1", "信濃川は日本で最も長い川である。", "信濃川", "ja"),
]
CORPUS = Corpus("conformance", PASSAGES)
QUESTIONS = [
    Question("en", "Where is the Nile?", "en"),
    Question("te", "గోదావరి ఎక్కడ ఉంది?", "te"),
    Question("unknown-language", "Nile?", "xx"),
    Question("unseen-script", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ꦗꦮ?", "en"),
    Question("10,000-characters", ("Where is the Nile? ナイル川 " * 500)[:10_000], "ja"),
    Question("no-words", "?! 👩‍👧 \u200d", "ko"),
    Question("again", "Where is the Nile?", "en"),
]
JAVA = ("lucene", "lucene-index")
QUERIES = [Query(question, question.text, question.lang) for question in QUESTIONS]
CANDIDATES = [
    candidate("8 May 1980", span_score=-1.0, passage_score=-0.5, margin=2.0),
    candidate("Finland", span_score=-2.0, passage_score=-0.5, margin=float("inf"), rank=1),
    candidate("నది", "te", span_score=-1.0, passage_score=-0.7, margin=0.0, rank=2),
    candidate("ᏣᎳᎩ " * 2000, "chr", span_score=-9.0, passage_score=-9.0, margin=0.0, rank=3),
]


def service_of(request: pytest.FixtureRequest) -> Any:
    """The tests' chat service, which always gives one scripted answer."""
    made = request.getfixturevalue("service")
    made.replies = ['{"answer": "Africa", "citations": [{"passage": 2, "quote": "in Europe"}]}']
    return made


def names(role: str) -> list[Any]:
    """The registry's names of a role, those that need Java marked."""
    return [
        pytest.param(name, marks=pytest.mark.jvm) if name in JAVA else name for name in STAGES[role]
    ]


def _faiss_index(folder: Path, tiny: Path) -> dict[str, Any]:
    """The settings of a FAISS index of others."""
    encoder = {"model": str(tiny), "pooling": "mean"}
    vectors = Encoder(EncoderSettings(**encoder)).passages([p.titled for p in PASSAGES])
    write_pyserini_faiss(folder, [passage.docid for passage in PASSAGES], vectors)
    return {"index": str(folder), "encoder": encoder}


def _lucene_index(folder: Path, tiny: Path) -> dict[str, Any]:
    """The settings of a Lucene index of others."""
    pytest.importorskip("jnius_config")
    return {"index": str(index_with_pyserini(folder, PASSAGES)), "language": "en"}


def _elastic_index(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The settings of an index of others in the local cluster, which the environment names."""
    url, patch = request.getfixturevalue("noida"), request.getfixturevalue("monkeypatch")
    patch.setenv("XORQA_ELASTIC_URL", url)
    patch.setenv("XORQA_OPENSEARCH_URL", url)
    client = pytest.importorskip("opensearchpy").OpenSearch(hosts=[url])
    if not client.indices.exists(index="conformance"):
        fill_elastic(client, "conformance", PASSAGES, np.eye(len(PASSAGES), 3) + 0.1)
    return {"index": "conformance", "fields": FIELDS}


def _qdrant_collection(folder: Path, tiny: Path) -> dict[str, Any]:
    """The settings of a Qdrant collection of others."""
    client = pytest.importorskip("qdrant_client").QdrantClient(path=str(folder))
    encoder = {"model": str(tiny), "pooling": "mean"}
    vectors = Encoder(EncoderSettings(**encoder)).passages([p.titled for p in PASSAGES])
    fill_qdrant(client, "wiki", PASSAGES, vectors)
    client.close()
    fields = {**FIELDS, "vector": "passage"}
    return {"collection": "wiki", "path": str(folder), "encoder": encoder, "fields": fields}


EXISTING: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "faiss-index": _faiss_index,
    "lucene-index": _lucene_index,
    "qdrant-collection": _qdrant_collection,
}


@pytest.fixture
def stage(
    tmp_path: Path, tiny: Path, tiny_adapter: Path, request: pytest.FixtureRequest
) -> Callable[[str, str], Any]:
    """Builds a stage with whatever it needs; asked again, an equal one."""
    settings: dict[tuple[str, str], dict[str, Any]] = {
        ("retriever", "dense"): {"encoder": str(tiny)},
        ("retriever", "dpr"): {"question_tower": str(tiny), "passage_tower": str(tiny)},
        ("retriever", "mdpr"): {"question_tower": str(tiny), "passage_tower": str(tiny)},
        ("retriever", "hybrid"): {
            "parts": [{"use": "bm25"}, {"use": "dense", "encoder": str(tiny)}]
        },
        ("retriever", "late-interaction"): {"model": str(tiny), "transform": "none"},
        ("retriever", "qdrant"): {"encoder": {"model": str(tiny), "pooling": "mean"}},
        ("retriever", "recorded"): {"file": str(tmp_path / "recorded.trec")},
        ("ranker", "reader"): {"adapter": str(tiny_adapter), "depth": 3},
        ("ranker", "cross-encoder"): {
            "model": str(request.getfixturevalue("tiny_classifier")),
            "depth": 3,
        },
        ("ranker", "late-interaction"): {"model": str(tiny), "transform": "none", "depth": 3},
        ("ranker", "path"): {
            "scorer": {"use": "reader", "adapter": str(tiny_adapter)},
            "articles": 2,
        },
        ("ranker", "balance"): {"quota": {"en": 2}, "keep": 4},
        ("ranker", "listwise"): {"endpoint": service_of(request).url, "model": "scripted"},
        ("reader", "span"): {"adapter": str(tiny_adapter)},
        ("reader", "generate"): {"endpoint": service_of(request).url, "model": "scripted"},
        ("localiser", "translate"): {"translator": {"use": "none"}},
        ("chooser", "learned"): {"weights": str(tmp_path / "chooser.json")},
        ("translator", "recorded"): {"file": str(tmp_path / "recorded.jsonl")},
        ("translator", "service"): {"url": "http://127.0.0.1:9/v1", "model": "m", "retries": 0},
    }
    given = {
        "corpus": CORPUS,
        "folder": tmp_path / "indexes" / "one",
        "translations": {question.qid: "Where is it?" for question in QUESTIONS},
    }

    found = {passage.docid: 9.0 - at for at, passage in enumerate(PASSAGES)}
    write_run(tmp_path / "recorded.trec", {question.qid: found for question in QUESTIONS})
    save_chooser(tmp_path / "chooser.json", ChooserWeights(FEATURES, (1.0,) * len(FEATURES), 0.0))
    record(
        build("translator", {"use": "human"}, **given),
        QUESTIONS,
        tmp_path / "recorded.jsonl",
        to="en",
        provider="human",
        date="2026-01-31",
    )

    def make(role: str, name: str) -> Any:
        if name == "lucene":
            pytest.importorskip("jnius_config")
        if name == "qdrant":
            pytest.importorskip("qdrant_client")
        if name in EXISTING:
            settings[role, name] = EXISTING[name](tmp_path / name, tiny)
        if name in ("elastic-index", "opensearch-index"):
            settings[role, name] = _elastic_index(request)
        if name in ("elastic", "opensearch"):
            prefix, patch = (
                request.getfixturevalue("cluster"),
                request.getfixturevalue("monkeypatch"),
            )
            patch.setenv("XORQA_OPENSEARCH_URL", request.getfixturevalue("noida"))
            patch.setenv("XORQA_ELASTIC_PREFIX", f"{prefix}-{name}")
        if name == "bundled":
            settings[role, name] = {"model": str(request.getfixturevalue("tiny_translator"))}
        if name == "learned-sparse":
            settings[role, name] = {"model": str(splade(tmp_path / "splade"))}
        if name in ("seq2seq", "ctranslate2"):
            folder = request.getfixturevalue(f"tiny_{name}")
            settings[role, name] = {"model": str(folder), "longest": 16, "device": "cpu"}
        made = build(role, {"use": name, **settings.get((role, name), {})}, **given)
        assert isinstance(made.version, int)
        again = build(role, {"use": name, **settings.get((role, name), {})}, **given)
        assert made.fingerprint() == again.fingerprint() != ""
        return made

    return make


@pytest.mark.parametrize("name", names("translator"))
def test_translators(stage: Callable[[str, str], Any], name: str) -> None:
    translator = stage("translator", name)
    queries = translator.translate(QUESTIONS, to="en")
    assert [query.question for query in queries] == QUESTIONS
    assert all(query.text for query in queries)
    assert queries[0] == Query(QUESTIONS[0], QUESTIONS[0].text, "en")
    assert isinstance(translator.black_box, str)
    assert all(isinstance(value, int | float) for value in translator.spent.values())
    assert translator.translate([], to="en") == []


@pytest.mark.parametrize("name", names("retriever"))
def test_retrievers(stage: Callable[[str, str], Any], name: str) -> None:
    retriever = stage("retriever", name)
    retriever.build()
    found = retriever.retrieve(QUERIES, k=3)
    assert len(found) == len(QUERIES)
    for hits in found:
        assert len({hit.passage.docid for hit in hits}) == len(hits) <= 3
        assert all(hit.passage in PASSAGES for hit in hits)
        assert [(-hit.score, hit.passage.docid) for hit in hits] == sorted(
            (-hit.score, hit.passage.docid) for hit in hits
        )
    assert found[0] and docids(found[0]) == docids(found[-1])
    reverse = retriever.retrieve(QUERIES[::-1], k=3)[::-1]
    assert list(map(docids, reverse)) == list(map(docids, found))
    [one] = retriever.retrieve(QUERIES[:1], k=1)
    assert docids(one) == docids(found[0])[:1]
    assert len(retriever.retrieve(QUERIES[:1], k=99)[0]) <= len(PASSAGES)
    assert retriever.retrieve(QUERIES[:2], k=0) == [[], []]
    assert retriever.retrieve([], k=3) == []


@pytest.mark.parametrize("name", names("ranker"))
def test_rankers(stage: Callable[[str, str], Any], name: str) -> None:
    ranker = stage("ranker", name)
    hits = [[Hit(passage, 9.0 - rank) for rank, passage in enumerate(PASSAGES)]] * len(QUERIES)
    hits = [*hits[:-1], []]
    found = ranker.rank(QUERIES, hits)
    assert len(found) == len(QUERIES)
    assert found[-1] == [] and all(found[:-1])
    for ranked in found:
        assert len(set(docids(ranked))) == len(ranked)
        assert all(hit.passage in PASSAGES for hit in ranked)
        assert [(-hit.score, hit.passage.docid) for hit in ranked] == sorted(
            (-hit.score, hit.passage.docid) for hit in ranked
        )
    reverse = ranker.rank(QUERIES[::-1], hits[::-1])[::-1]
    assert list(map(docids, reverse)) == list(map(docids, found))
    assert ranker.rank([], []) == []


@pytest.mark.parametrize("name", names("reader"))
def test_readers(stage: Callable[[str, str], Any], name: str) -> None:
    reader = stage("reader", name)
    hits = [[Hit(passage, 9.0 - rank) for rank, passage in enumerate(PASSAGES)]] * len(QUERIES)
    hits = [*hits[:-1], []]
    found = reader.read(QUERIES, hits)
    assert len(found) == len(QUERIES)
    assert found[-1] == [] and all(found[:-1])
    for candidates in found:
        assert [c.score for c in candidates] == sorted((c.score for c in candidates), reverse=True)
        for one in candidates:
            assert one.hit == hits[0][one.rank]
            assert one.text.strip()
    reverse = reader.read(QUERIES[::-1], hits[::-1])[::-1]
    spans = [[(c.docid, c.span) for c in candidates] for candidates in found]
    assert [[(c.docid, c.span) for c in candidates] for candidates in reverse] == spans
    assert reader.read([], []) == []


@pytest.mark.parametrize("name", names("localiser"))
def test_localisers(stage: Callable[[str, str], Any], name: str) -> None:
    localiser = stage("localiser", name)
    assert (localiser.translator is None) == (name != "translate")
    given: list[Sequence[Candidate]] = [CANDIDATES] * (len(QUESTIONS) - 1) + [[]]
    found = localiser.localise(QUESTIONS, given)
    assert [[answer.source for answer in answers] for answers in found] == [list(c) for c in given]
    for question, answers in zip(QUESTIONS, found, strict=True):
        for answer in answers:
            assert answer.source is not None
            assert answer.text and answer.score == answer.source.score
            assert answer.lang in {question.lang, answer.source.lang}
            if answer.lang == question.lang == answer.source.lang:
                assert (answer.text, answer.method) == (answer.source.text, "span")
            elif answer.method == "copied":
                assert (answer.text, answer.lang) == (answer.source.text, answer.source.lang)
    assert localiser.localise([], []) == []


@pytest.mark.parametrize("name", names("chooser"))
def test_choosers(stage: Callable[[str, str], Any], name: str) -> None:
    chooser = stage("chooser", name)
    answers = [Answer(c.text, c.lang, c.score, "span", c) for c in CANDIDATES]
    given = [answers, *([answer] for answer in answers), [], answers[::-1]]
    found = chooser.choose(QUESTIONS, given)
    assert len(found) == len(QUESTIONS)
    for question, one, some in zip(QUESTIONS, found, given, strict=True):
        rescored = [replace(a, score=one.score, confidence=one.confidence) for a in some]
        assert one in rescored or (not some and (one.text, one.lang) == ("", question.lang))
    assert chooser.choose([], []) == []


def docids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.docid for hit in hits]


def test_the_base_classes_have_defaults_for_optional_members() -> None:
    assert (BaseTranslator().black_box, BaseTranslator().spent) == ("", {})
    BaseRetriever().build(rebuild=True)
    assert BaseLocaliser().translator is None


def test_every_role_has_its_test() -> None:
    assert {f"test_{role}s" for role in STAGES} <= set(globals())
