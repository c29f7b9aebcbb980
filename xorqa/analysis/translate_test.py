"""Questions and contexts read in English, answers back in place: MLQA's translate-test.

Lewis et al. 2020, section 4.2: the answer's English words are found in the original context by
the translator's attention or, where it gives none, by an encoder's word alignment. Contexts
are translated and aligned sentence by sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..caching.store import Cache
from ..core.progress import Progress, Tell, silent
from ..core.stages import Translator
from ..datasets.sentences import breaks
from ..io.squad_xor import SquadQuestion
from ..models.alignment import Links, WordAligner
from ..reading.given import read_pairs
from ..reading.span import SpanReader
from ..translation.texts import translate_texts
from .projection import Pair, Projection, side_by_side

ENGLISH = "en"
COUNTS = ("answered", "unread", "unaligned")


@dataclass(frozen=True, slots=True)
class Projected:
    """Answers by qid, and `counts`: answered; nothing read; no word of the context linked to it.

    The last two are empty answers. `untranslated` texts were read as they are.
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
    progress: Tell = silent,
) -> Projected:
    """Translate from `lang` into English, read there, and find the answers in the contexts.

    Killed, it goes on where it was.

    Raises:
        ConfigError: for a language or a translator that cannot be used.
    """
    asked = dict.fromkeys(_texts(questions, lang))
    made = translate_texts(
        translator,
        asked,
        lang=lang,
        to=ENGLISH,
        cache=cache,
        progress=partial(progress, "translating"),
    )
    texts = {text: made.get(text, text) for text in asked}
    both = {
        context: side_by_side(context, texts, lang=lang, to=ENGLISH)
        for context in {q.context for q in questions}
    }
    pairs = [(texts[q.question], both[q.context].target) for q in questions]
    readings = read_pairs(reader, pairs, cache=cache, progress=partial(progress, "reading"))
    finds = [
        Projection(both[question.context], reading.best) if reading.best else None
        for question, reading in zip(questions, readings, strict=True)
    ]
    aligned = (pair for find in finds if find for pair in find.pairs)
    links = _align(aligner, aligned, cache, partial(progress, "aligning"))
    answers = [find.made(links) if find else "" for find in finds]
    counts = Counter(
        "unread" if find is None else "answered" if answer else "unaligned"
        for find, answer in zip(finds, answers, strict=True)
    )
    qids = (question.qid for question in questions)
    return Projected(
        dict(zip(qids, answers, strict=True)),
        {name: counts[name] for name in COUNTS},
        len(texts) - len(made),
    )


def _texts(questions: Iterable[SquadQuestion], lang: str) -> Iterator[str]:
    """What is translated: the questions and the sentences of their contexts."""
    for question in questions:
        yield question.question
        for span in breaks(question.context, lang):
            yield question.context[span.start : span.end]


def _align(
    aligner: WordAligner, pairs: Iterable[Pair], cache: Cache, progress: Progress
) -> dict[Pair, Links]:
    each = list(dict.fromkeys(pairs))
    found = cache.through(
        aligner,
        each,
        aligner.links,
        key=repr,
        dump=lambda links: [(int(i), int(j), float(weight)) for (i, j), weight in links.items()],
        load=lambda rows, _: {(i, j): weight for i, j, weight in rows},
        progress=progress,
    )
    return dict(zip(each, found, strict=True))
