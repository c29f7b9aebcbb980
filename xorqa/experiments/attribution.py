"""The attribution of a run's answers: what they cite, in which language, and when they abstain."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.types import Example
from ..metrics.abstention import abstention
from ..metrics.answer_measures import LANGUAGE, score_language
from .citations import citation_reports, report_of
from .run_files import failed_qids
from .saved_run import open_run


def attribution_of(folder: Path, *, trust: bool = False) -> dict[str, dict[str, Any]]:
    """The measures of a finished run: `citation_reports`, the language and the abstention.

    The span reader's answers cite the passage that they were read from. `abstention` has the
    shares, from 0 to 1, of `answerable` and `unanswerable` questions without an answer, without
    the `failed` ones, which had no usable reply; None without such questions.

    Raises:
        ConfigError, DataError: as `open_run`.
    """
    run = open_run(folder, trust=trust)
    answers = run.choose(run.settings.chooser)
    examples, failed = run.dataset.examples, failed_qids(folder)
    texts = {
        example.question.qid: answer.text
        for example, answer in zip(examples, answers, strict=True)
        if answer.source
    }
    langs = {example.question.qid: example.question.lang for example in examples}
    values = citation_reports(run.dataset, answers, run.settings.routes)
    if rows := score_language(langs, texts):
        values[LANGUAGE] = report_of(LANGUAGE, rows)
    return values | {"abstention": _abstention(examples, texts, failed)}


def _abstention(
    examples: Sequence[Example], texts: Mapping[str, str], failed: Collection[Any]
) -> dict[str, Any]:
    judged = [example for example in examples if example.question.qid not in failed]
    answered = [bool(texts.get(example.question.qid)) for example in judged]
    rates = abstention(answered, [example.answered_in != "nowhere" for example in judged])
    hallucinated = rates.hallucination_rate
    return {
        "answerable": rates.error_rate,
        "unanswerable": None if hallucinated is None else 1 - hallucinated,
        "failed": len(examples) - len(judged),
    }
