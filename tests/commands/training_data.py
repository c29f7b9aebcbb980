"""What the recipes read beside the publications, made up and small, at the places they name."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.commands.publications import asked, dpr_rows, write_squad
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.io.files import write_json, write_text
from xorqa.models import adapters

TITLES = tuple(f"{place} {at:02d}" for at in range(15) for place in ("River", "Lake"))
"""Enough articles for the shares that recipes hold out by a hash of the title."""
LAREQA = ("ar", "de", "el", "es", "hi", "ru", "th", "tr", "vi", "zh")
LANGS = (*XOR_LANGUAGES, "de", "el", "es", "hi", "km", "ms", "ro", "sv", "th", "tr", "vi", "zh")
NAMES = {"ar": "نيل", "bn": "নীল", "ja": "ナイル", "ko": "나일", "ru": "Нил", "te": "నైలు"}
ADAPTERS = {
    "reader": (
        "reader-augmented",
        "reader-cross-lingual",
        "reader-en",
        "reader-first-questions",
        "reader-more-questions",
        "reader-low-rank",
    ),
    "encoder": ("encoder-parallel",),
    "ranker": ("ranker-xor-path",),
    "translator": (
        "translator",
        "translator-questions",
        "translator-average",
        "translator-mean",
        "translator-more-mean",
    ),
}


def write_training_data(folder: Path) -> None:
    """Files in the data folder `folder`, where the publications have been fetched."""
    write_squad(folder / "squad" / "train-v1.1.json", TITLES, "en")
    for lang in LAREQA:
        write_squad(folder / "squad-translated" / f"squad.{lang}.json", TITLES, lang)
    for name in ("distant/xor-tydi", "synthetic/comparisons", "multilingual-questions/en"):
        write_squad(folder / f"{name}.json", TITLES, "en")
    for name in ("fi", "more/en", "more/ko-fi", "more/ja-fi", "documentation/fi", "published/fi"):
        write_squad(folder / "multilingual-questions" / f"{name}.json", TITLES, name[-2:])
    unanswerable = {"context": "The Nile is long.", "qas": [{"id": "1", "question": "Why?"}]}
    for name in ("more", "documentation"):
        write_json(
            folder / "multilingual-questions" / name / "unanswerable" / "en.json",
            {"data": [{"title": "Nile", "paragraphs": [unanswerable]}]},
        )
    write_squad(folder / "xor-tydi-gp" / "article-paragraphs.json", TITLES, "en")
    _write_retrieved(folder / "xor-tydi")
    _write_pairs(folder)
    _write_parallel(folder / "parallel")


def write_adapters_of_recipes(folder: Path) -> None:
    """The adapters that recipes make, where others and configs look for them: shipped ones."""
    for task, names in ADAPTERS.items():
        other = {"encoder": "encoder-aligned", "translator": "translator"}
        shipped = other.get(task, f"{task}-questions")
        for name in names:
            path = folder / "training" / name / f"{task}.safetensors"
            path.parent.mkdir(parents=True)
            shutil.copy(adapters.SHIPPED / f"{shipped}.safetensors", path)
    queries = folder / "training" / "encoder-first-questions" / "query.safetensors"
    queries.parent.mkdir(parents=True)
    shutil.copy(adapters.SHIPPED / "encoder-questions.safetensors", queries)


def _write_retrieved(folder: Path) -> None:
    passages = [row["positive_ctxs"][0] for row in dpr_rows(TITLES, "en")]
    for name, lang in (("dpr", "en"), ("mdpr", "fi")):
        rows = [
            {key: row[key] for key in ("question", "answers")} | {"ctxs": passages}
            for row in dpr_rows(TITLES, lang)
        ]
        write_json(folder / f"retrieved-{name}.json", rows)


def questions(lang: str) -> list[str]:
    """All questions about the titles in a language, in one order."""
    return [question for title in TITLES for _, question, _ in asked(title, lang)]


def _write_pairs(folder: Path) -> None:
    """Pair files, lexica and names, all with English."""
    rows = [
        (lang, text, "en", english)
        for lang in LANGS
        for text, english in zip(questions(lang), questions("en"), strict=True)
    ]
    for name in ("pairs", "own", "questions", "word-by-word", "word-by-word-2", "xor-questions"):
        write_rows(folder / "parallel" / f"{name}.tsv", rows)
    for name in ("train", "validation", "more/train", "documentation/train", "published/train"):
        write_rows(folder / "multilingual-questions" / f"{name}.tsv", rows)
    words = ("long", "near", "river", "stands", "what")
    lexicon = [(lang, word, f"{word[::-1]}{lang}") for lang in LANGS for word in words]
    write_rows(folder / "parallel" / "lexicon.tsv", lexicon)
    names = [
        (lang, name * times, "en", " ".join(["Nile"] * times))
        for lang, name in NAMES.items()
        for times in range(1, 9)
    ]
    write_rows(folder / "names" / "names.tsv", names)


def write_rows(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    """Write a TSV file."""
    write_text(path, "".join("\t".join(row) + "\n" for row in rows))


def _write_parallel(folder: Path) -> None:
    """Sentence pairs in the layouts of their publishers, and test sets that recipes exclude."""
    for code in ("ara", "ben", "fin", "kor", "tel"):
        lines = [f"{text}\t{code}: {text}\tCC BY 2.0 (France)" for text in questions("en")]
        write_text(folder / "manythings" / f"{code}.txt", "\n".join(lines) + "\n")
    sides = [
        (f"indian/{lang}-en/{part}.{lang}-en", lang)
        for lang in ("bn", "te")
        for part in ("dev", "devtest", "dict")
    ]
    sides += [
        ("korean/korean-english-jhe/jhe-koen-dev", "ko"),
        ("korean/korean-english-news-v1/korean-english-park.dev", "ko"),
        ("enja/train", "ja"),
    ]
    for name, lang in sides:
        for side in (lang, "en"):
            write_text(folder / f"{name}.{side}", "\n".join(questions(side)) + "\n")
    for side in ("fin", "eng"):
        write_text(folder / "tatoeba" / f"tatoeba.fin-eng.{side}", f"{side} of a test set\n")
