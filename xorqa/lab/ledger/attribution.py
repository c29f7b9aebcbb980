"""What the answers of a finished run cite, and when they abstain."""

from pathlib import Path
from typing import Any

from ...experiments.evaluate import citation_reports, languages_searched, report_of
from ...experiments.run_folder import RunFolder
from ...metrics.answer_measures import LANGUAGE, abstention, score_language
from ..common.saved_run import open_run


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
    examples, failed = run.dataset.examples, RunFolder(folder).unread_qids()
    texts = {
        example.question.qid: answer.text
        for example, answer in zip(examples, answers, strict=True)
        if answer.source
    }
    langs = {example.question.qid: example.question.lang for example in examples}
    searched = languages_searched(run.dataset, run.settings.routes)
    values = citation_reports(examples, answers, searched)
    if rows := score_language(langs, texts):
        values[LANGUAGE] = report_of(LANGUAGE, rows)
    judged = [example for example in examples if example.question.qid not in failed]
    answered = [bool(texts.get(example.question.qid)) for example in judged]
    rates = abstention(answered, [example.answered_in != "nowhere" for example in judged])
    hallucinated = rates.hallucination_rate
    values["abstention"] = {
        "answerable": rates.error_rate,
        "unanswerable": None if hallucinated is None else 1 - hallucinated,
        "failed": len(examples) - len(judged),
    }
    return values
