"""Read rankings and the relevant documents of queries, as TREC files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.types import Question
from ...datasets.catalog import data_file
from ...io.files import read_jsonl
from ...io.trec import Qrels, Run, ranked, read_qrels, read_run
from ...metrics.ranking import MEASURES, score_ranking
from .facts import DiagnosisInput, Outcome, QuestionFacts

RANKING = "ranking"
_SHOWN = 3  # docids of a ranking that are shown as its answer


def read_rankings(
    data: Sequence[Path],
    predictions: Mapping[str, Sequence[Path]],
    *,
    queries: Path | None = None,
    measures: Sequence[str] = MEASURES,
    scorer: str | None = None,
) -> DiagnosisInput:
    """Read qrels and a TREC run for each system.

    Args:
        data: the qrels, one file.
        predictions: system to its run, one file.
        queries: JSONL with `qid`, `lang` and `question`, such as a run folder's `queries.jsonl`.
        measures: the measures, the main one first.
        scorer: official leaves out queries without results, strict scores them 0.

    Raises:
        ConfigError: for several files where one is needed, or an unknown measure.
        DataError: for a file of another format.
    """
    if len(data) != 1 or any(len(paths) != 1 for paths in predictions.values()):
        raise ConfigError("a ranking needs one --data file, the qrels, and one run for each system")
    qrels = read_qrels(data_file(data[0]))
    texts = read_queries(queries) if queries else {}
    questions = tuple(
        QuestionFacts(qid, query.lang, query.text, (), query.lang)
        for qid in qrels
        for query in [texts.get(qid, Question(qid, "", ""))]
    )
    runs = {name: read_run(paths[0]) for name, paths in predictions.items()}
    systems = {
        name: outcomes(run, qrels, measures=measures, strict=scorer == "strict")
        for name, run in runs.items()
    }
    return DiagnosisInput(RANKING, scorer or "official", questions, systems)


def outcomes(
    run: Run, qrels: Qrels, *, measures: Sequence[str], strict: bool
) -> tuple[Outcome, ...]:
    """The outcome of each query of the qrels."""
    ranking = score_ranking(run, qrels, measures=measures)
    missing = set() if strict else set(ranking.missing)
    return tuple(
        Outcome(
            None if score.qid in missing else score.values,
            ", ".join(list(ranked(run.get(score.qid, {})))[:_SHOWN]),
            gold_rank=rank_of_gold(run.get(score.qid, {}), qrels[score.qid]),
        )
        for score in ranking.scores
    )


def rank_of_gold(docs: Mapping[str, float], grades: Mapping[str, int]) -> int | None:
    """The rank of the first relevant docid, from 1; None if none is retrieved."""
    for rank, docid in enumerate(ranked(docs), 1):
        if grades.get(docid, 0) > 0:
            return rank
    return None


def read_queries(path: Path) -> dict[str, Question]:
    """Qid to query; its text may be missing.

    Raises:
        DataError: naming the line with another layout.
    """
    queries = {}
    for number, row in read_jsonl(path):
        qid, lang, text = row.get("qid"), row.get("lang"), row.get("question", "")
        if not isinstance(qid, str) or not isinstance(lang, str) or not isinstance(text, str):
            raise DataError(f"{path}, line {number}: needs the strings 'qid', 'lang', 'question'")
        queries[qid] = Question(qid, text, lang)
    return queries
