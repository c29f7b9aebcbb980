"""MLQA's translate-test: read translations in English, project the answers into the originals.

Lewis et al. 2020, section 4: the answer's English words are aligned with the original context by
the translator's attention or, if it has none, by an encoder's word alignment. Contexts are
translated and aligned sentence by sentence.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ...core.lang import ENGLISH
from ...core.progress import Progress, TaskProgress, silent
from ...core.stages import Translator
from ...core.text.sentences import split_sentences
from ...io.cache import Cache
from ...io.squad_xor import SquadQuestion
from ...reading.pairs import QuestionPassage
from ...reading.span import SpanReader, read_pairs
from ..common.translate_texts import translate_texts
from .alignment import Links, WordAligner
from .projection import Projection, SentencePair, parallel_text

COUNTS = ("answered", "unread", "unaligned")


@dataclass(frozen=True, slots=True)
class TranslateTest:
    """Answers by qid, and the numbers of answered, unread and unaligned questions.

    An answer is empty if the reader returned no span ("unread"), or if no word of the context is
    linked to the span ("unaligned"). `untranslated` counts the texts read in the original.
    """

    answers: Mapping[str, str]
    counts: Mapping[str, int]
    untranslated: int = 0


def translate_test(
    questions: Sequence[SquadQuestion],
    translator: Translator,
    reader: SpanReader,
    aligner: WordAligner,
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
    sources = dict.fromkeys(_texts(questions, lang))
    report = partial(progress, "translating")
    translations = translate_texts(
        translator, sources, lang=lang, to=ENGLISH, cache=cache, progress=report
    )
    english = {text: translations.get(text, text) for text in sources}
    contexts = {
        context: parallel_text(context, english, lang=lang, to=ENGLISH)
        for context in {q.context for q in questions}
    }
    pairs = [QuestionPassage(english[q.question], contexts[q.context].target) for q in questions]
    readings = read_pairs(reader, pairs, cache=cache, progress=partial(progress, "reading"))
    projections = [
        Projection(contexts[question.context], reading.best) if reading.best else None
        for question, reading in zip(questions, readings, strict=True)
    ]
    sentence_pairs = (pair for projection in projections if projection for pair in projection.pairs)
    links = _align(aligner, sentence_pairs, cache, partial(progress, "aligning"))
    answers = [projection.project(links) if projection else "" for projection in projections]
    counts = Counter(
        "unread" if projection is None else "answered" if answer else "unaligned"
        for projection, answer in zip(projections, answers, strict=True)
    )
    qids = (question.qid for question in questions)
    return TranslateTest(
        dict(zip(qids, answers, strict=True)),
        {name: counts[name] for name in COUNTS},
        len(sources) - len(translations),
    )


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
