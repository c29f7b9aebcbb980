"""Run an experiment over a data set and write a run folder: config, outputs, scores, manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..core.progress import TaskProgress
from ..datasets.catalog import load_dataset
from ..datasets.dataset import Dataset
from ..io.cache import stage_cache
from ..io.files import digest
from ..metrics.ranking import score_ranking
from ..models.hub import commits, pin, watching
from .evaluate import MEASURES_KEY, Reports, in_json, measure_answers, read_results, score_results
from .pipeline import Pipeline, Stop
from .run_folder import COMMITS, RunFolder
from .settings import PipelineSettings


def run(
    experiment: PipelineSettings | Pipeline | str | Path,
    dataset: Dataset | str,
    out: Path | str,
    *,
    until: Stop | str = Stop.FULL,
    indexes: Path | None = None,
    levels: Mapping[str, str] | None = None,
    all_passages: bool = False,
    rankings: Sequence[str] = (),
    verify: bool = False,
    progress: TaskProgress | None = None,
) -> Reports:
    """Answer a data set's questions and write the run folder `out`.

    `experiment` is a config (its name, path or settings) or a composed pipeline, which is used with
    its own corpora, cache, translations, indexes and progress. If it has no cache or no
    translations, it gets the cache that all runs share or those of the data set. Finished work is
    taken from the cache, so a killed run resumes.

    Returns the reports of both scorers for the tasks that the run reached. `levels` (qid to easy
    or hard) adds these subsets to the reports. `all_passages` also puts passages beyond
    XOR-Retrieve's 5,000 tokens into its prediction file; `run.trec` always has them. `rankings` are
    measures of the rankings, such as `nDCG@10`, as in `evaluate`. `verify` first compares existing
    indexes with their checksums. `indexes` and `progress` are as in `Pipeline`.

    Raises:
        ConfigError: if `out` contains another run, or for an unknown measure.
        DataError: if an index is damaged.
        LockedError: if another process writes `out`, or an index that this run would build.
    """
    dataset = load_dataset(dataset) if isinstance(dataset, str) else dataset
    pipeline = _pipeline(experiment, dataset, indexes, progress)
    if isinstance(experiment, Pipeline):
        dataset = replace(dataset, corpora=pipeline.corpora)
    settings, until, folder = pipeline.settings, Stop(until), RunFolder(Path(out))
    score_ranking({}, {}, measures=rankings)  # an unknown measure is reported before the work
    if verify:
        pipeline.verify()
    with folder.locked():
        folder.begin(_manifest(settings, dataset, until), pipeline.services())
        pin(folder.manifest.get(COMMITS, {}))  # a branch may have moved since the run began

        def record() -> None:
            folder.record_commits(commits(settings.to_json()))

        record()
        try:
            questions = [example.question for example in dataset.examples]
            with watching(record):
                traces = pipeline.answer(questions, until=until)
        finally:  # the costs of a killed run count too
            folder.add_costs(pipeline.services())
        folder.write_results(dataset, traces)
        folder.write_failures(pipeline.failures, pipeline.unread)
        results = read_results(dataset, traces, settings.routes)
        reports = score_results(
            results, levels=levels, out=folder.path, all_passages=all_passages, rankings=rankings
        )
        measured = measure_answers(results, settings)
        scores = in_json(reports) | ({MEASURES_KEY: measured} if measured else {})
        folder.write_scores(settings, scores, traces[0].timings if traces else {})
        folder.finish()
    return reports


def _pipeline(
    experiment: PipelineSettings | Pipeline | str | Path,
    dataset: Dataset,
    indexes: Path | None,
    progress: TaskProgress | None,
) -> Pipeline:
    """The pipeline of a run; a composed one gets only what it lacks, and what the call names."""
    options: dict[str, Any] = {"translations": dataset.translations, "cache": stage_cache()}
    if isinstance(experiment, Pipeline):
        options = {
            name: value for name, value in options.items() if getattr(experiment, name) is None
        }
    options |= {} if indexes is None else {"indexes": indexes}
    options |= {} if progress is None else {"progress": progress}
    if isinstance(experiment, Pipeline):
        return experiment.with_options(**options)
    return Pipeline.from_config(experiment, dataset.corpora, **options)


def _manifest(settings: PipelineSettings, dataset: Dataset, until: Stop) -> dict[str, Any]:
    corpora = {name: corpus.sha for name, corpus in sorted(dataset.corpora.items())}
    questions = digest([asdict(example.question) for example in dataset.examples])
    return {
        "run": digest(settings.to_json(), corpora, questions, until, *settings.live_fingerprints()),
        "dataset": dataset.name,
        "questions": questions,
        "corpora": corpora,
        "until": str(until),
    }
