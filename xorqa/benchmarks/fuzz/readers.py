"""Every reader of files, with a valid file of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...analysis.back_translation import read_parallel
from ...analysis.lareqa.similarity import read_vectors
from ...analysis.parallel import read_questions
from ...answering.choosing.learned import find_chooser, open_chooser
from ...answering.transliteration.name_table import read_titles
from ...checklist.format import read_checklist
from ...checklist.lint import lint
from ...checklist.official_table import read_official_table
from ...checklist.results import error_grid, read_results
from ...checklist.suite import read_suite
from ...core.errors import DataError
from ...core.types import Query, Question
from ...datasets.corpora.layouts import pages
from ...datasets.corpora.make import make_corpus
from ...datasets.corpus import read_corpus
from ...datasets.lareqa import read_pool
from ...datasets.pool import Pool
from ...experiments.saved_run import finished, open_run
from ...experiments.settings import load_settings
from ...io.files import read_json, read_jsonl
from ...io.predictions import check, read_answers, read_passages
from ...io.squad_xor import read_langs, read_squad, read_xor
from ...io.trec import read_qrels, read_runs
from ...metrics.per_question import read_scores
from ...metrics.references import read_squad_references
from ...models.adapters import open_adapter
from ...models.encoder import encoder_settings
from ...models.transforms import open_transform
from ...models.translator import TranslatorModel
from ...retrieval import manifest
from ...training.biencoder.recipe import BiencoderRecipe
from ...training.bitext.corpus import read_pairs
from ...training.bitext.layouts import published
from ...training.bitext.lexicon import read_lexicon
from ...training.common.decontamination import read_excluded
from ...training.history import read_history
from ...training.reader.recipe import ReaderRecipe
from ...training.translator.recipe import TranslatorRecipe
from ...translation.chat_client import ChatError, read_reply
from ...translation.dictionaries import read_dictionary
from ...translation.recorded import RecordedTranslator
from . import seeds
from .mutators import Layout

POOL = Path(__file__).parents[2] / "datasets" / "mini" / "parallel"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader and the file that it reads; `beside` are other files that it needs there."""

    name: str
    file: str
    layout: Layout
    seed: Callable[[Path], bytes]
    read: Callable[[Path], Any]
    beside: Callable[[], Mapping[str, bytes]] = field(default=dict)

    def write(self, folder: Path, content: Callable[[Path], bytes]) -> Path:
        """Write the file with what `content` makes for the folder, and the files beside it."""
        for name, other in self.beside().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(other)
        (folder / self.file).write_bytes(content(folder))
        return folder / self.file


def readers() -> list[Reader]:
    """All of them."""
    return [
        *_questions(),
        *_passages(),
        *_runs(),
        *_indexes(),
        *_checklists(),
        *_training(),
        *_weights(),
    ]


def _of(make: Callable[[], bytes]) -> Callable[[Path], bytes]:
    return lambda folder: make()


def _text(text: str) -> Callable[[Path], bytes]:
    return lambda folder: text.encode()


def _questions() -> list[Reader]:
    squad, xor, retrieved = map(_of, (seeds.squad, seeds.xor, seeds.retrieved))
    return [
        Reader("JSON", "a.json", "json", squad, read_json),
        Reader("JSONL", "a.jsonl", "jsonl", xor, lambda path: list(read_jsonl(path))),
        Reader("SQuAD", "a.fi.json", "json", squad, lambda path: list(read_squad(path))),
        Reader("SQuAD, references", "a.fi.json", "json", squad, read_squad_references),
        Reader("SQuAD, parallel", "a.fi.json", "json", squad, read_questions),
        Reader("pool", "fi.json", "json", squad, lambda path: read_pool(path.parent)),
        Reader("XOR QA", "a.jsonl", "jsonl", xor, lambda path: list(read_xor(path))),
        Reader("queries", "a.jsonl", "jsonl", _of(seeds.queries), read_langs),
        Reader("answers", "a.json", "json", _of(seeds.answers), _checked(read_answers)),
        Reader("retrieved passages", "a.json", "json", retrieved, _checked(read_passages)),
        Reader(
            "MKQA",
            "dev.mkqa-fi.jsonl",
            "jsonl",
            xor,
            lambda path: read_parallel(path.parent),
            lambda: {"dev.mkqa-en.jsonl": seeds.xor()},
        ),
    ]


