"""A recipe of a few paragraphs in two languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def articles(lang: str, names: range) -> list[dict[str, object]]:
    """Articles of two paragraphs, with two questions each."""
    return [
        {
            "title": f"River {lang} {at}",
            "paragraphs": [
                {
                    "context": f"River {lang}{at} has {at}{part} {lang} fish. It ends in {part}.",
                    "qas": [
                        {
                            "id": f"{lang}-{at}-{part}-{number}",
                            "question": f"How many fish has river {lang}{at}, part {number}?",
                            "answers": [{"text": f"{at}{part} {lang} fish", "answer_start": 0}],
                        }
                        for number in range(2)
                    ],
                }
                for part in range(2)
            ],
        }
        for at in names
    ]


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    """The recipe and its files in a folder."""
    for lang in ("en", "sw"):
        (tmp_path / f"{lang}.json").write_text(json.dumps({"data": articles(lang, range(10, 30))}))
    questions = [
        {"id": at, "question": f"Montako kalaa {at}?", "lang": "fi", "answers": [answer]}
        for at, answer in enumerate(["12 kalaa", "yes", "13 kalaa"])
    ]
    (tmp_path / "xor.jsonl").write_text("\n".join(map(json.dumps, questions)))
    (tmp_path / "lexicon.tsv").write_text("fi\triver\tjoki\nfi\tfish\tkalaa\n")
    (tmp_path / "excluded.jsonl").write_text(
        json.dumps({"question": "How many fish has river en10, part 0?"})
    )
    path = tmp_path / "mine.toml"
    path.write_text("""
        [confidence]
        configs = ["bm25", "dense"]
        sizes = [0, 6]
        lexicon = ["./lexicon.tsv"]
        exclude = ["./excluded.jsonl"]
        [[confidence.sources]]
        files = ["./en.json"]
        questions = 20
        paragraphs = 30
        held_out = 1
        code_switched = 0.5
        [[confidence.sources]]
        files = ["./sw.json"]
        lang = "sw"
        questions = 10
        articles = "trained"
        held_out = 0.4
        [[confidence.sources]]
        files = ["./xor.jsonl"]
    """)
    return path
