"""The exercises of lesson 3a: each check computes the right answer and explains it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations_with_replacement

from xorqa.metrics.tasks import squad
from xorqa.reading.decode import best_spans

from .bundled_reader import gold_passage, token_scores
from .grading import Verdict, graded, right, wrong
from .reading_spans_scores import same_language, score

Offsets = Sequence[tuple[int, int]]

LIMITED, DATE = "mini-te-11", "13 March 1781"
CASES = {
    "a": ("ja", "「蒼氓」", "蒼氓"),
    "b": ("ja", "2010年6月13日に", "2010年6月13日"),
    "c": ("ru", "«Чайка»", "Чайка"),
    "d": ("de", "der Rhein", "Rhein"),
    "e": ("en", "the Louvre", "Louvre"),
    "f": ("fi", "Helsingissä", "Helsinki"),
}
"""Language, prediction and gold answer of exercise 4."""
HIDDEN_TEXTS: tuple[tuple[str, Offsets], ...] = (
    (
        "Ol Doinyo Lengai, a volcano",
        ((0, 2), (3, 6), (6, 9), (10, 14), (14, 16), (16, 17), (18, 19), (20, 27)),
    ),
    ("東京都で生まれた。", ((0, 2), (2, 3), (3, 4), (4, 7), (7, 8), (8, 9))),
    ("ﬁn de siècle", ((0, 2), (3, 5), (6, 12))),
)
HIDDEN_ANSWERS = (
    ("the French Prime Minister", "Prime Minister of France"),
    ("in 1781", "13 March 1781"),
    ("Lake Baikal", "Baikal"),
    ("Paavo Nurmi", "Paavo Nurmi"),
)


@graded
def check_1(text_of: Callable[[str, Offsets, int, int], str]) -> Verdict:
    """Whether a function returns the text of a range of tokens."""
    for text, offsets in HIDDEN_TEXTS:
        for first, last in combinations_with_replacement(range(len(offsets)), 2):
            expected = text[offsets[first][0] : offsets[last][1]]
            answer = text_of(text, offsets, first, last)
            if answer != expected:
                return wrong(_token_hint(text, offsets[first : last + 1], answer))
    return right(
        "From the first character of the first token to the last character of the last token. "
        "Spaces between tokens and letters that the tokenizer normalises come from the passage."
    )


def _token_hint(text: str, offsets: Offsets, answer: str) -> str:
    """The hint for a wrong text of the tokens at `offsets`."""
    parts = [text[start:end] for start, end in offsets]
    if answer == text[offsets[0][0] : offsets[-1][0]] or answer == "".join(parts[:-1]):
        return f"In “{text}” the last token is missing: it belongs to the answer, with its end."
    if answer in ("".join(parts), " ".join(parts)):
        return f"In “{text}” joined pieces differ from the passage: take one slice of the text."
    return f"In “{text}” your function returns {answer!r} for tokens made from {parts}."


@graded
def check_2(longest: int) -> Verdict:
    """Whether a number is the smallest limit with which the decoder returns the whole date."""
    if longest < 1:
        return wrong("A span has at least one token. Count those of the date in the table.")
    text, scores = gold_passage(LIMITED).text, token_scores(LIMITED)

    def span(limit: int) -> str:
        best = best_spans([scores], text, longest=limit)[0].span
        return text[best.start : best.end]

    smallest = next(limit for limit in range(1, 31) if span(limit) == DATE)
    if longest == smallest:
        return right(
            f"The date is {smallest} tokens, as the year is two. With {smallest - 1} the decoder "
            f"returns “{span(smallest - 1)}”: a limit that is too small gives no warning."
        )
    if longest > smallest:
        return wrong(f"With {longest} the date is found, but a smaller limit finds it too.")
    return wrong(
        f"With {longest} the decoder returns “{span(int(longest))}”. The limit counts the "
        "tokenizer's pieces, not words: look at the year in the table."
    )


@graded
def check_3(f1: Callable[[str, str], float]) -> Verdict:
    """Whether a function computes SQuAD's F1."""
    probes = {
        ("Oslo", "Bergen"): "Without a shared word F1 is 0.",
        ("The Seagull!", "the seagull"): "Normalise both answers first: case, “the” and “!”.",
        ("Prime Minister", "Prime Minister of France"): "Precision divides by the words of the "
        "prediction, recall by those of the gold answer; F1 is their harmonic mean.",
        ("New York New York", "New York"): "“New York New York” has each word twice, and shares "
        "each of them once: a set forgets how often a word occurs.",
    }
    probes |= dict.fromkeys(HIDDEN_ANSWERS, "F1 is 2 · precision · recall / (precision + recall).")
    for (prediction, gold), hint in probes.items():
        answer, expected = float(f1(prediction, gold)), squad.f1(prediction, gold)
        if abs(answer - expected) > 1e-6:
            return wrong(f"f1({prediction!r}, {gold!r}) is {answer:.3f}. {hint}")
    return right(
        "It agrees with the library. The harmonic mean is nearer to the smaller of the two, so a "
        "long prediction that contains the answer does not score well."
    )


