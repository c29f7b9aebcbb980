import csv
import json
from pathlib import Path

import pytest

from tests.lab.backretrieval.captions.emoji_packages import write_emoji_packages

ENCODERS = ("--encoder", "characters", "--encoder", "lexicon")
SIDES = ("--source", "en", "--target", "de")
PLACES = ("--out", "trial", "--key", "key.json")
TABLE = Path("trial/judgements.csv")


@pytest.fixture
def trial(xorqa):
    """Runs a command of the trial, in a directory with texts without pictures."""
    words = ("rot", "blau", "gelb", "weiss", "braun"), ("Haus", "Hund", "Buch", "Auto", "Baum")
    english = ("red", "blue", "yellow", "white", "brown"), ("house", "dog", "book", "car", "tree")
    for lang, (colours, things) in (("de", words), ("en", english)):
        texts = [f"{colour} {thing}" for colour in colours for thing in things]
        rows = [{"id": f"{lang}{number}", "text": text} for number, text in enumerate(texts)]
        rows.append({"id": "empty", "text": ""})
        Path(f"{lang}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return lambda *options: xorqa("blind-trial", *options)


def fill(score, *, delimiter=","):
    """Fill in the table as a spreadsheet would, with another separator."""
    with TABLE.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with TABLE.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, [*rows[0]], delimiter=delimiter)
        writer.writeheader()
        writer.writerows({**row, "score": score(row)} for row in rows)
    return rows


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_there_and_back(trial, delimiter):
    outcome = trial("export", ".", *SIDES, *ENCODERS, *PLACES)
    assert (outcome.status, outcome.err) == (0, "")
    assert "left out: images without text 1" in outcome.out and "queries: 20, " in outcome.out
    key = json.loads(Path("key.json").read_text())
    by = {name: item["by"] for name, item in key["items"].items()}
    rows = fill(lambda row: 1 if by[row["id"]] == ["lexicon"] else 4, delimiter=delimiter)
    assert [row["id"] for row in rows] == list(by) and {row["trial"] for row in rows} == {
        key["trial"]
    }
    for shown in (TABLE, Path("trial/trial.html")):
        assert "lexicon" not in shown.read_text() and "characters" not in shown.read_text()
    outcome = trial("score", TABLE, "--key", "key.json", "--json", "out.json")
    assert (outcome.status, outcome.err) == (0, "")
    assert "Blind trial" in outcome.out and "Very relevant" in outcome.out
    values = json.loads(Path("out.json").read_text())
    shares = {row["encoder"]: row for row in values["shares"]}
    only = sum(names == ["lexicon"] for names in by.values())
    assert shares["lexicon"]["counts"] == [only, 0, 0, 100 - only]
    assert shares["characters"]["counts"] == [0, 0, 0, 100]
    assert shares["lexicon"]["low"] < shares["lexicon"]["share"] < shares["lexicon"]["high"]
    assert (values["queries"], values["missing"]) == (20, 0)
    assert values["ratios"][0]["encoder"] == "lexicon" and values["ratios"][0]["p"] < 0.001


def test_pictures_are_in_the_page(xorqa):
    write_emoji_packages(Path("copy/emoji"))
    assert xorqa("data", "fetch", "emoji", "--from", "copy").status == 0
    outcome = xorqa(
        *("blind-trial", "export", "emoji", "--source", "en", "--target", "ja", *PLACES),
        *("--encoder", "characters", "--encoder", "bm25", "--queries", 3, "--suggestions", 2),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "without a picture" not in outcome.out
    page = Path("trial/trial.html").read_text()
    assert page.count("<h2>") == 3 and page.count("<img") == 3 + page.count("<p>") - 1


def test_existing_files_and_a_key_with_the_judge(trial):
    assert trial("export", ".", *SIDES, *ENCODERS, *PLACES).status == 0
    for options, message in (
        (PLACES, "trial/judgements.csv exists; name another place"),
        (("--out", "other", "--key", "key.json"), "key.json exists; name another place"),
        (("--out", "other", "--key", "other/key.json"), "is in the judge's folder other"),
    ):
        outcome = trial("export", ".", *SIDES, *ENCODERS, *options)
        assert outcome.status == 2 and message in outcome.err and outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("score", "old", "new", "message"),
    [
        ("", "", "", "has no score in"),
        (5, "", "", "row 2: score '5' is not 1, 2, 3 or 4"),
        (1, "\r\n2a,", "\r\n1a,", "item '1a' occurs twice"),
        (1, "\r\n1a,", "\r\n77a,", "item '77a' is not in the key"),
        (1, "id,trial", "id,name", "trial none, but the key is that of trial"),
    ],
)
def test_tables_that_are_damaged(trial, score, old, new, message):
    assert trial("export", ".", *SIDES, *ENCODERS, *PLACES).status == 0
    fill(lambda _: score)
    text = TABLE.read_bytes().decode()
    assert old in text
    TABLE.write_bytes(text.replace(old, new, 1).encode())
    outcome = trial("score", TABLE, "--key", "key.json")
    assert outcome.status == 2 and message in outcome.err and outcome.err.count("\n") == 1


def test_the_key_of_another_trial(trial):
    assert trial("export", ".", *SIDES, *ENCODERS, *PLACES).status == 0
    others = ("--out", "second", "--key", "second.json", "--seed", 2)
    assert trial("export", ".", *SIDES, *ENCODERS, *others).status == 0
    fill(lambda _: 1)
    outcome = trial("score", TABLE, "--key", "second.json")
    assert outcome.status == 2 and "but the key is that of trial" in outcome.err
    Path("broken.json").write_text('{"trial": 3}')
    outcome = trial("score", TABLE, "--key", "broken.json")
    assert outcome.status == 2 and "is not the key of a blind trial" in outcome.err
