"""Documents become pages, and those passages in the languages of their paragraphs."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.types import Passage
from xorqa.datasets.corpora.document_pages import (
    document_language,
    document_passages,
    file_id,
    paragraph_language,
)
from xorqa.datasets.corpora.layouts import pages
from xorqa.datasets.corpora.records import Page
from xorqa.datasets.corpora.split import split_paragraphs
from xorqa.datasets.corpus import read_corpus

FINNISH = "Lomaoikeus on kaksikymmentäviisi päivää vuodessa, ja lomavuosi alkaa huhtikuussa."
ENGLISH = "Employees have twenty-five days of holiday, and the year begins in April."
JAPANESE = "有給休暇は年に二十五日で、年度は四月に始まります。お問い合わせは人事部まで。"


def test_a_passage_is_in_its_paragraphs_language_and_a_short_one_in_the_documents(
    tmp_path: Path,
) -> None:
    texts = [ENGLISH, "Lomat", FINNISH, FINNISH, JAPANESE, "休暇", "Contact: Jane Smith"]
    path = tmp_path / "rules v2.txt"
    path.write_text("\n\n".join(texts), "utf-8")
    assert list(read_corpus(path)) == [
        Passage(f"rules_v2.txt#{n}", text, "rules v2", lang)
        for n, (text, lang) in enumerate(
            [
                (ENGLISH, "en"),
                (f"Lomat\n{FINNISH}\n{FINNISH}", "fi"),
                (JAPANESE, "ja"),
                ("休暇\nContact: Jane Smith", "fi"),
            ],
            1,
        )
    ]
    assert read_corpus(path, lang="sv").languages == ["sv"]


def test_the_language_of_a_document() -> None:
    assert document_language([ENGLISH, "Lomat", FINNISH, FINNISH]).lang == "fi"
    assert document_language(["Lomat", "Työaika"]).lang == "fi"  # too short one by one
    assert document_language([]).lang == "en"
    assert paragraph_language(ENGLISH, "fi") == "en"
    assert paragraph_language("Table of contents", "fi") == "fi"


def test_sections_are_named_below_their_document(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text(f"{ENGLISH}\n# Guide\n{ENGLISH}\n## Holidays\n{ENGLISH}\n", "utf-8")
    found = [(page.page_id, page.title, page.default_lang) for page in pages(path)]
    assert found == [
        ("guide.md", "Guide", "en"),
        ("guide.md#guide", "Guide", "en"),
        ("guide.md#holidays", "Guide / Holidays", "en"),
    ]
    assert [p.docid for p in read_corpus(path)] == [
        *("guide.md#1", "guide.md#guide.1", "guide.md#holidays.1")
    ]


def test_long_pages_are_split_at_sentences_and_keep_their_docids() -> None:
    text = "\n".join([" ".join([ENGLISH] * 6), FINNISH, " ".join([ENGLISH] * 6)])
    page = Page("a.pdf#p2", text, "A", default_lang="en", document=True)
    passages = document_passages(page, lang=None, size=30)
    assert [p.docid for p in passages] == [f"a.pdf#p2.{n}" for n in range(1, len(passages) + 1)]
    assert {p.text for p in passages} == {f"{ENGLISH} {ENGLISH}", FINNISH}
    assert document_passages(page, lang=None, size=30) == passages


def test_paragraphs_stay_whole_if_they_fit() -> None:
    def split(*sizes: int) -> list[list[int]]:
        paragraphs = ["Yksi. " * size for size in sizes]
        passages = split_paragraphs(map(str.strip, paragraphs), lang="fi", size=10)
        return [[len(line.split()) for line in passage.split("\n")] for passage in passages]

    assert split(4, 4, 4) == [[4, 4], [4]]
    assert split(5, 8) == [[5], [8]]  # half full: the next one begins a passage
    assert split(2, 10) == [[2, 8], [2]]  # nearly empty: its sentences are divided
    assert split(25) == [[10], [10], [5]]
    assert split() == []


@pytest.mark.parametrize(
    ("label", "words", "passages"),
    [
        ("port | Default: 25", 8, ["Oulu on kaupunki.", "port | Default: 25\n{text}"]),
        ("Oulu on.", 8, ["Oulu on kaupunki.\nOulu on.", "{text}"]),  # a sentence
        ("a b c d e f", 8, ["Oulu on kaupunki.\na b c d e f", "{text}"]),  # no room for both
    ],
)
def test_a_label_stands_with_what_it_introduces(
    label: str, words: int, passages: list[str]
) -> None:
    text = " ".join(["Oulu"] * words) + "."
    split = split_paragraphs(["Oulu on kaupunki.", label, text], lang="fi", size=12)
    assert split == [passage.format(text=text) for passage in passages]


def test_a_long_sentence_is_split_between_words() -> None:
    assert split_paragraphs(["yksi kaksi kolme"], lang="fi", size=2) == ["yksi kaksi", "kolme"]


@pytest.mark.parametrize("lang", ["fi", "ja", "th", "zh", "yo"])
@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from(["Oulu. ", "Oulu on kaupunki. ", "東京は首都。", "กรุงเทพ ", "a b c "])
    ),
    st.integers(2, 9),
)
def test_no_text_is_lost(lang: str, pieces: list[str], size: int) -> None:
    paragraphs = [" ".join((piece * 3).split()) for piece in pieces]
    passages = split_paragraphs(paragraphs, lang=lang, size=size)
    assert "".join("".join(passages).split()) == "".join("".join(paragraphs).split())
    assert all(passages)


def test_file_names_in_docids() -> None:
    assert file_id("Annual  report (final) #2.pdf") == "Annual_report_(final)_%232.pdf"
    assert file_id("a\udcff.txt") == "a\ufffd.txt"
