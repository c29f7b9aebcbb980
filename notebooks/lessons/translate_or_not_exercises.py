"""The checks of lesson 4's exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xorqa.lab.common.translation_measures import entity_recall
from xorqa.lab.ledger.losses import STAGES, split_losses
from xorqa.translation.lexicon import split_phrases

from . import translator_runs as runs
from .bundled import crossing, folder
from .grading import Verdict, graded, right, wrong
from .translate_or_not_measures import higher

MOST = 3  # names in the dictionary
ARRIVED = (
    "Count the names and numbers that arrived, in any order, and divide by how many there were."
)
PAIRS = (  # translation, reference, hint
    (
        "millau viaduct what river",
        "Which river flows under the Millau Viaduct?",
        ARRIVED,
    ),
    (
        "Which river flows under the Miyo Viaduct?",
        "Which river flows under the Millau Viaduct?",
        ARRIVED,
    ),
    ("is DENALI high?", "How high is Denali?", "`lesson.words` has no capitals."),
    ("Where is the Danish lake?", "Where is the lake of Dan?", "Compare whole words."),
    (
        "Who met Verdi in Cairo in Egypt?",
        "Who met Verdi in Cairo?",
        "Names that the reference does not have do no harm to recall.",
    ),
    (
        "new ross new",
        "Which town is older, New Ross or New Haven?",
        "Count a name as often as the reference has it.",
    ),
    ("who is first", "Who was the first?", "Without names there is nothing to lose: 1."),
    (
        "new ross",
        "Which town is older, New Ross or New Haven?",
        "A word of the translation is a hit once, not for each name that is spelled alike.",
    ),
)


@graded
def check_1(recall: Callable[[str, str], float]) -> Verdict:
    """Entity recall by hand, on pairs that the lesson does not show."""
    for text, reference, hint in PAIRS:
        expected, returned = entity_recall([text], [reference]), recall(text, reference)
        if abs(returned - expected) > 1e-9:
            return wrong(
                f"{text!r} for {reference!r} has a recall of {expected:.2g}, and yours is "
                f"{returned:.2g}. {hint}"
            )
    return right(
        "It agrees with the library. The measure ignores word order and all common words: it looks "
        "only at what BM25 weighs most."
    )


@graded
def check_2(names: Mapping[str, str]) -> Verdict:
    """A dictionary of three names that puts three more Russian gold passages first."""
    if not 0 < len(names) <= MOST:
        return wrong(f"Your dictionary has {len(names)} entries; give it 1 to {MOST}.")
    questions = [example.question.text for example in crossing() if example.question.lang == "ru"]
    for name, english in names.items():
        if name.count(" ") > 1 or english.count(" ") > 1:
            return wrong(f"{name!r} or {english!r} is more than a name of one or two words.")
        if not any(_has(text, name) for text in questions):
            return wrong(
                f"{name!r} is in no Russian question. Copy the form that the question has: Russian "
                "names take endings, and the dictionary knows no grammar."
            )
    path = folder("names.tsv")
    rows = "".join(f"ru\t{name}\ten\t{english}\n" for name, english in names.items())
    path.write_text(rows, encoding="utf-8")
    (_, before), (_, after) = (
        runs.search({"use": "lexicon", "files": files}, "ru") for files in ([], [str(path)])
    )
    gained = after.count(1) - before.count(1)
    if gained < MOST:
        return wrong(
            f"Gold passages in the first place: {after.count(1)}; without your names "
            f"{before.count(1)}. Take names that are rare in the passages, in English spelling."
        )
    return right(
        f"Gold passages in the first place: {after.count(1)}, not {before.count(1)}. One rare name "
        "is enough for BM25. Such a dictionary helps only with names it has, in a form it has."
    )


@graded
def check_3(split: Callable[[Sequence[float]], Sequence[float]]) -> Verdict:
    """The four losses from the four steps of the ledger, by hand."""
    for steps in ([20.0, 60.0, 50.0, 80.0], [0.0, 0.0, 100.0, 100.0], [50.0, 40.0, 40.0, 75.0]):
        losses, expected = [float(loss) for loss in split(steps)], _library(steps)
        if len(losses) != len(expected):
            return wrong(f"Four stages have four losses; of {steps} you give {len(losses)}.")
        if _close(losses, expected):
            continue
        if _close(losses, [-loss for loss in expected]):
            return wrong("A loss is positive where the oracle adds to the F1.")
        if _close(losses, [max(0.0, loss) for loss in expected]):
            return wrong("Let a loss be negative: otherwise score and losses exceed 100.")
        return wrong(
            f"Of {steps} you give {losses}. A stage's loss is the F1 after its oracle minus the F1 "
            "before it; after the last oracle the F1 is 100."
        )
    return right(
        "The steps between are added once and subtracted once, so score and losses add up to 100, "
        "for one question and for any mean."
    )


@graded
def check_4(share: Callable[[Sequence[float], Sequence[bool]], float]) -> Verdict:
    """The share of pairs in which the query that found its passage has the higher value."""
    cases = (
        ([3, 1, 2], [True, False, False], "3 is above both others."),
        ([1, 4, 2, 3], [True, True, False, False], "4 is above 2 and 3, 1 above none: 2 of 4."),
        ([0, 5, 1, 2], [True, True, False, False], "Count pairs, do not compare means."),
        ([0, 0, 7], [True, False, True], "0 and 0 are equal: a half. 7 is above 0: one."),
        ([0, 0, 0], [True, False, False], "Equal values tell nothing, as a coin: a half."),
        ([1, 2], [True, False], "1 is below 2, and there is no other pair."),
    )
    for values, found, hint in cases:
        expected, given = higher(values, found), float(share(values, found))
        if abs(given - expected) < 1e-9:
            continue
        if abs(given - 100 * expected) < 1e-9:
            return wrong("A share from 0 to 1, not percent.")
        if abs(given - (1 - expected)) < 1e-9:
            return wrong(f"{given:.2g} is the share of the others: whose value is to be higher?")
        return wrong(
            f"Values {values} with {found} have a share of {expected:.2g}, and yours is "
            f"{given:.2g}. {hint}"
        )
    return right(
        "This is the area under the ROC curve: 0.5 for a measure that knows nothing, 1 for one "
        "that knows all, whatever the unit of the measure and however many passages were found."
    )


def _has(text: str, name: str) -> bool:
    """Whether the dictionary's entry for a name applies to a Russian text."""
    return any(known for _, known in split_phrases(text, {name.casefold(): ""}, "ru"))


def _library(steps: Sequence[float]) -> list[float]:
    """The library's losses of one question, in percent."""
    report = split_losses(crossing()[:1], [[step / 100] for step in steps])
    return [report.macro[stage] for stage in STAGES]


def _close(first: Sequence[float], second: Sequence[float]) -> bool:
    return all(abs(a - b) < 1e-6 for a, b in zip(first, second, strict=True))
