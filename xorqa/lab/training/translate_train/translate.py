"""Training data in another language by machine translation: MLQA's translate-train.

Lewis et al. 2020, section 4: questions and contexts are translated, with the answer in
quotation marks that locate it afterwards. Here a context is translated sentence by sentence, to
stay within translators' limits. Only the answer's sentence has marks; the other sentences are
translated once for all questions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ....core.progress import TaskProgress, silent
from ....core.stages import Translator
from ....core.text.sentences import split_sentences
from ....core.types import Span
from ....io.cache import Cache
from ....io.squad_xor import SquadQuestion
from ...common.sentences import join_sentences
from ...common.spans import overlapping
from ...common.translate_texts import translate_texts
from ..reader.samples import is_in_place
from .quote_projection import Projection, enclose, locate, unquote

COUNTS = ("quotes", "answer", "failed", "misplaced", "untranslated")


@dataclass(frozen=True, slots=True)
class Translated:
    """Questions in the other language, and how their answers were projected.

    `counts` has the answers projected by the quotation marks, by the answer's own translation and
    not at all, the answers that were not at their offset, and the questions with a text that
    could not be translated. Questions of the last three kinds are left out.
    """

    questions: tuple[SquadQuestion, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A question, the answer's span in one piece of its context, and the sentences around it."""

    question: SquadQuestion
    before: tuple[str, ...]
    piece: str
    after: tuple[str, ...]
    answer: Span

    @property
    def text(self) -> str:
        return self.piece[self.answer.start : self.answer.end]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to translate first."""
        return self.question.question, self.marked, *self.before, *self.after

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
    progress: TaskProgress = silent,
) -> Translated:
    """Translate questions with their contexts and first answers from `lang` into `to`.

    Titles are not translated, because they identify articles. Translations are cached, so a
    killed run resumes.

    Raises:
        ConfigError: for a language or a translator that cannot be used.
    """
    attempts = [_cut(question, lang) for question in questions]
    in_place = [cut for cut in attempts if cut is not None]
    translate = partial(translate_texts, translator, lang=lang, to=to, cache=cache)
    texts = translate(
        (text for cut in in_place for text in cut.texts), progress=partial(progress, "translating")
    )
    cuts = [cut for cut in in_place if texts.keys() >= set(cut.texts)]
    quoted = [unquote(texts[cut.marked], cut.piece, cut.answer) for cut in cuts]
    unmarked = [cut for cut, place in zip(cuts, quoted, strict=True) if place is None]
    texts |= translate(
        (text for cut in unmarked for text in (cut.piece, cut.text)),
        may_fail=True,
        progress=partial(progress, "translating answers"),
    )
    projected = [_project(cut, place, texts, to) for cut, place in zip(cuts, quoted, strict=True)]
    counts = Counter(way for way, _ in projected)
    counts |= Counter(
        misplaced=len(attempts) - len(in_place), untranslated=len(in_place) - len(cuts)
    )
    translated = (
        _assemble(cut, place, texts, to)
        for cut, (_, place) in zip(cuts, projected, strict=True)
        if place
    )
    return Translated(tuple(translated), {name: counts[name] for name in COUNTS})


def _cut(question: SquadQuestion, lang: str) -> _Cut | None:
    """Split the context into sentences, with those that the answer overlaps as one piece."""
    answer = question.answers[0].strip() if question.answers else ""
    if not answer or question.span is None or not is_in_place(question):
        return None
    start = question.span.start + question.answers[0].index(answer)
    end = start + len(answer)
    spans = split_sentences(question.context, lang)
    reached = overlapping(spans, Span(start, end))
    first, last = reached[0], reached[-1]
    texts = tuple(question.context[span.start : span.end] for span in spans)
    begin = spans[first].start
    piece, span = question.context[begin : spans[last].end], Span(start - begin, end - begin)
    return _Cut(question, texts[:first], piece, texts[last + 1 :], span)


def _project(
    cut: _Cut, quoted: Projection | None, texts: Mapping[str, str], lang: str
) -> tuple[str, Projection | None]:
    """The method that projected the answer (one of `COUNTS`), and the result."""
    if not texts[cut.question.question].strip():
        return "failed", None
    if quoted is not None:
        return "quotes", quoted
    if not texts.keys() >= {cut.piece, cut.text}:
        return "failed", None
    place = locate(texts[cut.piece], texts[cut.text], lang=lang)
    return ("answer", place) if place else ("failed", None)


def _assemble(cut: _Cut, place: Projection, texts: Mapping[str, str], lang: str) -> SquadQuestion:
    piece, answer = place
    before, after = ([texts[text] for text in part] for part in (cut.before, cut.after))
    context, places = join_sentences([*before, piece, *after], lang=lang)
    translation = texts[cut.question.question]
    offset = places[len(before)].start
    span = Span(offset + answer.start, offset + answer.end)
    answers = (context[span.start : span.end],)
    return replace(
        cut.question, question=translation, context=context, answers=answers, span=span, lang=""
    )
