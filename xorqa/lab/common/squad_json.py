"""SQuAD-style JSON of questions."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from ...io.squad_xor import SquadQuestion


def squad_articles(questions: Iterable[SquadQuestion]) -> list[dict[str, Any]]:
    """The articles of SQuAD-style JSON, each question with its first answer.

    Consecutive questions with the same title share an article, those with the same context a
    paragraph.
    """
    return [
        {
            "title": title,
            "paragraphs": [
                {"context": context, "qas": [_qa(question) for question in group]}
                for context, group in groupby(article, lambda question: question.context)
            ],
        }
        for title, article in groupby(questions, lambda question: question.title)
    ]


def _qa(question: SquadQuestion) -> dict[str, Any]:
    row: dict[str, Any] = {"id": question.qid, "question": question.question}
    if question.lang:
        row["lang"] = question.lang
    span = question.span
    answers = [{"text": question.answers[0], "answer_start": span.start}] if span else []
    return row | {"answers": answers}
