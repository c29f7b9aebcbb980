"""Check a data set of your own: files, ids, gold passages, spans, duplicates and languages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import XorqaError
from ...core.text.detection import UNSURE, detect
from ...core.types import Example, Gold, Passage
from ...datasets.user_data import passage_files, question_files, read_corpora, read_questions

Kind = Literal[
    "unreadable file",
    "repeated id",
    "unknown docid",
    "wrong span",
    "no answer",
    "answer not in passage",
    "repeated question",
    "repeated passage",
    "no passages",
    "other language",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
ERRORS: frozenset[Kind] = frozenset(KINDS[:4])
"""The kinds that must be corrected; the others may be intended."""


@dataclass(frozen=True, slots=True)
class FolderProblem:
    """A problem of a data set, and where it is: a file, a question's id or a docid."""

    kind: Kind
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The numbers of questions and passages by language, and the problems."""

    questions: Mapping[str, int]
    passages: Mapping[str, int]
    problems: tuple[FolderProblem, ...]

    @property
    def is_valid(self) -> bool:
        """Whether there is no error."""
        return not any(problem.kind in ERRORS for problem in self.problems)


def check_folder(folder: Path) -> Checked:
    """Check the files of a folder (see `user_data`); a file that cannot be read is a problem."""
    examples, question_problems = _read_examples(folder)
    passages, passage_problems = _read_passages(folder)
    problems = [
        *question_problems,
        *passage_problems,
        *_of_examples(examples, passages),
        *_of_passages(passages),
    ]
    problems.sort(key=lambda problem: KINDS.index(problem.kind))
    questions = Counter(example.question.lang for example in examples)
    counts = {lang: len(of_lang) for lang, of_lang in sorted(passages.items())}
    return Checked(dict(sorted(questions.items())), counts, tuple(problems))


def _read_examples(folder: Path) -> tuple[list[Example], list[FolderProblem]]:
    examples: dict[str, Example] = {}
    problems: list[FolderProblem] = []
    for path, lang in question_files(folder).items():
        try:
            read = read_questions(path, lang=lang)
        except XorqaError as error:
            problems.append(FolderProblem("unreadable file", path.name, str(error)))
            continue
        for example in read:
            qid = example.question.qid
            if qid in examples:
                problems.append(FolderProblem("repeated id", qid, f"occurs again in {path.name}"))
            examples.setdefault(qid, example)
    return [*examples.values()], problems


def _read_passages(folder: Path) -> tuple[dict[str, dict[str, Passage]], list[FolderProblem]]:
    """The passages by language and docid."""
    passages: dict[str, dict[str, Passage]] = {}
    problems: list[FolderProblem] = []
    for path, lang in passage_files(folder).items():
        try:
            corpora = read_corpora([f"{lang}={path}" if lang else str(path)])
        except XorqaError as error:
            problems.append(FolderProblem("unreadable file", path.name, str(error)))
            continue
        for code, corpus in corpora.items():
            of_lang = passages.setdefault(code, {})
            for passage in corpus:
                if passage.docid in of_lang:
                    detail = f"occurs again in {path.name}"
                    problems.append(FolderProblem("repeated id", passage.docid, detail))
                of_lang.setdefault(passage.docid, passage)
    return passages, problems


def _of_examples(
    examples: Sequence[Example], passages: Mapping[str, Mapping[str, Passage]]
) -> Iterator[FolderProblem]:
    first: dict[tuple[str, str], str] = {}
    for example in examples:
        question = example.question
        if not example.golds:
            yield FolderProblem("no answer", question.qid, "has no gold answer")
        for gold in example.golds:
            yield from _of_gold(question.qid, gold, passages)
        key = question.lang, " ".join(question.text.casefold().split())
        if key in first:
            detail = f"is the same question as {first[key]}"
            yield FolderProblem("repeated question", question.qid, detail)
        first.setdefault(key, question.qid)
        yield from _of_language(question.qid, question.text, question.lang)
    for lang in sorted({example.question.lang for example in examples} - {*passages}):
        if passages:
            yield FolderProblem("no passages", lang, "has questions, but no passages")


def _of_gold(
    qid: str, gold: Gold, passages: Mapping[str, Mapping[str, Passage]]
) -> Iterator[FolderProblem]:
    """The problems of an answer's docid and span."""
    if gold.docid is None:
        return
    named = [of_lang[gold.docid] for of_lang in passages.values() if gold.docid in of_lang]
    if not named:
        if passages:
            detail = f"the answer '{gold.text:.40}' names docid '{gold.docid:.40}'"
            yield FolderProblem("unknown docid", qid, f"{detail}, which no passage has")
        return
    if gold.span is not None:
        texts = [passage.text[gold.span.start : gold.span.end] for passage in named]
        if gold.text not in texts:
            detail = f"'{gold.docid:.40}' has '{texts[0]:.40}' at {gold.span.start}"
            yield FolderProblem("wrong span", qid, f"{detail}, not '{gold.text:.40}'")
    elif not any(gold.text.casefold() in passage.text.casefold() for passage in named):
        detail = f"'{gold.docid:.40}' does not contain '{gold.text:.40}'"
        yield FolderProblem("answer not in passage", qid, detail)


def _of_passages(passages: Mapping[str, Mapping[str, Passage]]) -> Iterator[FolderProblem]:
    for lang, of_lang in passages.items():
        first: dict[str, str] = {}
        for docid, passage in of_lang.items():
            if passage.text in first:
                detail = f"has the same text as {first[passage.text]}"
                yield FolderProblem("repeated passage", docid, detail)
            first.setdefault(passage.text, docid)
            yield from _of_language(docid, passage.text, lang)


def _of_language(where: str, text: str, lang: str) -> Iterable[FolderProblem]:
    """A problem if a text is detected, with confidence, to be in another language."""
    detected = detect(text)
    norwegian = {"nb", "nn", "no"}
    same = detected.lang == lang or {detected.lang, lang} <= norwegian
    if detected.probability < UNSURE or same:
        return ()
    return (FolderProblem("other language", where, f"is {detected}, not in {lang}"),)
