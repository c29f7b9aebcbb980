"""The layouts that sentence pairs are published in, all with English on one side.

Recognised by name:

- line by line: `train.ja` beside `train.en`, `ar.txt` beside `en.txt`, or beside several
  English versions `dev.bn-en.en.0`, `.1`, ...;
- WMT's two columns, named by their languages: `europarl-v9.fi-en.tsv.gz`;
- pair files of our own: `pairs.tsv` (`bitext.corpus`);
- a tab-separated list with English first, named by a three-letter code: `fin.txt`;
- MKQA's questions, parallel by the id before `_`: `questions.mkqa-ja.jsonl`;
- recorded translations into or from English (`xorqa translate questions`): any other `.jsonl`;

the message catalogues of wheels (`message_catalogs`), and the paragraphs of a folder of help pages
in one language (`html_help`).
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ....core.errors import DataError
from ....core.lang import ENGLISH
from ....io.files import read_jsonl, read_lines, write_jsonl
from ....io.locks import lock_path
from ....io.sentence_pairs import read_two_columns
from ....translation.recorded import read_rows, recorded_keys, translation_row
from ..common.training_data import question_of, read_pairs
from .html_help import paragraphs
from .message_catalogs import SUFFIXES, messages

CODES = {"ara": "ar", "ben": "bn", "fin": "fi", "jpn": "ja", "kor": "ko", "rus": "ru", "tel": "te"}
_COLUMNS = re.compile(r".+\.([a-z]{2})-([a-z]{2})\.tsv\.gz")
_MKQA = re.compile(r"(?P<head>.*mkqa-)(?P<lang>[a-z_]+)\.jsonl")


def published(file: Path) -> Iterator[tuple[str, str, str]]:
    """Language, text and English text of each pair of a published file.

    Raises:
        DataError: if the file is missing or has no known layout, or its sides differ in length.
    """
    if not file.exists():
        raise DataError(f"{file} is missing")
    if match := _MKQA.fullmatch(file.name):
        yield from _mkqa(file, file.with_name(f"{match['head']}en.jsonl"), match["lang"])
    elif file.suffix == ".jsonl":
        yield from _recorded(file)
    elif file.name.endswith((".tsv", ".tsv.gz")):
        columns = _COLUMNS.fullmatch(file.name)
        yield from _columns(file, *columns.groups()) if columns else _pair_file(file)
    elif file.suffix in SUFFIXES:
        yield from messages(file)
    elif file.is_dir():
        yield from paragraphs(file)
    elif file.suffix == ".txt" and file.stem in CODES:
        for number, line in enumerate(read_lines(file), 1):
            english, tab, rest = line.partition("\t")
            if not tab:
                raise DataError(f"{file}, line {number}: has no tab")
            yield CODES[file.stem], rest.partition("\t")[0], english
    else:
        lang, versions = _beside(file)
        texts = read_lines(file)
        for version in versions:
            others = read_lines(version)
            if len(others) != len(texts):
                raise DataError(f"{file} has {len(texts)} lines and {version.name} {len(others)}")
            yield from ((lang, *both) for both in zip(texts, others, strict=True))


def _columns(file: Path, left: str, right: str) -> Iterator[tuple[str, str, str]]:
    """The pairs of two columns, one of which is English."""
    if ENGLISH not in (left, right):
        raise DataError(f"{file} has {left} and {right}; one side must be en")
    for text, other in read_two_columns(file):
        yield (right, other, text) if left == ENGLISH else (left, text, other)


def _beside(file: Path) -> tuple[str, list[Path]]:
    """The language of one side of line-parallel files, and the English files beside it."""
    if file.suffix == ".txt":
        lang, versions = file.stem, [file.with_name("en.txt")]
    else:
        lang, english = file.suffix[1:], f"{file.stem}.en"
        pattern = re.compile(re.escape(english) + r"(\.\d+)?")
        versions = sorted(path for path in file.parent.iterdir() if pattern.fullmatch(path.name))
    versions = [path for path in versions if path.is_file()]
    if not versions or lang == "en" or not re.fullmatch("[a-z]{2}", lang):
        raise DataError(
            f"{file} has no known layout; valid are train.ja beside train.en, ja.txt beside "
            f"en.txt, {', '.join(f'{code}.txt' for code in CODES)} with tabs, wheels, "
            "pair files (.tsv), a folder of help pages beside en-US, "
            "questions.mkqa-ja.jsonl beside questions.mkqa-en.jsonl, "
            "and recorded translations (.jsonl)"
        )
    return lang, versions


def _pair_file(file: Path) -> Iterator[tuple[str, str, str]]:
    for lang, text, other, english in read_pairs([file]):
        if other == "en":
            yield lang, text, english


def _mkqa(file: Path, english_file: Path, code: str) -> Iterator[tuple[str, str, str]]:
    english = dict(_by_id(english_file))
    for name, text in _by_id(file):
        if name not in english:
            raise DataError(f"{english_file} lacks question {name} of {file.name}")
        yield code.partition("_")[0], text, english[name]


def _recorded(file: Path) -> Iterator[tuple[str, str, str]]:
    for number, row in enumerate(read_rows(file), 1):
        if "en" in (row["to"], row["lang"]):
            if not isinstance(row.get("text"), str):
                raise DataError(f"{file}, line {number}: needs a string 'text'")
            texts = {row["lang"]: row["text"], row["to"]: row["translation"]}
            lang = row["lang"] if row["to"] == "en" else row["to"]
            yield lang, texts[lang], texts["en"]


def _by_id(file: Path) -> Iterator[tuple[str, str]]:
    for number, row in read_jsonl(file):
        text = question_of(row, f"{file}, line {number}")
        yield str(row.get("id")).partition("_")[0], text


def matched_by_id(
    originals: Iterable[Path], translated: Iterable[Path]
) -> tuple[list[tuple[str, str, str]], int]:
    """Translated questions with the originals of their ids, and the number without one.

    Both are JSONL files with `id` and `question`, as XOR QA's authors release the questions of
    their translators; `originals` have `lang`, too. Returns language, text and English text.

    Raises:
        DataError: naming the line that lacks one of them.
    """
    questions: dict[str, tuple[str, str]] = {}
    for file in originals:
        for number, row in read_jsonl(file, strings=("lang",)):
            questions[str(row.get("id"))] = row["lang"], question_of(row, f"{file}, line {number}")
    pairs, unknown = [], 0
    for file in translated:
        for number, row in read_jsonl(file):
            english = question_of(row, f"{file}, line {number}")
            if original := questions.get(str(row.get("id"))):
                pairs.append((*original, english))
            else:
                unknown += 1
    return pairs, unknown


def add_published(path: Path, pairs: Iterable[tuple[str, str, str]], *, provider: str) -> int:
    """Add published translations into English to a file, and return the number of new ones.

    `pairs` are language, text and English text. Of several translations of one text the first is
    recorded; pairs with an empty side and texts that the file already has by this provider are
    skipped.

    Raises:
        LockedError: if another process writes the file.
    """
    with lock_path(path, "file"):
        rows = read_rows(path) if path.is_file() else []
        known, before = recorded_keys(rows, provider, ""), len(rows)
        for lang, text, english in pairs:
            row = translation_row(lang, text, "en", " ".join(english.split()))
            key = (lang, "en", row["hash"])
            if text.strip() and row["translation"] and key not in known:
                known.add(key)
                rows.append({"provider": provider, "version": "", "date": "", **row})
        write_jsonl(path, rows)
        return len(rows) - before
