"""Cross-lingual questions, answered in English, as Asai et al. 2021 (XOR QA) made theirs.

Questions that W_i does not answer are translated (round `translation`), searched in W_eng, answered
from a retrieved passage (`answer`: one of the first, or else of a second tier), verified by another
annotator (`verification`), and their answers translated into the question's language
(`back-translation`). Others may judge a share of the translated questions (`review`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...core.types import Example, Gold, Passage, Question, Span
from ...datasets.dataset import Dataset
from .answer_rules import rules_for
from .tasks import Annotation, Task, of_round

Round = Literal["translation", "review", "answer", "verification", "back-translation"]
CLOSED = ("yes", "no")
"""Answers that XOR QA writes in English in every language."""

FURTHER = "further_"
"""Before the columns of the second tier of passages."""
EASY, HARD = "easy to annotate", "hard to annotate"
"""Whether a passage with the answer was among the first ones that annotators were shown."""
COLUMNS = (
    "questions",
    "in W_i",
    "short in W_i",
    "selected",
    "translated",
    "answered",
    "yes or no",
    "impossible",
    "verified",
    "rejected",
    "corrected",
    "long",
    "cross-lingual",
    "XOR-Full",
)
"""The counts of `count_rounds`: questions by how far they came."""


@dataclass(frozen=True, slots=True)
class AnnotatedAnswer:
    """An answer in a passage of W_eng, by one or more annotators, and the verdicts on it.

    `further`: the passage was one of the second tier; `corrects` is the name of the answer that
    this one was given instead of, by an annotator who verified it.
    """

    qid: str
    number: int
    answer: str
    docid: str
    start: int | None
    annotators: tuple[str, ...]
    further: bool = False
    verdicts: tuple[str, ...] = ()
    corrects: str = ""

    @property
    def name(self) -> str:
        """The id of its tasks, without their round."""
        if self.corrects:
            return f"{self.corrects}-corrected"
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
    questions: Iterable[Question],
    english: Mapping[str, str],
    hits: Mapping[str, Sequence[Passage]],
    *,
    first: int | None = None,
) -> list[Task]:
    """A task per question: choose a passage and mark the shortest answer in it, or yes or no.

    The passages after the `first` ones are the second tier, for when the others do not answer.
    """
    return [
        Task(
            f"{question.qid}.answer",
            "answer",
            question.qid,
            question.lang,
            {"source_question": question.text, "english_question": english[question.qid]}
            | _shown(hits[question.qid][:first])
            | (_shown(hits[question.qid][first:], FURTHER) if first is not None else {}),
            ("passage", "answer", "start", "impossible"),
            _columns(hits[question.qid], first),
            closed=True,
            long=True,
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
        task = rows[0][0]
        further = {docid for name, docid in task.passages.items() if name.startswith(FURTHER)}
        for _, row in rows:
            if row.answer:
                by_answer.setdefault((row.passage, row.answer), []).append(row)
        by_qid[qid] = []
        for number, (first, *others) in enumerate(by_answer.values(), 1):
            annotators = tuple(row.annotator for row in (first, *others))
            answer = AnnotatedAnswer(
                qid,
                number,
                first.answer,
                first.passage,
                first.start,
                annotators,
                further=first.passage in further,
            )
            judged = [row for _, row in verdicts.get(answer.name, [])]
            answer = replace(answer, verdicts=tuple(row.verdict for row in judged))
            by_qid[qid].append(answer)
            if answer.is_rejected and (corrected := _corrected(answer, judged)):
                by_qid[qid].append(corrected)
    return by_qid


def _corrected(answer: AnnotatedAnswer, judged: Sequence[Annotation]) -> AnnotatedAnswer | None:
    """The first answer that was given instead of a rejected one; it counts as verified."""
    for row in judged:
        if row.answer:
            return replace(
                answer,
                answer=row.answer,
                start=row.start,
                annotators=(row.annotator,),
                verdicts=("yes",),
                corrects=answer.name,
            )
    return None


def verification_tasks(
    annotated: Iterable[AnnotatedAnswer],
    questions: Mapping[str, Question],
    english: Mapping[str, str],
    passages: Mapping[str, Passage],
    *,
    correct: bool = False,
) -> list[Task]:
    """A task per answer, for an annotator who did not give it: is it right?

    With `correct`, those who reject it may give another one from the same passage, as in XOR QA
    (section 2.1.4).
    """
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
            ("verdict", "answer", "start") if correct else ("verdict",),
            {"context": answer.docid} if correct else {},
            not_by=answer.annotators,
        )
        for answer in annotated
        if not answer.corrects
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
                "rules": rules_for(questions[answer.qid].lang),
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
    long_only: Iterable[str] = (),
) -> dict[str, dict[str, int]]:
    """Questions by language and `COLUMNS`: how many each round left.

    `long`: with a verified answer, or in `long_only`, with a passage but no short answer.
    """
    counts: dict[str, Counter[str]] = {}
    no_answer, no_short_answer = set(impossible), set(long_only)
    for example in in_language:
        of_lang = counts.setdefault(lang := example.question.lang, Counter())
        of_lang.update(["questions", "in W_i", "XOR-Full"])
        of_lang["short in W_i"] += any(gold.lang == lang for gold in example.golds)
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
            "long": qid in no_short_answer or any(answer.is_verified for answer in answers_of),
            "rejected": bool(answers_of) and all(answer.is_rejected for answer in answers_of),
            "corrected": any(answer.corrects for answer in answers_of),
        }
        of_lang = counts.setdefault(example.question.lang, Counter())
        of_lang.update(name for name, holds in reached.items() if holds)
    for example in examples:
        lang = example.question.lang
        counts[lang]["cross-lingual"] += 1
        counts[lang]["XOR-Full"] += any(gold.lang == lang for gold in example.golds)
    return {lang: {name: counts[lang][name] for name in COLUMNS} for lang in sorted(counts)}


def difficulty(by_qid: Mapping[str, Sequence[AnnotatedAnswer]]) -> dict[str, str]:
    """Questions with a verified answer by `EASY` and `HARD` (Asai et al. 2021, Table 19)."""
    verified = {qid: [answer for answer in of if answer.is_verified] for qid, of in by_qid.items()}
    return {
        qid: HARD if all(answer.further for answer in of) else EASY
        for qid, of in verified.items()
        if of
    }


def _columns(passages: Sequence[Passage], first: int | None) -> dict[str, str]:
    """The docids of the shown passages by column."""
    tiers = ("", passages[:first]), (FURTHER, passages[first:] if first is not None else ())
    return {
        f"{tier}passage_{rank}": passage.docid
        for tier, of_tier in tiers
        for rank, passage in enumerate(of_tier, 1)
    }


def _shown(passages: Sequence[Passage], tier: str = "") -> dict[str, str]:
    """The columns of retrieved passages and their titles, best first."""
    shown: dict[str, str] = {}
    for rank, passage in enumerate(passages, 1):
        shown |= {f"{tier}title_{rank}": passage.title, f"{tier}passage_{rank}": passage.text}
    return shown


def _gold(answer: AnnotatedAnswer) -> Gold:
    if answer.start is None:
        return Gold(answer.answer, "en", answer.docid)
    span = Span(answer.start, answer.start + len(answer.answer))
    return Gold(answer.answer, "en", answer.docid, span)
