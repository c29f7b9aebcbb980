"""The commands that read files, each with a valid file of its own, run in this process."""

from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from ...core.errors import XorqaError
from . import seeds
from .mutators import Layout
from .readers import Reader

OUT = "out"


class RefusedError(XorqaError):
    """A command's refusal that is no exception of `core.errors`."""


class HalfWrittenError(Exception):
    """A refused command left a file at its output's place."""


def commands(command: Any) -> list[Reader]:
    """Commands of a command line (typer's or click's) as readers of one file each.

    Those that need models get files that are no text at all, which they must refuse before any
    model is loaded.
    """
    make = _Commands(command)
    return [*make.evaluation(), *make.data(), *make.checklists(), *make.training(), *make.models()]


class _Commands:
    def __init__(self, command: Any) -> None:
        self.command = command

    def of(
        self,
        line: str,
        file: str,
        layout: Layout,
        seed: Callable[[], bytes],
        beside: Callable[[], Mapping[str, bytes]] = dict,
    ) -> Reader:
        """`line` has {file}, {folder} and {out}."""

        def read(path: Path) -> None:
            out = path.parent / OUT
            places = {"file": path, "folder": path.parent, OUT: out}
            run(self.command, [part.format(**places) for part in line.split(" ")], out)

        words = takewhile(lambda word: word[0] not in "-{", line.split(" "))
        return Reader(
            f"xorqa {' '.join(words)}, {file}", file, layout, lambda _: seed(), read, beside
        )

    def evaluation(self) -> list[Reader]:
        xor = {"data.jsonl": seeds.xor}
        squad = {"data.fi.json": seeds.squad}
        qrels = {"qrels.txt": lambda: seeds.trec("{qid} 0 {docid} 1")}
        run_columns = "{qid} Q0 {docid} {rank} {score} t"
        pair = "fi\tNiili on joki\ten\tThe Nile is a river\n"
        others = {"other.jsonl": seeds.per_question}
        return [
            self.of(
                "eval xor-full --data {folder}/data.jsonl --pred {file} --scorer both --json {out}",
                *("a.json", "json", seeds.answers, _made(xor)),
            ),
            self.of(
                "eval xor-retrieve --data {folder}/data.jsonl --pred {file} --per-question {out}",
                *("a.json", "json", seeds.retrieved, _made(xor)),
            ),
            self.of(
                "eval xor-engspan --data {file} --pred {folder}/pred.json --json {out}",
                *("a.jsonl", "jsonl", seeds.xor, _made({"pred.json": seeds.answers})),
            ),
            self.of(
                "eval squad --data {folder}/data.fi.json --pred {file} --json {out}",
                *("a.json", "json", seeds.answers, _made(squad)),
            ),
            self.of(
                "eval mlqa --data {file} --pred {folder}/pred.json --json {out}",
                *("a.fi.json", "json", seeds.squad, _made({"pred.json": seeds.answers})),
            ),
            self.of(
                "eval ranking --data {folder}/qrels.txt --pred {file} --json {out}",
                *("a.trec", "cells", lambda: seeds.trec(run_columns), _made(qrels)),
            ),
            self.of(
                "eval translation --data {file} --json {out}",
                *("a.tsv", "cells", pair.encode),
            ),
            self.of(
                "eval back-translation {folder} --lang fi --localiser cldr --json {out}",
                *("dev.mkqa-fi.jsonl", "jsonl", seeds.xor, _made({"dev.mkqa-en.jsonl": seeds.xor})),
            ),
            self.of(
                "submission check {file} --task xor-full --data {folder}/data.jsonl --json {out}",
                *("a.json", "json", seeds.answers, _made(xor)),
            ),
            self.of(
                "compare {folder}/other.jsonl {file} --samples 20 --json {out}",
                *("a.jsonl", "jsonl", seeds.per_question, _made(others)),
            ),
            *(
                self.of(
                    "report {folder} --choose rule --samples 20 --json {out}",
                    *(name, layout, _part(name), seeds.run_folder),
                )
                for name, layout in seeds.RUN_FILES.items()
            ),
        ]

    def data(self) -> list[Reader]:
        config = (Path(__file__).parents[2] / "configs" / "bm25.toml").read_bytes()
        passages = seeds.passages
        return [
            self.of("corpus make {file} --lang fi --out {out}.jsonl", "a.xml", "lines", _dump),
            self.of(
                "index --corpus fi={file} --retriever bm25 --indexes {out}",
                *("a.jsonl", "jsonl", passages),
            ),
            self.of(
                "run {file} --data mini --until retrieve --lang fi --sample 1 --out {out}",
                *("a.toml", "toml", lambda: config),
            ),
            self.of(
                "run bm25 --corpus fi={file} --until retrieve --lang fi --sample 1 --out {out}",
                *("a.jsonl", "jsonl", passages),
            ),
            self.of(
                "translate questions --file {file} --translator lexicon --out {out}",
                *("a.jsonl", "jsonl", seeds.xor),
            ),
        ]

    def checklists(self) -> list[Reader]:
        suite, outcome = seeds.SUITE, [{**seeds.OUTCOME, "failures": [seeds.FAILURE]}]
        predictions = {"pred.json": lambda: b'{"c1/0": "Anna", "c1/1": "Omar"}'}
        return [
            self.of("checklist lint {file}", "fi.toml", "toml", seeds.checklist),
            self.of(
                "checklist generate {folder} --cases 2 --out {out}",
                *("fi.toml", "toml", seeds.checklist),
            ),
            self.of(
                "checklist run {file} --pred {folder}/pred.json --out {out}",
                *("a.jsonl", "jsonl", lambda: seeds.jsonl([suite]), _made(predictions)),
            ),
            self.of(
                "checklist report {file} --samples 20 --out {out}",
                *("a.jsonl", "jsonl", lambda: seeds.jsonl(outcome)),
            ),
            self.of(
                "checklist import {file} --cases 1 --out {out}",
                *("a.tsv", "cells", seeds.TABLE.encode),
            ),
        ]

    def training(self) -> list[Reader]:
        def recipe(table: str, source: str = "") -> Callable[[], bytes]:
            return seeds.RECIPE.format(table=table, source=source).encode

        pairs = "fi\tNiili on joki\ten\tThe Nile is a river\n" * 3
        return [
            self.of("train reader {file}", "a.toml", "toml", recipe("reader")),
            self.of("train biencoder {file}", "a.toml", "toml", recipe("biencoder")),
            self.of("train translator {file}", "a.toml", "toml", recipe("translator")),
            self.of("train lexicon {file} --out {out}", "a.tsv", "cells", pairs.encode),
            self.of("train parallel {file} --out {out}", "a.jsonl", "jsonl", seeds.recorded),
        ]

    def models(self) -> list[Reader]:
        """Commands that compute with models once their file is read; none of these can be."""

        def of(line: str, file: str) -> Reader:
            return self.of(line, file, "no text", lambda: b"\xff\xfe\xff")

        return [
            of("ask Niili? --corpus {file}", "a.jsonl"),
            of("read --data {file} --pred {out}", "a.fi.json"),
            of("eval reader {file} --json {out}", "a.fi.json"),
            of("mlqa --dir {folder} --out {out}", "a.fi.json"),
            of("lareqa {folder} --out {out}", "fi.json"),
            of("plan 20k --sample {file}", "a.jsonl"),
            of("doctor {folder}/index --corpus {file}", "a.jsonl"),
            of("ledger {file}", "a.toml"),
            of("translate train {file} --to fi --translator none --out {out}", "a.json"),
            of("translate test {file} --from fi --translator none --pred {out}", "a.json"),
            of("transform fit fi={file} --out {out}", "a.txt"),
            of("train average {file} {file} --recipe reader-en --out {out}", "a.safetensors"),
            of("train held-out {file} --out {out}", "a.toml"),
            of("train chooser {folder} --out {out}", "manifest.json"),
            of("models show {file}", "a.safetensors"),
            of("data distant --squad {file} --reader none --out {out}", "a.json"),
        ]


def run(command: Any, arguments: list[str], out: Path) -> None:
    """Run a command in this process.

    Raises:
        XorqaError: if it is refused.
        HalfWrittenError: if it is refused, but left a file.
        Exception: whatever else the command raises.
    """
    try:
        command.main(args=arguments, prog_name="xorqa")
    except SystemExit as error:
        if not error.code:
            return
        if error.code == 1:  # a check that failed; its report may be written
            raise RefusedError("the check failed") from error
        refusal: XorqaError = RefusedError(f"exit status {error.code}")
    except XorqaError as error:
        refusal = error
    except OSError as error:
        refusal = RefusedError(str(error))
    left = [path.name for path in out.parent.glob(f".*{OUT}*")] + [out.name] * out.is_file()
    if left:
        raise HalfWrittenError(f"it was refused and left {', '.join(left)}: {refusal}")
    raise refusal


def _made(files: Mapping[str, Callable[[], bytes]]) -> Callable[[], Mapping[str, bytes]]:
    return lambda: {name: make() for name, make in files.items()}


def _part(name: str) -> Callable[[], bytes]:
    return lambda: seeds.run_folder()[name]


def _dump() -> bytes:
    return seeds.DUMP.encode()
