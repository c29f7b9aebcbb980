"""Checks of lesson 6a: a rule, a checklist, a mended test, perturbations."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.checklist.folder import SHIPPED
from xorqa.lab.checklist.generate import generate
from xorqa.lab.checklist.lint import lint
from xorqa.lab.checklist.scoring import matches
from xorqa.lab.checklist.suite import Case, Example

from .checklist_cases import bundled, changed, checklist, judged, rate, rates
from .checklist_rules import Rule, by_less, mirrored
from .grading import Verdict, graded, right, wrong

TEST = "comparisons"
ONCE = 'contexts = ["{a} is {adj.more} than {b}."]'
"""The contexts of `comparisons` in the English checklist."""
SUBJECT = re.compile(r".*?\{([ab])\} is (less |not as |not so )?\{adj")
SAME = re.compile(
    r"\{a\} is (?:\{adj\.more\}|more \{adj\}),? (?:than|compared (?:to|with)) \{b\}"
    r"|\{b\} is (?:less \{adj\} than|not (?:as|so) \{adj\} as) \{a\}"
    r"|(?:Compared|In comparison) (?:to|with) \{b\}, \{a\} is \{adj\.more\}"
    r"|\{a\}, (?:when )?compared (?:to|with) \{b\}, is \{adj\.more\}"
    r"|It is \{a\} (?:who|that) is \{adj\.more\} than \{b\}"
    r"|\{b\} is \{adj\},? but \{a\} is (?:even )?\{adj\.more\}"
)
"""Sentences that say that {a} is the one with more of the adjective."""
FINNISH = re.compile(r"\b(?:kenellä|kummalla|keneltä|puuttuu)\b", re.IGNORECASE)
"""Words of the lesson's own questions."""
CHANGES = ("typos", "aside", "names", "asked", "swapped", "opposite")

HARMLESS = {
    "names": "The names are others, but their places are the same, and the rule goes by places.",
    "asked": "Does the word that the rule looks for occur in the other question?",
    "swapped": "The names change places, so the right answer is at the same place as before.",
    "opposite": "The rule notices this: the word that it looks for comes or goes.",
}
"""Why a change does not expose the rule of exercise 1."""


@graded
def check_1(rule: Rule) -> Verdict:
    """A rule that passes every English case of `comparisons`, drawn with another seed."""
    cases = list(generate(bundled("en"), tests=[TEST], count=20, seed=7))
    verdicts: dict[str, list[bool]] = {"less": [], "more": []}
    for case in cases:
        for example in case.examples:
            word = "less" if "less" in example.question else "more"
            verdicts[word].append(_is_right(rule, example, case))
    if all(verdicts["less"]) and all(verdicts["more"]):
        return right(
            f"{len(cases)} of {len(cases)} cases pass, drawn with a seed of their own, and no "
            "adjective was understood. The test asks both questions, but has one order of the "
            "names only."
        )
    missed = [
        example for case in cases for example in case.examples if not _is_right(rule, example, case)
    ]
    if all(" is more " in example.context for example in missed):
        return wrong(
            f"'{missed[0].context}' has a word more than 'Victor is braver than Rose.' Count from "
            "the end of the context."
        )
    for word, opposite in (("less", "more"), ("more", "less")):
        if all(verdicts[word]):
            return wrong(
                f"Right where '{word}' is asked, not where '{opposite}' is. Which word of the "
                "question distinguishes the two?"
            )
    example = missed[0]
    return wrong(
        f"'{example.context} {example.question}': your rule returns "
        f"{rule(example.question, example.context)!r}. Where do the two names stand in the context?"
    )


