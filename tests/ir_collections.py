"""A small collection of rivers, registered with the classes of the library `ir_datasets`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import ir_datasets
import pytest
from ir_datasets.datasets.base import Dataset
from ir_datasets.datasets.miracl import MiraclDoc
from ir_datasets.formats import TrecQrels, TsvDocs, TsvQueries

DOCS = (
    ("k", "Kemijoki", "Kemijoki on Suomen pisin joki."),
    ("o", "Oulujoki", "Oulujoki laskee Perämereen Oulussa."),
    ("v", "Vuoksi", "Vuoksi virtaa Saimaasta Laatokkaan."),
    ("t", "Teno", ""),
    ("e", "", ""),
)
QUERIES = (
    ("1", "Mikä on Suomen pisin joki?"),
    ("2", "Mihin Oulujoki laskee?"),
    ("3", "Mistä Vuoksi virtaa?"),
)
QRELS = (("1", "k", 2), ("1", "o", 1), ("2", "o", 1), ("2", "v", 0), ("9", "k", 1))


class Measured:
    """The documentation of an id with official measures."""

    def documentation(self) -> dict[str, object]:
        return {"official_measures": ["nDCG@10", "RR(rel=2)"]}


def register(folder: Path) -> str:
    """Register `xorqa-rivers` (documents), `.../dev`, `.../judged` and `.../open` (no qrels)."""
    rivers, asked, judged = parts(folder)
    for name, subset in {
        "": (rivers,),
        "/dev": (rivers, asked, judged),
        "/judged": (rivers, asked, judged, Measured()),
        "/open": (rivers, asked),
        "/questions": (asked,),
    }.items():
        ir_datasets.registry.register(f"xorqa-rivers{name}", Dataset(*subset))
    mixed = str(docs_of_two_languages(folder)), str(folder / "queries.tsv")
    detected = ir_datasets.create_dataset(*mixed)
    ir_datasets.registry.register("xorqa-mixed", detected)
    lost = TsvDocs(ir_datasets.util.LocalDownload(folder / "lost.tsv"))
    ir_datasets.registry.register("xorqa-lost", Dataset(lost))
    return "ir_datasets:xorqa-rivers"


def parts(folder: Path, *, lang: str = "fi") -> tuple[TsvDocs, TsvQueries, TrecQrels]:
    """The rivers, questions about them, and qrels; `lang` is that of the documents."""
    docs = _tsv(folder / "docs.tsv", DOCS)
    queries = _tsv(folder / "queries.tsv", QUERIES)
    qrels = folder / "qrels.txt"
    qrels.write_text("".join(f"{qid} 0 {docid} {grade}\n" for qid, docid, grade in QRELS))
    return (
        TsvDocs(ir_datasets.util.LocalDownload(docs), doc_cls=MiraclDoc, lang=lang),
        TsvQueries(ir_datasets.util.LocalDownload(queries), lang="fi"),
        TrecQrels(ir_datasets.util.LocalDownload(qrels), {}),
    )


def stand_in(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the rivers stand for the collections that the documents name, until `patch` is undone."""
    for name, lang in {"miracl/fi/dev": "fi", "neuclir/1/zh/trec-2022": "zh"}.items():
        inside = folder / name.replace("/", "-")
        inside.mkdir(parents=True)
        registered = ir_datasets.registry._registered  # `register` cannot be undone
        patch.setitem(registered, name, Dataset(*parts(inside, lang=lang)))


def docs_of_two_languages(folder: Path) -> Path:
    """Documents whose language is not stated."""
    nile = ("n", "The Nile flows through Egypt and is the longest river of Africa.")
    return _tsv(folder / "mixed.tsv", [nile, *((docid, text) for docid, _, text in DOCS[:3])])


def _tsv(path: Path, rows: Iterable[Sequence[str]]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path
