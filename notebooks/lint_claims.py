"""Lint the claims of a lesson against its text, without running it.

    python notebooks/lint_claims.py        # all lessons
    python notebooks/lint_claims.py 03b

Words such as "a quarter", "nearly all" or "four times" allow only certain figures (the table in
CONTRIBUTING, `lessons/wording.py`). The linter asks for three things: each such phrase of the text
is quoted by a claim, or by `uncounted` with a reason; a claim with such a phrase quotes the text;
and it gets the figure, so that the bound follows from the words.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lessons import wording
from versions import read, select, tags

QUOTING = ("claim", "uncounted")
TRUTH = ("all", "any", "isclose", "bool")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is wrong with lessons; how many complaints there are."""
    names = sys.argv[1:] if arguments is None else arguments
    complaints = [
        f"{script.stem}: {complaint}" for script in select(names) for complaint in lint(script)
    ]
    print(*complaints, sep="\n")
    return len(complaints)


def lint(script: Path) -> list[str]:
    """What is wrong with the claims of a lesson."""
    lesson = read(script, "full")
    quotes = [plain(words) for words, _ in quotations(lesson)]
    complaints = [
        f"give the figure, not whether it is right: {words}"
        for words, given in quotations(lesson)
        if is_truth(given) and (wording.bounds(words) or wording.compared(words))
    ]
    text = plain(" ".join(texts(lesson)))
    complaints += [
        f"the text does not have these words: {words}"
        for words, _ in quotations(lesson)
        if wording.bounds(words) and plain(words) not in text
    ]
    for sentence in sentences(lesson):
        complaints += [
            f"no claim quotes '{phrase}' in: {sentence}" for phrase in unquoted(sentence, quotes)
        ]
    return complaints


def quotations(lesson: Any) -> Iterator[tuple[str, ast.expr | None]]:
    """The words of each claim and what it gets, in order; None for words that nobody counts."""
    for cell in lesson.cells:
        if cell.cell_type == "code":
            for node in ast.walk(ast.parse(cell.source)):
                match node:
                    case ast.Call(
                        func=ast.Name(id=name), args=[ast.Constant(value=str(words)), given]
                    ) if name in QUOTING:
                        yield words, given if name == "claim" else None


def is_truth(given: ast.expr | None) -> bool:
    """Whether an expression is plainly true or false, and no figure."""
    match given:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in TRUTH
    return False


def texts(lesson: Any) -> Iterator[str]:
    """All that a reader reads: prose, and the strings of code cells other than claims."""
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        elif "claim" not in tags(cell):
            yield from (
                node.value
                for node in ast.walk(ast.parse(cell.source))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            )


def sentences(lesson: Any) -> Iterator[str]:
    """The sentences of the prose that state something: no predictions, questions, exercises."""
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            prose = cell.source.partition("### Exercise")[0]
            for paragraph in re.split(r"\n\s*\n|\n(?=- )", prose):
                if not paragraph.startswith("**Predict first.**"):
                    stated = re.split(r"(?<=[.?!:;])\s+", plain(paragraph))
                    yield from (one for one in stated if not one.endswith("?"))


def unquoted(sentence: str, quotes: Sequence[str]) -> list[str]:
    """The phrases of a sentence that no quotation covers."""
    quoted = [quote for quote in quotes if quote in sentence]
    covered = {bound.phrase for quote in quoted for bound in wording.bounds(quote)}
    missing = [bound.phrase for bound in wording.bounds(sentence) if bound.phrase not in covered]
    way = wording.compared(sentence)
    if way in ("better", "worse") and not any(wording.compared(quote) for quote in quoted):
        missing.append(way)
    return missing


def plain(text: str) -> str:
    """A text in lower case, without marks of Markdown, with single blanks."""
    return re.sub(r"[*`]", "", " ".join(text.split())).lower()


if __name__ == "__main__":
    sys.exit(min(main(), 1))
