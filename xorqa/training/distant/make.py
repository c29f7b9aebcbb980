"""From questions, answers and passages to a file to train a reader on, and its card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ...caching.store import Cache
from ...core.errors import ConfigError
from ...core.progress import Progress, Tell, silent
from ...core.types import Example
from ...io.files import sha256, write_json
from ...reading.pairs import DEFAULT_READER
from ...reading.span import SpanReader
from ...retrieval.bm25 import Bm25
from .pairs import Pair, confirm, find, read_passages, unfit, write_pairs
from .questions import Counts, files_of, read_translated


@dataclass(frozen=True, slots=True)
class DistantRecipe:
    """Everything that decides which pairs come out.

    `least` is the probability that the passage answers which the reader must give. By eye, of
    XOR-TyDi's pairs with 0.97 or more 35 in 40 answer, of those below 0.9 fewer than half.

    Raises:
        ConfigError: if `k` is below 1 or `least` is no probability above 0.
    """

    questions: Path  # XOR-TyDi's folder
    passages: tuple[Path, ...]  # SQuAD-style files
    excluded: tuple[Path, ...] = ()  # more files whose questions are for evaluation
    k: int = 20  # passages looked through for each question
    reader: str | None = DEFAULT_READER  # who must agree; None: nobody
    least: float = 0.95
    with_english: bool = False  # each pair also with the question's translation

    def __post_init__(self) -> None:
        """Refuse what finds nothing."""
        if self.k < 1 or not 0 < self.least <= 1:
            raise ConfigError(
                "distant pairs need k of 1 or more and a probability above 0 and up to 1, "
                f"not k = {self.k} and {self.least}"
            )


def make_distant(
    recipe: DistantRecipe,
    out: Path,
    *,
    cache: Cache,
    progress: Tell = silent,
) -> Counts:
    """Write pairs to `out` and a card beside it; returns what became of each language's questions.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    examples, counts = read_translated(recipe.questions, recipe.excluded)
    found = _found(recipe, examples, partial(progress, "searching"))
    kept, reader = found, None
    if recipe.reader:
        reader = SpanReader(adapter=recipe.reader)
        kept = confirm(
            found,
            reader,
            least=math.log(recipe.least),
            cache=cache,
            progress=partial(progress, "reading"),
        )
    _count(counts, examples, found, kept)
    write_pairs(out, kept, with_english=recipe.with_english)
    read = (*files_of(recipe.questions), *recipe.excluded, *recipe.passages)
    write_json(
        out.with_suffix(".card.json"),
        {
            "settings": {"k": recipe.k, "least": recipe.least, "with_english": recipe.with_english},
            "reader": reader and {"name": recipe.reader, "sha": reader.pairs.adapter.sha},
            "files": {f"{path.parent.name}/{path.name}": sha256(path) for path in (*read, out)},
            "counts": counts,
        },
    )
    return counts


def _found(recipe: DistantRecipe, examples: Iterable[Example], progress: Progress) -> list[Pair]:
    """The pairs that BM25 finds; its index lives no longer than the search."""
    fit = [example for example in examples if unfit(example) is None]
    with TemporaryDirectory() as folder:
        retriever = Bm25(corpus=read_passages(recipe.passages), folder=Path(folder, "bm25"))
        return find(fit, retriever, k=recipe.k, progress=progress)


def _count(
    counts: Counts, examples: Iterable[Example], found: Sequence[Pair], kept: Sequence[Pair]
) -> None:
    """Add what became of each question that was read, and how many pairs there are."""
    said, agreed = ({pair.example.question.qid for pair in some} for some in (found, kept))
    for example in examples:
        qid = example.question.qid
        fate = "kept" if qid in agreed else "the reader reads something else"
        fate = unfit(example) or (fate if qid in said else "no passage says the answer")
        counts[example.question.lang][fate] += 1
    for pair in kept:
        counts[pair.example.question.lang]["pairs"] += 1
