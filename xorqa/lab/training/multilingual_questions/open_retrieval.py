"""`questions-open`: the validation questions, searched in all paragraphs of SQuAD v1.1."""

from collections.abc import Iterator
from pathlib import Path

from ....core.types import Example, Gold, Question
from ....datasets.catalog import DatasetEntry
from ....datasets.dataset import Dataset
from ....datasets.squad import docids_by_text, squad_corpus
from .questions import (
    LANGS,
    PARALLEL,
    VALIDATION,
    english_questions,
    located_questions,
    translations,
)


def load_questions_open(folder: Path) -> Dataset:
    """Load the validation questions of all languages; those of a question follow each other.

    The passages are those of `xquad-open`, so an index of one serves both.

    Raises:
        DataError: if SQuAD's files are missing, or lack a paragraph or an answer.
    """
    corpus = squad_corpus(folder / "squad")
    docids = docids_by_text(corpus)
    by_lang = {lang: translations(lang) for lang in LANGS}
    written = [question for question in english_questions() if question.split == VALIDATION]

    def examples() -> Iterator[Example]:
        for row in located_questions(written, PARALLEL, folder):
            gold = Gold(row.answers[0], "en", docids[row.context], row.span)
            texts = {"en": row.question} | {
                lang: texts[row.qid] for lang, texts in by_lang.items() if row.qid in texts
            }
            for lang, text in texts.items():
                question = Question(f"{row.qid}.{lang}", text, lang)
                yield Example(question, (gold,), row.question)

    return Dataset("questions-open", tuple(examples()), {"en": corpus})


QUESTIONS_OPEN = DatasetEntry(
    about="240 questions in 17 languages, to choose models by, over SQuAD's 20,963 paragraphs",
    license="CC0; paragraphs CC BY-SA 4.0",
    use="choosing models and settings, so that XQuAD is used only to report results",
    citation="Rajpurkar et al. 2016 (the paragraphs)",
    questions=dict.fromkeys(("en", *LANGS), 240),
    passages={"en": 20_963},
    load=load_questions_open,
    sources=("squad",),
)
