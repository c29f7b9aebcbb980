"""The measurements of `xorqa bench first-day`: own documents from an empty home.

`xorqa ask -i` is started on a file of passages, interrupted while it encodes them, and started
again with all questions as its input.
"""

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from ...core.errors import XorqaError
from ...core.progress import TaskProgress
from ...core.types import Answer, Example, Gold, Question
from ...io.files import write_jsonl
from ...io.strict_json import parse_json
from ...tables.grid import Grid
from ..training.chooser.rows import best_f1
from ..training.confidence.rows import RIGHT
from .first_day_questions import LabelledQuestion, first_day
from .watched_command import WatchedCommand

BAR = re.compile(r"(\d+)/(\d+)")  # of a progress bar
INTERRUPT_AT = 1 / 3  # of the passages
POLL_SECONDS = 0.05


def measure(
    folder: Path, *, passages: int, questions: int, progress: TaskProgress
) -> dict[str, Any]:
    """The seconds that a first day takes, and how many of its answers are right.

    Raises:
        DataError: if a data set in `folder` is missing.
        XorqaError: if a command fails.
    """
    pool, sample = first_day(folder, passages=passages, questions=questions)
    with TemporaryDirectory() as temporary:
        home = Path(temporary)
        write_jsonl(home / "passages.jsonl", map(asdict, pool))
        typed = "".join(f"{question.text}\n" for question in sample)
        arguments = ["ask", "--corpus", "passages.jsonl", "-i", "--json"]
        first = WatchedCommand(arguments, home, typed=typed)
        done_before = _interrupt_point(first, len(pool), progress)
        stop = first.interrupt() if first.is_running else None
        encoding = first.seconds - (stop or 0.0)
        second = WatchedCommand(arguments, home, typed=typed)
        _follow(second, len(pool), len(sample), progress)
        if second.wait():
            raise XorqaError(f"xorqa ask failed: {second.terminal.strip()[-500:]}")
    resumed = next(_bars(second, len(pool)), None)
    times = [seconds for seconds, _ in second.out]
    return {
        "passages": len(pool),
        "questions": questions,
        "first_output_s": first.first_output,
        "first_progress_s": next((s for s, text in list(first.err) if BAR.search(text)), None),
        "first_answer_s": first.out[0][0] if first.out else encoding + times[0],
        "between_answers_s": median(b - a for a, b in pairwise(times)),
        "interrupt_s": stop,
        "encoded_before_interrupt": done_before,
        "encoded_again": max(0, done_before - resumed) if resumed is not None else 0,
        **judge(sample, [parse_json(line) for _, line in second.out]),
    }


def _interrupt_point(command: WatchedCommand, total: int, progress: TaskProgress) -> int:
    """Wait until a third of the passages is encoded; returns how many are."""
    done = 0
    while command.is_running and done < INTERRUPT_AT * total:
        time.sleep(POLL_SECONDS)
        done = max(_bars(command, total), default=0)
        progress("first run", done, total)
    return done


def _follow(command: WatchedCommand, total: int, answers: int, progress: TaskProgress) -> None:
    while command.is_running:
        time.sleep(POLL_SECONDS)
        if command.out:
            progress("answers", len(command.out), answers)
        else:
            progress("second run", max(_bars(command, total), default=0), total)


def _bars(command: WatchedCommand, total: int) -> Iterator[int]:
    """The numbers of passages, of `total`, that a command's bar has shown, in order."""
    for done, bar_total in BAR.findall(command.terminal):
        if int(bar_total) == total:
            yield int(done)


def judge(
    questions: Sequence[LabelledQuestion], results: Sequence[dict[str, Any]]
) -> dict[str, int]:
    """How many answerable questions are answered rightly, and unanswerable ones refused.

    The results are those of `xorqa ask --json`; the answer that was not found is null.
    """
    pairs = [
        (question, result["answer"]) for question, result in zip(questions, results, strict=True)
    ]
    return {
        "right": sum(
            _is_right(question, answer) for question, answer in pairs if question.answerable
        ),
        "not_found": sum(answer is None for question, answer in pairs if question.answerable),
        "refused": sum(answer is None for question, answer in pairs if not question.answerable),
    }


def _is_right(question: LabelledQuestion, answer: dict[str, Any] | None) -> bool:
    if answer is None:
        return False
    texts = {answer["text"], answer["original"]} - {None, ""}
    return is_right(texts, question.answers, question.lang)


def is_right(texts: Iterable[str], answers: Iterable[str], lang: str) -> bool:
    """Whether a text's F1 with an answer is at least that of right ones in confidence training."""
    golds = tuple(Gold(answer, lang) for answer in answers)
    example = Example(Question("q", "", lang), golds)
    return any(best_f1(example, Answer(text, lang, 0.0, "span")) >= RIGHT for text in texts)


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table with a row per measurement."""
    number = figures["questions"]
    rows = (
        ("first output", _seconds(figures["first_output_s"])),
        ("first progress bar", _seconds(figures["first_progress_s"])),
        ("first answer", _seconds(figures["first_answer_s"])),
        ("between answers (median)", _seconds(figures["between_answers_s"])),
        ("end after Ctrl-C", _seconds(figures["interrupt_s"])),
        ("passages encoded again", str(figures["encoded_again"])),
        ("right answers", f"{figures['right']} of {number}"),
        ("unanswerable questions refused", f"{figures['refused']} of {number}"),
    )
    title = f"first day, {figures['passages']:,} passages in en, ja and ko, {figures['cpu']}"
    return Grid(title, ("measurement", "value"), (rows,))


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"
