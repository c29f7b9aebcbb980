"""Sentence pairs: read from the layouts they are published in, cleaned, kept in one TSV.

The TSV has a pair a line: language, text, language, text. Three layouts are known by name:

- line by line: `train.ja` beside `train.en`, `ar.txt` beside `en.txt`, or beside several
  English versions `dev.bn-en.en.0`, `.1`, ...;
- a tab-separated list with English first, named by a three-letter code: `fin.txt`;
- MKQA's questions, parallel by the id before `_`: `questions.mkqa-ja.jsonl`;

of wheels the message catalogues (`training.catalogues`), and of a folder of help pages in one
language their paragraphs (`training.pages`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ..errors import DataError
from ..files import read_jsonl, read_lines, write_json, write_text
from .catalogues import SUFFIXES, messages
from .exclusions import bare, question_of
from .pages import paragraphs

Pair = tuple[str, str, str, str]
"""Language, text, language, text."""

CODES = {"ara": "ar", "ben": "bn", "fin": "fi", "jpn": "ja", "kor": "ko", "rus": "ru",
         "tel": "te"}  # fmt: skip
FATES = ("kept", "excluded", "again", "empty")
_MKQA = re.compile(r"(?P<head>.*mkqa-)(?P<lang>[a-z_]+)\.jsonl")
_CJK = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"


def read_pairs(files: Iterable[str | Path]) -> list[Pair]:
    """The pairs of TSV files.

    Raises:
        DataError: naming the line that has not four fields, or an empty one.
    """
    pairs: list[Pair] = []
    for file in files:
        for number, line in enumerate(read_lines(Path(file)), 1):
            fields = line.split("\t")
            if len(fields) != 4 or not all(fields):
                raise DataError(
                    f"{file}, line {number}: needs language, text, language and text, "
                    "divided by tabs"
                )
            pairs.append((fields[0], fields[1], fields[2], fields[3]))
    return pairs


def prepare(
    files: Sequence[str | Path],
    out: Path,
    *,
    excluded: frozenset[str] = frozenset(),
    langs: Collection[str] = (),
    with_others: bool = False,
) -> dict[str, dict[str, int]]:
    """Gather published pairs in one TSV with a card beside it; counts the `FATES` of each file's.

    A pair is dropped if a side has no letter or both are the same ("empty"), if a side is
    among the `excluded` bare texts (test sentences), or if it was there before ("again").
    `langs` are the languages that are read, all if none is named; `with_others` adds pairs
    `between` them.

    Raises:
        DataError: if a file is missing, is of no known layout, or its sides differ in length.
    """
    counts: dict[str, dict[str, int]] = {}
    pairs = []
    for file, fate, pair in sorted_out(files, excluded, langs):
        counts.setdefault(short(file), dict.fromkeys(FATES, 0))[fate] += 1
        if fate == "kept":
            pairs.append(pair)
    if with_others:
        others = between(pairs)
        counts["between others"] = dict.fromkeys(FATES, 0) | {"kept": len(others)}
        pairs += others
    write_text(out, "".join("\t".join(pair) + "\n" for pair in pairs))
    write_json(out.with_suffix(".json"), {"files": counts})
    return counts


def between(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs of two languages other than English whose texts share an English one.

    Where several do, each is paired with two of the others at most, always the same ones.
    """
    texts: dict[str, dict[str, str]] = {}
    for lang, text, _, english in pairs:
        texts.setdefault(bare(english), {}).setdefault(lang, text)
    made = []
    for english, others in texts.items():
        order = sorted(others)
        random.Random(english).shuffle(order)
        ring = [*pairwise(order), *([(order[-1], order[0])] if len(order) > 2 else [])]
        made += [(a, others[a], b, others[b]) for a, b in ring]
    return made


def sorted_out(
    files: Iterable[str | Path], excluded: frozenset[str], langs: Collection[str] = ()
) -> Iterator[tuple[Path, str, Pair]]:
    """The file, the fate (one of `FATES`) and the pair, cleaned, of all that files hold.

    Of some languages, if any are named.

    Raises:
        DataError: as `published`.
    """
    seen: set[tuple[str, str]] = set()
    for file in map(Path, files):
        for lang, text, english in published(file):
            if langs and lang not in langs:
                continue
            pair = lang, _clean(text, lang), "en", _clean(english, "en")
            key = bare(pair[1]), bare(pair[3])
            fate = _fate(key, seen, excluded)
            if fate == "kept":
                seen.add(key)
            yield file, fate, pair


def short(file: Path) -> str:
    """A file's name with its folder's, for counts."""
    return f"{file.parent.name}/{file.name}"


def published(file: Path) -> Iterator[tuple[str, str, str]]:
    """Language, text and English text of each pair of a published file.

    Raises:
        DataError: if the file is of no known layout, or its sides differ in length.
    """
    if match := _MKQA.fullmatch(file.name):
        yield from _mkqa(file, file.with_name(f"{match['head']}en.jsonl"), match["lang"])
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


def _beside(file: Path) -> tuple[str, list[Path]]:
    """The language of one side of line-parallel files, and the English sides beside it."""
    if file.suffix == ".txt":
        lang, versions = file.stem, [file.with_name("en.txt")]
    else:
        lang, english = file.suffix[1:], f"{file.stem}.en"
        pattern = re.compile(re.escape(english) + r"(\.\d+)?")
        versions = sorted(path for path in file.parent.iterdir() if pattern.fullmatch(path.name))
    there = [path for path in versions if path.is_file()]
    if not there or lang == "en" or not re.fullmatch("[a-z]{2}", lang):
        raise DataError(
            f"{file} is of no known layout; known are train.ja beside train.en, ja.txt beside "
            f"en.txt, {', '.join(f'{code}.txt' for code in CODES)} with tabs, wheels, "
            "a folder of help pages beside en-US, and questions.mkqa-ja.jsonl beside "
            "questions.mkqa-en.jsonl"
        )
    return lang, there


def _mkqa(file: Path, english_file: Path, code: str) -> Iterator[tuple[str, str, str]]:
    english = dict(_by_id(english_file))
    for name, text in _by_id(file):
        if name not in english:
            raise DataError(f"{english_file} lacks question {name} of {file.name}")
        yield code.partition("_")[0], text, english[name]


def _by_id(file: Path) -> Iterator[tuple[str, str]]:
    for number, row in read_jsonl(file):
        text = question_of(row, f"{file}, line {number}")
        yield str(row.get("id")).partition("_")[0], text


def _clean(text: str, lang: str) -> str:
    """A text in one line, without the blanks a tokenizer left in it."""
    text = " ".join(text.split())
    if lang == "en":
        return re.sub(r" (?=[.,!?;:%)]|'(?:[a-z]{1,2}\b))", "", text)
    return re.sub(rf"(?<={_CJK}) (?={_CJK})", "", text) if lang in ("ja", "zh") else text


def _fate(key: tuple[str, str], seen: set[tuple[str, str]], excluded: frozenset[str]) -> str:
    if not all(key) or key[0] == key[1]:
        return "empty"
    if excluded.intersection(key):
        return "excluded"
    return "again" if key in seen else "kept"
