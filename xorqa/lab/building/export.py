"""Write a data set in the layouts of XOR QA, SQuAD or TREC, or as a folder of your own."""

import html
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.types import Example, Passage
from ...datasets.corpora.records import TSV_HEADER
from ...datasets.corpus import Corpus
from ...datasets.dataset import Dataset
from ...datasets.user_data import question_row
from ...io.files import csv_text, write_json, write_jsonl, write_text
from ...io.trec import write_qrels

Counts = dict[str, int]
"""The number of questions or passages by file name."""


def export_xor(dataset: Dataset, folder: Path) -> Counts:
    """XOR QA's JSONL, and passages as `psgs_w100.tsv`.

    `xor_full.jsonl` has the answers in the question's language, `xor_engspan.jsonl` those in
    English, each for the questions that have such answers; `passages.fi.tsv` are the passages.
    """
    counts = {}
    for name, lang_of in (
        ("xor_full.jsonl", lambda example: example.question.lang),
        ("xor_engspan.jsonl", lambda example: "en"),
    ):
        rows = [_xor_row(example, lang_of(example)) for example in dataset.examples]
        answered = [row for row in rows if row["answers"]]
        write_jsonl(folder / name, answered)
        counts[name] = len(answered)
    for lang, corpus in dataset.corpora.items():
        name = f"passages.{lang}.tsv"
        write_text(
            folder / name,
            csv_text([TSV_HEADER, *([p.docid, p.text, p.title] for p in corpus)], delimiter="\t"),
        )
        counts[name] = len(corpus)
    return counts


def export_squad(dataset: Dataset, folder: Path) -> Counts:
    """SQuAD-style files by the passages' language: `squad.fi.json`.

    They have the questions whose answers have a docid and a span in a passage of that language,
    with the answers in the first such passage.
    """
    counts = {}
    for lang, corpus in dataset.corpora.items():
        by_docid: dict[str, list[Any]] = {}
        for example in dataset.examples:
            if located := _first_passage(example, corpus):
                docid, answers = located
                question = example.question
                row = {"id": question.qid, "question": question.text, "lang": question.lang}
                by_docid.setdefault(docid, []).append({**row, "answers": answers})
        name = f"squad.{lang}.json"
        write_json(folder / name, {"version": "1.1", "data": _articles(by_docid, corpus)})
        counts[name] = sum(map(len, by_docid.values()))
    return counts


def export_trec(dataset: Dataset, folder: Path) -> Counts:
    """TREC's topics (`topics.tsv`: id, text), `qrels.txt`, and documents (`passages.fi.trec`).

    The qrels are the data set's own, else the docids of the gold answers, with grade 1.

    Raises:
        DataError: if passages of two languages have one docid.
    """
    seen: dict[str, str] = {}
    for lang, corpus in dataset.corpora.items():
        for passage in corpus:
            if seen.setdefault(passage.docid, lang) != lang:
                raise DataError(
                    f"docid '{passage.docid}' is in {seen[passage.docid]} and in {lang}; qrels "
                    "need different docids"
                )
    topics = [[e.question.qid, " ".join(e.question.text.split())] for e in dataset.examples]
    write_text(folder / "topics.tsv", "".join("\t".join(row) + "\n" for row in topics))
    write_qrels(folder / "qrels.txt", qrels := dataset.relevance())
    counts = {"topics.tsv": len(topics), "qrels.txt": len(qrels)}
    for lang, corpus in dataset.corpora.items():
        name = f"passages.{lang}.trec"
        write_text(folder / name, "".join(map(_document, corpus)))
        counts[name] = len(corpus)
    return counts


def export_folder(dataset: Dataset, folder: Path) -> Counts:
    """A folder that `--data` names, with everything in the data set except qrels.

    `questions.fi.jsonl` and `passages.fi.jsonl` by language, as `user_data` reads them.
    """
    by_lang: dict[str, list[Example]] = {}
    for example in dataset.examples:
        by_lang.setdefault(example.question.lang, []).append(example)
    counts = {}
    for lang, examples in by_lang.items():
        name = f"questions.{lang}.jsonl"
        write_jsonl(folder / name, map(question_row, examples))
        counts[name] = len(examples)
    for lang, corpus in dataset.corpora.items():
        name = f"passages.{lang}.jsonl"
        write_jsonl(folder / name, map(asdict, corpus))
        counts[name] = len(corpus)
    return counts


EXPORTS: Mapping[str, Callable[[Dataset, Path], Counts]] = {
    "folder": export_folder,
    "xor": export_xor,
    "squad": export_squad,
    "trec": export_trec,
}


def _xor_row(example: Example, lang: str) -> dict[str, Any]:
    question = example.question
    return {
        "id": question.qid,
        "question": question.text,
        "lang": question.lang,
        "answers": [*dict.fromkeys(example.answers(lang))],
        "split": "dev",
    }


def _first_passage(example: Example, corpus: Corpus) -> tuple[str, list[Any]] | None:
    """The first passage with an answer's span, and the answers in it; None without one."""
    spans = [
        (gold.docid, {"text": gold.text, "answer_start": gold.span.start})
        for gold in example.golds
        if gold.span is not None and gold.docid is not None and corpus.get(gold.docid)
    ]
    if not spans:
        return None
    docid = spans[0][0]
    return docid, [answer for other, answer in spans if other == docid]


def _articles(by_docid: Mapping[str, list[Any]], corpus: Corpus) -> list[Any]:
    """The questions of each passage as articles, by the passages' titles."""
    articles: dict[str, list[Any]] = {}
    for docid, qas in by_docid.items():
        paragraph = {"context": corpus[docid].text, "qas": qas}
        articles.setdefault(corpus[docid].title, []).append(paragraph)
    return [{"title": title, "paragraphs": rows} for title, rows in articles.items()]


def _document(passage: Passage) -> str:
    title, text = html.escape(passage.title, quote=False), html.escape(passage.text, quote=False)
    return (
        f"<DOC>\n<DOCNO>{passage.docid}</DOCNO>\n<TITLE>{title}</TITLE>\n<TEXT>\n{text}\n"
        "</TEXT>\n</DOC>\n"
    )
