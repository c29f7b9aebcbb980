"""The tables of a leaderboard: their tasks, measures and order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ...core.errors import ConfigError, one_of
from ...metrics.measure import Measure
from ...metrics.registry import find_measure


@dataclass(frozen=True, slots=True)
class Board:
    """A table of the leaderboard; rows are ranked by the first measure of the official scorer.

    Attributes:
        name: its name in `metadata.toml`.
        measures: those that it shows, the main one first.
        task: the task whose per-question scores it reads; "" if it reads another format.
        data: the questions, unless a row names others.
        parts: the boards that it is computed from, by category; it reads no file then.
    """

    name: str
    title: str
    measures: tuple[Measure, ...]
    task: str = ""
    data: str = ""
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """The name of the measure that ranks the rows."""
        return self.measures[0].name

    @property
    def higher_is_better(self) -> bool:
        """The direction of that measure."""
        return self.measures[0].higher_is_better

    def better(self, score: float, other: float) -> bool:
        """Whether a score of the main measure is better than another one."""
        return score > other if self.higher_is_better else score < other

    @property
    def measure_names(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(measure.name for measure in self.measures)


FAILURE_RATE = "failure rate"
AVERAGE = "average"
_XTREME_R = {
    "question answering": ("xquad", "mlqa", "tydi-goldp"),
    "retrieval": ("mewsli-x", "lareqa", "tatoeba"),
}


def _of(*names: str) -> tuple[Measure, ...]:
    """Measures by name."""
    return tuple(map(find_measure, names))


BOARDS = {
    board.name: board
    for board in (
        Board("xor-retrieve", "XOR-Retrieve", _of("R@5kt", "R@2kt"), "xor-retrieve", "XOR-TyDi"),
        Board("xor-engspan", "XOR-EnglishSpan", _of("f1", "em"), "xor-engspan", "XOR-TyDi"),
        Board("xor-full", "XOR-Full", _of("f1", "em", "bleu"), "xor-full", "XOR-TyDi"),
        Board("xquad", "XQuAD", _of("f1", "em"), "squad", "XQuAD"),
        Board("mlqa", "MLQA", _of("f1", "em"), "mlqa", "MLQA test"),
        Board("tydi-goldp", "TyDi GoldP", _of("f1", "em"), "tydi-goldp", "TyDi GoldP dev"),
        Board("xquad-r", "XQuAD-R", _of("mAP", "mAP@20"), data="XQuAD-R"),
        Board("mlqa-r", "MLQA-R", _of("mAP", "mAP@20"), data="MLQA-R"),
        Board("lareqa", "XQuAD-R by mAP@20", _of("mAP@20", "mAP"), data="XQuAD-R"),
        Board("mewsli-x", "Mewsli-X", (Measure("map@20", "mAP@20"),), "mewsli-x", "Mewsli-X"),
        Board("tatoeba", "Tatoeba", (Measure("accuracy", "accuracy"),), "tatoeba", "Tatoeba"),
        Board(
            "multichecklist",
            "MultiCheckList",
            (Measure(FAILURE_RATE, FAILURE_RATE, higher_is_better=False),),
            data="MultiCheckList, official templates",
        ),
        Board(
            "xtreme-r",
            "XTREME-R: question answering and retrieval",
            _of(AVERAGE, *_XTREME_R),
            data=", ".join(chain(*_XTREME_R.values())),
            parts=_XTREME_R,
        ),
    )
}
"""By name, in the order of the site."""


def find_board(name: str) -> Board:
    """A board by name.

    Raises:
        ConfigError: for an unknown name.
    """
    if name not in BOARDS:
        raise ConfigError(f"no board is called '{name}'; valid: {one_of(BOARDS)}")
    return BOARDS[name]


def board_of(task: str) -> Board | None:
    """The board of a pipeline's task."""
    return next((board for board in BOARDS.values() if board.task == task), None)
