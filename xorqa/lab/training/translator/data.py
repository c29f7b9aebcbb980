"""The pairs of a translator's sources: for training, for validation, and held out."""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ....core.errors import DataError
from ....core.lang import ENGLISH
from ....io.files import write_text
from ..bitext.corpus import OUTCOMES, classified_pairs, short_path
from ..common.training_data import Pair, match_key, matching, read_excluded
from .recipe import TranslatorSource

HELD_OUT = "held-out.tsv"


@dataclass(frozen=True, slots=True)
class TranslatorData:
    """Training pairs with their numbers of passes, and the validation and held-out pairs.

    `counts` has, for each file, the `OUTCOMES` and the numbers of pairs that were set aside, or
    removed because they share a side with one that was ("twins").
    """

    pairs: Sequence[Pair]
    passes: Sequence[float]
    held_out: Sequence[Pair]
    validation: Sequence[Pair]
    counts: Mapping[str, Mapping[str, int]]

    def sampled(self, rng: random.Random) -> "TranslatorData":
        """The pairs that occur in training, with whole numbers of passes.

        A fraction of a pass is the probability of one more occurrence.
        """
        counts = [int(times) + (rng.random() < times % 1) for times in self.passes]
        occurring = [(pair, count) for pair, count in zip(self.pairs, counts, strict=True) if count]
        if not occurring:
            raise DataError("no pair is left to train on: the numbers of passes are too small")
        pairs, passes = zip(*occurring, strict=True)
        return replace(self, pairs=pairs, passes=passes)

    def describe(self) -> dict[str, Any]:
        """The counts, for a card."""
        per_lang = Counter(_other(pair) for pair in self.pairs)
        return {
            "files": {file: dict(count) for file, count in self.counts.items()},
            "pairs": len(self.pairs),
            "pairs_per_language": dict(sorted(per_lang.items())),
            "held_out": len(self.held_out),
            "validation": len(self.validation),
        }


def read_data(
    sources: Sequence[TranslatorSource],
    exclude: Sequence[str] = (),
    *,
    targets: Sequence[str] = (),
) -> TranslatorData:
    """Read, clean and split the pairs of sources; `exclude` are files for decontamination.

    With `targets` only pairs of these languages are read, and English is their source.

    Raises:
        DataError: if a file is missing or of another layout, or nothing is left to train on.
    """
    excluded = read_excluded(matching(exclude))
    files = list(dict.fromkeys(path for source in sources for path in matching(source.files)))
    of_file: dict[Path, list[Pair]] = {}
    counts: dict[str, dict[str, int]] = {}
    for file, outcome, pair in classified_pairs(files, excluded):
        outcomes = dict.fromkeys((*OUTCOMES, "held out", "validation", "twins"), 0)
        counts.setdefault(short_path(file), outcomes)[outcome] += 1
        if outcome == "kept" and (not targets or pair[0] in targets):
            of_file.setdefault(file, []).append(pair[2:] + pair[:2] if targets else pair)
    held_out, validation = _set_aside(sources, of_file)
    aside = {"held out": set(held_out), "validation": set(validation)}
    twin_keys = _side_keys([*held_out, *validation])
    pairs, passes = [], []
    for source in sources:
        trained = []
        for path, pair in _of_source(source, of_file):
            if twin_keys.isdisjoint(_side_keys([pair])):
                trained.append(pair)
            else:
                outcome = next((name for name, group in aside.items() if pair in group), "twins")
                counts[short_path(path)][outcome] += 1
        pairs += trained
        langs = [_other(pair) for pair in trained]
        passes += balanced(langs, passes=source.passes, balance=source.balance)
    if not pairs:
        raise DataError(f"{', '.join(map(str, files))}: no pair is left to train on")
    return TranslatorData(pairs, passes, held_out, validation, counts)


def balanced(langs: Sequence[str], *, passes: float, balance: float) -> list[float]:
    """The number of passes over each pair, given the pairs' languages; their mean is `passes`.

    With `balance` 1 each pair is used equally often, with 0 each language.
    """
    sizes = Counter(langs)
    shares = {lang: size**balance for lang, size in sizes.items()}
    scale = passes * len(langs) / max(1, sum(shares.values()))
    of_lang = {lang: scale * shares[lang] / sizes[lang] for lang in sizes}
    return [of_lang[lang] for lang in langs]


def write_held_out(data: TranslatorData, path: Path) -> None:
    """Write the held-out pairs as a pair file, by language."""
    rows = sorted(data.held_out, key=lambda pair: (pair[0], pair[2]))
    write_text(path, "".join("\t".join(pair) + "\n" for pair in rows))


def _set_aside(
    sources: Sequence[TranslatorSource], of_file: Mapping[Path, Sequence[Pair]]
) -> tuple[list[Pair], list[Pair]]:
    """The held-out pairs, and the validation pairs, which share no side with held-out ones."""
    held_out: list[Pair] = []
    validation: list[Pair] = []
    for source in sources:
        if not source.held_out and not source.validation:
            continue
        by_lang: dict[str, list[Pair]] = defaultdict(list)
        for _, pair in _of_source(source, of_file):
            by_lang[_other(pair)].append(pair)
        for _, of_lang in sorted(by_lang.items()):
            order = _in_hash_order(of_lang)
            held_out += order[: source.held_out]
            validation += order[source.held_out : source.held_out + source.validation]
    twin_keys = _side_keys(held_out)
    return held_out, [pair for pair in validation if twin_keys.isdisjoint(_side_keys([pair]))]


def _of_source(
    source: TranslatorSource, of_file: Mapping[Path, Sequence[Pair]]
) -> Iterator[tuple[Path, Pair]]:
    for path in matching(source.files):
        for pair in of_file.get(path, ()):
            if not source.langs or _other(pair) in source.langs:
                yield path, pair


def _other(pair: Pair) -> str:
    """The language of a pair that is not English."""
    return pair[2] if pair[0] == ENGLISH else pair[0]


def _in_hash_order(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs ordered by a hash of their text; of those that share a side, only the first."""
    seen: set[str] = set()
    unique = []
    for pair in sorted(pairs, key=lambda pair: (_hash(pair[1]), pair)):
        sides = _side_keys([pair])
        if seen.isdisjoint(sides):
            unique.append(pair)
        seen |= sides
    return unique


def _hash(text: str) -> str:
    return hashlib.sha256(match_key(text).encode()).hexdigest()


def _side_keys(pairs: Iterable[Pair]) -> set[str]:
    return {match_key(side) for pair in pairs for side in (pair[1], pair[3])}
