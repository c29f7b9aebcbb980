"""Others judge a share of translated annotations, and lengths of answers are compared.

Both as in Lewis et al. 2020 (MLQA), section 2.3, which reviewed 2 %.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from statistics import fmean

from ...core.text.words import word_count
from .qa import Authored, Translated
from .tasks import Annotation, Task, of_round

SHARE = 0.02


def review_tasks(
    tasks: Mapping[str, Task],
    annotations: Sequence[Annotation],
    questions: Iterable[Authored],
    langs: Sequence[str],
    *,
    share: float = SHARE,
) -> list[Task]:
    """A task for a share of each language's answered translations, at least one: is it right?

    The first translation of a question counts. The same translations are drawn every time.
    """
    kept = {question.id for question in questions if question.reason is None}
    by_lang: defaultdict[str, dict[str, Task]] = defaultdict(dict)
    for name, rows in of_round("translation", tasks, annotations).items():
        for task, row in rows:
            if name in kept and task.lang in langs and not row.impossible:
                by_lang[task.lang].setdefault(task.id, _review(task, row))
    chosen: list[Task] = []
    for lang, found in sorted(by_lang.items()):
        pool = [found[name] for name in sorted(found)]
        number = min(len(pool), max(1, round(share * len(pool))))
        chosen += Random(f"review:{lang}").sample(pool, number)
    return chosen


def _review(task: Task, row: Annotation) -> Task:
    return Task(
        f"{task.id}.review",
        "review",
        task.about,
        task.lang,
        {
            "source_question": task.shown["source_question"],
            "source_answer": task.shown["source_answer"],
            "translated_question": row.question,
            "translated_answer": row.answer,
            "context": task.shown["context"],
        },
        ("verdict",),
        not_by=(row.annotator,),
    )


def verdicts(
    tasks: Mapping[str, Task], annotations: Sequence[Annotation]
) -> dict[str, dict[str, int]]:
    """The numbers of yes and no by language; a rejected translation stays in the data."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for rows in of_round("review", tasks, annotations).values():
        for task, row in rows:
            counts[task.lang][row.verdict] += 1
    return {lang: {word: counts[lang][word] for word in ("yes", "no")} for lang in sorted(counts)}


def answer_lengths(
    questions: Iterable[Authored], translations: Iterable[Translated], pivot: str
) -> dict[str, dict[str, float]]:
    """The mean words of answers by language, beside those of the same questions in the pivot."""
    sources = {question.id: word_count(question.answer[0], pivot) for question in questions}
    lengths: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in translations:
        lengths[row.lang].append((word_count(row.answer[0], row.lang), sources[row.id]))
    return {
        lang: {lang: fmean(own for own, _ in pairs), pivot: fmean(source for _, source in pairs)}
        for lang, pairs in sorted(lengths.items())
    }
