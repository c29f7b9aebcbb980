"""Run the stages of a recipe in order; finished stages are not trained again."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from ...core.errors import ConfigError
from ...core.progress import Log, silent
from ...io.files import atomic_path, digest, read_json, sha256, write_json
from ...io.locks import locks_out
from ...models.adapters import open_adapter
from .common.kind import TrainingKind, find_kind
from .common.recipe import Recipe
from .history import TrainingHistory, TrainingStage

FINISHED = "finished.json"


def train_once(kind: str, recipe: Recipe, out: Path, *, report: Log = silent) -> list[Path]:
    """Train a recipe of a kind; returns the files it wrote."""
    return _train(find_kind(kind), recipe, out, report)


def _train(kind: TrainingKind, recipe: Recipe, out: Path, report: Log) -> list[Path]:
    written = kind.train(recipe, out, report=report)
    return [written] if isinstance(written, Path) else [*written]


@locks_out("training folder")
def repeat_history(
    history: TrainingHistory, out: Path, *, until: str | None = None, report: Log = silent
) -> list[Path]:
    """Run the stages, each in its own folder of `out`; returns the last one's file, copied there.

    With `until`, run only that stage and those that it depends on. `stages.json` records the
    files.

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
        outputs[stage.name] = path = _run(history, stage, outputs, out / stage.name, report)
        sha = open_adapter(str(path)).sha
        record.append({"stage": stage.name, "needs": stage.needs, "sha": sha})
    write_json(out / "stages.json", record)
    finished = [out / path.name, out / "card.json"]
    for target, source in zip(finished, (path, path.with_name("card.json")), strict=True):
        with atomic_path(target) as temporary:
            shutil.copyfile(source, temporary)
    return finished[:1]


def _run(
    history: TrainingHistory,
    stage: TrainingStage,
    outputs: Mapping[str, Path],
    folder: Path,
    report: Log,
) -> Path:
    """The file of a stage; nothing is computed if it was finished with the same inputs."""
    recipe = history.settings_of(stage, outputs)
    parts = [str(outputs[name]) for name in stage.average]
    identity = digest(recipe.identity(), [open_adapter(part).sha for part in parts])
    marker = folder / FINISHED
    if marker.is_file():
        finished = read_json(marker)
        path = folder / str(finished["file"])
        if finished["identity"] == identity and path.is_file() and sha256(path) == finished["sha"]:
            report(f"{stage.name} is finished: {path}")
            return path
    kind = find_kind(history.kind)
    if parts and kind.average:
        path = kind.average(recipe, parts, folder)
    else:
        path, *others = _train(kind, recipe, folder, report)
        if others:
            raise ConfigError(f"stage '{stage.name}' has two towers; stages need towers = 1")
    write_json(marker, {"identity": identity, "file": path.name, "sha": sha256(path)})
    return path
