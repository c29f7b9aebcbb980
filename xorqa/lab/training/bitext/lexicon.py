"""Word translations: a lexicon from sentence pairs, by co-occurrence, and code switching with it.

Code switching replaces words of English questions and passages by those of other languages. A
reader trained in this way learns to find answers among words of languages that have no training
questions (Qin et al. 2020, "CoSDA-ML": random languages, random words, one pass over the data).
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ....core.lang import LANGUAGES
from ....core.text.words import word_spans
from ....core.types import Span
from ....io.files import read_fields, write_text
from ....io.squad_xor import SquadQuestion
from ..common.training_data import Pair

MIN_PAIRS = 3  # minimum number of pairs that contain both words
MIN_DICE = 0.15
REPLACED = 0.5  # share of the words in the lexicon that code switching replaces

Lexicon = dict[str, dict[str, str]]
"""Language to English word to its translation, both in lower case."""


def make_lexicon(pairs: Iterable[Pair]) -> Lexicon:
    """Extract words that are each other's best translation by Dice's coefficient.

    It skips pairs whose second side is not English, languages that are not among `LANGUAGES` or
    are written without spaces, and words that are the same in both languages.
    """
    by_lang: dict[str, list[tuple[str, str]]] = {}
    for lang, text, other, english in pairs:
        if other == "en" and lang in LANGUAGES and LANGUAGES[lang].spaced:
            by_lang.setdefault(lang, []).append((english, text))
    entries = {lang: _mutual(texts) for lang, texts in sorted(by_lang.items())}
    return {lang: translations for lang, translations in entries.items() if translations}


def write_lexicon(path: Path, lexicon: Lexicon) -> None:
    """One TSV of all languages: language, English word, translation."""
    rows = [(lang, *pair) for lang, of_lang in lexicon.items() for pair in sorted(of_lang.items())]
    write_text(path, "".join("\t".join(row) + "\n" for row in rows))


def read_lexicon(files: Iterable[Path]) -> Lexicon:
    """The lexicon of TSV files.

    Raises:
        DataError: naming the line that does not have three fields.
    """
    lexicon: Lexicon = {}
    for file in files:
        for lang, english, word in read_fields(file, 3, "language, English word and translation"):
            lexicon.setdefault(lang, {})[english] = word
    return lexicon


def _mutual(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    english, other = ([_words(text) for text in texts] for texts in zip(*pairs, strict=True))
    (e_names, e_counts, e_ids), (f_names, f_counts, f_ids) = _numbered(english), _numbered(other)
    keys = [
        np.add.outer(es * len(f_names), fs).ravel() for es, fs in zip(e_ids, f_ids, strict=True)
    ]
    codes, both = np.unique(np.concatenate(keys), return_counts=True)
    codes, both = codes[both >= MIN_PAIRS], both[both >= MIN_PAIRS]
    e, f = codes // max(len(f_names), 1), codes % max(len(f_names), 1)
    dice = 2 * both / (e_counts[e] + f_counts[f])
    order = np.argsort(dice, kind="stable")
    best_e = dict(zip(e[order].tolist(), order.tolist(), strict=True))  # the last one is the best
    best_f = dict(zip(f[order].tolist(), order.tolist(), strict=True))
    return {
        e_names[word]: f_names[int(f[pair])]
        for word, pair in best_e.items()
        if best_f[int(f[pair])] == pair
        and dice[pair] >= MIN_DICE
        and e_names[word] != f_names[int(f[pair])]
    }


def _numbered(texts: Sequence[frozenset[str]]) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """The frequent words, the number of texts of each, and each text's word ids."""
    counts = Counter(word for text in texts for word in text)
    names = sorted(word for word, count in counts.items() if count >= MIN_PAIRS)
    ids = {name: word_id for word_id, name in enumerate(names)}
    texts_ids = [np.array([ids[w] for w in sorted(text) if w in ids], np.int64) for text in texts]
    return names, np.array([counts[name] for name in names]), texts_ids


def _words(text: str) -> frozenset[str]:
    lowered = {text[span.start : span.end].lower() for span in word_spans(text)}
    return frozenset(word for word in lowered if any(map(str.isalpha, word)))


def replace_words(
    text: str, answer: Span, lexicon: dict[str, str], rng: random.Random
) -> tuple[str, Span]:
    """The text with some words replaced, and the answer's new span.

    A word that crosses a boundary of the answer stays.
    """
    pieces: list[str] = []
    done, start, end = 0, answer.start, answer.end
    for word in word_spans(text):
        translation = lexicon.get(text[word.start : word.end].lower())
        inside = answer.start <= word.start and word.end <= answer.end
        crosses = word.overlaps(answer) and not inside
        if translation is None or crosses or rng.random() >= REPLACED:
            continue
        if text[word.start].isupper():
            translation = translation[0].upper() + translation[1:]
        pieces += [text[done : word.start], translation]
        done = word.end
        growth = len(translation) - (word.end - word.start)
        start += growth if word.end <= answer.start else 0
        end += growth if word.end <= answer.end else 0
    return "".join([*pieces, text[done:]]), Span(start, end)


def switch_words(text: str, lexicon: dict[str, str], rng: random.Random) -> str:
    """The text with some words replaced."""
    return replace_words(text, Span(0, 0), lexicon, rng)[0]


def code_switch(
    questions: Sequence[SquadQuestion], lexicon: Lexicon, share: float, rng: random.Random
) -> list[SquadQuestion]:
    """English questions, a share of them code-switched.

    Words of one language are put into the passage and words of one into the question; the answer
    becomes the text now at its position.
    """
    langs = sorted(lexicon)
    return [
        _switch(question, lexicon[rng.choice(langs)], lexicon[rng.choice(langs)], rng)
        if langs and rng.random() < share
        else question
        for question in questions
    ]


def _switch(
    question: SquadQuestion,
    question_words: dict[str, str],
    context_words: dict[str, str],
    rng: random.Random,
) -> SquadQuestion:
    if question.span is None:
        return question
    text = switch_words(question.question, question_words, rng)
    context, span = replace_words(question.context, question.span, context_words, rng)
    answers = (context[span.start : span.end],)
    return replace(question, question=text, context=context, answers=answers, span=span)
