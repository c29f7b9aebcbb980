"""A parallel QA set from parallel sentences, as Lewis et al. 2020 (MLQA) made theirs.

Four rounds: `question` (in the pivot language, about the sentence, with an answer in it), `answer`
(others answer the question) and `translation` (the question is translated, and its answer marked
in the passage of the target language); `review` (others judge a share of the translations) is
optional.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...core.errors import ConfigError, DataError
from ...core.lang import language
from ...core.text.sentences import split_sentences
from ...core.types import Span
from ..common.spans import overlapping
from .agreement import (
    MAX_COPIED,
    MIN_AGREEMENT,
    agreement,
    copied_share,
    has_majority,
    representative,
)
from .tasks import Annotation, Task, of_round
from .units import FILE, Context, Unit

Round = Literal["question", "answer", "translation", "review"]
Reason = Literal["impossible", "copied", "low agreement"]


@dataclass(frozen=True, slots=True)
class Authored:
    """A question in the pivot language, with all answers to it; `reason`: why it is left out.

    `answers` are texts with their offsets in the passage, the author's first; `answer` is the one
    that stands for them.
    """

    id: str
    unit: str
    text: str
    answers: tuple[tuple[str, int], ...]
    answer: tuple[str, int]
    agreement: float | None
    author: str
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Translated:
    """A question in a target language, and its answer in the passage of that language."""

    id: str
    lang: str
    text: str
    answer: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What became of the questions.

    `rejected` counts questions by reason; `languages` kept questions by their number of languages;
    `agreement` is the mean F1 between annotators, `majority` the share of questions with equal
    answers; None without second answers.
    """

    written: int
    kept: int
    rejected: Mapping[str, int] = field(default_factory=dict)
    agreement: float | None = None
    majority: float | None = None
    per_lang: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[int, int] = field(default_factory=dict)
    unanswered: Mapping[str, int] = field(default_factory=dict)


def question_tasks(units: Iterable[Unit], *, pivot: str) -> list[Task]:
    """A task per unit: ask a question that the sentence answers, and mark the shortest answer."""
    return [
        Task(
            f"{unit.id}.question",
            "question",
            unit.id,
            pivot,
            {"sentence": (context := unit.contexts[pivot]).sentence, "context": context.text},
            ("question", "answer", "start", "impossible"),
            {"context": context.docid},
            question_lang=pivot,
            sentence=(context.start, context.end),
            strict=True,
        )
        for unit in units
    ]


def answer_tasks(
    questions: Iterable[Authored], units: Mapping[str, Unit], pivot: str
) -> list[Task]:
    """A task per question: another annotator answers it, or marks it impossible."""
    return [
        Task(
            f"{question.id}.answer",
            "answer",
            question.id,
            pivot,
            {
                "source_question": question.text,
                "context": (c := units[question.unit].contexts[pivot]).text,
            },
            ("answer", "start", "impossible"),
            {"context": c.docid},
            sentence=(c.start, c.end),
            not_by=(question.author,),
        )
        for question in questions
        if question.reason is None
    ]


def translation_tasks(
    questions: Iterable[Authored], units: Mapping[str, Unit], langs: Sequence[str]
) -> list[Task]:
    """A task per kept question and language: translate it, and mark the answer.

    Annotators see the sentence with one on each side, as in MLQA (section 2.3).

    Raises:
        ConfigError: if no sentence is in one of the languages.
    """
    tasks = []
    for lang in langs:
        code = language(lang).code
        for question in questions:
            context = units[question.unit].contexts.get(code)
            if question.reason is None and context is not None:
                near = neighbourhood(context, code)
                shown = {
                    "source_question": question.text,
                    "source_answer": question.answer[0],
                    "sentence": context.sentence,
                    "context": context.text[near.start : near.end],
                }
                tasks.append(
                    Task(
                        f"{question.id}.{code}",
                        "translation",
                        question.id,
                        code,
                        shown,
                        ("question", "answer", "start", "impossible"),
                        {"context": context.docid},
                        question_lang=code,
                        sentence=(context.start - near.start, context.end - near.start),
                        offset=near.start,
                    )
                )
        if not any(task.lang == code for task in tasks):
            raise ConfigError(f"no kept question has a sentence in '{code}'")
    return tasks


def neighbourhood(context: Context, lang: str) -> Span:
    """The sentence with one on each side."""
    spans = split_sentences(context.text, lang)
    inside = overlapping(spans, Span(context.start, context.end))
    if not inside:
        return Span(context.start, context.end)
    first, last = spans[max(0, inside[0] - 1)], spans[min(len(spans) - 1, inside[-1] + 1)]
    return Span(min(first.start, context.start), max(last.end, context.end))


