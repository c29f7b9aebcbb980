"""`xorqa build pool`: the files, the table and the errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.io.files import read_json
from xorqa.lab.lareqa.data import SHIPPED, open_pool, read_pool

MINI = SHIPPED["mini"]


def test_a_pool_that_lareqa_reads(xorqa: Callable[..., Any]) -> None:
    options = ("--out", "built", "--against", "mini", "--json", "built.json")
    outcome = xorqa("build", "pool", MINI, *options)
    assert outcome.status == 0, outcome.err
    assert "built: 192 questions" in outcome.out and "equal to mini in ar, bn, en" in outcome.out
    written = read_json(Path("built.json"))
    assert (written["sentences"], written["counts of"]) == ("xorqa", None)
    pool = read_pool(Path("built"), name="mini")
    for lang, (questions, candidates) in pool.counts().items():
        row = written["languages"][lang]
        assert (row["questions"], row["candidates"]) == (questions, candidates)
        assert row["difference"]["other"] == 24


def test_published_breaks_and_selected_languages(xorqa: Callable[..., Any]) -> None:
    options = ("--sentences", MINI, "--lang", "fi,ko", "--out", "built")
    assert xorqa("build", "pool", MINI, *options).status == 0
    built, published = read_pool(Path("built")), open_pool("mini")
    assert built.langs == ("fi", "ko")
    assert built.sentences == tuple(s for s in published.sentences if s.lang in built.langs)


def test_nothing_is_replaced(xorqa: Callable[..., Any]) -> None:
    assert xorqa("build", "pool", MINI, "--out", "built").status == 0
    before = {path.name: path.read_bytes() for path in Path("built").iterdir()}
    again = xorqa("build", "pool", MINI, "--out", "built", "--lang", "fi,ko")
    assert again.status == 2
    assert "built already has ar.json; name another folder with --out" in again.err
    assert {path.name: path.read_bytes() for path in Path("built").iterdir()} == before


def test_mistakes_leave_no_folder(xorqa: Callable[..., Any]) -> None:
    for source, options in (("nothing", ()), (MINI, ("--sentences", "nothing"))):
        outcome = xorqa("build", "pool", source, "--out", "built", *options)
        assert outcome.status == 2 and "called 'nothing'" in outcome.err
    missing = xorqa("build", "pool", MINI, "--out", "built", "--lang", "fi,de")
    assert missing.status == 2 and "no file is in 'de'" in missing.err
    assert not Path("built").exists()
