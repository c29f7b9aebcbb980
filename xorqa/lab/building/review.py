"""Others judge a share of translated annotations, and lengths of answers are compared.

Both as in Lewis et al. 2020 (MLQA), section 2.3, which reviewed 2 %; native speakers also judged
the translated questions of Asai et al. 2021 (XOR QA), appendix B.2.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from statistics import fmean

from ..common.word_count import word_count
from .qa import Authored, Translated
from .tasks import Annotation, Task, of_round

SHARE = 0.02


def review_tasks(
    tasks: Mapping[str, Task],
    annotations: Sequence[Annotation],
    kept: Collection[str],
    langs: Sequence[str],
    *,
    share: float = SHARE,
) -> list[Task]:
    """A task for a share of each language's answered translations, at least one: is it right?

    Those of the questions `kept`, by id; the first translation of a question counts. The same
    translations are drawn every time.
    """
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
    shown = {
        "source_question": task.shown["source_question"],
        "source_answer": task.shown.get("source_answer", ""),
        "translated_question": row.question,
        "translated_answer": row.answer,
        "context": task.shown.get("context", ""),
    }
    return Task(
        f"{task.id}.review",
        "review",
        task.about,
        task.lang,
        {name: text for name, text in shown.items() if text},
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
