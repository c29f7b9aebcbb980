"""The pairs of a recipe: those to train on, and those held out, of which training has no twin."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import DataError
from ...io.files import write_text
from ..bitext.corpus import FATES, Pair, short, sorted_out
from ..common.decontamination import bare, read_excluded
from ..common.sources import matching
from .recipe import TranslatorRecipe

HELD_OUT = "held-out.tsv"


@dataclass(frozen=True, slots=True)
class Data:
    """Pairs to train on, each with its passes, and pairs kept apart.

    `counts` has, for each file, `FATES` and how many pairs were kept apart or removed as twins.
    """

    pairs: Sequence[Pair]
    passes: Sequence[float]
    held_out: Sequence[Pair]
    development: Sequence[Pair]
    counts: Mapping[str, Mapping[str, int]]


def read_data(recipe: TranslatorRecipe) -> Data:
    """Read, clean and split the pairs of a recipe.

    Raises:
        DataError: if a file is missing or of another layout, or nothing is left to train on.
    """
    excluded = read_excluded(matching(recipe.exclude))
    files = [path for source in recipe.sources for path in matching(source.files)]
    of_file: dict[Path, list[Pair]] = {}
    counts: dict[str, dict[str, int]] = {}
    for file, fate, pair in sorted_out(files, excluded):
        fates = dict.fromkeys((*FATES, "held out", "development", "twins"), 0)
        counts.setdefault(short(file), fates)[fate] += 1
        if fate == "kept":
            of_file.setdefault(file, []).append(pair)
    held_out, development = _set_aside(recipe, of_file)
    apart = {"held out": set(held_out), "development": set(development)}
    twins = _sides([*held_out, *development])
    pairs, passes = [], []
    for source in recipe.sources:
        for path in matching(source.files):
            for pair in of_file.get(path, ()):
                if twins.isdisjoint(_sides([pair])):
                    pairs.append(pair)
                    passes.append(source.passes)
                else:
                    where = next((name for name, some in apart.items() if pair in some), "twins")
                    counts[short(path)][where] += 1
    if not pairs:
        raise DataError(f"{', '.join(map(str, files))}: no pair is left to train on")
    return Data(pairs, passes, held_out, development, counts)


def write_held_out(data: Data, path: Path) -> None:
    """Write the held-out pairs as a pair file, by language."""
    rows = sorted(data.held_out, key=lambda pair: pair[0])
    write_text(path, "".join("\t".join(pair) + "\n" for pair in rows))


def _set_aside(
    recipe: TranslatorRecipe, of_file: Mapping[Path, Sequence[Pair]]
) -> tuple[list[Pair], list[Pair]]:
    """The held-out pairs, and those for development, none of them a twin of a held-out one."""
    held_out: list[Pair] = []
    development: list[Pair] = []
    for source in recipe.sources:
        by_lang: dict[str, list[Pair]] = defaultdict(list)
        for path in matching(source.files):
            for pair in of_file.get(path, ()):
                by_lang[pair[0]].append(pair)
        for _, some in sorted(by_lang.items()):
            drawn = _drawn(some)
            held_out += drawn[: source.held_out]
            development += drawn[source.held_out : source.held_out + source.development]
    twins = _sides(held_out)
    return held_out, [pair for pair in development if twins.isdisjoint(_sides([pair]))]


def _drawn(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs in the order of a hash of their text; of those that share a side, the first."""
    seen: set[str] = set()
    found = []
    for pair in sorted(pairs, key=lambda pair: (_hash(pair[1]), pair)):
        sides = _sides([pair])
        if seen.isdisjoint(sides):
            found.append(pair)
        seen |= sides
    return found


def _hash(text: str) -> str:
    return hashlib.sha256(bare(text).encode()).hexdigest()


def _sides(pairs: Iterable[Pair]) -> set[str]:
    return {bare(side) for pair in pairs for side in (pair[1], pair[3])}
