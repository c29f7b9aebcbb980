"""Write the passages that a run retrieved, to train DPR's reader on them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ....core.errors import ConfigError, DataError, one_of
from ....core.lang import ENGLISH
from ....experiments.run_folder import RunFolder
from ....io.files import write_json
from ...common.saved_run import dataset_of, finished


def write_retrieved(
    run: Path, out: Path, *, route: str | None = None, lang: str = ENGLISH, trust: bool = False
) -> tuple[int, int]:
    """Write DPR's layout; returns the numbers of questions and of those without an answer.

    A question is the text that `route` (default: the only one) retrieved with, so the translation
    if it has a translator. Questions without an answer in `lang` are left out.

    Raises:
        ConfigError: if `run` is not a finished run, or has no such route.
        DataError: if it lacks the passages, as runs over corpora of the catalog do.
    """
    manifest, settings = finished(run, trust=trust)
    names = [each.name for each in settings.routes]
    route = route or (names[0] if len(names) == 1 else "")
    if route not in names:
        raise ConfigError(f"{run}: choose a route with --route; valid: {one_of(names)}")
    folder = RunFolder(run)
    queries = folder.queries()
    dataset = dataset_of(run, manifest, queries)
    searched = settings.routes[names.index(route)].corpus
    rows, unanswered = [], 0
    rankings = folder.rankings().get(route, {})
    passages = {
        passage.docid: {"id": passage.docid, "title": passage.title, "text": passage.text}
        for key, corpus in dataset.corpora.items()
        if key == searched or searched not in dataset.corpora
        for passage in corpus
    }
    for example in dataset.examples:
        qid, answers = example.question.qid, list(example.answers(lang))
        unanswered += not answers
        query = queries[qid]["queries"].get(route)
        if answers and query:
            contexts = list(_contexts(rankings.get(qid, {}), passages, run))
            rows.append({"question": query, "answers": answers, "ctxs": contexts})
    write_json(out, rows, indent=None)
    return len(rows), unanswered


def _contexts(
    ranking: Mapping[str, float], passages: Mapping[str, dict[str, Any]], run: Path
) -> Iterator[dict[str, Any]]:
    for docid, score in ranking.items():
        if docid not in passages:
            raise DataError(
                f"{run} does not have the text of passage '{docid}'; retrieve for a file of "
                "questions (--questions train.jsonl): such runs keep their passages"
            )
        yield passages[docid] | {"score": score}
