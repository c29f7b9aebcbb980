"""Questions translated word by word, as sources for a translator into English.

The English question is a person's, and a translator learns to write such questions. The other one
has the translations of its words, from our dictionary and tables of names, in a disturbed order:
not a sentence of the language, but what somebody with a dictionary understands of one.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ....core.lang import ENGLISH, LANGUAGES
from ....core.text.search_tokens import ENGLISH_STOP_WORDS
from ....io.files import read_fields, write_text
from ....io.squad_xor import read_squad
from ....io.word_probabilities import WordProbabilities, read_word_probabilities
from ....models.word_translations import BUNDLED_TABLE
from ..bitext.lexicon import Lexicon
from ..common.training_data import Pair, is_held_out, stream
from .pairs import LANGS, dictionary_pairs, name_pairs

QUESTION_WORDS = Path(__file__).with_name("question_words.tsv")
LIKELY = 0.3
LONGEST = 5  # words of a name
MOST = 6  # of which the first are the best
FIRST = 0.6  # the probability of a word's first translation, of those left
DROPPED = frozenset(
    ["does", "did", "do", "has", "have", "had", "been", "being", "were", "would", "can", "could"]
)
VERB_LAST = frozenset(["bn", "hi", "ja", "ko", "te", "tr"])
REACH = {True: 3.0, False: 1.0}  # words that one can move, where the verb is last and elsewhere
QUESTION_MARKS = {"ar": "؟", "el": ";", "ja": "？", "th": "", "zh": "？"}
_POSSESSIVE = re.compile("['’]s$")
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")

Translations = Mapping[str, Sequence[str]]


def write_word_by_word(
    out: Path, files: Iterable[Path], *, lexicon: Lexicon, held_out: float, seed: int
) -> dict[str, int]:
    """Write a pair for each question of SQuAD-style files; returns their number by language.

    A share of articles is left out, as in `SquadSource`.
    """
    questions = (question for file in files for question in read_squad(file))
    asked = (question for question in questions if not is_held_out(question, held_out))
    texts = dict.fromkeys(" ".join(question.question.split()) for question in asked)
    table = read_word_probabilities(BUNDLED_TABLE)
    pairs = list(word_by_word(texts, lexicon=lexicon, table=table, seed=seed))
    write_text(out, "".join("\t".join(pair) + "\n" for pair in pairs))
    return dict(Counter(lang for lang, *_ in pairs))


def word_by_word(
    texts: Iterable[str], *, lexicon: Lexicon, table: WordProbabilities, seed: int
) -> Iterator[Pair]:
    """A pair for each English question, in a language drawn for it.

    Words that neither the dictionary and the names nor the lexicon have are looked up in a table of
    translation probabilities, which has stems.
    """
    tables = _tables()
    for lang, translations in tables.items():
        for english, word in lexicon.get(lang, {}).items():
            translations.setdefault(english, [word])
        for english, stems in _inverted(table.get(lang, {})).items():
            translations.setdefault(english, stems)
    for text in texts:
        rng = stream(seed, text)
        lang = rng.choice(LANGS)
        words = _translated(text, tables[lang], rng)
        if any(words):
            yield lang, _question(words, lang, rng), ENGLISH, text


def _tables() -> dict[str, dict[str, list[str]]]:
    """The translations of English words and names by language, those of question words first."""
    tables: dict[str, dict[str, list[str]]] = {lang: {} for lang in LANGS}
    header, *rows = read_fields(QUESTION_WORDS, len(LANGS) + 1, "languages")
    for english, *others in rows:
        for lang, word in zip(header[1:], others, strict=True):
            tables[lang][english] = [word]
    asked = {row[0] for row in rows}
    for lang, word, _, english in dictionary_pairs():
        for form in english.split(" "):
            if form.lower() not in asked:
                _add(tables[lang], form, word)
    for lang, name, _, english in name_pairs():
        if lang in tables:
            _add(tables[lang], english, name)
    return tables


def _inverted(words: Mapping[str, Mapping[str, float]]) -> dict[str, list[str]]:
    """The words that probably mean an English one, the likeliest first."""
    rows = [
        (p, word, english.lower())
        for word, translations in words.items()
        for english, p in translations.items()
        if p >= LIKELY
    ]
    found: dict[str, list[str]] = {}
    for _, word, english in sorted(rows, key=lambda row: -row[0]):
        found.setdefault(english, []).append(word)
    return found


def _add(table: dict[str, list[str]], english: str, translation: str) -> None:
    found = table.setdefault(english.lower(), [])
    if translation not in found:
        found.append(translation)


def _translated(text: str, table: Translations, rng: random.Random) -> list[str]:
    """The translations of the longest names and words from left to right."""
    words = _WORD.findall(text)
    found, at = [], 0
    while at < len(words):
        for size in range(min(LONGEST, len(words) - at), 0, -1):
            english = _POSSESSIVE.sub("", " ".join(words[at : at + size]))
            if translations := table.get(english.lower()):
                found.append(_one_of(translations, rng))
                break
        else:
            size, lower = 1, words[at].lower()
            if lower not in ENGLISH_STOP_WORDS | DROPPED:
                found.append(_POSSESSIVE.sub("", words[at]))
        at += size
    return found


def _one_of(translations: Sequence[str], rng: random.Random) -> str:
    if len(translations) > MOST:
        return rng.choice(translations)
    for translation in translations[:-1]:
        if rng.random() < FIRST:
            return translation
    return translations[-1]


def _question(words: Sequence[str], lang: str, rng: random.Random) -> str:
    reach = REACH[lang in VERB_LAST]
    moved = sorted(
        enumerate(words), key=lambda item: item[0] + reach * rng.random() * (1 + rng.random())
    )
    space = " " if LANGUAGES[lang].spaced else ""
    text = space.join(word for _, word in moved)
    return text + QUESTION_MARKS.get(lang, "?")
