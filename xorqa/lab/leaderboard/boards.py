"""The tables of a leaderboard: their tasks, metrics and order."""

from dataclasses import dataclass

from ...core.errors import ConfigError, one_of
from ...tables.grid import PAPER_NAMES

OFFICIAL, STRICT = "official", "strict"
SCORERS = (OFFICIAL, STRICT)


@dataclass(frozen=True, slots=True)
class Board:
    """A table of the leaderboard; rows are ranked by the first metric of the official scorer.

    Attributes:
        name: its name in `metadata.toml`.
        task: the task whose per-question scores it reads; "" if it reads another format.
        data: the questions, unless a row names others.
        falling: whether lower is better.
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    task: str = ""
    data: str = ""
    falling: bool = False

    @property
    def main(self) -> str:
        """The metric that ranks the rows."""
        return self.metrics[0]


FAILURE_RATE = "failure rate"

BOARDS = {
    board.name: board
    for board in (
        Board("xor-retrieve", "XOR-Retrieve", ("R@5kt", "R@2kt"), "xor-retrieve", "XOR-TyDi"),
        Board("xor-engspan", "XOR-EnglishSpan", ("f1", "em"), "xor-engspan", "XOR-TyDi"),
        Board("xor-full", "XOR-Full", ("f1", "em", "bleu"), "xor-full", "XOR-TyDi"),
        Board("xquad", "XQuAD", ("f1", "em"), "squad", "XQuAD"),
        Board("mlqa", "MLQA", ("f1", "em"), "mlqa", "MLQA test"),
        Board("tydi-goldp", "TyDi GoldP", ("f1", "em"), "tydi-goldp", "TyDi GoldP dev"),
        Board("xquad-r", "XQuAD-R", ("mAP", "mAP@20"), data="XQuAD-R"),
        Board(
            "multichecklist",
            "MultiCheckList",
            (FAILURE_RATE,),
            data="MultiCheckList, official templates",
            falling=True,
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


def label(metric: str) -> str:
    """A metric as papers write it."""
    return PAPER_NAMES.get(metric, metric)