@graded
def check_2(text: str) -> Verdict:
    """A sound checklist in which neither position nor a single question gives answers away."""
    try:
        ours = checklist(text)
    except (ConfigError, DataError) as error:
        return wrong(f"The text cannot be read: {_located(error)}.")
    if ours.lang == "fi":
        return wrong("Choose another language than Finnish.")
    if FINNISH.search(text):
        return wrong(f"The sentences are still Finnish; write them in '{ours.lang}'.")
    if problems := lint(ours, count=10):
        return wrong(f"The linter reports: {_located(problems[0])}.")
    cases = list(generate(ours, count=10))
    if hint := _given_away(cases):
        return wrong(hint)
    failed = rate(judged(cases))
    again = " Read your answers again: are they the right way round?" if failed == 100 else ""
    return right(
        f"The linter has nothing to report, and neither position nor overlap gives answers away. "
        f"The reader fails {failed:.0f} % of {len(cases)} cases in '{ours.lang}'.{again} The check "
        f"does not read the language: let somebody who does look at the sentences and answers."
    )


@graded
def check_3(contexts: Sequence[str]) -> Verdict:
    """Contexts of `comparisons` that are true and expose the rule of exercise 1."""
    if isinstance(contexts, str) or not all(isinstance(context, str) for context in list(contexts)):
        return wrong("A list of contexts is asked for, each a string with {a}, {b} and {adj}.")
    if untrue := [context for context in contexts if not _is_true(context)]:
        return wrong(
            f"'{untrue[0]}' says the opposite, and the right answers stay as they are: {{a}} must "
            "be the one that is {adj.more}. How do you say so with {b} first?"
        )
    try:
        cases = _comparisons(contexts)
    except DataError as error:
        return wrong(f"The checklist is not sound: {_located(error)}.")
    if unknown := [one for one in contexts if not SAME.fullmatch(one.strip().rstrip("."))]:
        return wrong(
            f"The check cannot tell whether '{unknown[0]}' means the same as '{{a}} is "
            "{adj.more} than {b}.' Use one plain sentence with {b} first, about both."
        )
    failed, failed_mirrored = (rate(judged(cases, rule)) for rule in (by_less, mirrored))
    if not (failed and failed_mirrored):
        return wrong(
            "Now the rule passes with the ends exchanged: the first name for 'less'."
            if failed
            else "The rule of exercise 1 still passes. Who comes first in your contexts?"
        )
    return right(
        f"The rule fails {failed:.0f} % of the cases, and so does the same rule with the ends of "
        f"the context exchanged ({failed_mirrored:.0f} %). Both contexts mean the same; only the "
        "order differs."
    )


@graded
def check_4(changes: Collection[str]) -> Verdict:
    """The changes that expose the rule of exercise 1."""
    answer = {changes} if isinstance(changes, str) else set(changes)
    if unknown := answer.difference(CHANGES):
        return wrong(f"Use {', '.join(CHANGES)}, not {min(map(str, unknown))!r}.")
    if not answer:
        return wrong("At least one change exposes the rule. Which one moves the names?")
    failed = {
        change: percent
        for kind in ("INV", "DIR")
        for change, percent in rates(judged(changed(kind, "en"), by_less)).items()
    }
    exposing = {change for change, percent in failed.items() if percent}
    if extra := sorted(answer - exposing):
        return wrong(f"Not '{extra[0]}'. {HARMLESS[extra[0]]}")
    if "aside" not in answer:
        return wrong("The rule takes the first or the last word. Which change moves those?")
    if answer != exposing:
        return wrong("The rule reads one word of the question. Which change may damage that word?")
    figures = ", ".join(f"{change} {failed[change]:.0f} %" for change in sorted(exposing))
    return right(
        f"Cases that fail: {figures}. 'opposite' exposed the rule of the first word, and this one "
        "passes it: a single change proves little, and neither does a single type of test."
    )


def _is_right(rule: Rule, example: Example, case: Case) -> bool:
    return matches(str(rule(example.question, example.context)), example.answers, case.articles)


def _is_true(context: str) -> bool:
    """Whether {a} is the one with more of the adjective, as far as SUBJECT can tell."""
    subject = SUBJECT.match(context)
    return subject is None or (subject[1] == "b") is bool(subject[2])


