"""Cross-lingual questions, answered in English, as Asai et al. 2021 (XOR QA) made theirs.

Questions that W_i does not answer are translated (round `translation`), searched in W_eng, answered
from a retrieved passage (`answer`), verified by another annotator (`verification`), and their
answers translated into the question's language (`back-translation`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...core.types import Example, Gold, Passage, Question, Span
from ...datasets.dataset import Dataset
from .tasks import Annotation, Task, of_round

Round = Literal["translation", "answer", "verification", "back-translation"]
CLOSED = ("yes", "no")
"""Answers that XOR QA writes in English in every language."""

COLUMNS = (
    "questions",
    "in W_i",
    "selected",
    "translated",
    "answered",
    "yes or no",
    "impossible",
    "verified",
    "rejected",
    "cross-lingual",
    "XOR-Full",
)
"""The counts of `count_rounds`: questions by how far they came."""


@dataclass(frozen=True, slots=True)
class AnnotatedAnswer:
    """An answer in a passage of W_eng, by one or more annotators, and the verdicts on it."""

    qid: str
    number: int
    answer: str
    docid: str
    start: int | None
    annotators: tuple[str, ...]
    verdicts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The id of its tasks, without their round."""
        return self.qid if self.number == 1 else f"{self.qid}-{self.number}"

    @property
    def is_verified(self) -> bool:
        """Whether more annotators confirmed than rejected it."""
        return self.verdicts.count("yes") > self.verdicts.count("no")

    @property
    def is_rejected(self) -> bool:
        """Whether it was judged, but not confirmed."""
        return bool(self.verdicts) and not self.is_verified


def select(dataset: Dataset) -> tuple[list[Example], list[Example]]:
    """The questions that W_i does not answer, and those that it does.

    W_i answers a question if `answered_in` is "target" or, where that is unknown, if an answer in
    the question's language has a passage. English questions are left out.
    """
    selected: list[Example] = []
    answered: list[Example] = []
    for example in dataset.examples:
        lang = example.question.lang
        in_target = example.answered_in == "target" or (
            example.answered_in is None
            and any(gold.lang == lang and gold.docid is not None for gold in example.golds)
        )
        if lang != "en":
            (answered if in_target else selected).append(example)
    return selected, answered


def translation_tasks(examples: Iterable[Example]) -> list[Task]:
    """A task per question: translate it into English."""
    return [
        Task(
            f"{(q := example.question).qid}.translation",
            "translation",
            q.qid,
            "en",
            {"source_question": q.text},
            ("question",),
            question_lang="en",
        )
        for example in examples
    ]


def translations(
    examples: Iterable[Example], tasks: Mapping[str, Task], annotations: Sequence[Annotation]
) -> dict[str, str]:
    """English questions by qid: the first translation, or else the data set's own."""
    translated = {
        qid: rows[0][1].question
        for qid, rows in of_round("translation", tasks, annotations).items()
    }
    own = {e.question.qid: e.human_translation for e in examples}
    texts = {qid: translated.get(qid) or text for qid, text in own.items()}
    return {qid: text for qid, text in texts.items() if text}


def answer_tasks(
    questions: Iterable[Question], english: Mapping[str, str], hits: Mapping[str, Sequence[Passage]]
) -> list[Task]:
    """A task per question: choose a passage and mark the shortest answer in it, or yes or no."""
    return [
        Task(
            f"{question.qid}.answer",
            "answer",
            question.qid,
            question.lang,
            {"source_question": question.text, "english_question": english[question.qid]}
            | _shown(hits[question.qid]),
            ("passage", "answer", "start", "impossible"),
            {f"passage_{rank}": p.docid for rank, p in enumerate(hits[question.qid], 1)},
            closed=True,
        )
        for question in questions
        if hits.get(question.qid)
    ]


def answers(
    tasks: Mapping[str, Task], annotations: Sequence[Annotation]
) -> dict[str, list[AnnotatedAnswer]]:
    """The different answers of each question, with their verdicts."""
    by_qid: dict[str, list[AnnotatedAnswer]] = {}
    verdicts = of_round("verification", tasks, annotations)
    for qid, rows in of_round("answer", tasks, annotations).items():
        by_answer: dict[tuple[str, str], list[Annotation]] = {}
        for _, row in rows:
            if not row.impossible:
                by_answer.setdefault((row.passage, row.answer), []).append(row)
        by_qid[qid] = []
        for number, (first, *others) in enumerate(by_answer.values(), 1):
            annotators = tuple(row.annotator for row in (first, *others))
            answer = AnnotatedAnswer(
                qid, number, first.answer, first.passage, first.start, annotators
            )
            judged = tuple(row.verdict for _, row in verdicts.get(answer.name, []))
            by_qid[qid].append(replace(answer, verdicts=judged))
    return by_qid


