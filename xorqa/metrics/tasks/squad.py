"""SQuAD v1.1 and XQuAD: exact match and token F1 of answers to questions on a given passage.

The official scorer is that of Rajpurkar et al. 2016, section 6.1. XTREME scores XQuAD and TyDi
GoldP the same way, and so does XOR-EnglishSpan (Asai et al. 2021, section 3.2).
"""

import re
import string
from collections.abc import Iterable, Mapping
from functools import partial

from ..answers import score_answers, score_tokens, token_f1
from ..measure import EXACT_MATCH, F1
from ..report import Reference, Score
from ..scorer_differences import AnswerExplainer, squad_causes
from ..task import Task, read_squad_references

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str) -> str:
    """Lower-case a text; remove ASCII punctuation, English articles and extra white space."""
    text = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", text).split())


def exact_match(prediction: str, gold: str) -> float:
    """1.0 if prediction and gold answer normalise to the same string, else 0.0."""
    return float(normalize(prediction) == normalize(gold))


def f1(prediction: str, gold: str) -> float:
    """Token F1 (0 to 1): harmonic mean of precision and recall over normalised tokens."""
    return token_f1(normalize(prediction).split(), normalize(gold).split())


def score_squad(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1` and `em` of every question, as `score_tokens`."""
    return score_tokens(references, predictions, lambda text, _: normalize(text).split())


SCORERS = {"official": score_squad, "strict": score_answers}

SQUAD = Task(
    name="squad",
    title="SQuAD v1.1 and XQuAD: F1 and exact match",
    scorers=SCORERS,
    measures=(F1, EXACT_MATCH),
    citation="Rajpurkar et al. 2016; XQuAD: Artetxe et al. 2020",
    read_references=partial(read_squad_references, default_lang="en"),
    explain=AnswerExplainer(SCORERS, squad_causes),
)
