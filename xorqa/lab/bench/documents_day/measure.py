"""Ask the questions of `xorqa bench documents-day`, with `ask`'s pipeline and defaults."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ....core.progress import TaskProgress
from ....core.types import Hit, Passage, Query, Question, Trace
from ....datasets.corpus import Corpus, read_corpus
from ....experiments.ask import over_passages
from ....experiments.settings import DEFAULT
from ....retrieval.over_corpus import retriever_over
from ....tables.grid import Grid
from ..first_day import is_right
from .questions import PAGES, DocumentQuestion, copy_pages, read_questions

SHOWN = 5
ENGLISH, ACROSS, MIXED = "English over English", "others over English", "over eleven languages"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question.

    `rank` is that of the first gold passage among the hits, from 1, and `peer` its rank by BM25;
    None if it is not among the first 100. `verdict` is right, wrong or refused. `gold` is the
    number of its gold passages.
    """

    id: str
    group: str
    answerable: bool
    gold: int
    verdict: str
    answer: str
    confidence: float | None
    rank: int | None
    peer: int | None


def measure(
    folder: Path,
    *,
    half: str,
    config: str = DEFAULT,
    progress: TaskProgress,
) -> dict[str, Any]:
    """Index the documentation in `folder`, and ask the questions of `half`.

    Raises:
        DataError: if `folder` lacks the documentation.
    """
    questions = read_questions(half)
    outcomes: list[Outcome] = []
    passages: dict[str, int] = {}
    for name in PAGES:
        asked = [question for question in questions if question.corpus == name]
        with TemporaryDirectory() as temporary:
            pages = Path(temporary, "documents")
            copy_pages(folder, name, pages)
            corpus = read_corpus(pages)
            passages[name] = len(corpus)
            outcomes += _outcomes(asked, corpus, Path(temporary, "index"), config, progress)
    rows = [asdict(outcome) for outcome in outcomes]
    return {"half": half, "config": config, "passages": passages, "outcomes": rows}


def _outcomes(
    questions: Sequence[DocumentQuestion],
    corpus: Corpus,
    indexes: Path,
    config: str,
    progress: TaskProgress,
) -> Iterable[Outcome]:
    pipeline = over_passages(corpus, config=config, progress=progress)
    peer = retriever_over(corpus, {"use": "bm25"}, indexes)
    for done, question in enumerate(questions, 1):
        trace = pipeline.ask(question.question, lang=question.lang)
        asked = Question(question.id, question.question, question.lang)
        by_bm25 = peer.retrieve([Query(asked, asked.text, asked.lang)], k=100)[0]
        yield _outcome(question, corpus.passages, trace, by_bm25)
        progress(f"questions over {question.corpus}", done, len(questions))


def _outcome(
    question: DocumentQuestion, passages: Sequence[Passage], trace: Trace, peer: Sequence[Hit]
) -> Outcome:
    gold = question.gold(passages) if question.answers else set[str]()
    ranks = [_rank(result.hits, gold) for result in trace.by_route.values()]
    answer = trace.answer
    texts = {answer.text, answer.original or ""} - {""} if answer and trace.found else set()
    verdict = "refused"
    if texts:
        verdict = "right" if is_right(texts, question.answers, question.lang) else "wrong"
    return Outcome(
        question.id,
        _group(question),
        bool(question.answers),
        len(gold),
        verdict,
        answer.with_original if answer else "",
        answer.confidence if answer else None,
        min((rank for rank in ranks if rank), default=None),
        _rank(peer, gold),
    )


def _group(question: DocumentQuestion) -> str:
    if question.corpus != "exim":
        return MIXED
    return ENGLISH if question.lang == "en" else ACROSS


def _rank(hits: Sequence[Hit], gold: set[str]) -> int | None:
    found = (at for at, hit in enumerate(hits, 1) if hit.passage.docid in gold)
    return next(found, None)


def grid(figures: Mapping[str, Any]) -> Grid:
    """The outcomes by group: right, wrong, refused, and gold passages first and among five."""
    outcomes = [Outcome(**row) for row in figures["outcomes"]]
    groups = [*dict.fromkeys(outcome.group for outcome in outcomes)]
    rows = [_row(group, [each for each in outcomes if each.group == group]) for group in groups]
    total = _row("all", outcomes)
    header = (
        "questions",
        "n",
        "right",
        "wrong",
        "refused",
        "first",
        f"in {SHOWN}",
        "BM25 first",
        f"in {SHOWN}",
        "without answer",
        "refused",
    )
    caption = (
        "First, in 5: questions with a gold passage there, by the configuration and by BM25. "
        "Without answer: questions that the documentation does not answer."
    )
    title = f"Documentation, half '{figures['half']}', {figures['config']}"
    return Grid(title, header, (tuple(rows), (total,)), caption)


def _row(label: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    asked = [outcome for outcome in outcomes if outcome.answerable]
    others = [outcome for outcome in outcomes if not outcome.answerable]
    verdicts = [outcome.verdict for outcome in asked]
    ranks = [[each.rank for each in asked], [each.peer for each in asked]]
    found = [
        sum(rank is not None and rank <= depth for rank in system)
        for system in ranks
        for depth in (1, SHOWN)
    ]
    refused = sum(outcome.verdict == "refused" for outcome in others)
    counts = (*map(verdicts.count, ("right", "wrong", "refused")), *found, len(others), refused)
    return (label, str(len(asked)), *map(str, counts))
