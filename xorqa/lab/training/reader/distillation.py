"""The data of a reader's distillation: windows with a teacher's scores, and held-out questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ....core.errors import ConfigError, one_of
from ....core.progress import Log, silent
from ....core.registry import build, table_of
from ....io.squad_xor import SquadQuestion
from ....reading.pairs import QuestionPassage
from ..bitext.lexicon import Lexicon
from ..bitext.translations import (
    DeckKey,
    LangText,
    draw_batches,
    sample_languages,
    split_pairs,
    vary,
)
from ..common.decontamination import match_key
from ..common.random_streams import stream
from ..common.recipe import matching
from .recipe import Distillation
from .teacher import Teacher, TeacherReading, agreement_questions, distilled_windows
from .translated_questions import (
    Paragraphs,
    hold_out_articles,
    rank_passages,
    read_paragraphs,
    with_passages,
)
from .windows import LabeledWindow


@dataclass(frozen=True, slots=True)
class RankedQuestions:
    """Questions to train on and held-out ones, with the passages that a retriever ranks first.

    `ranked` has the texts of the passages for each English question; `pairs` counts all questions
    that could be drawn.
    """

    trained: Sequence[LangText]
    held_out: Sequence[LangText]
    ranked: Mapping[str, Sequence[str]]
    paragraphs: Paragraphs
    pairs: int


@dataclass(frozen=True, slots=True)
class DistilledData:
    """Windows to train on, held-out questions with the teacher's spans, counts for the card."""

    windows: Sequence[LabeledWindow]
    agreement: Sequence[SquadQuestion]
    counts: Mapping[str, int]


def prepare_distillation(
    how: Distillation,
    tokenizer: Any,
    out: Path,
    *,
    excluded: frozenset[str],
    lexicon: Lexicon,
    seed: int,
    dtype: str,
    report: Log = silent,
) -> DistilledData:
    """Sample questions and passages, and let the teacher read them; its scores stay in `out`.

    Raises:
        ConfigError: if no question is left to train on, or the lexicon lacks a language.
    """
    sampled = sample_and_rank(how, out, excluded, lexicon, seed, report=report)
    questions, others = (
        with_passages(
            pairs,
            sampled.paragraphs,
            sampled.ranked,
            depth=depth,
            rng=stream(seed, "passages", use),
        )
        for use, pairs, depth in (
            ("train", sampled.trained, how.depth),
            ("validation", sampled.held_out, 1),
        )
    )
    pairs = [question.of_teacher for question in [*questions, *others]]
    readings = teacher_readings(how, pairs, out, dtype, report)
    relevant = sum(readings[question.of_teacher].scores.relevance > 0 for question in questions)
    counts = {
        "pairs": sampled.pairs,
        "windows": len(questions),
        "relevant_windows": relevant,
        "teacher_readings": len(readings),
    }
    return DistilledData(
        distilled_windows(questions, readings, tokenizer, how.max_tokens),
        agreement_questions(others, readings),
        counts,
    )


def sample_and_rank(
    how: Distillation,
    out: Path,
    excluded: frozenset[str],
    lexicon: Lexicon,
    seed: int,
    *,
    report: Log = silent,
) -> RankedQuestions:
    """Sample questions, and rank passages for their translations; the ranks stay in `out`.

    Raises:
        ConfigError: if no question is left to train on, or the lexicon lacks a language.
    """
    lexicon = _of_languages(lexicon, how.code_switched_langs)
    paragraphs = read_paragraphs(matching(how.passages), how.held_out)
    decks, others = _split(how, paragraphs, excluded)
    trained = _sample(decks, how, lexicon, seed)
    held_out = _sample_held_out(others, how, lexicon, seed)
    table = table_of("retriever", how.retriever)
    ranked = rank_passages(
        (english for _, _, english in [*trained, *held_out]),
        paragraphs.corpus,
        partial(build, "retriever", table, corpus=paragraphs.corpus, folder=out / "index"),
        depth=how.depth,
        folder=out,
        report=report,
    )
    return RankedQuestions(trained, held_out, ranked, paragraphs, sum(map(len, decks.values())))


def teacher_readings(
    how: Distillation,
    pairs: Sequence[QuestionPassage],
    out: Path,
    dtype: str,
    report: Log = silent,
) -> dict[QuestionPassage, TeacherReading]:
    """What the teacher says of English questions and passages; it stays in `out`."""
    teacher = Teacher(how.teacher, max_tokens=how.max_tokens, dtype=dtype)
    return teacher.read_all(
        pairs,
        out / "teacher",
        progress=lambda done, total: report(f"teacher: read {done} of {total} passages"),
    )


def _of_languages(lexicon: Lexicon, langs: Sequence[str]) -> Lexicon:
    """The part of the lexicon in these languages, all of it without any."""
    if missing := [lang for lang in langs if lang not in lexicon]:
        raise ConfigError(
            f"[reader.distillation] code_switched_langs: the lexicon has no '{missing[0]}'; "
            f"valid: {one_of(lexicon)}"
        )
    return {lang: lexicon[lang] for lang in langs or lexicon}


def _split(
    how: Distillation, paragraphs: Paragraphs, excluded: frozenset[str]
) -> tuple[dict[DeckKey, list[LangText]], list[LangText]]:
    """The pairs to train on, and the held-out ones.

    A question about one of the paragraphs is held out with its article, any other one by itself.
    """
    decks, by_text = split_pairs(how.sources, excluded, held_out=how.held_out)
    decks, by_article = hold_out_articles(decks, paragraphs.held_out)
    if not decks:
        raise ConfigError("[reader.distillation] no question is left; see sources and exclude")
    asked = paragraphs.by_question.keys() - paragraphs.held_out
    return decks, [*(pair for pair in by_text if match_key(pair[2]) not in asked), *by_article]


def _sample(
    decks: Mapping[DeckKey, Sequence[LangText]], how: Distillation, lexicon: Lexicon, seed: int
) -> list[LangText]:
    weights, rng = [source.weight for source in how.sources], stream(seed, "distilled questions")
    [pairs] = draw_batches(decks, weights, size=how.windows, count=1, rng=rng)
    shares = {"english": how.english, "code_switched": how.code_switched}
    return [vary(pair, lexicon, **shares, rng=rng) for pair in pairs]


def _sample_held_out(
    pairs: Sequence[LangText], how: Distillation, lexicon: Lexicon, seed: int
) -> list[LangText]:
    """Held-out questions in all languages, English ones code-switched."""
    rng = stream(seed, "held-out questions")
    varied = [vary(pair, lexicon, english=0.0, code_switched=1.0, rng=rng) for pair in pairs]
    return sample_languages(varied, how.validation, rng)
