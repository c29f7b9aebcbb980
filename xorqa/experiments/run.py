"""Run an experiment over a data set and write a run folder: config, outputs, scores, manifest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..core.progress import TaskProgress
from ..core.types import Trace
from ..datasets.catalog import load_dataset
from ..datasets.dataset import Dataset
from ..io.cache import stage_cache
from ..io.files import digest, read_json, write_json
from ..io.locks import lock_folder
from ..io.trec import write_qrels
from .evaluate import Reports, evaluate, in_json
from .kept_data import has_name, keep_data
from .measures import KEY, measures
from .origin import origin
from .pipeline import Pipeline, Stop
from .run_files import FAILURES, UNREAD, write_failures, write_traces
from .settings import PipelineSettings, load_settings

QRELS = "qrels.txt"


def run(
    experiment: PipelineSettings | Pipeline | str | Path,
    dataset: Dataset | str,
    out: Path | str,
    *,
    until: Stop | str = Stop.FULL,
    indexes: Path | None = None,
    levels: Mapping[str, str] | None = None,
    all_passages: bool = False,
    verify: bool = False,
    progress: TaskProgress | None = None,
) -> Reports:
    """Answer a data set's questions and write the run folder `out`.

    `experiment` is a config (its name, path or settings) or a composed pipeline, whose corpora
    replace those of the data set. Finished work is taken from the cache, so a killed run resumes.
    Returns the reports of both scorers for the tasks that the run reached. `levels` (qid to easy
    or hard) adds these subsets to the reports. `all_passages` also puts passages beyond
    XOR-Retrieve's 5,000 tokens into its prediction file; `run.trec` always has them. `verify`
    first compares existing indexes with their checksums. `progress` is as in `Pipeline`.

    Raises:
        ConfigError: if `out` contains another run.
        DataError: if an index is damaged.
        LockedError: if another process writes `out`, or an index that this run would build.
    """
    dataset = load_dataset(dataset) if isinstance(dataset, str) else dataset
    if isinstance(experiment, Pipeline):
        dataset = replace(dataset, corpora=experiment.corpora)
        indexes, experiment = indexes or experiment.indexes, experiment.settings
    settings = experiment if isinstance(experiment, PipelineSettings) else load_settings(experiment)
    out, until = Path(out), Stop(until)
    pipeline = Pipeline.from_config(
        settings,
        dataset.corpora,
        translations=dataset.translations,
        indexes=indexes,
        cache=stage_cache(),
        progress=progress,
    )
    if verify:
        pipeline.verify()
    with lock_folder(out, "run folder"):
        return _run(pipeline, settings, dataset, out, until, levels, all_passages)


def _run(
    pipeline: Pipeline,
    settings: PipelineSettings,
    dataset: Dataset,
    out: Path,
    until: Stop,
    levels: Mapping[str, str] | None,
    all_passages: bool,
) -> Reports:
    """Run in `out`, which is locked."""
    manifest = _manifest(settings, dataset, until)
    path = out / "manifest.json"
    earlier = read_json(path) if path.is_file() else manifest
    other = not isinstance(earlier, dict) or earlier.get("run") != manifest["run"]
    if other and (not isinstance(earlier, dict) or earlier.get("finished", True)):
        raise ConfigError(f"{out} contains another run; name another folder with --out")
    before = {} if other else earlier.get("spent", {})
    manifest |= {"black_box": _black_boxes(pipeline), "spent": before}
    write_json(path, {**manifest, "finished": False})
    try:
        traces = pipeline.answer([example.question for example in dataset.examples], until=until)
    finally:  # the costs of a killed run count too
        manifest["spent"] = _spent(pipeline, before)
        write_json(path, {**manifest, "finished": False})
    write_traces(out, traces)
    _write_qrels(out, dataset)
    if not has_name(dataset):
        keep_data(out, dataset, traces)
    write_failures(out / FAILURES, pipeline.failures)
    write_failures(out / UNREAD, pipeline.unread)
    reports = evaluate(
        dataset,
        traces,
        routes=settings.routes,
        levels=levels,
        out=out,
        all_passages=all_passages,
    )
    write_json(out / "config.json", settings.to_json())
    measured = measures(dataset, traces, settings)
    write_json(out / "scores.json", in_json(reports) | ({KEY: measured} if measured else {}))
    write_json(out / "timings.json", dict(traces[0].timings) if traces else {})
    if without := _without_passages(traces):
        manifest["without_passages"] = without
    write_json(path, {**manifest, **origin(), "finished": True})
    return reports


def _manifest(settings: PipelineSettings, dataset: Dataset, until: Stop) -> dict[str, Any]:
    corpora = {name: corpus.sha for name, corpus in sorted(dataset.corpora.items())}
    questions = digest([asdict(example.question) for example in dataset.examples])
    return {
        "run": digest(settings.to_json(), corpora, questions, until, *settings.live_fingerprints()),
        "dataset": dataset.name,
        "questions": questions,
        "corpora": corpora,
        "until": str(until),
        **origin(),
    }


def _without_passages(traces: Sequence[Trace]) -> dict[str, int]:
    """Route to the number of questions for which it retrieved nothing, if any."""
    routes = (route for trace in traces for route, (_, hits) in trace.by_route.items() if not hits)
    return dict(Counter(routes))


def _black_boxes(pipeline: Pipeline) -> dict[str, str]:
    """Route to the black-box service that its translator, or its reader, calls or replays."""
    return {route: name for route, each in pipeline.services().items() if (name := each.black_box)}


def _spent(
    pipeline: Pipeline, before: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """The tokens and money that each route spent on services, including those spent `before`."""
    return {
        route: {key: value + before.get(route, {}).get(key, 0) for key, value in counts.items()}
        for route, service in pipeline.services().items()
        if (counts := service.spent)
    }


def _write_qrels(out: Path, dataset: Dataset) -> None:
    """Write the qrels, or the passages with a gold answer, if any are known."""
    if qrels := dataset.relevance():
        write_qrels(out / QRELS, qrels)
