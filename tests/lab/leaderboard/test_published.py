"""Published rows have a paper and a source, and equal the figures of the documents."""

import re
from pathlib import Path

from tests.test_citations import LINKS
from xorqa.lab.leaderboard.boards import BOARDS
from xorqa.lab.leaderboard.entries import by_board, published_systems
from xorqa.lab.leaderboard.language_groups import ABSENT, CLASSES, OTHER, family, size_class
from xorqa.lab.leaderboard.result import MEAN

ROOT = Path(__file__).parents[3]
ROWS = by_board(published_systems())


def means(board, metric):
    return {
        system.metadata.model: result.values["official"][MEAN][metric]
        for system, result in ROWS[board]
    }


def test_every_row_has_a_paper_and_a_source():
    for rows in ROWS.values():
        for system, result in rows:
            assert system.published and result.table and result.languages
            assert system.metadata.paper and system.metadata.link in LINKS


def test_the_figures_are_those_of_the_documents():
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for model in ("mBERT", "XLM-R Large"):
        cells = re.search(rf"^\| {model}, as XTREME-R reports it \|(.*)\|$", text, re.M)[1]
        _, _, xquad, tydi = map(str.strip, cells.split("|"))
        assert means("xquad", "f1")[model] == float(xquad)
        assert means("tydi-goldp", "f1")[model] == float(tydi)
        rates = re.search(rf"^\| {model} \(XTREME-R\) \|.*\| ([\d.]+) \|$", text, re.M)[1]
        assert means("multichecklist", "failure rate")[model] == float(rates)
    for name, value in means("xquad-r", "mAP").items():
        way = re.escape(name.removeprefix("mBERT, "))
        assert re.search(rf"^\| {way} \|.*\| {value:g} \|$", text, re.M), name
    lesson = (ROOT / "notebooks" / "04_translate_or_not.py").read_text(encoding="utf-8")
    assert all(f"{value} %" in lesson for value in means("xor-retrieve", "R@5kt").values())


def test_mlqa_has_values_by_language():
    by_model = {system.metadata.model: result for system, result in ROWS["mlqa"]}
    assert by_model["XLM, zero-shot"].values["official"]["hi"] == {"f1": 48.8}
    assert round(means("mlqa", "f1")["mBERT, zero-shot"], 1) == 57.7


def test_languages_have_a_family_and_a_size():
    langs = {lang for rows in ROWS.values() for _, result in rows for lang in result.languages}
    assert not [lang for lang in langs if OTHER in (family(lang), size_class(lang))]
    assert (family("ko"), size_class("en"), size_class("wo")) == ("Koreanic", CLASSES[0][1], ABSENT)
    assert (family("xx"), size_class("xx")) == (OTHER, OTHER)
    assert set(ROWS) <= set(BOARDS)
