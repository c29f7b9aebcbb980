"""The quality of translations into English: BLEU, chrF, and recall of names and numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from ...core.errors import DataError
from ...metrics.report import Report

_PAPER_BLEU = {"ar": 33.7, "bn": 30.8, "fi": 27.4, "ja": 19.7, "ko": 30.8, "ru": 21.7}
PAPER_LANGUAGES = tuple(_PAPER_BLEU)
PAPER_MT = Report(
    task="translation",
    scorer="corpus",
    per_lang={lang: {"BLEU": bleu} for lang, bleu in _PAPER_BLEU.items()},
    macro={"BLEU": sum(_PAPER_BLEU.values()) / 6},
    n={},
    signature="as the paper gives it",
)
"""BLEU of the translator that Asai et al. 2021 trained, on XOR dev: another test set than ours."""

_WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")


def score_translations(
    translations: Sequence[str], references: Sequence[str], langs: Sequence[str]
) -> Report:
    """Corpus BLEU (sacreBLEU, 13a), chrF2 and entity recall, in percent, per source language.

    The macro average is over the paper's six languages (`PAPER_LANGUAGES`) if all are present,
    as in the paper, or else over all languages present.

    Raises:
        DataError: if there is nothing to score, or the lengths differ.
    """
    if not translations or not len(translations) == len(references) == len(langs):
        raise DataError(
            f"{len(translations)} translations for {len(references)} references; "
            "each reference needs one line"
        )
    by_lang: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for text, reference, lang in zip(translations, references, langs, strict=True):
        by_lang[lang].append((text, reference))
    sacrebleu = import_module("sacrebleu")
    bleu, chrf = sacrebleu.BLEU(tokenize="13a"), sacrebleu.CHRF()
    per_lang = {lang: _scores(rows, bleu, chrf) for lang, rows in sorted(by_lang.items())}
    counted = PAPER_LANGUAGES if comparable_with_paper(per_lang) else tuple(per_lang)
    names = next(iter(per_lang.values()))
    macro = {name: sum(per_lang[lang][name] for lang in counted) / len(counted) for name in names}
    n = {lang: len(by_lang[lang]) for lang in per_lang}
    return Report("translation", "corpus", per_lang, macro, n, str(bleu.get_signature()))


def comparable_with_paper(langs: Iterable[str]) -> bool:
    """Whether `langs` include the paper's six languages, so that `PAPER_MT` is comparable."""
    return set(langs) >= set(PAPER_LANGUAGES)


def entities(text: str) -> Counter[str]:
    """The names and numbers of an English text, case-folded, with their counts.

    These are the words with a capital or a digit. The first word is always capitalised, so it
    needs a digit or a second capital. Words are runs of letters and digits, joined by hyphens,
    apostrophes, full stops or commas.
    """
    counts: Counter[str] = Counter()
    for position, word in enumerate(_WORD.findall(text)):
        capitals = sum(char.isupper() for char in word)
        if any(char.isdigit() for char in word) or capitals > (position == 0):
            counts[word.casefold()] += 1
    return counts


def words(text: str) -> list[str]:
    """The words and numbers of a text, case-folded, as `entity_recall` matches them."""
    return [word.casefold() for word in _WORD.findall(text)]


def entity_recall(translations: Sequence[str], references: Sequence[str]) -> float:
    """The share (0 to 1) of the references' entities that occur in the translations.

    Each text's entities are matched against all words of its translation, case-folded, with
    multiplicity, and counts are summed over texts before dividing. Without entities it is 1.
    """
    hits = total = 0
    for text, reference in zip(translations, references, strict=True):
        expected = entities(reference)
        hits += (expected & Counter(words(text))).total()
        total += expected.total()
    return hits / total if total else 1.0


def _scores(rows: Sequence[tuple[str, str]], bleu: Any, chrf: Any) -> Mapping[str, float]:
    translations, references = [row[0] for row in rows], [row[1] for row in rows]
    return {
        "BLEU": bleu.corpus_score(translations, [references]).score,
        "chrF": chrf.corpus_score(translations, [references]).score,
        "entity recall": 100 * entity_recall(translations, references),
    }
