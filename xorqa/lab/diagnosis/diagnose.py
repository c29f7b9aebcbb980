"""Diagnose run folders, the files of any system, or questions alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.lang import ENGLISH
from ...core.progress import TaskProgress, silent
from ...core.registry import build, table_of
from ...io.cache import stage_cache
from ..common.translate_texts import translate_texts
from .diagnosis import Diagnosis, diagnose_data
from .facts import DiagnosisInput
from .from_files import read_files
from .from_ranking import RANKING, read_rankings
from .from_runs import read_run_folders

PathLike = Path | str


def diagnose(
    *runs: PathLike,
    task: str | None = None,
    data: PathLike | Sequence[PathLike] = (),
    predictions: Mapping[str, PathLike | Sequence[PathLike]] | None = None,
    scorer: str | None = None,
    lang: str | None = None,
    english: PathLike | None = None,
    queries: PathLike | None = None,
    translator: str | Mapping[str, Any] | None = None,
    trust: bool = False,
    progress: TaskProgress = silent,
    **options: Any,
) -> Diagnosis:
    """Metrics by bucket of each feature, and the differences between systems.

    Args:
        runs: run folders over the same questions; or else `task` and `data`.
        task: the task, such as "squad" or "ranking"; for runs by default the last they share.
        data: SQuAD-style JSON, XOR QA's JSONL, a folder with a file per language, or qrels.
        predictions: system to prediction files: one per data file, a folder, or one for all;
            without them, the questions alone are diagnosed.
        scorer: "official" (the default) or "strict".
        lang: the language of the data files, if it is not in their names.
        english: the same questions in English, parallel by id.
        queries: for rankings, JSONL with `qid`, `lang` and `question`.
        translator: translates questions into English where no person did, for `qType`.
        trust: allow a run folder to import your own stages.
        progress: called while questions are translated.
        options: `by`, `quantiles`, `edges`, `metrics`, `settings` and `min_n`, as for
            `diagnose_data`.

    Returns:
        A `Diagnosis`; `pandas.DataFrame(diagnosis.rows())` is a table of it.

    Raises:
        ConfigError: if neither runs nor data are given, or both are.
        DataError: for a file of another format.
    """
    if bool(runs) == bool(data or predictions):
        raise ConfigError("give run folders, or a task with data, and not both")
    if runs:
        read = read_run_folders(
            [Path(run) for run in runs], task=task, scorer=scorer or "official", trust=trust
        )
    else:
        files = _paths(data)
        by_system = {name: _paths(paths) for name, paths in (predictions or {}).items()}
        if task is None or not files:
            raise ConfigError("name a task and data, such as squad and xquad.ar.json")
        if task == RANKING:
            queries_file = Path(queries) if queries else None
            read = read_rankings(files, by_system, queries=queries_file, scorer=scorer)
        else:
            english_file = Path(english) if english else None
            read = read_files(
                task, files, by_system, scorer=scorer, lang=lang, english=english_file
            )
    if translator is not None:
        read = translated(read, translator, progress=progress)
    return diagnose_data(read, **options)


def translated(
    data: DiagnosisInput, translator: str | Mapping[str, Any], *, progress: TaskProgress = silent
) -> DiagnosisInput:
    """The data with machine translations into English of the questions in other languages."""
    stage = build("translator", table_of("translator", translator))
    cache = stage_cache()
    english: dict[tuple[str, str], str] = {}
    for lang in sorted({row.lang for row in data.questions} - {ENGLISH, ""}):
        texts = [row.text for row in data.questions if row.lang == lang and row.text]
        translations = translate_texts(
            stage,
            texts,
            lang=lang,
            to=ENGLISH,
            cache=cache,
            may_fail=True,
            progress=partial(progress, lang),
        )
        english |= {(lang, text): translation for text, translation in translations.items()}
    questions = tuple(
        replace(row, translation=english.get((row.lang, row.text), "")) for row in data.questions
    )
    return replace(data, questions=questions)


def _paths(paths: PathLike | Sequence[PathLike]) -> list[Path]:
    listed = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path) for path in listed]
