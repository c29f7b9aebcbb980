"""The files of a finished QA set: SQuAD-style, parallel by id, and a data set of your own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.text.sentences import split_sentences
from ...core.types import Example, Gold, Question, Span
from ...datasets.user_data import question_row
from ...io.files import write_json, write_jsonl
from ...io.squad_xor import title_hash
from .qa import Authored, Translated
from .units import Context, Unit


def write_qa(
    folder: Path,
    questions: Sequence[Authored],
    translations: Sequence[Translated],
    units: Mapping[str, Unit],
    pivot: str,
) -> None:
    """Write `en.json`, `fi.json`, ..., and `questions.fi.jsonl` and `passages.fi.jsonl`.

    The JSON files are SQuAD-style with the sentences of each paragraph, as in XQuAD-R; `xorqa mlqa`
    and `xorqa lareqa` read them. The JSONL files are a data set for `xorqa run`.
    """
    kept = _kept(questions)
    rows = [Translated(q.id, pivot, q.text, q.answer) for q in kept.values()]
    by_lang: dict[str, list[Translated]] = {}
    for row in [*rows, *translations]:
        by_lang.setdefault(row.lang, []).append(row)
    for lang, of_lang in by_lang.items():
        contexts = {row.id: units[kept[row.id].unit].contexts[lang] for row in of_lang}
        write_json(folder / f"{lang}.json", {"data": _articles(of_lang, contexts, kept, lang)})
        passages = {context.docid: context for context in contexts.values()}
        write_jsonl(folder / f"passages.{lang}.jsonl", map(_passage_row, passages.values()))
        examples = [_example(row, kept[row.id], units, pivot) for row in of_lang]
        write_jsonl(folder / f"questions.{lang}.jsonl", map(question_row, examples))


def write_without_answer(
    folder: Path,
    questions: Sequence[Authored],
    rows: Sequence[Translated],
    units: Mapping[str, Unit],
) -> None:
    """Write the questions that their passages do not answer, `fi.json`, ... in SQuAD 2.0's layout.

    A question that the annotator did not translate is in the pivot language, as it was asked.
    """
    kept = _kept(questions)
    by_lang: dict[str, list[Translated]] = {}
    for row in rows:
        by_lang.setdefault(row.lang, []).append(row)
    for lang, of_lang in by_lang.items():
        articles = []
        for row in of_lang:
            context = units[kept[row.id].unit].contexts[lang]
            text = row.text or kept[row.id].text
            qa = {"id": row.id, "question": text, "answers": [], "is_impossible": True}
            paragraph = {"context": context.text, "qas": [qa]}
            articles.append({"title": context.title, "paragraphs": [paragraph]})
        write_json(folder / f"{lang}.json", {"data": articles})


def split_by_article(
    questions: Sequence[Authored], units: Mapping[str, Unit], pivot: str, share: float
) -> dict[str, set[str]]:
    """The ids of dev and test, by a hash of the pivot article: no article is in both."""
    parts: dict[str, set[str]] = {"dev": set(), "test": set()}
    for question in questions:
        context = units[question.unit].contexts[pivot]
        article = context.title or context.docid
        parts["dev" if title_hash(article) < share else "test"].add(question.id)
    return parts


def _kept(questions: Sequence[Authored]) -> dict[str, Authored]:
    return {question.id: question for question in questions if question.reason is None}


def _articles(
    rows: Sequence[Translated],
    contexts: Mapping[str, Context],
    kept: Mapping[str, Authored],
    lang: str,
) -> list[dict[str, Any]]:
    """An article per passage, with its questions and sentences."""
    by_docid: dict[str, dict[str, Any]] = {}
    order = {name: position for position, name in enumerate(kept)}
    for row in sorted(rows, key=lambda row: order[row.id]):
        context = contexts[row.id]
        text, start = row.answer
        paragraph = by_docid.setdefault(context.docid, _paragraph(context, lang))
        answers = [{"text": text, "answer_start": start}]
        paragraph["qas"].append({"id": row.id, "question": row.text, "answers": answers})
    titles = {context.docid: context.title for context in contexts.values()}
    return [{"title": titles[docid], "paragraphs": [of]} for docid, of in by_docid.items()]


def _paragraph(context: Context, lang: str) -> dict[str, Any]:
    spans = split_sentences(context.text, lang)
    return {
        "context": context.text,
        "sentences": [context.text[span.start : span.end] for span in spans],
        "sentence_breaks": [[span.start, span.end] for span in spans],
        "qas": [],
    }


def _passage_row(context: Context) -> dict[str, str]:
    return {"docid": context.docid, "title": context.title, "text": context.text}


def _example(row: Translated, question: Authored, units: Mapping[str, Unit], pivot: str) -> Example:
    """The question with its answers in its language and in English, if that is the pivot."""
    contexts = units[question.unit].contexts
    golds = [_gold(row.answer, row.lang, contexts[row.lang])]
    if pivot == "en" and row.lang != "en":
        golds.append(_gold(question.answer, "en", contexts["en"]))
    in_language = Question(f"{row.id}.{row.lang}", row.text, row.lang)
    return Example(in_language, tuple(golds), question.text if pivot == "en" else None)


def _gold(answer: tuple[str, int], lang: str, context: Context) -> Gold:
    text, start = answer
    return Gold(text, lang, context.docid, Span(start, start + len(text)))
