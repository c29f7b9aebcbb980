"""Run the stages of a recipe in order; finished stages are not trained again."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.progress import Log, silent
from ...io.files import atomic_path, digest, read_json, sha256, write_json
from ...models.adapters import open_adapter
from .common.kind import TrainingKind, find_kind
from .common.recipe import Recipe
from .common.time_limit import UNLIMITED, TimeLimit
from .common.training_folder import locks_out
from .history import TrainingHistory, TrainingStage

FINISHED = "finished.json"


def train_history(
    history: TrainingHistory, out: Path, *, report: Log = silent, limit: TimeLimit = UNLIMITED
) -> list[Path]:
    """Train all stages of a recipe, or its only one in `out` itself; returns the last one's files.

    Raises:
        ConfigError: if a folder holds the training of another recipe.
        DataError: naming the input files that are missing.
    """
    if history.stages:
        return repeat_history(history, out, report=report, limit=limit)
    [only] = history.runs
    history.check_inputs([only])
    return _run(history, only, {}, out, report, limit)


def train_once(kind: str, recipe: Recipe, out: Path, *, report: Log = silent) -> list[Path]:
    """Train a recipe of a kind; returns the files it wrote."""
    return _train(find_kind(kind), recipe, out, report=report)


def _train(kind: TrainingKind, recipe: Recipe, out: Path, **options: Any) -> list[Path]:
    written = kind.train(recipe, out, **options)
    return [written] if isinstance(written, Path) else [*written]


@locks_out("training folder")
def repeat_history(
    history: TrainingHistory,
    out: Path,
    *,
    until: str | None = None,
    report: Log = silent,
    limit: TimeLimit = UNLIMITED,
) -> list[Path]:
    """Run the stages, each in its own folder of `out`; returns the last one's files, copied there.

    With `until`, run only that stage and those that it depends on. `stages.json` records the
    files. The stages share the time of `limit` equally; those that follow get what one leaves.

    Raises:
        ConfigError: if a stage's folder holds the training of another recipe.
        DataError: naming the input files that are missing.
    """
    stages = history.until(until)
    history.check_inputs(stages)
    outputs: dict[str, Path] = {}
    record = []
    for number, stage in enumerate(stages, 1):
        report(f"stage {number} of {len(stages)}: {stage.name}")
        of_stage = limit.share(1 / (len(stages) + 1 - number))
        paths = _run(history, stage, outputs, out / stage.name, report, of_stage)
        outputs[stage.name] = paths[0]
        sha = open_adapter(str(paths[0])).sha
        record.append({"stage": stage.name, "needs": stage.needs, "sha": sha})
    write_json(out / "stages.json", record)
    for source in (*paths, paths[0].with_name("card.json")):
        with atomic_path(out / source.name) as temporary:
            shutil.copyfile(source, temporary)
    return [out / path.name for path in paths]


def _run(
    history: TrainingHistory,
    stage: TrainingStage,
    outputs: Mapping[str, Path],
    folder: Path,
    report: Log,
    limit: TimeLimit,
) -> list[Path]:
    """The files of a stage; nothing is computed if it was finished with the same inputs."""
    recipe = history.settings_of(stage, outputs)
    if getattr(recipe, "method", None) == "all":
        raise ConfigError(
            f"stage '{stage.name}' has method = \"all\", which gives a checkpoint; stages hand on "
            'adapters: set method = "full", or train without stages (--set method=all)'
        )
    parts = [str(outputs[name]) for name in stage.average]
    identity = digest(recipe.identity(), [open_adapter(part).sha for part in parts])
    marker = folder / FINISHED
    if marker.is_file():
        finished = read_json(marker)
        hashes = {finished["file"]: finished["sha"]} | finished.get("others", {})
        paths = [folder / str(name) for name in hashes]
        if finished["identity"] == identity and _shas(paths) == hashes:
            report(f"{stage.name} is finished: {paths[0]}")
            return paths
    kind = find_kind(history.kind)
    if parts and kind.average:
        paths = [kind.average(recipe, parts, folder)]
    else:
        paths = _train(kind, recipe, folder, report=report, limit=limit)
    row = {"identity": identity, "file": paths[0].name, "sha": sha256(paths[0])}
    others = {"others": _shas(paths[1:])} if len(paths) > 1 else {}
    write_json(marker, row | others)
    return paths


def _shas(paths: Sequence[Path]) -> dict[str, str]:
    """The hashes of the files that exist, by name."""
    return {path.name: sha256(path) for path in paths if path.is_file()}