@graded
def check_4(letters: Collection[str]) -> Verdict:
    """Whether letters are the cases that MLQA's scorer accepts and SQuAD's does not."""
    answer = set(letters)
    if unknown := answer - CASES.keys():
        return wrong(f"There is no case {', '.join(sorted(unknown))}; valid: {', '.join(CASES)}.")
    exact = {
        scorer: {letter for letter, case in CASES.items() if score(scorer, *case)[1]}
        for scorer in ("squad", "mlqa")
    }
    if both := answer & exact["squad"]:
        return wrong(f"SQuAD's scorer accepts {', '.join(sorted(both))} too.")
    if neither := answer - exact["mlqa"]:
        return wrong(
            f"MLQA's scorer refuses {', '.join(sorted(neither))}: particles and case endings are "
            "neither punctuation nor articles."
        )
    if answer != exact["mlqa"] - exact["squad"]:
        return wrong("One is missing: whose quotation marks and articles does SQuAD's script know?")
    return right(
        "SQuAD's script knows ASCII punctuation and English articles only. A particle and a "
        "case ending stay wrong with both: that needs words, not characters."
    )


@graded
def check_5(answer: tuple[int, int]) -> Verdict:
    """Whether two numbers count the Japanese predictions with an F1 between 0 and 1."""
    by_squad, by_strict = answer
    expected, exact = [], []
    for scorer in ("squad", "strict"):
        f1s = _japanese_f1s(scorer)
        expected.append(sum(0 < f1 < 1 for f1 in f1s))
        exact.append(sum(f1 == 1 for f1 in f1s))
    if [by_squad, by_strict] == expected:
        return right(
            f"With SQuAD's scorer all {len(f1s)} are 0 or 1. The strict one gives a part to "
            f"{by_strict}: to answers with a particle or a clause too much, but also to 23.3km, "
            "the part of a tunnel under the sea, where its whole length is asked (53.85km)."
        )
    if [by_squad, by_strict] == expected[::-1]:
        return wrong("These are the right numbers in the wrong order: SQuAD's first.")
    if by_squad > expected[0]:
        return wrong(
            "For SQuAD's scorer a Japanese answer is one word. Count F1 above 0 and below 1 only."
        )
    if by_strict in (exact[1], expected[1] + exact[1]):
        return wrong("Leave out the predictions with F1 = 1: they are exact.")
    return wrong("Take the best F1 over all gold answers of a question, then count.")


def _japanese_f1s(scorer: str) -> list[float]:
    """F1 of each Japanese prediction, the best over its gold answers."""
    references, predictions = same_language()
    return [
        max(score(scorer, "ja", predictions[row.qid], gold)[0] for gold in row.answers)
        for row in references
        if row.lang == "ja"
    ]
