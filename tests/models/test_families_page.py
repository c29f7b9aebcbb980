"""The table of families of `docs/models.md` is what xorqa does with a model of each family."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.zoo.families import FAMILIES, HEADER, PAGE, TABLE, Family, families_hub

for library in ("sentence_transformers", "ctranslate2", "sentencepiece"):
    pytest.importorskip(library)


def rows() -> list[str]:
    table = TABLE.search(PAGE.read_text("utf-8"))
    assert table is not None
    return table[0].removeprefix(HEADER).splitlines(keepends=True)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HF_HUB_OFFLINE", raising=False)
        with families_hub(tmp_path_factory.mktemp("families")) as hub:
            yield hub


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.cells.replace("`", ""))
def test_a_family_is_equal_or_refused_as_the_page_says(family: Family, zoo: Path) -> None:
    assert family.row(zoo) in rows()


def test_the_page_has_each_family_once() -> None:
    cells = [family.cells for family in FAMILIES]
    assert len({*cells}) == len(cells)
    assert [row.rpartition("|")[0].rpartition("|")[0] + "|" for row in rows()] == cells


def test_each_row_is_equal_or_refused() -> None:
    for row in rows():
        assert row.endswith("| equal |\n") or "| refused: " in row
