from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.lab.lareqa.evaluate import EncoderResult, evaluate_encoder
from xorqa.lab.lareqa.pool import Pool
from xorqa.lab.lareqa.report import html_report
from xorqa.lab.lareqa.tables import result_tables


class Page(HTMLParser):
    """A page's texts, tags and attributes; complains of tags that do not fit together."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


@pytest.fixture
def make(pool: Pool, tmp_path: Path) -> Callable[..., list[EncoderResult]]:
    def judged(*names: str) -> list[EncoderResult]:
        random = np.random.default_rng(8)
        results = [*evaluate_encoder(pool, "bm25", folder=tmp_path)]
        for name in names:
            np.savez(
                tmp_path / name,
                questions=random.normal(size=(12, 4)),
                candidates=random.normal(size=(24, 4)),
            )
            results += evaluate_encoder(pool, str(tmp_path / name), folder=tmp_path)
        return results

    return judged


def test_the_page_is_whole_and_needs_nothing_else(
    pool: Pool, make: Callable[..., list[EncoderResult]]
) -> None:
    text = html_report(
        "rivers & <seas>", pool.langs, make("a.npz"), about=["<b>Careful</b> & slow."]
    )
    page = Page(text)
    assert not {"script", "link", "img", "b"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in {"src", "href", "onload"}]
    assert "url(" not in text and "@import" not in text
    assert "prefers-color-scheme: dark" in text and "tabular-nums" in text
    assert "Language bias on rivers & <seas>" in page.texts
    assert "<b>Careful</b> & slow." in page.texts
    assert {"German", "English", "Chinese"} <= set(page.texts)


def test_every_encoder_has_its_pictures_side_by_side(
    pool: Pool, make: Callable[..., list[EncoderResult]]
) -> None:
    judged = make("<a>.npz", "b.npz")
    page = Page(html_report("rivers", pool.langs, judged))
    assert page.tags.count("svg") == 2 * 3 + 2  # BM25 has no vectors to draw
    assert page.tags.count("table") == 6
    for result in judged:
        assert page.texts.count(result.name) >= 6


def test_bm25_alone_has_no_section_of_vectors(
    pool: Pool, make: Callable[..., list[EncoderResult]]
) -> None:
    page = Page(html_report("rivers", pool.langs, make()))
    assert "Principal components" not in page.texts


def test_tables_are_the_measures_in_percent(
    pool: Pool, make: Callable[..., list[EncoderResult]]
) -> None:
    lexical, dense = make("a.npz")
    grids = result_tables([lexical, dense], pool.langs)
    retrieval, removed, monolingual, bias, xtreme_r, alone = grids
    assert retrieval.header == ("encoder", "metric", "de", "en", "zh", "mean", "over questions")
    overall, by_lang = dense.measures.overall, dense.measures.per_lang
    [of_bm25, of_dense] = retrieval.rows
    assert of_bm25[0][0] == "bm25"
    assert of_dense[0][1:] == (
        "mAP",
        *(f"{100 * by_lang['mAP'][lang]:.1f}" for lang in ("de", "en", "zh")),
        f"{100 * overall['mAP']:.1f}",
        f"{100 * dense.measures.over_questions['mAP']:.1f}",
    )
    assert xtreme_r.header == ("model", "de", "en", "zh", "avg")
    assert xtreme_r.rows[0][1] == (
        dense.name,
        *(f"{100 * by_lang['mAP@20'][lang]:.1f}" for lang in ("de", "en", "zh")),
        f"{100 * overall['mAP@20']:.1f}",
    )
    assert monolingual.rows[1][0][-1] == f"{100 * overall['monolingual mAP']:.1f}"
    assert removed.rows[0][1][-1] == f"{100 * overall['relative difference']:.1f}"
    assert bias.header[-3:] == ("probe, questions", "probe, candidates", "probe, en and zh")
    assert bias.rows[0][0][-3:] == ("–", "–", "–")
    assert bias.rows[0][1][-2] == f"{100 * (dense.probe['candidates'] or 0):.1f}"
    assert alone.rows[0][1][1] == f"{100 * dense.measures.over_targets['all']:.1f}"
    assert all(grid.caption for grid in grids)
    for grid in grids:
        assert {len(row) for group in grid.rows for row in group} == {len(grid.header)}
