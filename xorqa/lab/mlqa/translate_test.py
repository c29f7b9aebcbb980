"""MLQA's translate-test: read translations in English, project the answers into the originals.

Lewis et al. 2020, section 4: the answer's English words are aligned with the original context by
the translator's attention or, which is xorqa's own, by an encoder's word alignment. Contexts are
translated and aligned sentence by sentence. For Hindi the authors translated the English answer
back (footnote 5).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...core.progress import Progress, TaskProgress, silent
from ...core.stages import Translator
from ...core.text.sentences import split_sentences
from ...io.cache import Cache
from ...io.squad_xor import SquadQuestion
from ...reading.pairs import QuestionPassage, Reading
from ...reading.span import SpanReader
from ..common.given_passages import read_pairs
from ..common.translate_texts import translate_texts
from .alignment import Links, WordAligner
from .projection import ParallelText, Projection, SentencePair, parallel_text, parallel_texts

COUNTS = ("answered", "unread", "unaligned")


@dataclass(frozen=True, slots=True)
class TranslateTest:
    """Answers by qid, and the numbers of answered, unread and unaligned questions.

    An answer is empty if the reader returned no span ("unread"), or if no word of the context is
    linked to the span, or the answer could not be translated ("unaligned"). `untranslated` counts
    the texts read in the original.
    """

    answers: Mapping[str, str]
    counts: Mapping[str, int]
    untranslated: int = 0


@dataclass(frozen=True, slots=True)
class BackTranslation:
    """Answers in the original language, translated from the English ones."""

    translator: Translator


@dataclass(frozen=True, slots=True)
class English:
    """The English question and the two contexts of each question, in order."""

    rows: Sequence[tuple[str, ParallelText]]
    untranslated: int = 0


def translate_test(
    questions: Sequence[SquadQuestion],
    translator: Translator,
    reader: SpanReader,
    projector: WordAligner | BackTranslation,
    *,
    lang: str,
    cache: Cache,
    progress: TaskProgress = silent,
) -> TranslateTest:
    """Translate from `lang` into English, read, and project the answers into the contexts.

    An interrupted call resumes from the cache.

    Raises:
        ConfigError: for a language or a translator that cannot be used.
    """
    report = partial(progress, "translating")
    english = into_english(questions, translator, lang=lang, cache=cache, progress=report)
    return read_english(
        questions, english, reader, projector, lang=lang, cache=cache, progress=progress
    )


def into_english(
    questions: Sequence[SquadQuestion],
    translator: Translator,
    *,
    lang: str,
    cache: Cache,
    progress: Progress = silent,
) -> English:
    """Translate the questions, and their contexts sentence by sentence. Raises ConfigError."""
    sources = dict.fromkeys(_texts(questions, lang))
    translations = translate_texts(
        translator, sources, lang=lang, to=ENGLISH, cache=cache, progress=progress
    )
    english = {text: translations.get(text, text) for text in sources}
    contexts = {
        context: parallel_text(context, english, lang=lang, to=ENGLISH)
        for context in {q.context for q in questions}
    }
    rows = [(english[q.question], contexts[q.context]) for q in questions]
    return English(rows, len(sources) - len(translations))


def given_english(
    questions: Sequence[SquadQuestion], english: Mapping[str, SquadQuestion], *, lang: str
) -> English:
    """Translations by qid, such as those that MLQA's authors released.

    Sentences are paired where both contexts have equally many; otherwise a context is one.

    Raises:
        DataError: if a question has no translation.
    """
    if missing := [q.qid for q in questions if q.qid not in english]:
        raise DataError(
            f"{len(missing)} of {len(questions)} questions have no translation by id, such as "
            f"{missing[0]}; is it the translation of another file?"
        )
    rows = [
        (row.question, parallel_texts(q.context, row.context, lang=lang, to=ENGLISH))
        for q in questions
        for row in [english[q.qid]]
    ]
    return English(rows)


def read_english(
    questions: Sequence[SquadQuestion],
    english: English,
    reader: SpanReader,
    projector: WordAligner | BackTranslation,
    *,
    lang: str,
    cache: Cache,
    progress: TaskProgress = silent,
) -> TranslateTest:
    """Read the English texts, and project the answers. An interrupted call resumes."""
    pairs = [QuestionPassage(question, context.target) for question, context in english.rows]
    readings = read_pairs(reader, pairs, cache=cache, progress=partial(progress, "reading"))
    if isinstance(projector, BackTranslation):
        report = partial(progress, "translating back")
        answers = _back(readings, english, projector, lang, cache, report)
    else:
        answers = _projected(readings, english, projector, cache, partial(progress, "aligning"))
    counts = Counter(
        "unread" if not reading.best else "answered" if answer else "unaligned"
        for reading, answer in zip(readings, answers, strict=True)
    )
    qids = (question.qid for question in questions)
    return TranslateTest(
        dict(zip(qids, answers, strict=True)),
        {name: counts[name] for name in COUNTS},
        english.untranslated,
    )


def _projected(
    readings: Sequence[Reading],
    english: English,
    aligner: WordAligner,
    cache: Cache,
    progress: Progress,
) -> list[str]:
    """The spans of the originals that match the answers."""
    projections = [
        Projection(context, reading.best) if reading.best else None
        for (_, context), reading in zip(english.rows, readings, strict=True)
    ]
    sentence_pairs = (pair for projection in projections if projection for pair in projection.pairs)
    links = _align(aligner, sentence_pairs, cache, progress)
    return [projection.project(links) if projection else "" for projection in projections]


def _back(
    readings: Sequence[Reading],
    english: English,
    back: BackTranslation,
    lang: str,
    cache: Cache,
    progress: Progress,
) -> list[str]:
    """The English answers in the language of the originals; "" where translation failed."""
    answers = [
        context.target[reading.best.start : reading.best.end] if reading.best else ""
        for (_, context), reading in zip(english.rows, readings, strict=True)
    ]
    texts = dict.fromkeys(filter(None, answers))
    translations = translate_texts(
        back.translator, texts, lang=ENGLISH, to=lang, cache=cache, progress=progress
    )
    return [translations.get(answer, "") for answer in answers]


def _texts(questions: Iterable[SquadQuestion], lang: str) -> Iterator[str]:
    """The texts to translate: the questions and the sentences of their contexts."""
    for question in questions:
        yield question.question
        for span in split_sentences(question.context, lang):
            yield question.context[span.start : span.end]


def _align(
    aligner: WordAligner, pairs: Iterable[SentencePair], cache: Cache, progress: Progress
) -> dict[SentencePair, Links]:
    distinct = list(dict.fromkeys(pairs))
    links = cache.through(
        aligner,
        distinct,
        aligner.links,
        key=repr,
        dump=lambda links: [(int(i), int(j), float(weight)) for (i, j), weight in links.items()],
        load=lambda rows, _: {(i, j): weight for i, j, weight in rows},
        progress=progress,
    )
    return dict(zip(distinct, links, strict=True))
