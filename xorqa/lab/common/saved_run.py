"""Open a run folder, with its questions and their candidates, to choose answers again.

Choosing takes seconds and reading takes minutes, so choosers are trained and compared on saved
runs.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError
from ...core.registry import OLD_NAMES, STAGES, build
from ...core.types import Answer, Candidate
from ...core.validation import SETTINGS
from ...datasets.catalog import load_dataset
from ...datasets.dataset import Dataset
from ...datasets.ir_datasets import is_collection
from ...experiments.pipeline import Stop
from ...experiments.run_folder import CONFIG, MANIFEST, RunFolder
from ...experiments.settings import PipelineSettings
from ...io.cache import stage_cache
from ...io.candidates import candidate_from, passage_key
from ...io.files import digest, read_json


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A finished run; `answers` are the answers to choose from, per example of `dataset`."""

    folder: Path
    settings: PipelineSettings
    dataset: Dataset
    answers: tuple[tuple[Answer, ...], ...]

    def choose(self, chooser: Mapping[str, Any]) -> list[Answer]:
        """Choose an answer for each example with a chooser, given as its config table.

        Raises:
            ConfigError: for a chooser or a setting that does not exist.
        """
        questions = [example.question for example in self.dataset.examples]
        chosen: list[Answer] = build("chooser", chooser).choose(questions, self.answers)
        return chosen


def finished(folder: Path, *, trust: bool = False) -> tuple[dict[str, Any], PipelineSettings]:
    """The manifest and the settings of a finished run.

    Stages and data sets from outside the package are rejected unless `trust` is set: a run folder
    may come from someone else, and building such a stage runs its code.

    Raises:
        ConfigError: if `folder` contains no finished run, or names such a stage.
    """
    manifest = read_json(folder / MANIFEST)
    if not isinstance(manifest, dict) or not manifest.get("finished"):
        raise ConfigError(f"{folder} contains no finished run; create one with: xorqa run")
    path = folder / CONFIG
    table = read_json(path)
    if not trust:
        check_registered(table, where=str(path))
        name = str(manifest.get("dataset"))
        if ":" in name and not is_collection(name) and not RunFolder(folder).keeps_data:
            raise ConfigError(
                f"{folder} names {name!r}, which is not a data set of xorqa; "
                "if you trust its code, repeat the command with --trust"
            )
    return manifest, SETTINGS.fill(PipelineSettings, table, where=str(path))


def check_registered(value: object, *, where: str) -> None:
    """Reject settings that name code outside the registry, at any depth.

    For settings read from run folders and manifests: opening these must not run code.

    Raises:
        ConfigError: naming the first `use` that is not a registered stage, or the first setting
            that imports an encoder or runs the code that a model brings.
    """
    if isinstance(value, Mapping):
        name = value.get("use")
        known = [*STAGES.values(), *OLD_NAMES.values()]
        if "use" in value and not any(name in list(names) for names in known):
            raise ConfigError(
                f"{where} names {name!r}, which is not a stage of xorqa; "
                "if you trust its code, repeat the command with --trust"
            )
        for key, part in value.items():
            model = part.get("model") if isinstance(part, Mapping) else part
            imported = key in ("encoder", "passage_tower") and _is_code(model)
            if imported or (key == "trust_remote_code" and part):
                raise ConfigError(
                    f"{where} runs code with {key} = {part!r}; "
                    "if you trust it, repeat the command with --trust"
                )
            check_registered(part, where=where)
    elif isinstance(value, list | tuple):
        for part in value:
            check_registered(part, where=where)


def _is_code(encoder: object) -> bool:
    """Whether an encoder is named `module:Class`."""
    return isinstance(encoder, str) and ":" in encoder and not encoder.startswith((".", "/", "~"))


def open_run(folder: Path, *, trust: bool = False) -> SavedRun:
    """Open a finished run; its candidates are localised again, with the localiser of its config.

    `trust` as in `finished`.

    Raises:
        ConfigError: if `folder` contains no finished run, or one that stopped before answering.
        DataError: if a file of the run is damaged, or its data set has changed.
    """
    manifest, run_settings = finished(folder, trust=trust)
    if manifest.get("until") != Stop.FULL:
        raise ConfigError(f"{folder} contains a run without answers; repeat it with --until full")
    try:
        rows = RunFolder(folder).candidates()
        dataset = dataset_of(folder, manifest, rows)
        candidates = _candidates(rows, dataset)
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{folder} is damaged: {error!r}") from error
    questions = [example.question for example in dataset.examples]
    answers = build("localiser", run_settings.localiser, cache=stage_cache()).localise(
        questions, [candidates[question.qid] for question in questions]
    )
    return SavedRun(folder, run_settings, dataset, tuple(map(tuple, answers)))


def _candidates(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], dataset: Dataset
) -> dict[str, list[Candidate]]:
    """Qid to candidates, which have an excerpt as passage if their corpus is not available."""
    read = {passage_key(row) for candidates in rows.values() for row in candidates}
    passages = {
        (passage.docid, passage.lang): passage
        for corpus in dataset.corpora.values()
        for passage in corpus
        if (passage.docid, passage.lang) in read
    }
    return {
        qid: [candidate_from(row, passages.get(passage_key(row))) for row in candidates]
        for qid, candidates in rows.items()
    }


def dataset_of(folder: Path, manifest: Mapping[str, Any], qids: Container[str]) -> Dataset:
    """The run's data set with only the questions `qids`, if it is unchanged since the run.

    Raises:
        DataError: if the questions have changed, or a file that the run keeps is damaged.
    """
    name = str(manifest["dataset"])
    run = RunFolder(folder)
    whole = run.data(name) if run.keeps_data else load_dataset(name)
    examples = tuple(e for e in whole.examples if e.question.qid in qids)
    if digest([asdict(example.question) for example in examples]) != manifest["questions"]:
        raise DataError(f"data set {whole.name} has changed since {folder} was written; run again")
    return replace(whole, examples=examples)
