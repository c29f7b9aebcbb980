"""Small valid files of every layout that xorqa reads, to be damaged."""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...core.types import Candidate, CandidateScores, Example, Hit, Passage, Span
from ...datasets.corpus import read_corpus
from ...datasets.mini.world import load
from ...experiments.settings import load_settings
from ...io.candidates import candidate_row
from ...io.files import digest, sha256
from ...retrieval.bm25 import Bm25
from .mutators import Layout

BASE_SHA = "0" * 64
QUESTIONS = 3

RUN_FILES: dict[str, Layout] = {
    "config.json": "json",
    "manifest.json": "json",
    "spans.jsonl": "jsonl",
}
"""The files of a run folder that are opened again."""

SUITE = {
    "id": "c1",
    "lang": "fi",
    "test": "colours",
    "capability": "words",
    "type": "INV",
    "articles": ["the"],
    "examples": [
        {"context": "Anna on punainen.", "question": "Kuka?", "answers": ["Anna"]},
        {
            "context": "Omar on punainen.",
            "question": "Kuka?",
            "answers": ["Omar"],
            "of": 0,
            "renamed": {"Anna": "Omar"},
            "in_context": ["Omar"],
        },
    ],
}
FAILURE = {
    "context": "Anna on punainen.",
    "question": "Kuka?",
    "answers": ["Anna"],
    "prediction": "on",
    "foreign": False,
}
OUTCOME = {key: SUITE[key] for key in ("id", "lang", "test", "capability", "type")}
_CHECKLIST = """lang = "fi"
name = "Finnish"
script = "Latn"
articles = []
asides = ["Sataa.", "Kello on 9."]
unsure = []

[words.name]
forms = ["text", "agr"]
{names}

[words.colour]
forms = ["text"]
red = ["punainen"]
blue = ["sininen"]
green = ["vihreä"]
black = ["musta"]

[[tests]]
name = "colours"
capability = "words"
type = "MFT"
slots = { a = "name", b = "name", c = "colour" }
differ = [["a.text", "b.text"]]

[[tests.templates]]
contexts = ["{a} on {c}, {b} ei ole."]
questions = [{ ask = ["Kuka on {c}?"], answer = ["{a}"] }]
"""
NAMES = ("Anna", "Omar", "Aino", "Eero", "Ilta", "Kaisa", "Leo", "Maija", "Niilo", "Oona", "Pekka")
RECIPE = """[{table}]
sources = [{{ files = ["./train.fi.json"]{source} }}]
seed = 1
exclude = []
"""
DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><siteinfo><namespaces>
<namespace key="6">Tiedosto</namespace></namespaces></siteinfo>
<page><title>Niili</title><ns>0</ns><id>7</id><revision><id>1</id>
<text>'''Niili''' on [[joki]]. {{lähde}} [[en:Nile]] &lt;ref&gt;x&lt;/ref&gt;</text></revision>
</page><page><title>Joki</title><ns>0</ns><id>8</id><redirect title="Niili"/></page></mediawiki>
"""
SGML = (
    "<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>Niili</TITLE>\n<TEXT>\nNiili on joki &amp; pitkä.\n"
    "</TEXT>\n</DOC>\n"
)
PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Open file"\n'
TABLE = (
    "Field\ten\tfi\tfi-placeholders\nName\tcolours\t\t\nCapability\twords\t\t\n"
    "Context\tA {thing} is {colour}.\t{thing} on {colour}.\t\n"
    "Question\tWhat is {colour}?\tMikä on {colour}?\t\nAnswer\t{thing}\t{thing}\t\n"
    "thing\tsofa, lamp, chair\tsohva, lamppu, tuoli\t\n"
    "colour\tred, blue\tpunainen, sininen\tsofa\n"
)
REPLY = {
    "choices": [{"message": {"content": "Where is the Nile?"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 12, "completion_tokens": 5},
}


def checklist() -> bytes:
    """A checklist of one test with words for its cases."""
    names = "\n".join(f'{name.lower()} = ["{name}", "f"]' for name in NAMES)
    return _CHECKLIST.replace("{names}", names).encode()


PASSAGES = "passages.jsonl"


def squad() -> bytes:
    """Two paragraphs of the bundled parallel pool, with sentences."""
    path = Path(__file__).parents[2] / "datasets" / "mini" / "parallel" / "fi.json"
    value = json.loads(path.read_bytes())
    article = value["data"][0]
    article["paragraphs"] = article["paragraphs"][:2]
    return as_json({**value, "data": [{"title": "Musiikki", **article}]})


def xor() -> bytes:
    """Questions of the bundled world as an XOR QA file."""
    return jsonl(
        {
            "id": example.question.qid,
            "question": example.question.text,
            "lang": example.question.lang,
            "answers": list(example.answers(example.question.lang)),
            "split": "dev",
        }
        for example in load().examples[:QUESTIONS]
    )


def passages() -> bytes:
    """Passages of the bundled world."""
    return jsonl(asdict(passage) for passage in load().corpora["fi"].passages[:QUESTIONS])


def answers() -> bytes:
    """Right answers to the questions of `xor`."""
    examples = load().examples[:QUESTIONS]
    return as_json({e.question.qid: e.answers(e.question.lang)[0] for e in examples})


def retrieved() -> bytes:
    """Passages for the questions of `xor`."""
    examples = load().examples[:QUESTIONS]
    return as_json(
        [
            {"id": e.question.qid, "lang": e.question.lang, "ctxs": ["yksi", "kaksi"]}
            for e in examples
        ]
    )


def queries() -> bytes:
    """A run's queries for the questions of `xor`."""
    examples = load().examples[:QUESTIONS]
    return jsonl({"qid": e.question.qid, "lang": e.question.lang} for e in examples)