def verification_tasks(
    annotated: Iterable[AnnotatedAnswer],
    questions: Mapping[str, Question],
    english: Mapping[str, str],
    passages: Mapping[str, Passage],
) -> list[Task]:
    """A task per answer, for an annotator who did not give it: is it right?"""
    return [
        Task(
            f"{answer.name}.verification",
            "verification",
            answer.name,
            "en",
            {
                "source_question": questions[answer.qid].text,
                "english_question": english[answer.qid],
                "source_answer": answer.answer,
                "title": passages[answer.docid].title,
                "context": passages[answer.docid].text,
            },
            ("verdict",),
            not_by=answer.annotators,
        )
        for answer in annotated
    ]


def back_translation_tasks(
    annotated: Iterable[AnnotatedAnswer],
    questions: Mapping[str, Question],
    passages: Mapping[str, Passage],
) -> list[Task]:
    """A task per verified answer: translate it into the question's language; not yes and no."""
    return [
        Task(
            f"{answer.name}.back-translation",
            "back-translation",
            answer.name,
            questions[answer.qid].lang,
            {
                "source_question": questions[answer.qid].text,
                "source_answer": answer.answer,
                "title": passages[answer.docid].title,
                "context": passages[answer.docid].text,
            },
            ("answer",),
        )
        for answer in annotated
        if answer.is_verified and answer.answer not in CLOSED
    ]


def finished(
    selected: Iterable[Example],
    english: Mapping[str, str],
    by_qid: Mapping[str, Sequence[AnnotatedAnswer]],
    tasks: Mapping[str, Task],
    annotations: Sequence[Annotation],
) -> list[Example]:
    """The questions with a verified answer, in English and, translated, in their language."""
    back = of_round("back-translation", tasks, annotations)
    examples = []
    for example in selected:
        question = example.question
        verified = [answer for answer in by_qid.get(question.qid, ()) if answer.is_verified]
        golds = [_gold(answer) for answer in verified]
        for answer in verified:
            texts = [row.answer for _, row in back.get(answer.name, [])]
            texts = [answer.answer] if answer.answer in CLOSED else texts
            golds += [Gold(text, question.lang) for text in dict.fromkeys(texts)]
        if golds:
            translation = english.get(question.qid)
            examples.append(Example(question, tuple(golds), translation, "en"))
    return examples


def count_rounds(
    selected: Sequence[Example],
    in_language: Sequence[Example],
    english: Mapping[str, str],
    by_qid: Mapping[str, Sequence[AnnotatedAnswer]],
    examples: Sequence[Example],
    impossible: Iterable[str],
) -> dict[str, dict[str, int]]:
    """Questions by language and `COLUMNS`: how many each round left."""
    counts: dict[str, Counter[str]] = {}
    no_answer = set(impossible)
    for example in in_language:
        counts.setdefault(example.question.lang, Counter()).update(
            ["questions", "in W_i", "XOR-Full"]
        )
    for example in selected:
        qid = example.question.qid
        answers_of = by_qid.get(qid, ())
        reached = {
            "questions": True,
            "selected": True,
            "translated": qid in english,
            "answered": bool(answers_of),
            "yes or no": any(answer.answer in CLOSED for answer in answers_of),
            "impossible": not answers_of and qid in no_answer,
            "verified": any(answer.is_verified for answer in answers_of),
            "rejected": bool(answers_of) and all(answer.is_rejected for answer in answers_of),
        }
        of_lang = counts.setdefault(example.question.lang, Counter())
        of_lang.update(name for name, holds in reached.items() if holds)
    for example in examples:
        lang = example.question.lang
        counts[lang]["cross-lingual"] += 1
        counts[lang]["XOR-Full"] += any(gold.lang == lang for gold in example.golds)
    return {lang: {name: counts[lang][name] for name in COLUMNS} for lang in sorted(counts)}


def _shown(passages: Sequence[Passage]) -> dict[str, str]:
    """The columns of retrieved passages and their titles, best first."""
    shown: dict[str, str] = {}
    for rank, passage in enumerate(passages, 1):
        shown |= {f"title_{rank}": passage.title, f"passage_{rank}": passage.text}
    return shown


def _gold(answer: AnnotatedAnswer) -> Gold:
    if answer.start is None:
        return Gold(answer.answer, "en", answer.docid)
    span = Span(answer.start, answer.start + len(answer.answer))
    return Gold(answer.answer, "en", answer.docid, span)
