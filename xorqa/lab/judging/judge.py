"""A language model judges a saved run's answers, beside the strict scorer and human verdicts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.progress import Progress, silent
from ...core.types import Question
from ...datasets.dataset import sample_questions
from ...experiments.evaluate import references_of
from ...io.cache import Cache
from ...metrics.report import Reference
from ...metrics.tasks.xor_full import XOR_FULL
from ...reading.generation.endpoint import EndpointGenerator, EndpointSettings, Prompt
from ...reading.generation.prompts import BUNDLED, prompt_text
from ...reading.generation.reply import Reply
from ..common.saved_run import SavedRun, open_run
from .verdict import BUNDLED_PROMPT, conversation, read_verdict

WHERE = "[judge]"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings(EndpointSettings):
    """The judge's endpoint; `prompt` is "bundled", or your own text file."""

    prompt: str = BUNDLED


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer, its scores by the strict scorer (from 0 to 1), and its verdicts.

    `verdict` is the model's. It is None if the reply has none, or if there is no reply, for the
    reason `problem`. An empty answer is wrong without a request. `human` is None without a label.
    """

    qid: str
    lang: str
    question: str
    golds: tuple[str, ...]
    answer: str
    em: float
    f1: float
    verdict: bool | None
    problem: str
    human: bool | None


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The answers to a run's questions; `judge` is the model and its host, `labels` are counted."""

    judge: str
    answers: tuple[JudgedAnswer, ...]
    labels: int
    spent: Mapping[str, float]


def judge_run(
    folder: Path,
    settings: JudgeSettings,
    *,
    cache: Cache,
    sample: int | None = None,
    labels: Mapping[str, bool] | None = None,
    trust: bool = False,
    progress: Progress = silent,
) -> JudgedRun:
    """Judge the answers to the questions that have a gold answer in their own language.

    `sample` is the most questions per language, `labels` are human verdicts by qid. Every reply is
    in the cache before the next is asked for; questions without a reply are asked again.

    Raises:
        ConfigError, DataError: as `open_run`; or for an endpoint or a prompt that cannot be used,
            an unknown qid, a run without gold answers, or if no question has a reply.
    """
    generator, prompt = _open(settings, cache)
    run, labels = open_run(folder, trust=trust), labels or {}
    questions = {example.question.qid: example.question for example in run.dataset.examples}
    _check_labels(labels, questions, folder)
    references, texts = _references(run, sample), _texts(run)
    prompts = {
        row.qid: conversation(prompt, questions[row.qid], row.answers, texts[row.qid])
        for row in references
        if row.qid in texts
    }
    replies = _replies(generator, prompts, progress)
    scores = XOR_FULL.score(references, texts, scorer="strict")
    judged = [
        JudgedAnswer(
            qid=row.qid,
            lang=row.lang,
            question=questions[row.qid].text,
            golds=row.answers,
            answer=texts.get(row.qid, ""),
            em=score.values["em"],
            f1=score.values["f1"],
            verdict=_verdict(replies.get(row.qid)),
            problem=replies[row.qid].problem if row.qid in replies else "",
            human=labels.get(row.qid),
        )
        for row, score in zip(references, scores, strict=True)
    ]
    return JudgedRun(generator.name, tuple(judged), len(labels), generator.spent)


def _open(settings: JudgeSettings, cache: Cache) -> tuple[EndpointGenerator, str]:
    """The judge and its prompt."""
    if not settings.endpoint and not settings.recorded:
        raise ConfigError(
            f"{WHERE} needs the URL of a chat service (--endpoint http://localhost:8000/v1), "
            "or a file of its replies (--recorded)"
        )
    path = BUNDLED_PROMPT if settings.prompt == BUNDLED else Path(settings.prompt).expanduser()
    prompt = prompt_text(path, where=WHERE)
    return EndpointGenerator(settings, cache, where=WHERE), prompt


def _check_labels(labels: Iterable[str], qids: Mapping[str, Question], folder: Path) -> None:
    unknown = [qid for qid in labels if qid not in qids]
    if unknown:
        raise DataError(
            f"labels: the run {folder} has no question '{unknown[0]}' (unknown qids: "
            f"{len(unknown)}); label the questions of this run"
        )


def _references(run: SavedRun, sample: int | None) -> list[Reference]:
    references = references_of(run.dataset, XOR_FULL)
    if not references:
        raise DataError(
            f"{run.folder}: no question has a gold answer in its own language, "
            "which the judge compares answers with"
        )
    if sample is None:
        return references
    known = {reference.qid for reference in references}
    questions = (e.question for e in run.dataset.examples if e.question.qid in known)
    chosen = {question.qid for question in sample_questions(questions, sample)}
    return [reference for reference in references if reference.qid in chosen]


def _texts(run: SavedRun) -> dict[str, str]:
    """The answers that are not empty, by qid."""
    answers = run.choose(run.settings.chooser)
    pairs = zip(run.dataset.examples, answers, strict=True)
    return {e.question.qid: answer.text for e, answer in pairs if answer.text.strip()}


def _replies(
    generator: EndpointGenerator, prompts: Mapping[str, Prompt], progress: Progress
) -> dict[str, Reply]:
    """The replies by qid; any text is one, so that one without a verdict is not asked for again."""
    replies = generator.generate([*prompts.values()], Reply, progress=progress)
    if replies and all(reply.problem for reply in replies):
        raise ConfigError(
            f"{WHERE} the model '{generator.model}' judged none of {len(replies)} answers: "
            f"{replies[0].problem}"
        )
    return dict(zip(prompts, replies, strict=True))


def _verdict(reply: Reply | None) -> bool | None:
    """The verdict of a reply; an empty answer, which has no reply, is wrong."""
    if reply is None:
        return False
    return None if reply.problem else read_verdict(reply.text)
