"""Distillation of a reader: a teacher reads English questions, the student their translations.

Hinton et al. 2015 ("Distilling the Knowledge in a Neural Network", section 2) match the softened
distributions of a teacher; here teacher and student read the same passage, and only the question
is in another language. The teacher's scores are stored once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import ConfigError, one_of
from ....core.progress import Log, Progress, silent
from ....core.types import Span
from ....io.squad_xor import SquadQuestion
from ....models.device import Dtype
from ....reading.features import Window, make_windows
from ....reading.pairs import QuestionPassage
from ..bitext.lexicon import Lexicon
from ..bitext.translations import (
    DeckKey,
    LangText,
    Paragraphs,
    TranslatedQuestion,
    draw_batches,
    hold_out_articles,
    rank_passages,
    read_paragraphs,
    sample_languages,
    split_pairs,
    vary,
    with_passages,
)
from ..common.training_data import match_key, matching, stream
from ..common.training_folder import Arrays, compute_in_chunks
from .glossing import Gloss
from .model import ValidationReader
from .recipe import Distillation
from .samples import TOKENIZED_TOGETHER, LabeledWindow, TeacherScores, retriever_maker

READ_TOGETHER = 512  # pairs, between two files


@dataclass(frozen=True, slots=True)
class TeacherReading:
    """The teacher's scores in its best window of a passage, the window's tokens, and the span."""

    scores: TeacherScores
    ids: NDArray[np.int32]
    answer: Span | None


class Teacher(ValidationReader):
    """A reader whose logits are stored."""

    def read_all(
        self, pairs: Sequence[QuestionPassage], folder: Path, *, progress: Progress = silent
    ) -> dict[QuestionPassage, TeacherReading]:
        """Read each pair once; float16 logits stay in `folder`."""
        unique = sorted(set(pairs))
        settings = self.settings
        chunks = compute_in_chunks(
            unique,
            self._compute,
            folder=folder,
            depends_on={"teacher": self.adapter.sha, "max_tokens": settings.max_tokens},
            size=READ_TOGETHER,
            progress=progress,
        )
        readings = (reading for chunk in chunks for reading in _unpack(chunk))
        return dict(zip(unique, readings, strict=True))

    def _compute(self, pairs: Sequence[QuestionPassage]) -> Arrays:
        """The window of highest relevance of each pair."""
        rows = []
        for scored, (_, passage, *_) in zip(self.score_windows(pairs), pairs, strict=True):
            window, logits = max(scored, key=_relevance)
            span = self._reading([(window, logits)], passage).best or Span(0, 0)
            inside = slice(window.context.start, window.context.end)
            rows.append((window.ids[inside], logits[inside, :2], logits[0, 2], span))
        ids, spans, relevance, answers = zip(*rows, strict=True)
        return {
            "tokens": np.array([len(row) for row in ids], np.int32),
            "ids": np.concatenate(ids).astype(np.int32),
            "spans": np.concatenate(spans).astype(np.float16),
            "relevance": np.array(relevance, np.float16),
            "answers": np.array([(span.start, span.end) for span in answers], np.int32),
        }


def _relevance(scored: tuple[Window, NDArray[np.float32]]) -> float:
    _, logits = scored
    return float(logits[0, 2])


def _unpack(chunk: Arrays) -> list[TeacherReading]:
    ends = np.cumsum(chunk["tokens"])[:-1]
    columns = (
        np.split(chunk["ids"], ends),
        np.split(chunk["spans"], ends),
        chunk["relevance"],
        chunk["answers"],
    )
    return [
        TeacherReading(
            TeacherScores(spans, float(relevance)),
            ids,
            Span(int(answer[0]), int(answer[1])) if answer[1] else None,
        )
        for ids, spans, relevance, answer in zip(*columns, strict=True)
    ]


def teacher_readings(
    how: Distillation,
    pairs: Sequence[QuestionPassage],
    out: Path,
    dtype: Dtype,
    report: Log = silent,
) -> dict[QuestionPassage, TeacherReading]:
    """What the teacher says of English questions and passages; it stays in `out`."""
    teacher = Teacher(how.teacher, max_tokens=how.max_tokens, dtype=dtype)
    return teacher.read_all(
        pairs,
        out / "teacher",
        progress=lambda done, total: report(f"teacher: read {done} of {total} passages"),
    )


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
    if missing := [lang for lang in how.code_switched_langs if lang not in lexicon]:
        raise ConfigError(
            f"[reader.distillation] code_switched_langs: the lexicon has no '{missing[0]}'; "
            f"valid: {one_of(lexicon)}"
        )
    lexicon = {lang: lexicon[lang] for lang in how.code_switched_langs or lexicon}
    paragraphs = read_paragraphs(matching(how.passages), how.held_out)
    decks, others = _split(how, paragraphs, excluded)
    rng, weights = stream(seed, "distilled questions"), [source.weight for source in how.sources]
    [pairs] = draw_batches(decks, weights, size=how.windows, count=1, rng=rng)
    shares = {"english": how.english, "code_switched": how.code_switched}
    trained = [vary(pair, lexicon, **shares, rng=rng) for pair in pairs]
    rng = stream(seed, "held-out questions")
    varied = [vary(pair, lexicon, english=0.0, code_switched=1.0, rng=rng) for pair in others]
    held_out = sample_languages(varied, how.validation, rng)
    ranked = rank_passages(
        (pair.english for pair in [*trained, *held_out]),
        paragraphs.corpus,
        retriever_maker(how.retriever),
        depth=how.depth,
        folder=out,
        report=report,
    )
    return RankedQuestions(trained, held_out, ranked, paragraphs, sum(map(len, decks.values())))


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
    trained = paragraphs.by_question.keys() - paragraphs.held_out
    others = [pair for pair in by_text if match_key(pair.english) not in trained]
    return decks, others + by_article


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
    dtype: Dtype,
    gloss: Gloss,
    report: Log = silent,
) -> DistilledData:
    """Sample questions and passages, and let the teacher read them; its scores stay in `out`.

    The student reads the questions with what `gloss` adds.

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
    glossed = [one._replace(text=gloss(one.text, one.passage)) for one in questions]
    return DistilledData(
        distilled_windows(glossed, readings, tokenizer, how.max_tokens),
        agreement_questions(others, readings),
        counts,
    )


