"""Sentence pairs: read from the layouts they are published in, cleaned, kept in one TSV.

The TSV has a pair a line: language, text, language, text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ...io.files import read_fields, write_json, write_text
from ..common.decontamination import bare
from .layouts import published

Pair = tuple[str, str, str, str]
"""Language, text, language, text."""

FATES = ("kept", "excluded", "again", "empty")
_CJK = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"


def read_pairs(files: Iterable[str | Path]) -> list[Pair]:
    """The pairs of TSV files.

    Raises:
        DataError: naming the line that has not four fields, or an empty one.
    """
    needs = "language, text, language and text"
    return [
        (lang, text, other, translation)
        for file in files
        for lang, text, other, translation in read_fields(Path(file), 4, needs)
    ]


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
