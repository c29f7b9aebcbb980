"""Training data: its files, the texts that it must not contain, and random draws from it.

One seed gives an independent generator for each use of it, a named stream.
"""

import random
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ....core.errors import DataError
from ....io.files import data_dir, read_fields, read_jsonl, read_lines
from ....io.squad_xor import SquadQuestion, read_squad, title_hash

PAIR_FIELDS = 4  # of a line in a pair file

T = TypeVar("T")
Key = TypeVar("Key")
Pair = tuple[str, str, str, str]
"""Language, text, language, text."""


def located(files: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Resolve the file names of a recipe in `folder`.

    Names that start with `.`, `/` or `~` are paths relative to the folder; others, such as
    `squad/train-v1.1.json` or `jaquad/train/*.json`, are in the data folder.
    """
    return tuple(
        str((folder / Path(file).expanduser()).resolve())
        if file.startswith((".", "/", "~"))
        else str(data_dir() / file)
        for file in files
    )


def matching(files: Iterable[str]) -> list[Path]:
    """Files as paths; a pattern such as `train/*.json` becomes its matches, sorted."""
    return [
        path for name in map(Path, files) for path in sorted(name.parent.glob(name.name)) or [name]
    ]


def short_names(files: Iterable[str]) -> list[str]:
    """Files in the data folder relative to it, others by their base names."""
    return [
        path.relative_to(data_dir()).as_posix() if path.is_relative_to(data_dir()) else path.name
        for path in map(Path, files)
    ]


def read_pairs(files: Iterable[str | Path]) -> list[Pair]:
    """The pairs of pair files (TSV).

    Raises:
        DataError: naming the line that does not have four non-empty fields.
    """
    return [
        (lang, text, other, translation)
        for file in files
        for lang, text, other, translation in read_fields(
            Path(file), PAIR_FIELDS, "language, text, language and text"
        )
    ]


def read_excluded(files: Iterable[str | Path]) -> frozenset[str]:
    """The match keys of all texts that may not be trained on.

    They are the questions of SQuAD-style `.json` files and the `question` of each object in
    `.jsonl` files. All other files, pair files included, have one sentence per line, or several
    separated by tabs.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    keys = {match_key(text) for file in files for text in _texts(Path(file))}
    return frozenset(keys - {""})


def _texts(path: Path) -> Iterable[str]:
    if path.suffix == ".json":
        return (question.question for question in read_squad(path))
    if path.suffix == ".jsonl":
        return [question_of(row, f"{path}, line {number}") for number, row in read_jsonl(path)]
    return (text for line in read_lines(path) for text in _sentences(line))


def _sentences(line: str) -> list[str]:
    """The texts of a line `language, text, language, text`, or all its tab-separated fields."""
    fields = line.split("\t")
    return fields[1::2] if len(fields) == PAIR_FIELDS else fields


def question_of(row: dict[str, object], where: str) -> str:
    """The question of a JSONL object. Raises DataError if it has none."""
    question = row.get("question")
    if not isinstance(question, str):
        raise DataError(f"{where}: needs a string 'question'")
    return question


def match_key(text: str) -> str:
    """A text's letters, marks and digits, NFKC-normalised and case-folded.

    Texts that differ only in spaces, punctuation, symbols or case have the same key.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")
    return unicodedata.normalize("NFKC", letters)  # marks combine with their new neighbours


def is_held_out(question: SquadQuestion, share: float) -> bool:
    """Whether the question's article is among a share that is never trained on, by title hash.

    A paragraph without a title counts as an article.
    """
    return title_hash(question.title or question.context) < share


def stream(seed: int, *name: str | int) -> random.Random:
    """The generator that `seed` gives to one use, such as "batches" or ("dropout", 17).

    Each name has its own stream, so a draw in one place does not shift the draws elsewhere.
    """
    return random.Random(":".join(map(str, (seed, *name))))


def torch_seed(seed: int, *name: str | int) -> int:
    """The first number of a stream, to seed torch's generator with."""
    return stream(seed, *name).getrandbits(63)


def draw(
    decks: Mapping[Key, Iterator[T]], shares: Mapping[Key, float], size: int, rng: random.Random
) -> list[T]:
    """`size` items, each from a deck drawn with the probability of its share."""
    return [next(decks[key]) for key in rng.choices(list(shares), list(shares.values()), k=size)]


def endless_deck(deck: Sequence[T], rng: random.Random) -> Iterator[T]:
    """The deck without end, reshuffled in each round."""
    while True:
        yield from rng.sample(deck, len(deck))
