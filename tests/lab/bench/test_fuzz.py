"""Damaged files, given to every reader: none is read as something else or ends in a traceback."""

import gzip
from pathlib import Path
from random import Random

import click
import pytest
import typer

from xorqa.cli.main import app
from xorqa.core.errors import ConfigError, DataError
from xorqa.io.files import write_json
from xorqa.lab.bench.fuzz import measure
from xorqa.lab.bench.fuzz.commands import commands, run
from xorqa.lab.bench.fuzz.judgement import failure_of
from xorqa.lab.bench.fuzz.mutators import mutate
from xorqa.lab.bench.fuzz.readers import READERS, Reader
from xorqa.lab.bench.fuzz.samples import write_samples

INPUTS = 2000
LENIENT = {  # nearly all bytes are text in some encoding, and nearly all text is HTML or CSV
    *("document, text", "document, Markdown", "document, HTML", "document, CSV"),
    *("document, HTML with much markup", "document, CSV of a spreadsheet", "passages from HTML"),
    "document, CSV with texts",
}
COMMANDS = commands(typer.main.get_command(app))
SOUND = [r for r in [*READERS, *COMMANDS] if not r.file.startswith("no-text/")]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.mark.parametrize("reader", SOUND, ids=lambda reader: reader.name)
def test_every_reader_and_command_accepts_a_valid_file(reader: Reader, samples: Path) -> None:
    assert measure.try_reader(reader, samples) == ""


TEXTS = [  # data in files of text that users name themselves
    *(
        "JSON",
        "JSONL",
        "SQuAD",
        "SQuAD, references",
        "XOR QA",
        "DPR",
        "TyDi QA",
        "queries",
        "answers",
    ),
    *("retrieved passages", "entities", "gold entities", "gold pairs", "mined pairs"),
    *("labelled pairs", "sentences", "passages, JSONL", "passages, TSV", "passages, TREC"),
    *("passages, SQuAD", "docids", "document, text", "document, Markdown", "document, HTML"),
    *("document, CSV", "dump", "TREC run", "qrels", "your questions", "sentence pairs", "suite"),
    *("word probabilities", "lexicon", "dictionary", "links", "titles", "official checklist"),
    *("human verdicts", "recorded translations", "scores of questions"),
]


@pytest.mark.parametrize("reader", [r for r in READERS if r.name in TEXTS], ids=lambda r: r.name)
def test_every_file_of_text_may_be_packed_with_a_mark_and_crlf(
    reader: Reader, samples: Path, tmp_path: Path
) -> None:
    path = measure.copy_sample(samples, reader.file, tmp_path)
    packed = path.with_name(f"{path.name}.gz")
    data = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + data))
    path.unlink()
    reader.read(packed)


def test_all_names_of_these_readers_are_known() -> None:
    assert {*TEXTS} <= {reader.name for reader in READERS}


def test_no_damaged_file_is_read_as_something_else_or_ends_in_a_traceback() -> None:
    outcomes = measure.fuzz_readers(READERS, inputs=INPUTS, seed=29)
    assert not measure.failures(outcomes), "\n".join(measure.failures(outcomes))
    for name, of_reader in outcomes.items():
        assert None in of_reader or name in LENIENT, f"{name} refused nothing"
    assert measure.grid(outcomes, seed=29).rows[-1][0][1] == str(INPUTS)


def test_no_command_ends_in_a_traceback_or_leaves_half_a_file() -> None:
    outcomes = measure.fuzz_readers(COMMANDS, inputs=5 * len(COMMANDS), seed=30)
    assert not measure.failures(outcomes), "\n".join(measure.failures(outcomes))
    for command in COMMANDS:
        if command not in SOUND:
            assert outcomes[command.name] == [None] * 5, command.name


def test_readers_and_commands_are_selected_by_name() -> None:
    root = typer.main.get_command(app)
    outcomes = measure.fuzz(root, inputs=30, only="build xor")
    assert len(outcomes) > 3 and all("xorqa build xor" in name for name in outcomes)
    assert sum(map(len, outcomes.values())) == 30
    both = measure.fuzz(root, inputs=20, only="annotations")
    assert {"annotations, CSV", "xorqa build qa import, annotations.jsonl"} <= both.keys()
    assert sum(map(len, both.values())) == 20
    with pytest.raises(ConfigError, match="no reader and no command is called 'xyz'"):
        measure.fuzz(root, inputs=1, only="xyz")


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("out", True),
        ("out/part.jsonl", True),
        (".out.0000aaaa.tmp", True),
        ("out.jsonl.part/titles", False),  # a corpus that `corpus make` resumes
        ("beside", False),
    ],
)
def test_files_left_after_an_error_are_a_failure(name: str, left: bool, tmp_path: Path) -> None:
    @click.command()
    @click.argument("out", type=Path)
    def leave(out: Path) -> None:
        path = out.parent / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        raise DataError("refused")

    failure = failure_of(lambda: run(leave, "{out}", tmp_path / "a.json"))
    place = Path(name).parts[0]
    assert failure == (f"AssertionError: refused, but left {place}" if left else None)


def test_an_unfinished_run_folder_is_resumed_and_not_half_written(tmp_path: Path) -> None:
    @click.command()
    @click.argument("out", type=Path)
    def leave(out: Path) -> None:
        write_json(out / "manifest.json", {"finished": out.parent.name == "finished"})
        raise DataError("refused")

    assert failure_of(lambda: run(leave, "{out}", tmp_path / "a.json")) is None
    finished = tmp_path / "finished" / "a.json"
    assert (
        failure_of(lambda: run(leave, "{out}", finished)) == "AssertionError: refused, but left out"
    )


def test_the_same_seed_gives_the_same_damage() -> None:
    content = b'{"a": [1, 2, "drei"], "b": {"c": null}}'
    damaged = [mutate(content, Path("a.json"), Random(f"1/{number}")) for number in range(50)]
    assert damaged == [
        mutate(content, Path("a.json"), Random(f"1/{number}")) for number in range(50)
    ]
    assert content not in damaged and len(set(damaged)) > 30


@pytest.mark.parametrize(
    ("call", "failure"),
    [
        (lambda: {}["x"], "KeyError: 'x'"),
        (
            lambda: {"a": ("q", "z", "x", "v", "w")},
            "result['a'] is a string that was split into letters",
        ),
        (lambda: ["\ud800"], "result[] has a lone surrogate"),
        (lambda: float("nan"), "result is nan"),
        (lambda: {"q": 1e999}, "result['q'] is inf"),
        (lambda: ["None"], "result[] is the text of a value that is not a string: 'None'"),
    ],
)
def test_what_counts_as_a_failure(call, failure) -> None:  # type: ignore[no-untyped-def]
    assert failure_of(call) == failure
