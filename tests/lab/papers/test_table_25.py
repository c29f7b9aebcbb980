"""XTREME-R's Table 25 beside predictions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lab.diagnosis.made_up import write_squad
from xorqa.core.errors import ConfigError
from xorqa.io.files import write_json
from xorqa.io.squad_xor import read_squad
from xorqa.lab.common.fetched import local_or_fetched
from xorqa.lab.papers.printed import printed_table
from xorqa.lab.papers.table_25 import beside_predictions

TABLE = printed_table("xtreme-r", "table-25")
XQUAD = local_or_fetched(Path("xquad"))


def rows(paths: list[Path], data: Path) -> list[tuple[str, ...]]:
    return [row for group in beside_predictions(TABLE, "t", paths, data).rows for row in group]


@pytest.fixture
def xquad(tmp_path: Path) -> Path:
    """A folder with one question in Greek and in English."""
    for lang, question in (("en", "Who built it?"), ("el", "Ποιος το έχτισε;")):
        write_squad(tmp_path / f"xquad.{lang}.json", [("q", question, "a b c d", "b")])
    return tmp_path


def test_printed_buckets_have_the_scores_of_each_system(xquad: Path) -> None:
    paths = [xquad / "ours.el.json", xquad / "theirs.el.json", xquad / "ours.ja.json"]
    for path, answer in zip(paths, ("b", "c", "c"), strict=True):
        write_json(path, {"q": answer})
    found = rows(paths, xquad)
    assert {row[0] for row in found} == {"el"}
    questions = [row for row in found if row[1] == "qLen"]
    assert [row[3] for row in questions] == ["[3,8]", "(8,11]", "(11,16]", "(16,30]"]
    assert questions[0][4:] == ("3", "1", "100.0", "100.0", "0.0", "–")
    assert [row[2] for row in found if row[1] == "first-token"] == ["who"]


def test_other_languages_and_names_are_rejected(xquad: Path) -> None:
    write_json(xquad / "ours.ja.json", {"q": "b"})
    write_json(xquad / "ours.json", {"q": "b"})
    with pytest.raises(ConfigError, match="Table 25 has no ja; it has"):
        rows([xquad / "ours.ja.json"], xquad)
    with pytest.raises(ConfigError, match="no language in its name"):
        rows([xquad / "ours.json"], xquad)


def test_the_command(xorqa: Callable[..., Any], xquad: Path, monkeypatch: Any) -> None:
    (xquad / "xquad").mkdir()
    for lang in ("en", "el"):
        (xquad / f"xquad.{lang}.json").rename(xquad / "xquad" / f"xquad.{lang}.json")
    write_json(xquad / "ours.el.json", {"q": "b"})
    monkeypatch.chdir(xquad)
    outcome = xorqa("paper", "xtreme-r", "table-25", "ours.el.json", "--format", "csv")
    assert outcome.status == 0
    assert "el,sacreBLEU-AQ,XS,0," in outcome.out


@pytest.mark.skipif(not XQUAD.is_dir(), reason="needs: xorqa data fetch xquad")
@pytest.mark.parametrize("lang", ["en", "el", "ru", "tr", "vi", "hi", "ar"])
def test_greedy_buckets_of_xquad_are_the_printed_ones(lang: str, tmp_path: Path) -> None:
    file = tmp_path / f"ours.{lang}.json"
    questions = list(read_squad(XQUAD / f"xquad.{lang}.json"))
    write_json(file, {row.qid: row.answers[0] for row in questions})
    found = rows([file], XQUAD)
    for feature in ("qLen", "cLen"):
        of_feature = [row for row in found if row[1] == feature]
        assert [row[3] for row in of_feature] == [row[4] for row in of_feature]
        assert sum(int(row[5]) for row in of_feature) == len(questions) == 1190
    types = {row[2]: int(row[5]) for row in found if row[1] == "first-token"}
    assert types == {"what": 530, "how": 126, "who": 112, "when": 86, "which": 56, "other": 280}
