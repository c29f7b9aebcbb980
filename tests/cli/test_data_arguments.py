"""Names, fetched folders and files mean the same in every command that takes data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import Xorqa

READS_FILES = {
    "read": ("read", "--pred", "p.json", "--data"),
    "eval reader": ("eval", "reader"),
    "eval mlqa": ("eval", "mlqa", "--pred", "answers.json", "--data"),
    "eval xor-retrieve": ("eval", "xor-retrieve", "--pred", "answers.json", "--data"),
    "eval ranking": ("eval", "ranking", "--pred", "run.trec", "--data"),
    "eval translation": ("eval", "translation", "--data"),
    "submission check": ("submission", "check", "answers.json", "--task", "mlqa", "--data"),
    "transform fit": ("transform", "fit", "--out", "t.transform"),
    "translate train": ("translate", "train", "--translator", "none", "--to=de", "--out=o.json"),
    "translate test": ("translate", "test", "--translator", "none", "--pred", "p.json"),
    "translate questions": ("translate", "questions", "--translator=none", "--out=o", "--file"),
}
TAKES_NAMES = {
    "run": ("run", "bm25", "--data"),
    "ask": ("ask", "Nile?", "--data"),
    "ledger": ("ledger", "bm25", "--data"),
    "index": ("index", "--data"),
    "doctor": ("doctor", "indexes/x", "--data"),
    "data show": ("data", "show"),
    "bench index": ("bench", "index", "--data"),
    "bench search": ("bench", "search", "--data"),
    "translate questions": ("translate", "questions", "--translator=none", "--out=o", "--data"),
}
NOT_FILES = {
    "mini": "'mini' is a data set; this command reads files: a path, or a fetched one such as",
    "xquad-open": "'xquad-open' is a data set; this command reads files",
    "xquad": "xquad is a folder; name a file in it: xquad/xquad.en.json, xquad/xquad.fi.json",
    "here": "here is a folder; name a file in it: here/a.json",
    "squad/train-v1.1.json": "squad/train-v1.1.json has not been fetched; fetch it with: xorqa",
    "nonsense.json": "nonsense.json",
}
NOT_NAMES = {
    "xquad": "xquad is a publication, not a data set; data sets built from it: xquad-",
    "xquad/xquad.en.json": "xquad/xquad.en.json is a publication, not a data set; data sets built",
    "here": "here is a folder, not a data set; valid: ",
    "here/a.json": "here/a.json is a file, not a data set; valid: ",
    "nonsense": "no data set is called 'nonsense'; valid: ",
}


@pytest.fixture
def folders(xorqa: Xorqa, home: Path) -> None:
    """A fetched publication, a folder of the user's, and predictions."""
    for path in (home / "data/xquad/xquad.en.json", Path("here/a.json")):
        path.parent.mkdir(parents=True)
        qa = {"id": "q1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}
        paragraph = {"context": "Ann reads.", "qas": [qa]}
        squad = {"data": [{"title": "t", "paragraphs": [paragraph]}]}
        path.write_text(json.dumps(squad), encoding="utf-8")
    fetched = home / "data/xquad"
    (fetched / "xquad.fi.json").write_bytes((fetched / "xquad.en.json").read_bytes())
    Path("answers.json").write_text('{"q1": "Ann"}', encoding="utf-8")
    Path("run.trec").write_text("q1 Q0 d1 1 1.0 r\n", encoding="utf-8")


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize("given", NOT_FILES)
@pytest.mark.parametrize("command", READS_FILES)
def test_commands_that_read_files_reject_other_arguments(
    xorqa: Xorqa, command: str, given: str
) -> None:
    outcome = xorqa(*READS_FILES[command], given)
    assert outcome.status == 2, outcome.out
    [line] = outcome.err.splitlines()
    assert NOT_FILES[given] in line


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize("given", NOT_NAMES)
@pytest.mark.parametrize("command", TAKES_NAMES)
def test_commands_that_take_data_sets_reject_other_arguments(
    xorqa: Xorqa, command: str, given: str
) -> None:
    outcome = xorqa(*TAKES_NAMES[command], given)
    assert outcome.status == 2, outcome.out
    [line] = outcome.err.splitlines()
    assert NOT_NAMES[given] in line


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize("file", ["xquad/xquad.en.json", "here/a.json"])
def test_a_fetched_file_is_read_like_a_path(
    xorqa: Xorqa, file: str, tiny: Path, tiny_adapter: Path
) -> None:
    for arguments in (
        ("eval", "mlqa", "--lang", "en", "--pred", "answers.json", "--data", file),
        ("submission", "check", "answers.json", "--task", "squad", "--data", file),
        ("read", "--reader", tiny_adapter, "--pred", "p.json", "--data", file),
        ("eval", "reader", "--lang", "en", "--adapter", tiny_adapter, file),
        ("transform", "fit", "--encoder", tiny, "--out", "t.transform", f"en={file}"),
    ):
        outcome = xorqa(*arguments)
        assert outcome.status == 0, (arguments, outcome.err)


@pytest.mark.usefixtures("folders")
def test_a_transform_is_fitted_on_the_questions_of_squad_style_json(
    xorqa: Xorqa, tiny: Path
) -> None:
    fit = ("transform", "fit", "--encoder", tiny, "--out", "t.transform")
    outcome = xorqa(*fit, "xquad/xquad.fi.json")
    assert "fi query: 1 text\n" in outcome.out, outcome.err
    outcome = xorqa(*fit, "here/a.json")
    assert outcome.status == 2
    assert "a.json does not name its language; write fi=here/a.json" in outcome.err
    Path("fi.other.json").write_text('{"rows": []}', encoding="utf-8")
    outcome = xorqa(*fit, "fi=fi.other.json")
    assert "fi.other.json is not SQuAD-style JSON" in outcome.err
