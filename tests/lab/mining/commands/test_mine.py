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


TITLES = "en\tfi\nRiver\tJoki\nTown\tKaupunki\nSea\t\n"


@pytest.fixture
def passages(xorqa: Xorqa) -> None:
    """Two articles in each language; by vectors alone, each would be paired with the other one."""
    articles = {
        "en": [("River", "The river flows north."), ("Town", "A town by the sea.")],
        "fi": [("Joki", "Joki virtaa pohjoiseen."), ("Kaupunki", "Kaupunki meren äärellä.")],
    }
    for lang, rows in articles.items():
        lines = [
            json.dumps({"docid": f"{lang}{n}", "title": title, "text": text, "lang": lang})
            for n, (title, text) in enumerate(rows)
        ]
        Path(f"{lang}.jsonl").write_text("\n".join(lines) + "\n")
    np.savez("v.npz", **{"en.jsonl": UNIT[[0, 1]], "fi.jsonl": UNIT[[1, 0]]})
    Path("titles.tsv").write_text(TITLES)


@pytest.mark.usefixtures("passages")
def test_sentences_within_articles_on_the_same_topic(xorqa: Xorqa) -> None:
    command = ("en.jsonl", "fi.jsonl", "--langs", "en,fi", "--ids")
    everywhere, _ = run(xorqa, *command)
    assert {tuple(row[1:]) for row in everywhere} == {("en0#1", "fi1#1"), ("en1#1", "fi0#1")}
    within, _ = run(xorqa, *command, "--topics", "titles.tsv")
    assert {tuple(row[1:]) for row in within} == {("en0#1", "fi0#1"), ("en1#1", "fi1#1")}
    Path("other.tsv").write_text("en\tfi\nLake\tJärvi\n")
    for name, message in {
        "other.tsv": "no topic has articles in both of",
        "none.tsv": "none.tsv",
    }.items():
        outcome = xorqa("mine", *command, "--encoder", "v.npz", "--out", "o", "--topics", name)
        assert (outcome.status, message in outcome.err) == (2, True), outcome.err


@pytest.mark.usefixtures("files")
def test_topics_need_titles_and_even_samples_a_pivot(xorqa: Xorqa) -> None:
    Path("titles.tsv").write_text(TITLES)
    command = ("mine", "a.en", "b.fi", "--langs", "en,fi", "--encoder", "v.npz", "--out", "o")
    assert "has no titles of articles" in xorqa(*command, "--topics", "titles.tsv").err
    assert "it needs --pivot" in xorqa(*command, "--evenly", "5").err
    Path("titles.tsv").write_text("en\tfi\nRiver\n")
    assert "titles.tsv, line 2: needs 2 titles" in xorqa(*command, "--topics", "titles.tsv").err


@pytest.mark.usefixtures("files")
def test_counts_of_mlqa_s_tables(xorqa: Xorqa) -> None:
    command = ("c.ko", "a.en", "b.fi", "--langs", "ko,en,fi", "--pivot", "en", "--threshold", "1")
    _, outcome = run(xorqa, *command, "--evenly", "3", "--json", "s.json")
    assert "only 1 sentence in exactly 2 languages" in outcome.out
    statistics = json.loads(Path("s.json").read_text())
    assert statistics["mined by number and language"] == {
        "3": {"en": 1, "ko": 1, "fi": 1},
        "2": {"en": 1, "fi": 1},
    }
    assert statistics["mined in the pivot and all languages so far"] == {"ko": 1, "fi": 1}
    assert statistics["languages"] == {"2": 1}


def test_chinese_may_be_simplified(xorqa: Xorqa) -> None:
    pytest.importorskip("opencc")
    Path("a.zh").write_text("漢語\n")
    Path("b.en").write_text("Chinese\n")
    np.savez("v.npz", **{"a.zh": UNIT[[0]], "b.en": UNIT[[0]]})
    rows, _ = run(xorqa, "a.zh", "b.en", "--langs", "zh,en", "--any-language", "--simplified")
    assert rows[0][1:] == ["汉语", "Chinese"]
