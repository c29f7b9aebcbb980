"""Tools and checks of lesson 2a: ways to cut words, BM25's curves, and four exercises."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xorqa.core.lang import XOR_LANGUAGES, language
from xorqa.core.text.search_tokens import tokens
from xorqa.core.types import Example, Passage
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval.bm25 import Bm25, index_tokens

from .bundled import as_asked, crossing, english, folder, gold_docid, rank
from .fonts import use_fonts
from .grading import Verdict, graded, right, wrong

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LANGS = XOR_LANGUAGES
STEMMED = ("ar", "fi", "ru")
"""The languages of the questions that have a Snowball stemmer."""

SAMPLES = {
    "en": "The elements that were discovered by the Curies",
    "fi": "Helsinki, Helsingissä, HELSINGISTÄ",
    "ru": "Москва́, Москвы, в Москве",
    "ar": "الكِتابُ، الكتاب، والكتاب",
    "bn": "১৯১৩ সালে ডেনালি",
    "te": "ప్లూటో, ప్లూటోకు",
    "ja": "シーラカンス １９３８年",
    "ko": "파리, 파리의, 파리에서",
}

QUESTION = "Who discovered francium?"
FIVE = Corpus(
    "five",
    [
        Passage("a", "Marguerite Perey discovered francium in Paris in 1939."),
        Passage(
            "b", "Francium decays quickly. Nobody has ever seen a weighable amount of francium."
        ),
        Passage("c", "Vanadium was discovered twice, in 1801 and again in 1830."),
        Passage(
            "d",
            "The Radium Institute in Paris, where francium was discovered, was founded for Marie "
            "Curie; her daughter Irène and Frédéric Joliot worked there on artificial "
            "radioactivity.",
        ),
        Passage("e", "Uranus was discovered from a garden in Bath."),
    ],
)


def stems(text: str, lang: str) -> list[str]:
    """The tokens of a text without their endings, by the rules of the Snowball project."""
    return [_stemmer(lang).stem(token) for token in tokens(text, lang)]


def trigrams(text: str, lang: str) -> list[str]:
    """The runs of three characters of each token of a text; a shorter token stays whole."""
    return _runs(tokens(text, lang), 3)


def lucene_analyzer(lang: str) -> str:
    """The Lucene analyzer that the retriever `lucene` uses for a language."""
    return language(lang).lucene.split(".")[-1]


def shared(example: Example) -> set[str]:
    """The tokens that a question as asked has in common with its gold passage."""
    passage = english()[gold_docid(example)]
    return set(tokens(example.question.text, "en")) & set(tokens(passage.titled, "en"))


def curves() -> Figure:
    """What a term of BM25 is worth, by occurrences (for three k1) and by length (for three b)."""
    import matplotlib.pyplot as plt
    import numpy as np

    use_fonts()
    figure: Figure
    figure, (by_tf, by_length) = plt.subplots(
        1, 2, figsize=(7, 3), sharey=True, layout="constrained"
    )
    tf, length = np.linspace(0, 8, 81), np.linspace(0, 4, 81)
    lines = list(zip(("#4477aa", "#228833", "#ee6677"), ("-", "--", ":"), strict=True))
    for k1, (colour, line) in zip((0.3, 0.9, 2.0), lines, strict=True):
        by_tf.plot(tf, tf / (tf + k1), line, color=colour, label=f"$k_1$ = {k1}")
    for b, (colour, line) in zip((0.0, 0.4, 1.0), lines, strict=True):
        by_length.plot(
            length, 1 / (1 + 0.9 * (1 - b + b * length)), line, color=colour, label=f"$b$ = {b}"
        )
    by_tf.set(xlabel="occurrences of the token (tf)", ylabel="share of its idf", ylim=(0, 1.03))
    by_length.set(xlabel="length, as a multiple of the mean")
    for axes in (by_tf, by_length):
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


@graded
def check_1(cut: Callable[[list[str]], list[str]]) -> Verdict:
    """Trigrams by hand, on words that the lesson does not show."""
    word, long = "retrieval", ["helsingissä", "москвы"]
    result = list(cut([word]))
    if result == _runs([word], 3)[:-1]:
        return wrong(f"The last run of '{word}' is missing. At which letter does it begin?")
    if result != _runs([word], 3):
        return wrong(
            f"'{word}' becomes {result}. Begin a run at every letter that two more follow."
        )
    if list(cut(long)) != _runs(long, 3):
        return wrong(f"{long} become {cut(long)}. A run never crosses from one word to the next.")
    for short in ("at", "a"):
        if list(cut([short, word])) != [short, *result]:
            return wrong(
                f"{[short, word]} become {cut([short, word])}. A shorter word stays whole."
            )
    if list(cut(["banana", "ana"])) != _runs(["banana", "ana"], 3):
        return wrong("Keep runs that repeat, in their order: BM25 counts them.")
    common = len(set(_runs(["helsinki"], 3)) & set(_runs(["helsingissä"], 3)))
    return right(
        f"Helsinki and Helsingissä are two different words, but share {common} trigrams, "
        "so a search for one finds the other."
    )


@graded
def check_2(docids: Collection[str]) -> Verdict:
    """The passages that tie for the highest score without k1."""
    answer, best = set(docids), _best_without_k1()
    if answer == best:
        return right(
            "With $k_1 = 0$ the fraction is $tf / tf = 1$: a token adds its idf where it occurs at "
            "all, however often and however long the passage is. These have both words."
        )
    if "b" in answer:
        return wrong("Put $k_1 = 0$ into the formula. What does the second 'francium' of b add?")
    if answer < best:
        return wrong("Put $k_1 = 0$ into the formula. Where is the length of the passage then?")
    return wrong("Put $k_1 = 0$ into the formula, then add up the terms of each passage.")


@graded
def check_3(ascii_digits: Callable[[str], str]) -> Verdict:
    """Digits of every script, and nothing else, as ASCII."""
    for text in ("১৯১৩", "٢٠٢٤", "౧౯౩౦", "１９３８", "७५"):
        if ascii_digits(text) != str(int(text)):
            return wrong(
                f"'{text}' becomes '{ascii_digits(text)}'. Its digits are a decimal number."
            )
    for text in ("E7", "x² ½ Ⅷ", "в 1913 году", "সালে"):
        if ascii_digits(text) != text:
            return wrong(f"'{text}' becomes '{ascii_digits(text)}', but has no digit to change.")
    example = next(example for example in crossing() if example.question.qid == "mini-bn-01")
    text = example.question.text
    letters = "".join(sign for sign in text if not sign.isdecimal())
    (without,), (found,) = (
        _library().retrieve(as_asked([_asked_as(example, ascii_digits(one))]), k=100)
        for one in (letters, text)
    )
    return right(
        f"Of mini-bn-01 the gold passage has rank {rank(without, example) or 'none'} without its "
        f"year, and rank {rank(found, example)} with it: the year is a token that both languages "
        "share."
    )


@graded
def check_4(ceiling: Callable[[Sequence[tuple[str, set[str]]]], Mapping[str, float]]) -> Verdict:
    """The percentage of each language's questions that share a token with their gold passage."""
    pairs = [("fi", {"arpanet"}), ("ko", {"1939"}), ("fi", {"1901", "nils"}), ("ru", set[str]())]
    pairs += [("ko", set()), ("ko", set()), ("ko", set())]
    found = dict(ceiling(pairs))
    if "ru" not in found:
        return wrong("A language whose questions share nothing has a ceiling, too: 0 %.")
    mistakes = [
        ((2, 1, 0), "These are numbers of questions. Divide by the questions of the language."),
        ((1, 0.25, 0), "These are shares from 0 to 1; multiply them by 100."),
        ((0, 75, 100), "These are the questions that share nothing. Count the others."),
        ((150, 25, 0), "You count tokens: two of one question make it no easier to find than one."),
        ((200 / 7, 100 / 7, 0), "Divide by the questions of the language, not of all languages."),
    ]
    given = [found["fi"], found["ko"], found["ru"]]
    for values, hint in mistakes:
        if _near(given, values):
            return wrong(hint)
    if not _near(given, (100, 25, 0)):
        return wrong(f"Of four Korean questions one shares a token: 25 %, not {found['ko']:.0f} %.")
    real = ceiling([(one.question.lang, shared(one)) for one in crossing()])
    apart = sum(not shared(example) for example in crossing())
    return right(
        f"From {min(real.values()):.0f} % in Russian to {real['fi']:.0f} % in Finnish. In all, "
        f"{apart} of {len(crossing())} questions share no token with the passage that answers "
        "them. No setting of BM25 can find those passages: there is nothing to weigh."
    )


def _near(given: Sequence[float], values: Sequence[float]) -> bool:
    return all(abs(one - other) < 1e-6 for one, other in zip(given, values, strict=True))


def _runs(words: Iterable[str], length: int) -> list[str]:
    """The runs of `length` characters of each word; a shorter word stays whole."""
    return [
        word[start : start + length]
        for word in words
        for start in range(max(1, len(word) - length + 1))
    ]


def _best_without_k1() -> set[str]:
    """The docids of the five passages that have the highest score where k1 is 0."""
    index = index_tokens((tokens(passage.text, "en") for passage in FIVE), k1=0.0, b=0.4)
    scores: Sequence[float] = index.get_scores(tokens(QUESTION, "en"))
    return {
        passage.docid
        for passage, score in zip(FIVE, scores, strict=True)
        if abs(score - max(scores)) < 1e-6
    }


def _asked_as(example: Example, text: str) -> Example:
    """An example whose question has another text."""
    return replace(example, question=replace(example.question, text=text))


@cache
def _library() -> Bm25:
    return Bm25(corpus=english(), folder=folder("bm25"))


@cache
def _stemmer(lang: str) -> Any:
    return import_module("nltk.stem.snowball").SnowballStemmer(language(lang).name.lower())
