"""The name pairs of a transliterator: for training, and held out by a hash of the English name."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....answering.transliteration.name_table import key
from ....core.errors import DataError
from ....core.text.normalize import strip_accents
from ....models.source_encoding import END, EncodedSource
from ....models.transliterator import RESERVED, START, Alphabet, decomposed
from ..common.training_data import matching, read_excluded, read_pairs
from ..translator.data import balanced
from ..translator.tokens import TokenizedPairs
from .recipe import TransliteratorRecipe
from .spelling import words_of

NamePair = tuple[str, str, str]
"""Language, English name, and the name in that language."""


@dataclass(frozen=True, slots=True)
class NameData:
    """Pairs to train on with their numbers of passes, and the held-out pairs in hash order."""

    pairs: Sequence[NamePair]
    passes: Sequence[float]
    held_out: Sequence[NamePair]

    def first_held_out(self, count: int) -> list[NamePair]:
        """At most `count` held-out pairs of each language."""
        taken = Counter[str]()
        first = []
        for pair in self.held_out:
            taken[pair[0]] += 1
            if taken[pair[0]] <= count:
                first.append(pair)
        return first

    def counts(self) -> dict[str, dict[str, int]]:
        """The numbers of pairs by language, for the card."""
        parts = {"training": self.pairs, "held_out": self.held_out}
        return {
            name: dict(sorted(Counter(pair[0] for pair in pairs).items()))
            for name, pairs in parts.items()
        }


def read_names(recipe: TransliteratorRecipe) -> NameData:
    """Read and split the pairs of a recipe; a name with accents is also trained on without them.

    Raises:
        DataError: if a file is missing or of another layout, or nothing is left to train on.
    """
    excluded = read_excluded(matching(recipe.exclude))
    files = matching(file for source in recipe.sources for file in source.files)
    kept: list[NamePair] = []
    held_out: list[tuple[float, NamePair]] = []
    for lang, name, _, english in dict.fromkeys(read_pairs(files)):
        if excluded and key(english) in excluded:
            continue
        pair = lang, " ".join(words_of(english)), " ".join(words_of(name))
        place = hash_place(english)
        if place < recipe.held_out:
            held_out.append((place, pair))
        else:
            kept.append(pair)
    if not kept:
        raise DataError(f"{', '.join(map(str, files))}: no pair is left to train on")
    langs = [lang for lang, _, _ in kept]
    passes = balanced(langs, passes=recipe.epochs, balance=recipe.balance)
    accented = [
        row for row, (_, english, _) in enumerate(kept) if strip_accents(english) != english
    ]
    for row in accented:
        lang, english, name = kept[row]
        passes[row] /= 2
        kept.append((lang, strip_accents(english), name))
        passes.append(passes[row])
    return NameData(kept, passes, [pair for _, pair in sorted(held_out)])


def hash_place(english: str) -> float:
    """The place of an English name between 0 and 1, by a hash; accents and case do not count."""
    text = " ".join(words_of(key(english)))
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32


def alphabet_of(pairs: Iterable[NamePair], *, least: int) -> Alphabet:
    """The alphabet of pairs; characters in fewer than `least` English names are skipped in them."""
    langs: set[str] = set()
    source, target = Counter[str](), Counter[str]()
    for lang, english, name in pairs:
        langs.add(lang)
        source.update(set(decomposed(english.lower())))
        target.update(set(decomposed(name)))
    frequent = sorted(char for char, count in source.items() if count >= least)
    return Alphabet(tuple(sorted(langs)), "".join(frequent), "".join(sorted(target)))


def target_tokens(alphabet: Alphabet, name: str) -> list[int]:
    """The target tokens of a name, from `START` to `END`.

    Raises:
        ValueError: for an unknown character.
    """
    characters = (alphabet.target.index(char) for char in decomposed(name))
    return [START, *(len(RESERVED) + index for index in characters), END]


def tokenized(pairs: Sequence[NamePair], alphabet: Alphabet) -> TokenizedPairs:
    """The characters of pairs as tokens."""
    sources = [EncodedSource(alphabet.encode(name, lang), [], []) for lang, name, _ in pairs]
    targets = [target_tokens(alphabet, name) for _, _, name in pairs]
    return TokenizedPairs(sources, list(range(len(pairs))), targets)


def by_language(pairs: Sequence[NamePair]) -> Mapping[str, list[NamePair]]:
    """The pairs of each language."""
    groups: dict[str, list[NamePair]] = defaultdict(list)
    for pair in pairs:
        groups[pair[0]].append(pair)
    return dict(sorted(groups.items()))
