"""The features of questions that a diagnosis splits results by.

`aLen`, `qLen`, `cLen`, `BLEU-AQ`, `BLEU-QC` and `qType` have the names of XTREME-R's diagnosis of
question answering (Ruder et al. 2021).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from ...core.lang import ENGLISH, ISO_639_1
from ...core.text.detection import main_script
from ...datasets.dataset import CROSS_LINGUAL, IN_LANGUAGE, TARGET
from ..common.word_count import word_count
from ..mlqa.breakdown import QUESTION_WORDS, question_word
from .answer_types import TYPES, answer_type
from .facts import Outcome, QuestionFacts, Value
from .overlap import bleu_precision, word_overlap


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature; exactly one of `of_question` and `of_outcome` computes it.

    Attributes:
        name: its name in tables and options.
        about: one line for tables and pages.
        of_question: a question to its value.
        of_outcome: a question and a system's outcome to its value, for features of systems.
        edges: fixed edges of the buckets; without them, numbers are split at quantiles.
        order: the order of categories; without it, by number of questions.
    """

    name: str
    about: str
    of_question: Callable[[QuestionFacts], Value] | None = None
    of_outcome: Callable[[QuestionFacts, Outcome], Value] | None = None
    edges: tuple[float, ...] = ()
    order: tuple[str, ...] = ()


def answer_length(question: QuestionFacts) -> Value:
    """Words of the first gold answer."""
    return _words(question.answers[0], question.answer_lang) if question.answers else None


def question_length(question: QuestionFacts) -> Value:
    """Words of the question."""
    return _words(question.text, question.lang) if question.text else None


def context_length(question: QuestionFacts) -> Value:
    """Words of the gold passage."""
    return _context_words(question.context, question.answer_lang) if question.context else None


def bleu_answer_question(question: QuestionFacts) -> Value:
    """BLEU of the first gold answer against the question."""
    return bleu_precision(question.answers[0], question.text) if question.answers else None


def bleu_question_context(question: QuestionFacts) -> Value:
    """BLEU of the question against the gold passage."""
    return bleu_precision(question.text, question.context)


def question_type(question: QuestionFacts) -> Value:
    """The question word of the question in English."""
    return question_word(question.in_english) if question.in_english else None


def script(question: QuestionFacts) -> Value:
    """The script of the question's language, or else of its text (ISO 15924)."""
    known = ISO_639_1.get(question.lang)
    return known.script if known else main_script(question.text)


def answer_position(question: QuestionFacts) -> Value:
    """Where the first gold answer begins in the gold passage, from 0 to 1."""
    if question.answer_start is None or not question.context:
        return None
    return question.answer_start / len(question.context)


def overlap(question: QuestionFacts) -> Value:
    """The share of the question's distinct search tokens that are in the gold passage."""
    return word_overlap(question.text, question.lang, question.context, question.answer_lang)


def passage_language(question: QuestionFacts) -> Value:
    """The languages of question and gold passage, if there is one."""
    if not question.context:
        return None
    return SAME if question.lang == question.answer_lang else OTHER


def answered_in(question: QuestionFacts) -> Value:
    """Whether only the Wikipedia of the question's language or only the English one answers it."""
    return {TARGET: IN_LANGUAGE, ENGLISH: CROSS_LINGUAL}.get(question.answered_in or "")


def gold_rank(_: QuestionFacts, outcome: Outcome) -> Value:
    """The rank of the first gold passage."""
    return outcome.gold_rank


def translation_chrf(question: QuestionFacts, outcome: Outcome) -> Value:
    """chrF of the English query against the human translation of the question."""
    translation = outcome.translation or question.translation
    if not translation or not question.english or question.lang == ENGLISH:
        return None
    return float(_chrf().sentence_score(translation, [question.english]).score)


SAME, OTHER = "the question's language", "another language"

FEATURES = {
    feature.name: feature
    for feature in (
        Feature("language", "the question's language", lambda question: question.lang),
        Feature("script", "the script of the question's language", script),
        Feature("aLen", "words of the first gold answer", answer_length),
        Feature("qLen", "words of the question", question_length),
        Feature("cLen", "words of the gold passage", context_length),
        Feature(
            "BLEU-AQ",
            "BLEU of the answer against the question, without brevity penalty",
            bleu_answer_question,
        ),
        Feature(
            "BLEU-QC",
            "BLEU of the question against the gold passage, without brevity penalty",
            bleu_question_context,
        ),
        Feature("qType", "the English question word", question_type, order=QUESTION_WORDS),
        Feature("answer-type", "the type of the gold answer, by rules", answer_type, order=TYPES),
        Feature(
            "answer-position",
            "where the answer begins in the gold passage, from 0 to 1",
            answer_position,
            edges=(0.25, 0.5, 0.75),
        ),
        Feature("overlap", "share of the question's words in the gold passage", overlap),
        Feature(
            "passage-language",
            "language of the gold passage",
            passage_language,
            order=(SAME, OTHER),
        ),
        Feature(
            "answered-in",
            "in-language: only the Wikipedia in the question's language has the answer; "
            "cross-lingual: only the English one",
            answered_in,
            order=(IN_LANGUAGE, CROSS_LINGUAL),
        ),
        Feature(
            "gold-rank",
            "rank of the first gold passage; missing: not retrieved",
            of_outcome=gold_rank,
            edges=(2, 6, 21, 101),
        ),
        Feature(
            "chrF", "chrF of the query against the human translation", of_outcome=translation_chrf
        ),
    )
}
"""The features by name."""


def _words(text: str, lang: str) -> int:
    return word_count(text, lang) if lang in ISO_639_1 else len(text.split())


@lru_cache(maxsize=4096)  # questions share passages
def _context_words(text: str, lang: str) -> int:
    return _words(text, lang)


@cache
def _chrf() -> Any:
    return import_module("sacrebleu").CHRF()