def trec(columns: str) -> bytes:
    """Lines of a run or of qrels for the questions of `xor`; {score} counts down."""
    lines = [
        columns.format(qid=example.question.qid, docid=f"d{at}", rank=at + 1, score=9.5 - at)
        for example in load().examples[:QUESTIONS]
        for at in range(2)
    ]
    return "\n".join([*lines, ""]).encode()


def per_question() -> bytes:
    """Scores of single questions."""
    rows = [
        {"task": "xor-full", "scorer": by, "lang": lang, "qid": f"q{at}", "values": {"f1": at / 4}}
        for by in ("official", "strict")
        for lang in ("fi", "ko")
        for at in range(4)
    ]
    return jsonl(rows)


def recorded() -> bytes:
    """Recorded translations."""
    text = "Missä Niili on?"
    strings = {"provider": "p", "version": "1", "date": "2026-01-01", "lang": "fi", "to": "en"}
    row = {**strings, "hash": digest(text), "text": text, "translation": "Where is the Nile?"}
    return jsonl([row, {**row, "hash": digest("toinen"), "black_box": "m at h"}])


def run_folder() -> dict[str, bytes]:
    """A finished run over the first questions of the bundled world."""
    examples = load().examples[:QUESTIONS]
    asked = [asdict(example.question) for example in examples]
    spans = [
        {
            "qid": e.question.qid,
            "candidates": [candidate_row(_candidate(e))],
        }
        for e in examples
    ]
    corpora = {name: corpus.sha for name, corpus in load().corpora.items()}
    manifest = {
        "run": "x",
        "dataset": "mini",
        "until": "full",
        "finished": True,
        "corpora": corpora,
        "questions": digest(asked),
    }
    return {
        "config.json": as_json(load_settings("bm25").to_json() | {"chooser": {"use": "rule"}}),
        "manifest.json": as_json(manifest),
        "spans.jsonl": jsonl(spans),
        "queries.jsonl": queries(),
        "per_question.jsonl": per_question(),
        "xor_full.json": answers(),
    }


@cache
def bm25_index() -> Mapping[str, bytes]:
    """The files of a BM25 index of the passages of `passages`, which are beside it."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / PASSAGES).write_bytes(passages())
        bm25_retriever(root).build()
        files = [path for path in sorted(root.rglob("*")) if path.is_file()]
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def bm25_retriever(root: Path) -> Bm25:
    """The retriever over the passages and the index in a folder."""
    return Bm25(corpus=read_corpus(root / PASSAGES), folder=root / "index")


def checkpoint() -> dict[str, bytes]:
    """A folder that passes for a checkpoint as long as nothing is computed with it."""
    return {"base/config.json": as_json({}), "base/model.safetensors": safetensors({}, {})}


def adapter(folder: Path, *, task: str, card: Mapping[str, Any]) -> bytes:
    """An adapter on `checkpoint`, which is in `folder`."""
    base = folder / "base"
    sha = digest(sha256(base / "model.safetensors"))
    metadata = {"task": task, "base": str(base), "base_sha": sha, "card": json.dumps(card)}
    return safetensors({"classifier.bias": [0.0, 0.5, 1.0]}, metadata)


def transform() -> bytes:
    """A fitted transform of three dimensions for the encoder "e"."""
    metadata = {"task": "transform", "kind": "center", "encoder": "e", "card": '{"texts": 3}'}
    entry = [[0.1, 0.2, 0.3]]
    return safetensors({"fi.query": entry, "fi.passage": entry, "en.query": entry}, metadata)


def safetensors(tensors: Mapping[str, Any], metadata: Mapping[str, str]) -> bytes:
    """A safetensors file of float32 tensors."""
    import numpy as np
    from safetensors.numpy import save

    arrays = {name: np.array(value, np.float32) for name, value in tensors.items()}
    return bytes(save(arrays, metadata=dict(metadata)))


def vectors(questions: int, candidates: int) -> bytes:
    """Vectors of a pool, as .npz."""
    import numpy as np

    stream = io.BytesIO()
    np.savez(stream, questions=np.ones((questions, 2)), candidates=np.ones((candidates, 2)))
    return stream.getvalue()


def wheel() -> bytes:
    """A wheel with message catalogues in two layouts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as files:
        place = "pkg/locale/fi/LC_MESSAGES/"
        files.writestr(f"{place}a.po", f'{PO}msgstr "Avaa tiedosto"\n')
        files.writestr(f"{place}b.json", '{"Open": "Avaa tämä"}')
        files.writestr("pkg/locale/en/LC_MESSAGES/b.json", '{"Open": "Open this"}')
    return stream.getvalue()


def jsonl(rows: Any) -> bytes:
    """One JSON object per line."""
    return b"".join(as_json(row) + b"\n" for row in rows)


def as_json(value: object) -> bytes:
    """A JSON value."""
    return json.dumps(value, ensure_ascii=False).encode()


def _candidate(example: Example) -> Candidate:
    lang = example.question.lang
    text = example.answers(lang)[0]
    hit = Hit(Passage("d1", text, lang=lang), 2.5)
    return Candidate(hit, 0, Span(0, len(text)), CandidateScores(-0.1, -0.2), "eng")
