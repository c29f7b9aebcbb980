"""The checks of lesson 4's exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xorqa.lab.common.translation_measures import entity_recall
from xorqa.lab.ledger.losses import STAGES, split_losses
from xorqa.translation.lexicon import split_phrases

from . import translator_runs as runs
from .bundled import crossing, folder
from .grading import Verdict, graded, right, wrong

MOST = 3  # names in the dictionary
CHANGES = ("higher", "lower", "same")
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
    ("who is first", "Who was the first?", "Without names there is nothing to lose: 1."),
)
AS_ASKED = {"text": "question"}  # the reader reads the question as asked


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
def check_4(changes: Mapping[str, str]) -> Verdict:
    """What happens to F1 when the reader reads the question as asked."""
    translators = ("human", "lexicon", "none")
    if unknown := {changes[name] for name in translators} - set(CHANGES):
        return wrong(f"Use {', '.join(map(repr, CHANGES))}, not {unknown.pop()!r}.")
    if changes["none"] != "same":
        return wrong("Without a translation, what is the query?")
    f1 = {}
    for name in translators[:2]:
        query, question = (runs.answer_f1({"use": name}, **text) for text in ({}, AS_ASKED))
        f1[name] = f"from {query:.0f} to {question:.0f}"
        if changes[name] != _change(query, question):
            return wrong(
                f"Not with '{name}'. The passages do not change. Which text is the better question "
                "to the reader, the query or the question as asked?"
            )
    return right(
        f"With `lexicon` F1 goes {f1['lexicon']}: its queries find passages, but are no questions. "
        f"With the human translation it goes {f1['human']}: the reader, too, is better in English. "
        "Without a translation both texts are the same."
    )


def _has(text: str, name: str) -> bool:
    """Whether the dictionary's entry for a name applies to a Russian text."""
    return any(known for _, known in split_phrases(text, {name.casefold(): ""}, "ru"))


def _change(before: float, after: float) -> str:
    return "same" if abs(after - before) < 1e-6 else "higher" if after > before else "lower"


def _library(steps: Sequence[float]) -> list[float]:
    """The library's losses of one question, in percent."""
    report = split_losses(crossing()[:1], [[step / 100] for step in steps])
    return [report.macro[stage] for stage in STAGES]


def _close(first: Sequence[float], second: Sequence[float]) -> bool:
    return all(abs(a - b) < 1e-6 for a, b in zip(first, second, strict=True))
