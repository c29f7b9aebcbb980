"""`xorqa mine`: pairs of two files, parallel sentences of several, and their statistics."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Xorqa = Callable[..., Any]
ENGLISH = ["The river flows north.", "A town by the sea.", "The river flows north.", "No match."]
FINNISH = ["Kaupunki meren äärellä.", "Joki virtaa pohjoiseen.", "Aivan muuta."]
KOREAN = ["강은 북쪽으로 흐른다."]
UNIT = np.eye(6)


@pytest.fixture
def files(xorqa: Xorqa) -> None:
    """Sentences, with vectors that pair river with joki and town with kaupunki."""
    for name, lines in {"a.en": ENGLISH, "b.fi": FINNISH, "c.ko": KOREAN}.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))
    noise = np.random.default_rng(1).random((8, 6)) / 10
    rows = {"a.en": UNIT[[0, 1, 0, 2]], "b.fi": UNIT[[1, 0, 3]], "c.ko": UNIT[[0]]}
    np.savez("v.npz", **{name: array + noise[: len(array)] for name, array in rows.items()})


def run(xorqa: Xorqa, *arguments: object) -> tuple[list[list[str]], Any]:
    outcome = xorqa("mine", *arguments, "--encoder", "v.npz", "--out", "out.tsv")
    assert outcome.status == 0, outcome.err
    return [line.split("\t") for line in Path("out.tsv").read_text().splitlines()], outcome


@pytest.mark.usefixtures("files")
def test_the_best_pairs_come_first(xorqa: Xorqa) -> None:
    rows, outcome = run(
        xorqa, "a.en", "b.fi", "--langs", "en,fi", "--threshold", "1", "--json", "s.json"
    )
    assert {tuple(row[1:]) for row in rows} == {
        (ENGLISH[0], FINNISH[1]),
        (ENGLISH[1], FINNISH[0]),
    }
    scores = [float(row[0]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert "en-fi: 3 and 3 different sentences" in outcome.out
    assert "out.tsv: 2 pairs" in outcome.out
    statistics = json.loads(Path("s.json").read_text())
    assert statistics["sentences"] == {"en": 4, "fi": 3} and statistics["pairs"] == 2
    assert statistics["candidates"] == 2 + statistics["below threshold"] + sum(
        statistics["removed"].values()
    )


@pytest.mark.usefixtures("files")
def test_a_threshold_by_precision_on_labelled_pairs(xorqa: Xorqa) -> None:
    Path("sample.tsv").write_text(
        f"1\t{ENGLISH[0]}\t{FINNISH[1]}\n1\t{ENGLISH[1]}\t{FINNISH[0]}\n"
        f"0\t{ENGLISH[3]}\t{FINNISH[2]}\n"
    )
    command = ("a.en", "b.fi", "--langs", "en,fi", "--sample", "sample.tsv", "--precision")
    assert len(run(xorqa, *command, "1")[0]) == 2
    assert len(run(xorqa, *command, "0.5")[0]) == 3


@pytest.mark.usefixtures("files")
def test_ids_leave_out_repeated_sentences(xorqa: Xorqa) -> None:
    for name, lang in (("a.en", "en"), ("b.fi", "fi")):
        lines = Path(name).read_text().splitlines()
        Path(name).write_text(
            "".join(f"{lang}-{number}\t{line}\n" for number, line in enumerate(lines))
        )
    rows, _ = run(xorqa, "a.en", "b.fi", "--langs", "en,fi", "--ids", "--threshold", "1")
    assert [row[1:] for row in rows] == [["en-1", "fi-0"]]


@pytest.mark.usefixtures("files")
def test_sentences_of_three_languages(xorqa: Xorqa) -> None:
    command = ("c.ko", "a.en", "b.fi", "--langs", "ko,en,fi", "--pivot", "en", "--threshold", "1")
    rows, outcome = run(xorqa, *command)
    assert rows[0] == ["score", "en", "ko", "fi"]
    assert rows[1][1:] == [ENGLISH[0], KOREAN[0], FINNISH[1]]
    assert rows[2][1:] == [ENGLISH[1], "", FINNISH[0]]
    assert "in 3 languages: 1 sentence\nin 2 languages: 1 sentence" in outcome.out
    assert len(run(xorqa, *command, "--least", "3")[0]) == 2


def test_filters_and_what_they_remove(xorqa: Xorqa) -> None:
    for name in ("a.en", "b.fi"):
        Path(name).write_text("Nokia 3310\nThe longest river of the country is here.\n")
    np.savez("v.npz", **{"a.en": np.eye(2), "b.fi": np.eye(2)})
    rows, outcome = run(xorqa, "a.en", "b.fi", "--langs", "en,fi", "--copies")
    assert [row[1] for row in rows] == ["Nokia 3310"]
    assert "removed: length ratio 0, language 1, near-duplicates 0" in outcome.out
    rows, outcome = run(xorqa, "a.en", "b.fi", "--langs", "en,fi")
    assert rows == [] and "removed: copies 2" in outcome.out


def test_an_interrupted_run_encodes_the_rest_only(
    xorqa: Xorqa, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xorqa.lab.mining import encoding

    for name, lines in {"a.en": ENGLISH, "b.fi": FINNISH}.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))
    encode, calls = encoding.encode_queries, []

    def stopping(*arguments: Any) -> Any:
        calls.append(arguments[1])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return encode(*arguments)

    monkeypatch.setattr(encoding, "encode_queries", stopping)
    command = ("mine", "a.en", "b.fi", "--langs", "en,fi", "--encoder", tiny, "--out", "o.tsv")
    assert xorqa(*command, "--vectors", "vectors").status == 130
    assert not Path("o.tsv").exists()
    assert xorqa(*command, "--vectors", "vectors").status == 0
    assert len(calls) == 3  # English once, Finnish again


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("a.en", "--langs", "en"), "1 file for 1 language; name two files or more"),
        (("a.en", "b.fi", "--langs", "en"), "2 files for 1 language"),
        (("a.en", "b.fi", "--langs", "en,en"), "a different language for each"),
        (("a.en", "b.fi", "c.ko", "--langs", "en,fi,ko"), "3 files need --pivot, such as --pi"),
        (("a.en", "b.fi", "--langs", "en,fi", "--pivot", "sv"), "--pivot sv is not a language"),
        (("a.en", "b.fi", "--langs", "en,fi", "--max-ratio", "0.5"), "--max-ratio 0.5 keeps no"),
        (("a.en", "b.fi", "--langs", "en,xx"), "no language is called 'xx'"),
        (("a.en", "b.fi", "--langs", "en,fi", "--precision", "1", "--sample", "none"), "none"),
    ],
)
@pytest.mark.usefixtures("files")
def test_wrong_options(xorqa: Xorqa, options: tuple[str, ...], message: str) -> None:
    outcome = xorqa("mine", *options, "--encoder", "v.npz", "--out", "o.tsv")
    assert outcome.status == 2 and message in outcome.err
    assert not Path("o.tsv").exists()
