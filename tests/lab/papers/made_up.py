"""The files that the configs of XOR QA's systems name, made up, where they name them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.zoo import readers as zoo
from xorqa.datasets.dataset import Dataset
from xorqa.io.files import write_json, write_jsonl
from xorqa.translation.recorded import translation_row


def recorded(path: Path, provider: str, rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Translations of a provider, as the translator `recorded` reads them."""
    made = {"provider": provider, "version": "1", "date": "2021-01-01", "black_box": provider}
    write_jsonl(path, [{**made, **translation_row(*row)} for row in rows])


def write_files_of_systems(folder: Path, dataset: Dataset) -> None:
    """Readers, translations of questions and answers, and what a web search found."""
    for name in ("xor-reader-dpr", "xor-reader-mdpr"):
        zoo.build_dpr(folder / "training" / name / "model", cased=False)
    zoo.build(folder / "training" / "xor-reader-xlm-r" / "model", "xlm-roberta")
    questions = [example.question for example in dataset.examples]
    english = [example.human_translation or "" for example in dataset.examples]
    for name in ("gmt", "own-mt"):
        rows = [(q.lang, q.text, "en", t) for q, t in zip(questions, english, strict=True)]
        recorded(folder / f"{name}.jsonl", name, rows)
        recorded(folder / f"{name}-answers.jsonl", name, [("en", "Perey", "fi", "Perey")])
    found = [
        {"id": q.qid, "lang": q.lang, "ctxs": [p.text for p in list(dataset.corpora[q.lang])[:3]]}
        for q in questions
    ]
    write_json(folder / "google-search.json", found)
