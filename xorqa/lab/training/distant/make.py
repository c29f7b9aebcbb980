"""Make distantly supervised pairs: from questions, answers and passages to a training file."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ....core.errors import ConfigError
from ....core.progress import Progress, TaskProgress, silent
from ....core.types import Example
from ....io.cache import Cache
from ....io.files import sha256, write_json
from ....reading.pairs import DEFAULT_READER
from ....reading.span import SpanReader
from ....retrieval.bm25 import Bm25
from ..bitext.corpus import short_path
from .pairs import DistantPair, confirm_pairs, find_pairs, read_passages, unsuitable, write_pairs
from .questions import Counts, files_of, read_translated


@dataclass(frozen=True, slots=True)
class DistantRecipe:
    """Everything that determines the pairs.

    `least` is the minimum of the reader's probability that the passage answers. In a manual check
    of XOR-TyDi's pairs, 35 of 40 passages with 0.97 or more did answer, and fewer than half of
    those below 0.9.

    Raises:
        ConfigError: if `k` is below 1 or `least` is no probability above 0.
    """

    questions: Path  # XOR-TyDi's folder
    passages: tuple[Path, ...]  # SQuAD-style files
    excluded: tuple[Path, ...] = ()  # more files whose questions are for evaluation
    k: int = 20  # passages retrieved per question
    reader: str | None = DEFAULT_READER  # it must agree with the pair; None: no check
    least: float = 0.95
    with_english: bool = False  # each pair also with the question's translation

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.k < 1 or not 0 < self.least <= 1:
            raise ConfigError(
                "distant pairs need k of 1 or more and a probability above 0 and up to 1, "
                f"not k = {self.k} and {self.least}"
            )


def make_distant(
    recipe: DistantRecipe, out: Path, *, cache: Cache, progress: TaskProgress = silent
) -> Counts:
    """Write pairs to `out` and a card beside it; returns the outcomes of the questions.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    examples, counts = read_translated(recipe.questions, recipe.excluded)
    searching = partial(progress, "searching")
    candidates = _search(examples, recipe.passages, k=recipe.k, progress=searching)
    pairs, reader = candidates, None
    if recipe.reader:
        reader = SpanReader(adapter=recipe.reader)
        reading, least = partial(progress, "reading"), math.log(recipe.least)
        pairs = confirm_pairs(candidates, reader, least=least, cache=cache, progress=reading)
    _count(counts, examples, candidates, pairs)
    write_pairs(out, pairs, with_english=recipe.with_english)
    files = (*files_of(recipe.questions), *recipe.excluded, *recipe.passages, out)
    card = {
        "settings": {"k": recipe.k, "least": recipe.least, "with_english": recipe.with_english},
        "reader": reader and {"name": recipe.reader, "sha": reader.pairs.sha},
        "files": {short_path(path): sha256(path) for path in files},
        "counts": counts,
    }
    write_json(out.with_suffix(".card.json"), card)
    return counts


def _search(
    examples: Iterable[Example], passages: Iterable[Path], *, k: int, progress: Progress
) -> list[DistantPair]:
    """The pairs from BM25's hits; its index is temporary."""
    suitable = [example for example in examples if unsuitable(example) is None]
    with TemporaryDirectory() as folder:
        retriever = Bm25(corpus=read_passages(passages), folder=Path(folder, "bm25"))
        return find_pairs(suitable, retriever, k=k, progress=progress)


def _count(
    counts: Counts,
    examples: Iterable[Example],
    candidates: Sequence[DistantPair],
    pairs: Sequence[DistantPair],
) -> None:
    """Add the outcome of each question, and the number of pairs."""
    outcomes = {pair.example.question.qid: "the reader disagrees" for pair in candidates}
    outcomes |= {pair.example.question.qid: "kept" for pair in pairs}
    for example in examples:
        outcome = outcomes.get(example.question.qid, "no passage contains the answer")
        counts[example.question.lang][unsuitable(example) or outcome] += 1
    for pair in pairs:
        counts[pair.example.question.lang]["pairs"] += 1
