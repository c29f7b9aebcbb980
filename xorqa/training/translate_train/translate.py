"""Training data in another language by machine translation: MLQA's translate-train.

Lewis et al. 2020, section 4.2: questions and contexts are translated, with the answer in
quotation marks, by which it is found again. Here a context is translated sentence by sentence,
so that no translator's limit is met. Only the answer's own sentence bears marks; the others
are translated once for all questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from ...caching.store import Cache
from ...core.progress import Tell, silent
from ...core.stages import Translator
from ...core.types import Span
from ...datasets.segments import join, overlapping
from ...datasets.sentences import split_sentences
from ...io.squad_xor import SquadQuestion
from ...translation.texts import translate_texts
from ..reader.windows import is_in_place
from .quote_projection import Found, enclose, locate, unquote

COUNTS = ("quotes", "answer", "failed", "misplaced", "untranslated")


@dataclass(frozen=True, slots=True)
class Translated:
    """Questions in the other language, and how their answers were found.

    `counts`: by the quotation marks, by the answer's own translation, not at all, answers that
    did not stand where the file said, and questions of which a text could not be translated. The
    last three are left out.
    """

    questions: tuple[SquadQuestion, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A question, its context in pieces, and the answer's place in piece `at`."""

    question: SquadQuestion
    pieces: tuple[str, ...]
    at: int
    answer: Span

    @property
    def piece(self) -> str:
        return self.pieces[self.at]

    @property
    def text(self) -> str:
        return self.piece[self.answer.start : self.answer.end]

    @property
    def others(self) -> tuple[str, ...]:
        return self.pieces[: self.at] + self.pieces[self.at + 1 :]

    @property
    def texts(self) -> tuple[str, ...]:
        """What is translated at first."""
        return self.question.question, self.marked, *self.others

    @property
    def marked(self) -> str:
        return enclose(self.piece, self.answer) or self.piece


def translate_train(
    questions: Iterable[SquadQuestion],
    translator: Translator,
    *,
    lang: str,
    to: str,
    cache: Cache,
    progress: Tell = silent,
) -> Translated:
    """Translate questions with their contexts and first answers from `lang` into `to`.

    Titles stay, as they keep articles together. Killed, it goes on where it was.

    Raises:
        ConfigError: for a language or a translator that cannot be used.
    """
    found = [_cut(question, lang) for question in questions]
    asked = [cut for cut in found if cut is not None]
    translate = partial(translate_texts, translator, lang=lang, to=to, cache=cache)
    texts = translate(
        (text for cut in asked for text in cut.texts), progress=partial(progress, "translating")
    )
    cuts = [cut for cut in asked if texts.keys() >= set(cut.texts)]
    quoted = [unquote(texts[cut.marked], cut.piece, cut.answer) for cut in cuts]
    lost = [cut for cut, place in zip(cuts, quoted, strict=True) if place is None]
    texts |= translate(
        (text for cut in lost for text in (cut.piece, cut.text)),
        may_fail=True,
        progress=partial(progress, "translating answers"),
    )
    finds = [_find(cut, place, texts, to) for cut, place in zip(cuts, quoted, strict=True)]
    counts = Counter(way for way, _ in finds)
    counts |= Counter(misplaced=len(found) - len(asked), untranslated=len(asked) - len(cuts))
    made = (
        _put_together(cut, place, texts, to)
        for cut, (_, place) in zip(cuts, finds, strict=True)
        if place
    )
    return Translated(tuple(made), {name: counts[name] for name in COUNTS})


def to_squad(questions: Iterable[SquadQuestion]) -> dict[str, Any]:
    """SQuAD v1.1-style JSON: neighbours of one title are an article, of one context a paragraph."""
    return {
        "version": "1.1",
        "data": [
            {
                "title": title,
                "paragraphs": [
                    {"context": context, "qas": [_qa(question) for question in asked]}
                    for context, asked in groupby(article, lambda question: question.context)
                ],
            }
            for title, article in groupby(questions, lambda question: question.title)
        ],
    }


def _cut(question: SquadQuestion, lang: str) -> _Cut | None:
    """The context in sentences; those that the answer reaches into are one piece."""
    answer = question.answers[0].strip() if question.answers else ""
    if not answer or not is_in_place(question):
        return None
    start = question.start + question.answers[0].index(answer)
    end = start + len(answer)
    spans = split_sentences(question.context, lang)
    reached = overlapping(spans, Span(start, end))
    first, last = reached[0], reached[-1]
    whole = Span(spans[first].start, spans[last].end)
    pieces = (*spans[:first], whole, *spans[last + 1 :])
    return _Cut(
        question,
        tuple(question.context[piece.start : piece.end] for piece in pieces),
        first,
        Span(start - whole.start, end - whole.start),
    )


def _find(
    cut: _Cut, quoted: Found | None, texts: Mapping[str, str], lang: str
) -> tuple[str, Found | None]:
    """How the answer was found, one of `COUNTS`, and where."""
    if not texts[cut.question.question].strip():
        return "failed", None
    if quoted is not None:
        return "quotes", quoted
    if not texts.keys() >= {cut.piece, cut.text}:
        return "failed", None
    place = locate(texts[cut.piece], texts[cut.text], lang=lang)
    return ("answer", place) if place else ("failed", None)


def _put_together(cut: _Cut, place: Found, texts: Mapping[str, str], lang: str) -> SquadQuestion:
    piece, answer = place
    pieces = [texts[text] for text in cut.others]
    pieces.insert(cut.at, piece)
    context, places = join(pieces, lang=lang)
    asked = texts[cut.question.question]
    start = places[cut.at].start + answer.start
    text = context[start : start + answer.end - answer.start]
    return replace(cut.question, question=asked, context=context, answers=(text,), start=start)


def _qa(question: SquadQuestion) -> dict[str, Any]:
    answers = [{"text": question.answers[0], "answer_start": question.start}]
    return {"id": question.qid, "question": question.question, "answers": answers}