def check_tasks(tasks: Iterable[Task], units: Mapping[str, Unit], pivot: str) -> None:
    """Check that the stored sentences are those of the tasks.

    Raises:
        DataError: if a task's sentence is missing, or is not in the task's language or the pivot.
    """
    for task in tasks:
        name = task.about if task.about in units else task.about.rpartition("-")[0]
        contexts = units[name].contexts if name in units else {}
        if not {pivot, task.lang} <= contexts.keys():
            raise DataError(
                f"{FILE} has no sentence for task '{task.id:.40}' in '{pivot}' and "
                f"'{task.lang:.10}'; is --pivot right?"
            )


def authored(
    tasks: Mapping[str, Task],
    annotations: Sequence[Annotation],
    units: Mapping[str, Unit],
    pivot: str,
) -> list[Authored]:
    """The questions of the first round, with the answers of the second, filtered as in MLQA.

    Left out are questions that an annotator marked impossible, that copy more than half of their
    words from the sentence, or whose answers agree less than 0.3. The id of a second question
    about a sentence ends in 2.
    """
    answers = of_round("answer", tasks, annotations)
    questions = []
    for unit, rows in of_round("question", tasks, annotations).items():
        for number, (_, row) in enumerate(rows, 1):
            if not row.impossible:
                name = unit if number == 1 else f"{unit}-{number}"
                sentence = units[unit].contexts[pivot].sentence
                others = [other for _, other in answers.get(name, [])]
                questions.append(_authored(name, unit, row, others, sentence, pivot))
    return questions


def _authored(
    name: str, unit: str, row: Annotation, others: Sequence[Annotation], sentence: str, lang: str
) -> Authored:
    annotations = [row, *(other for other in others if not other.impossible)]
    answers = tuple((annotation.answer, annotation.start or 0) for annotation in annotations)
    agreed = agreement([text for text, _ in answers], lang)
    reason: Reason | None = None
    if any(other.impossible for other in others):
        reason = "impossible"
    elif copied_share(row.question, sentence, lang) > MAX_COPIED:
        reason = "copied"
    elif agreed is not None and agreed < MIN_AGREEMENT:
        reason = "low agreement"
    chosen = representative(answers, lang)
    return Authored(name, unit, row.question, answers, chosen, agreed, row.annotator, reason)


def translated(
    tasks: Mapping[str, Task], annotations: Sequence[Annotation], questions: Iterable[Authored]
) -> list[Translated]:
    """The translations of kept questions that have an answer; the first per language counts."""
    kept = {question.id for question in questions if question.reason is None}
    first: dict[tuple[str, str], Translated] = {}
    for name, rows in of_round("translation", tasks, annotations).items():
        for task, row in rows:
            if name in kept and not row.impossible:
                answer = (row.answer, (row.start or 0) + task.offset)
                first.setdefault(
                    (name, task.lang), Translated(name, task.lang, row.question, answer)
                )
    return [*first.values()]


def without_answer(
    tasks: Mapping[str, Task], annotations: Sequence[Annotation], questions: Iterable[Authored]
) -> list[Translated]:
    """The translations of kept questions without an answer in the passage; theirs is ""."""
    kept = {question.id for question in questions if question.reason is None}
    return [
        Translated(name, task.lang, row.question, ("", 0))
        for name, rows in of_round("translation", tasks, annotations).items()
        for task, row in rows
        if name in kept and row.impossible
    ]


def statistics(
    tasks: Mapping[str, Task],
    annotations: Sequence[Annotation],
    questions: Sequence[Authored],
    translations: Sequence[Translated],
    pivot: str,
) -> Statistics:
    """Count questions by reason, language and number of languages; measure agreement."""
    kept = [question for question in questions if question.reason is None]
    agreed = [question.agreement for question in questions if question.agreement is not None]
    several = [q for q in questions if len(q.answers) > 1]
    majority = sum(has_majority([text for text, _ in q.answers]) for q in several)
    languages = Counter(row.id for row in translations)
    by_round = of_round("translation", tasks, annotations).values()
    unanswered = Counter(task.lang for rows in by_round for task, row in rows if row.impossible)
    return Statistics(
        written=len(questions),
        kept=len(kept),
        rejected=dict(Counter(q.reason for q in questions if q.reason is not None)),
        agreement=sum(agreed) / len(agreed) if agreed else None,
        majority=majority / len(several) if several else None,
        per_lang={pivot: len(kept)} | dict(sorted(Counter(t.lang for t in translations).items())),
        languages=dict(sorted(Counter(1 + languages[q.id] for q in kept).items(), reverse=True)),
        unanswered=dict(sorted(unanswered.items())),
    )