def _comparisons(contexts: Sequence[str]) -> list[Case]:
    """Ten English cases of `comparisons` with other contexts.

    Raises:
        DataError: if the checklist is malformed or not sound.
    """
    text = (SHIPPED / "en.toml").read_text(encoding="utf-8")
    mended = checklist(text.replace(ONCE, f"contexts = {json.dumps(list(contexts))}"))
    if problems := [problem for problem in lint(mended, count=10) if f"'{TEST}'" in problem]:
        raise DataError(problems[0])
    return list(generate(mended, tests=[TEST], count=10))


def _in_both_orders(case: Case) -> bool:
    """Whether each question's answer comes first in one context and later in another."""
    leads: dict[str, set[bool]] = {}
    for example in case.examples:
        rivals = {answer for other in case.examples for answer in other.answers} - {
            *example.answers
        }
        ours, others = (
            min(
                (example.context.find(name) for name in names if name in example.context),
                default=-1,
            )
            for names in (example.answers, rivals)
        )
        leads.setdefault(example.question, set()).add(ours < others)
    return all(len(orders) == 2 for orders in leads.values())


def _given_away(cases: Sequence[Case]) -> str:
    """How a rule could find the answers of a checklist without reading, or nothing."""
    for case in cases:
        if len({example.answers for example in case.examples}) < 2:
            return "Ask who has the thing and also who does not."
        if not _in_both_orders(case):
            return (
                f"'{case.examples[0].question}': the right name is always at the same place of "
                "the context, so a rule could find it. Add a context with the other order."
            )
    if hint := _off_the_point(cases):
        return hint
    passed = sum(_by_overlap(case) for case in cases)
    if 2 * passed > len(cases):
        return (
            f"'{cases[0].examples[-1].question}': the sentence that shares most words with the "
            f"question holds the answer, so overlap passes {passed} of {len(cases)} cases. Ask one "
            "of the questions in words that the answering sentence does not have."
        )
    return ""


def _off_the_point(cases: Sequence[Case]) -> str:
    """Which question is no question about the thing, or has the other one's answer; or nothing."""
    asked = [{example.question for example in case.examples} for case in cases]
    if always := set.intersection(*asked):
        return f"'{min(always)}' is asked in every case. Name the thing in each question."
    for case in cases:
        for example in case.examples:
            names = {answer for other in case.examples for answer in other.answers}
            if any(name in example.question for name in names):
                return f"'{example.question}' has a name in it. Ask for the name."
    found = [found for case in cases for found in _found_by_overlap(case)]
    if False in found and True not in found:
        return (
            f"'{cases[0].examples[0].question}': the answer is not in the sentence that shares "
            "most words with this question. Are the answers exchanged? If not, ask first who has "
            "the thing, in the words of that sentence."
        )
    return ""


def _by_overlap(case: Case) -> bool:
    """Whether the sentence that shares most words with a question holds its answer, each time."""
    for example in case.examples:
        sentences, shared = _shared(example)
        best = sentences[shared.index(max(shared))]
        if not any(answer in best for answer in example.answers):
            return False
    return True


def _found_by_overlap(case: Case) -> list[bool]:
    """As `_by_overlap` for each first question, where a single sentence shares most words."""
    found = []
    first = case.examples[0].question
    for example in (example for example in case.examples if example.question == first):
        sentences, shared = _shared(example)
        if shared.count(max(shared)) == 1:
            best = sentences[shared.index(max(shared))]
            found.append(any(answer in best for answer in example.answers))
    return found


def _shared(example: Example) -> tuple[list[str], list[int]]:
    """The sentences of a context, and how many words of the question each of them has."""
    asked = {*re.findall(r"\w+", example.question.casefold())}
    sentences = re.split(r"[.!?。؟।]\s*", example.context)
    return sentences, [len(asked & {*re.findall(r"\w+", one.casefold())}) for one in sentences]


def _located(problem: object) -> str:
    """A problem without the folder of the file."""
    return re.sub(r"\S*/(?=checklist\.toml)", "", str(problem))
