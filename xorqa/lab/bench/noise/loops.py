"""All rounds of `xorqa build qa` and `xorqa build xor` with simulated annotators, in memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from ....core.text.sentences import split_sentences
from ....core.types import Example, Passage, Span
from ....datasets.corpus import Corpus
from ...building import qa, xor
from ...building.check import check_rows
from ...building.read import read_rows
from ...building.simulate import Gold, simulate
from ...building.tasks import Annotation, Task
from ...building.units import Context, Unit
from ...building.write import write_tasks

PIVOT = "en"
Search = Callable[[Mapping[str, str]], Mapping[str, Sequence[Passage]]]
"""The passages of English questions, by qid."""


@dataclass(frozen=True, slots=True)
class Team:
    """Simulated annotators: their number (2 or more), their share of errors (0 to 1), a seed."""

    size: int
    noise: float
    seed: int

    @property
    def first(self) -> list[str]:
        """The annotator who writes, translates and answers."""
        return ["annotator-1"]

    @property
    def others(self) -> list[str]:
        """The annotators who answer again, or verify."""
        return [f"annotator-{number}" for number in range(2, self.size + 1)]

    def annotate(
        self, tasks: Sequence[Task], gold: Gold, annotators: Iterable[str]
    ) -> list[Annotation]:
        """What import accepts of the tasks that each annotator fills in."""
        accepted = []
        by_id = {task.id: task for task in tasks}
        with TemporaryDirectory() as folder:
            for name in annotators:
                path = Path(folder) / f"{name}.csv"
                filled = simulate(tasks, gold, annotator=name, noise=self.noise, seed=self.seed)
                write_tasks(path, [by_id[task] for task in filled], filled)
                accepted += check_rows(read_rows(path), by_id)[0]
        return accepted


def build_qa(examples: Sequence[Example], corpus: Corpus, team: Team) -> list[qa.Authored]:
    """The English questions of the rounds `question` and `answer`, filtered as in MLQA.

    Each is about the sentence with the gold answer, which the first annotator is given; the others
    answer the question.
    """
    by_qid = {example.question.qid: example for example in examples}
    units = {qid: _unit(example, corpus) for qid, example in by_qid.items()}

    def gold(task: Task) -> dict[str, str]:
        example = by_qid[task.about]
        answer = example.golds[0]
        cells = {"answer": answer.text, "start": str(answer.span.start if answer.span else "")}
        question = {"question": example.human_translation or ""}
        return cells | (question if task.round == "question" else {})

    tasks = qa.question_tasks(units.values(), pivot=PIVOT)
    annotations = team.annotate(tasks, gold, team.first)
    questions = qa.authored(_by_id(tasks), annotations, units, PIVOT)
    again = qa.answer_tasks(questions, units, PIVOT)
    annotations += team.annotate(again, gold, team.others)
    return qa.authored(_by_id([*tasks, *again]), annotations, units, PIVOT)


def build_xor(
    examples: Sequence[Example], search: Search, team: Team
) -> tuple[list[xor.AnnotatedAnswer], list[Example]]:
    """The English answers that annotators found, with verdicts; the questions of the data set.

    The first annotator translates the questions, answers them and translates the answers; the
    others verify the answers.
    """
    gold = _xor_gold({example.question.qid: example for example in examples})
    tasks = xor.translation_tasks(examples)
    annotations = team.annotate(tasks, gold, team.first)
    english = xor.translations(examples, _by_id(tasks), annotations)

    hits = search(english)
    questions = {example.question.qid: example.question for example in examples}
    answering = xor.answer_tasks(questions.values(), english, hits)
    annotations += team.annotate(answering, gold, team.first)
    tasks += answering
    passages = {passage.docid: passage for passage in chain.from_iterable(hits.values())}
    answers = [*chain.from_iterable(xor.answers(_by_id(tasks), annotations).values())]
    verifying = xor.verification_tasks(answers, questions, english, passages)
    annotations += team.annotate(verifying, gold, team.others)
    tasks += verifying

    verified = xor.answers(_by_id(tasks), annotations)
    answers = [*chain.from_iterable(verified.values())]
    translating = xor.back_translation_tasks(answers, questions, passages)
    annotations += team.annotate(translating, gold, team.first)
    tasks += translating
    return answers, xor.finished(examples, english, verified, _by_id(tasks), annotations)


def _xor_gold(examples: Mapping[str, Example]) -> Gold:
    """What a perfect annotator fills in, if the gold passage was retrieved."""

    def gold(task: Task) -> dict[str, str]:
        example = examples[task.about]
        answer = example.golds[0]
        docid = answer.docid or ""
        is_gold = task.shown.get("source_answer") in example.answers(PIVOT)
        cells = {
            "translation": {"question": example.human_translation or ""},
            "answer": {"passage": docid, "answer": answer.text},
            "verification": {"verdict": "yes" if is_gold else "no"},
            "back-translation": {"answer": example.answers(example.question.lang)[0]},
        }
        if task.round == "answer" and docid not in task.passages.values():
            return {"impossible": "yes"}
        return cells[task.round]

    return gold


def _by_id(tasks: Iterable[Task]) -> dict[str, Task]:
    return {task.id: task for task in tasks}


def _unit(example: Example, corpus: Corpus) -> Unit:
    """The English sentence of the gold answer, in its passage."""
    gold = example.golds[0]
    passage = corpus[gold.docid or ""]
    span = gold.span or Span(0, len(passage.text))
    sentences = split_sentences(passage.text, PIVOT)
    start = max(sentence.start for sentence in sentences if sentence.start <= span.start)
    end = min(sentence.end for sentence in sentences if sentence.end >= span.end)
    context = Context(passage.docid, passage.title, passage.text, start, end)
    return Unit(example.question.qid, {PIVOT: context})
