"""MLQA (Lewis et al. 2020): F1 and exact match, with answers normalised by language.

The official scorer has SQuAD's measures without Unicode's punctuation and the articles of English,
Spanish, German and Vietnamese (section 4.1), and as the published script has it, without Arabic ال,
even inside words; each Chinese character is a token, and all else is split at white space. The
script rejects other languages; here their answers keep their articles and are split at white space,
so a Japanese or Thai F1 is hardly more than exact match.
"""

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import category

from ..answers import ARTICLES, score_answers, score_tokens
from ..measure import EXACT_MATCH, F1
from ..report import Reference, Score
from ..scorer_differences import AnswerExplainer, Cause, deleting, normalisation, tokenisation
from ..task import Task, read_squad_references

_ARTICLES = {lang: rf"\b({'|'.join(words)})\b" for lang, words in ARTICLES.items()} | {"ar": "ال"}
_CHINESE = re.compile(r"([\u4e00-\u9fa5])")


def normalize(text: str, lang: str) -> str:
    """Lower-case a text; remove punctuation, the language's articles and extra white space.

    F1 counts the tokens between spaces.
    """
    text = "".join(
        char
        for char in text.lower()
        if not category(char).startswith("P") and char not in string.punctuation
    )
    if lang in _ARTICLES:
        text = re.sub(_ARTICLES[lang], " ", text)
    if lang == "zh":
        text = _CHINESE.sub(r" \1 ", text)
    return " ".join(text.split())


def score_mlqa(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1` and `em` of every question, as `score_tokens`."""
    return score_tokens(references, predictions, lambda text, lang: normalize(text, lang).split())


SCORERS = {"official": score_mlqa, "strict": score_answers}


def _causes(lang: str) -> Iterator[Cause]:
    if lang == "ar":
        yield "official removes ال inside words", deleting("ال")
    yield from normalisation()
    yield from tokenisation(lang)


MLQA = Task(
    name="mlqa",
    title="MLQA: F1 and exact match, normalised by language",
    scorers=SCORERS,
    measures=(F1, EXACT_MATCH),
    citation="Lewis et al. 2020",
    read_references=read_squad_references,
    explain=AnswerExplainer(SCORERS, _causes),
)
