from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.training.bitext.html_help import paragraphs
from xorqa.lab.training.bitext.layouts import published

PAGE = """<html><head><title>{0}</title></head><body><p>{0} without an id</p>
<h1 id="hd_id1">{0}</h1>
<p id="par_id2" class="x">{1} <span class="emph">A &amp; B</span>
  now.</p><div>{0} outside</div><p id="par_id{2}">{3}</p></body></html>"""


def pages(folder: Path, *texts: str) -> Path:
    page = folder / "text" / "shared" / "01.html"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE.format(*texts), encoding="utf-8")
    return folder


def test_paragraphs_meet_by_page_and_id(tmp_path: Path) -> None:
    pages(tmp_path / "en-US", "File", "Click", "3", "Only in English")
    german = pages(tmp_path / "de", "Datei", "Klicken Sie jetzt", "4", "Nur auf Deutsch")
    other = german / "text" / "more.html"  # a page that English has not
    other.write_text('<p id="par_id2">Noch mehr</p>', encoding="utf-8")
    found = [("de", "Klicken Sie jetzt A & B now.", "Click A & B now.")]
    assert list(paragraphs(german)) == found
    assert list(published(german)) == found


def test_chinese_is_named_by_its_country(tmp_path: Path) -> None:
    pages(tmp_path / "en", "File", "Click", "3", "One more thing")
    chinese = pages(tmp_path / "zh-CN", "文件", "单击", "3", "还有一件事")
    assert list(paragraphs(chinese))[-1] == ("zh", "还有一件事", "One more thing")


@pytest.mark.parametrize("lacking", ["en-US", "de"])
def test_both_sides_must_be_there(tmp_path: Path, lacking: str) -> None:
    for name in {"en-US", "de"} - {lacking}:
        pages(tmp_path / name, "File", "Click", "3", "One more thing")
    with pytest.raises(DataError, match="de holds no HTML pages, or has no folder en-US"):
        list(paragraphs(tmp_path / "de"))