def _checked(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Predictions with the kinds of problems that the check of a submission reports."""

    def read_and_check(path: Path) -> Any:
        predictions = read(path)
        problems = check(predictions, {"q": "fi"}, scripts=True)
        return predictions.found, [problem.kind for problem in problems]

    return read_and_check


def _passages() -> list[Reader]:
    tsv = _text("id\ttext\ttitle\n1\tNiili on joki.\tNiili\n2\tOulu on kaupunki.\tOulu\n")

    def corpus(path: Path) -> Any:
        return read_corpus(path).passages

    def made(path: Path) -> Any:
        make_corpus([path], path.with_name("made.jsonl"), lang="fi")
        return read_corpus(path.with_name("made.jsonl")).passages

    return [
        Reader("passages, JSONL", "a.jsonl", "jsonl", _of(seeds.passages), corpus),
        Reader("passages, TSV", "a.tsv", "cells", tsv, corpus),
        Reader("passages, TREC", "a.trec", "lines", _text(seeds.SGML), corpus),
        Reader("passages, SQuAD", "a.json", "json", _of(seeds.squad), corpus),
        Reader("dump", "a.xml", "lines", _text(seeds.DUMP), lambda path: list(pages(path))),
        Reader("passages made of a dump", "a.xml", "lines", _text(seeds.DUMP), made),
        Reader("passages made of JSONL", "a.jsonl", "jsonl", _of(seeds.passages), made),
    ]


def _runs() -> list[Reader]:
    def trec(columns: str) -> Callable[[Path], bytes]:
        return lambda folder: seeds.trec(columns)

    def part(name: str) -> Callable[[Path], bytes]:
        return lambda folder: seeds.run_folder()[name]

    def opened(path: Path) -> Any:
        return open_run(path.parent).answers

    return [
        Reader("TREC run", "a.trec", "cells", trec("{qid} Q0 {docid} {rank} {score} t"), read_runs),
        Reader("qrels", "a.txt", "cells", trec("{qid} 0 {docid} 1"), read_qrels),
        Reader("scores of questions", "a.jsonl", "jsonl", _of(seeds.per_question), read_scores),
        *(
            Reader(f"run folder, {name}", name, layout, part(name), opened, seeds.run_folder)
            for name, layout in seeds.RUN_FILES.items()
        ),
        Reader(
            "run folder, settings",
            "config.json",
            "json",
            part("config.json"),
            lambda path: finished(path.parent),
            seeds.run_folder,
        ),
        Reader(
            "index's manifest",
            manifest.FILE,
            "json",
            _text('{"kind": "bm25", "corpus": "c", "corpus_sha": "0", "passages": 3}'),
            lambda path: manifest.check(path.parent, {"kind": "bm25", "passages": 3}),
        ),
    ]


def _indexes() -> list[Reader]:
    """A BM25 index, whose sums are compared before it is searched, file by file."""

    def search(root: Path) -> list[tuple[str, float]]:
        retriever = seeds.bm25_retriever(root)
        retriever.verify()
        question = Question("q", retriever.corpus.passages[0].text, "fi")
        [hits] = retriever.retrieve([Query(question, question.text, "fi")], k=3)
        return [(hit.passage.docid, hit.score) for hit in hits]

    @cache
    def right() -> list[tuple[str, float]]:
        with TemporaryDirectory() as folder:
            for name, content in seeds.bm25_index().items():
                (path := Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            return search(Path(folder))

    def reader(name: str) -> Reader:
        def read(path: Path) -> None:
            root = path.parents[len(Path(name).parts) - 1]
            if search(root) != right():
                raise AssertionError("a damaged index was searched, with other results")

        def seed(folder: Path) -> bytes:
            return seeds.bm25_index()[name]

        layout: Layout = "json" if name.endswith("manifest.json") else "binary"
        return Reader(f"index, {Path(name).name}", name, layout, seed, read, seeds.bm25_index)

    return [reader(name) for name in seeds.bm25_index() if name != seeds.PASSAGES]


def _checklists() -> list[Reader]:
    outcome = [{**seeds.OUTCOME, "failures": [seeds.FAILURE]}]

    def results(path: Path) -> Any:
        outcomes = read_results(path)
        return outcomes, error_grid(outcomes)

    def linted(path: Path) -> Any:
        checklist = read_checklist(path)
        return checklist.tests, len(lint(checklist, count=3))  # problems quote the file

    return [
        Reader("suite", "a.jsonl", "jsonl", lambda _: seeds.jsonl([seeds.SUITE]), read_suite),
        Reader("results", "a.jsonl", "jsonl", lambda _: seeds.jsonl(outcome), results),
        Reader("checklist", "fi.toml", "toml", _of(seeds.checklist), linted),
        Reader("official checklist", "a.tsv", "cells", _text(seeds.TABLE), read_official_table),
    ]


def _training() -> list[Reader]:
    example = (Path(__file__).parents[2] / "configs" / "hybrid.toml").read_text(encoding="utf-8")
    stages = '\n[[stages]]\nname = "one"\nseed = 2\nchanges = { seed = 3 }\n'

    def recipe(table: str, cls: Any, source: str = "") -> Reader:
        text = seeds.RECIPE.format(table=table, source=source) + stages * (table != "translator")

        def read(path: Path) -> Any:
            history = read_history(str(path), table)
            return history.describe().rows, cls.load(str(path))

        return Reader(f"recipe, {table}", "a.toml", "toml", _text(text), read)

    def catalogues(path: Path) -> Any:
        return list(published(path))

    def dictionary(path: Path) -> Any:
        return read_dictionary(str(path), "fi", "en")

    pairs = _text("fi\tNiili on joki\ten\tThe Nile is a river\nfi\tOulu\ten\tthe city of Oulu\n")
    return [
        Reader("config", "a.toml", "toml", _text(example), lambda path: load_settings(str(path))),
        recipe("reader", ReaderRecipe),
        recipe("biencoder", BiencoderRecipe, ', lang = "fi"'),
        recipe("translator", TranslatorRecipe),
        Reader("sentence pairs", "a.tsv", "cells", pairs, lambda path: read_pairs([path])),
        Reader(
            "lexicon",
            "a.tsv",
            "cells",
            _text("fi\triver\tjoki\nfi\tcity\tkaupunki\n"),
            lambda path: read_lexicon([path]),
        ),
        Reader("excluded", "a.json", "json", _of(seeds.squad), lambda path: read_excluded([path])),
        Reader(
            "catalogues", "a.whl", "binary", _of(seeds.wheel), lambda path: list(published(path))
        ),
        Reader(
            "recorded translations",
            "a.jsonl",
            "jsonl",
            _of(seeds.recorded),
            lambda path: list(RecordedTranslator(file=str(path))._rows.values()),
        ),
        Reader(
            "dictionary",
            "a.tsv",
            "cells",
            pairs,
            lambda path: read_dictionary(str(path), "fi", "en"),
        ),
        Reader("titles", "a.tsv", "cells", _text("fi\ten\nNiili\tNile\nOulu\tOulu\n"), read_titles),
        Reader(
            "reply of a service",
            "a.json",
            "json",
            lambda _: seeds.as_json(seeds.REPLY),
            _reply,
        ),
    ]


def _reply(path: Path) -> Any:
    try:
        return read_reply(path.read_bytes())
    except ChatError as error:  # the translator reports these as failures
        raise DataError(str(error)) from error


@cache
def _pool() -> Pool:
    return read_pool(POOL)


def _weights() -> list[Reader]:
    shape = {"width": 32, "heads": 2, "feed": 32, "encoder_feed": 64, "encoder_layers": 1}
    shape |= {"decoder_layers": 1, "vocabulary": 300}
    recipe = {"pooling": "mean", "normalize": True, "query_prefix": "query: "}

    def weights(name: str, task: str, card: Any, read: Callable[[Path], Any]) -> Reader:
        def seed(folder: Path) -> bytes:
            return seeds.adapter(folder, task=task, card=card)

        return Reader(name, "a.safetensors", "safetensors", seed, read, seeds.checkpoint)

    def transform(path: Path) -> Any:
        import numpy as np

        opened = open_transform(str(path), encoder="e")
        moved = opened.apply(np.ones((2, 3), np.float32), ["fi", "xx"], side="query")
        return opened.card, moved.tolist()

    def vectors(path: Path) -> Any:
        read = read_vectors(path, _pool())
        return read.questions.tolist(), read.candidates.tolist()

    def vector_file(folder: Path) -> bytes:
        return seeds.vectors(len(_pool().questions), len(_pool().sentences))

    return [
        weights("adapter", "reader", {"steps": 1}, lambda path: open_adapter(str(path))),
        weights("encoder", "encoder", {"recipe": recipe}, lambda path: encoder_settings(str(path))),
        weights(
            "translator",
            "translator",
            {"shape": shape, "frozen_layers": 1},
            lambda path: TranslatorModel(str(path)).shape,
        ),
        Reader("vectors", "a.npz", "binary", vector_file, vectors),
        Reader("transform", "a.transform", "safetensors", _of(seeds.transform), transform),
        Reader(
            "chooser",
            "a.json",
            "json",
            lambda _: find_chooser("chooser").read_bytes(),
            open_chooser,
        ),
    ]
