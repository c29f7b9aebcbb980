"""Train several recipes in turn, within a time for all of them."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.progress import Log, silent
from ...io.files import read_object
from ...tables.grid import MISSING, Grid
from .common.finetuning import SETTLED
from .common.time_limit import UNLIMITED, TimeLimit
from .history import TrainingHistory, kind_of_recipe, read_history
from .repeat import train_history

Scores = list[tuple[int, float]]
"""Steps, and the validation scores after them."""


def read_histories(configs: Sequence[str]) -> dict[str, TrainingHistory]:
    """Recipes by their names, which are those of their files.

    Raises:
        ConfigError: if two have one name, or one is of a kind without stages.
    """
    histories: dict[str, TrainingHistory] = {}
    for config in configs:
        name = Path(config).stem
        if name in histories:
            raise ConfigError(f"two recipes are called '{name}'; remove or rename one")
        histories[name] = read_history(config, kind_of_recipe(config))
    return histories


def train_in_turn(
    histories: Mapping[str, TrainingHistory],
    out: Path,
    *,
    limit: TimeLimit = UNLIMITED,
    report: Log = silent,
) -> dict[str, list[Path]]:
    """Train each recipe in its own folder of `out`; returns the files by recipe.

    The recipes share the time equally; those that follow get what one leaves. A finished recipe
    is not trained again.

    Raises:
        ConfigError: if a folder holds the training of another recipe.
        DataError: naming missing input files of any recipe, before the first one is trained.
    """
    for history in histories.values():
        history.check_inputs(history.runs)
    paths = {}
    for number, (name, history) in enumerate(histories.items(), 1):
        report(f"recipe {number} of {len(histories)}: {name}")
        of_recipe = limit.share(1 / (len(histories) + 1 - number))
        paths[name] = train_history(history, out / name, report=report, limit=of_recipe)
    return paths


def validation_results(histories: Mapping[str, TrainingHistory], out: Path) -> dict[str, Any]:
    """By recipe: the validation scores of each training run, and those of the file in its card."""
    results: dict[str, Any] = {}
    for name, history in histories.items():
        folders = {stage.name: out / name / stage.name for stage in history.stages}
        runs = {
            run: {"scores": _scores(folder), "settled": _scores(folder / SETTLED)}
            for run, folder in (folders or {name: out / name}).items()
        }
        card = read_object(out / name / "card.json")
        results[name] = {"runs": runs, "card": card.get("validation")}
    return results


def validation_grid(results: Mapping[str, Any]) -> Grid:
    """The first and the best validation score of each training run, and the one after settling."""
    rows = [
        (
            name,
            run,
            str(scores["scores"][-1][0]) if scores["scores"] else MISSING,
            _score(scores["scores"][:1]),
            _score(scores["scores"]),
            _score(scores["settled"]),
        )
        for name, result in results.items()
        for run, scores in result["runs"].items()
    ]
    header = ("recipe", "run", "steps", "first", "best", "settled")
    return Grid("validation", header, (tuple(rows),), labels=2)


def _scores(folder: Path) -> Scores:
    path = folder / "validation.csv"
    if not path.is_file():
        return []
    with path.open(newline="") as stream:
        return [(int(row["step"]), float(row["score"])) for row in csv.DictReader(stream)]


def _score(scores: Scores) -> str:
    return f"{max(score for _, score in scores):.1f}" if scores else MISSING
