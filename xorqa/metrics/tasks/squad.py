"""SQuAD v1.1 and XQuAD: F1 and exact match of answers to questions on a given passage."""

from functools import partial

from ..official.squad import score_squad
from ..references import read_squad_references
from ..scorer_differences import AnswerExplainer, squad_causes
from ..strict.answers import score_answers
from ..task import Task

SCORERS = {"official": score_squad, "strict": score_answers}

SQUAD = Task(
    name="squad",
    title="SQuAD v1.1 and XQuAD: F1 and exact match",
    scorers=SCORERS,
    read_references=partial(read_squad_references, default_lang="en"),
    explain=AnswerExplainer(SCORERS, squad_causes),
)
