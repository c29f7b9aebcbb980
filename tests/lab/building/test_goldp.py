"""TyDi QA's gold passages by language, from the files as their authors publish them."""

import json
from pathlib import Path

import pytest

from tests.commands.publications import article
from xorqa.core.errors import DataError
from xorqa.datasets.catalog import PUBLICATIONS, missing_files
from xorqa.datasets.fetch import fetch
from xorqa.io.squad_xor import read_squad
from xorqa.lab.building import goldp

LANGUAGES = (
    *("arabic", "bengali", "english", "finnish", "indonesian"),
    *("korean", "russian", "swahili", "telugu"),
)


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """The two files, with a question of two in Finnish and an article in each language."""
    for split in goldp.SPLITS:
        data = [article("Nile", "en", id_of=f"{lang}-{{}}") for lang in LANGUAGES]
        (tmp_path / goldp.published(split)).write_text(json.dumps({"data": data}))
    return tmp_path


def test_files_by_language(theirs: Path, home: Path) -> None:
    folder = fetch("tydiqa-goldp", copy_from=theirs)
    names = {f"{lang}_tydiqa_{split}.json" for lang in LANGUAGES for split in ("train", "dev")}
    assert {path.name for path in folder.iterdir()} == names
    assert {*PUBLICATIONS["tydiqa-goldp"].files, *PUBLICATIONS["tydiqa-goldp"].more} == names
    qids = [row.qid for row in read_squad(folder / "russian_tydiqa_train.json")]
    assert qids == ["russian-Nile-long", "russian-Nile-near"]


def test_a_download(theirs: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goldp, "ADDRESS", f"{theirs.as_uri()}/")
    fetch("tydiqa-goldp")
    assert missing_files("tydiqa-goldp") == []


def test_copies_by_language_are_not_replaced_and_may_lack_some(theirs: Path, home: Path) -> None:
    copies = theirs / "copies" / "tydiqa-goldp"
    copies.mkdir(parents=True)
    one = json.dumps({"data": [article("Oulu", "en")]})
    for name in (*PUBLICATIONS["tydiqa-goldp"].files, "arabic_tydiqa_train.json"):
        (copies / name).write_text(one)
    folder = fetch("tydiqa-goldp", copy_from=copies.parent)
    assert (folder / "arabic_tydiqa_train.json").read_text() == one
    assert not (folder / "telugu_tydiqa_train.json").exists()
    fetch("tydiqa-goldp", copy_from=theirs)
    assert (folder / "telugu_tydiqa_train.json").exists()
    assert (folder / "arabic_tydiqa_train.json").read_text() == one


def test_a_language_that_is_not_in_a_file(theirs: Path, home: Path) -> None:
    path = theirs / goldp.published("dev")
    path.write_text(json.dumps({"data": [article("Nile", "en", id_of="arabic-{}")]}))
    with pytest.raises(DataError, match=r"-dev.json has no question whose id begins with 'bengali"):
        fetch("tydiqa-goldp", copy_from=theirs)