def distilled_windows(
    questions: Sequence[TranslatedQuestion],
    readings: Mapping[QuestionPassage, TeacherReading],
    tokenizer: Any,
    max_tokens: int,
) -> list[LabeledWindow]:
    """Each question before the tokens of its passage that the teacher read, with their scores."""
    windows = []
    for start in range(0, len(questions), TOKENIZED_TOGETHER):
        chunk = questions[start : start + TOKENIZED_TOGETHER]
        texts = [question.text for question in chunk]
        heads = make_windows(tokenizer, texts, [""] * len(texts), max_tokens=max_tokens)
        for question, head in zip(chunk, heads, strict=True):
            windows.append(_window(head.ids, readings[question.of_teacher], max_tokens))
    return windows


def _window(question: list[int], reading: TeacherReading, max_tokens: int) -> LabeledWindow:
    """The window of a question's ids, `<s> question </s> </s> </s>`, and the teacher's tokens.

    A question longer than its translation may leave no room for all of them; the teacher's best
    start stays.
    """
    *head, last = question
    spans = reading.scores.spans
    room = max(1, max_tokens - len(question))
    best = int(spans[:, 0].argmax())
    first = max(0, min(best - room // 2, len(spans) - room)) if best >= room else 0
    kept = slice(first, first + room)
    ids = [*head, *reading.ids[kept].tolist(), last]
    context = Span(len(head), len(ids) - 1)
    window = Window(0, ids, np.zeros((len(ids), 2), np.int32), context)
    return LabeledWindow(window, None, TeacherScores(spans[kept], reading.scores.relevance))


def agreement_questions(
    questions: Sequence[TranslatedQuestion],
    readings: Mapping[QuestionPassage, TeacherReading],
) -> list[SquadQuestion]:
    """Held-out questions with the teacher's best span as the answer, if it finds one likely."""
    answered = []
    for number, question in enumerate(questions):
        reading = readings[question.of_teacher]
        if reading.answer and reading.scores.relevance > 0:
            text = question.passage[reading.answer.start : reading.answer.end]
            answered.append(
                SquadQuestion(
                    f"{question.lang}-{number}",
                    question.text,
                    "",
                    question.passage,
                    (text,),
                    reading.answer,
                    lang=question.lang,
                )
            )
    return answered
