"""Pools built from SQuAD-style files, with the sentences of each kind of splitter."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Span
from xorqa.datasets.catalog import PUBLICATIONS
from xorqa.io.files import read_json
from xorqa.lab.common.parallel_files import find_files
from xorqa.lab.lareqa.data import SHIPPED, build_pool, open_pool, read_pool
from xorqa.lab.lareqa.sentence_breaks import find_splitter, write_pool_file

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
MINI = SHIPPED["mini"]


def whole(text: str, lang: str) -> list[tuple[int, int]]:
    """The paragraph as one sentence."""
    return [(0, len(text))]


def backwards(text: str, lang: str) -> list[tuple[int, int]]:
    return [(4, 6), (0, 3)]


def outside(text: str, lang: str) -> list[tuple[int, int]]:
    return [(0, len(text) + 1)]


def without_arguments() -> list[tuple[int, int]]:
    return []


def test_a_pool_rebuilt_with_its_own_breaks_is_the_same(tmp_path: Path) -> None:
    files, splitter = find_files(MINI), find_splitter(str(MINI))
    assert build_pool(files, name="mini", splitter=splitter) == open_pool("mini")
    for lang, path in files.items():
        write_pool_file(tmp_path / f"{lang}.json", read_json(path), lang, splitter)
        assert read_json(tmp_path / f"{lang}.json") == read_json(path)
    assert read_pool(tmp_path, name="mini") == open_pool("mini")


def test_a_function_of_your_own() -> None:
    splitter = find_splitter(f"{__name__}:whole")
    pool = build_pool(find_files(MINI), name="mini", splitter=splitter)
    assert all(row.text == row.context for row in pool.sentences)
    assert splitter({"context": "Nile. Oulu."}, "en") == [(Span(0, 11), "Nile. Oulu.")]


@pytest.mark.parametrize("name", ["backwards", "outside"])
def test_sentences_must_be_ordered_and_inside(name: str) -> None:
    splitter = find_splitter(f"{__name__}:{name}")
    with pytest.raises(DataError, match=r"ar\.json, article 1, .* pairs in order, inside"):
        build_pool(find_files(MINI), name="mini", splitter=splitter)


def test_a_function_takes_text_and_language() -> None:
    with pytest.raises(ConfigError, match=r"must be callable as split\(text, lang\)"):
        find_splitter(f"{__name__}:without_arguments")


def test_unknown_names() -> None:
    with pytest.raises(
        ConfigError, match=r"no sentence splitter is called 'ours', .*module:name, xorqa"
    ):
        find_splitter("ours")


def write(path: Path, *paragraphs: dict[str, Any]) -> None:
    path.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}), encoding="utf-8")


def test_published_sentences_are_those_of_the_same_paragraph(tmp_path: Path) -> None:
    known = {"context": "A. B.", "sentences": ["A.", "B."], "sentence_breaks": [[0, 2], [3, 5]]}
    write(tmp_path / "fi.json", known)
    splitter = find_splitter(str(tmp_path))
    assert [text for _, text in splitter({"context": "A. B."}, "fi")] == ["A.", "B."]
    with pytest.raises(ValueError, match=r"fi\.json does not have this paragraph"):
        splitter({"context": "A. C."}, "fi")
    with pytest.raises(DataError, match=r"has no en\.json with sentences; .* --lang"):
        splitter({"context": "A. B."}, "en")
    write(tmp_path / "ru.json", {"context": "A. B."})
    with pytest.raises(DataError, match=r"ru\.json has no sentences like XQuAD-R's: .*breaks"):
        splitter({"context": "A. B."}, "ru")


@pytest.mark.skipif(not (SHARED / "xquad-r").is_dir(), reason="needs ../shared")
def test_xquad_with_the_published_breaks_is_xquad_r_byte_by_byte(tmp_path: Path) -> None:
    hashes = PUBLICATIONS["xquad-r"].files
    splitter = find_splitter(str(SHARED / "xquad-r"))
    files = {lang: SHARED / "xquad" / f"xquad.{lang}.json" for lang in map(stem, hashes)}
    pool = build_pool(files, name="xquad-r", splitter=splitter)
    assert pool == read_pool(SHARED / "xquad-r")
    for lang, path in files.items():
        written = tmp_path / f"{lang}.json"
        write_pool_file(written, read_json(path), lang, splitter)
        assert hashlib.sha256(written.read_bytes()).hexdigest() == hashes[written.name]


def stem(name: str) -> str:
    return Path(name).stem
