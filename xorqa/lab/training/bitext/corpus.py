"""Read sentence pairs from their published layouts, clean them, and store them in one TSV.

The TSV has one pair per line: language, text, language, text.
"""

import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ....io.files import write_json, write_text
from ..common.training_data import Pair, match_key
from .layouts import published

OUTCOMES = ("kept", "excluded", "duplicate", "empty")
_CJK = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"


def gather_pairs(
    files: Sequence[str | Path],
    out: Path,
    *,
    excluded: frozenset[str] = frozenset(),
    langs: Collection[str] = (),
    with_others: bool = False,
) -> dict[str, dict[str, int]]:
    """Gather published pairs in one TSV with a card beside it; returns each file's `OUTCOMES`.

    A pair is dropped if a side has no letter or both are equal ("empty"), if the match key of a
    side is `excluded` (test sentences), or if it occurred before ("duplicate"). `langs` are the
    languages to read, default all; `with_others` adds `pairs_between_others`.

    Raises:
        DataError: if a file is missing, is of no known layout, or its sides differ in length.
    """
    counts: dict[str, dict[str, int]] = {}
    pairs = []
    for file, outcome, pair in classified_pairs(files, excluded, langs):
        counts.setdefault(short_path(file), dict.fromkeys(OUTCOMES, 0))[outcome] += 1
        if outcome == "kept":
            pairs.append(pair)
    if with_others:
        others = pairs_between_others(pairs)
        counts["between others"] = dict.fromkeys(OUTCOMES, 0) | {"kept": len(others)}
        pairs += others
    write_text(out, "".join("\t".join(pair) + "\n" for pair in pairs))
    write_json(out.with_suffix(".json"), {"files": counts})
    return counts


def pairs_between_others(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs of two languages other than English whose texts share an English one.

    Of three or more texts, each is paired with two of the others, always the same ones.
    """
    texts: dict[str, dict[str, str]] = {}
    for lang, text, _, english in pairs:
        texts.setdefault(match_key(english), {}).setdefault(lang, text)
    paired = []
    for english, others in texts.items():
        order = sorted(others)
        random.Random(english).shuffle(order)
        ring = [*pairwise(order), *([(order[-1], order[0])] if len(order) > 2 else [])]
        paired += [(a, others[a], b, others[b]) for a, b in ring]
    return paired


def classified_pairs(
    files: Iterable[str | Path], excluded: frozenset[str], langs: Collection[str] = ()
) -> Iterator[tuple[Path, str, Pair]]:
    """The file, the outcome (one of `OUTCOMES`) and the cleaned pair, for all pairs of files.

    `langs` are the languages to read, default all.

    Raises:
        DataError: as `published`.
    """
    seen: set[tuple[str, str]] = set()
    for file in map(Path, files):
        for lang, text, english in published(file):
            if langs and lang not in langs:
                continue
            pair = lang, _clean(text, lang), "en", _clean(english, "en")
            key = match_key(pair[1]), match_key(pair[3])
            outcome = _outcome(key, seen, excluded)
            if outcome == "kept":
                seen.add(key)
            yield file, outcome, pair


def short_path(file: Path) -> str:
    """A file's name after its folder's, for counts."""
    return f"{file.parent.name}/{file.name}"


def _clean(text: str, lang: str) -> str:
    """A text on one line, without the spaces that a tokenizer inserted."""
    text = " ".join(text.split())
    if lang == "en":
        return re.sub(r" (?=[.,!?;:%)]|'(?:[a-z]{1,2}\b))", "", text)
    return re.sub(rf"(?<={_CJK}) (?={_CJK})", "", text) if lang in ("ja", "zh") else text


def _outcome(key: tuple[str, str], seen: set[tuple[str, str]], excluded: frozenset[str]) -> str:
    if not all(key) or key[0] == key[1]:
        return "empty"
    if excluded.intersection(key):
        return "excluded"
    return "duplicate" if key in seen else "kept"
