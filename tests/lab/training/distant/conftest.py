from __future__ import annotations

import json
from pathlib import Path

import pytest

PASSAGES = {
    "Nile": [
        "Lake Victoria lies far south. The Nile is 6,650 km long; a boat took 12 days.",
        "The Nile floods every year in Egypt.",
    ],
    "River_Thames": ["In London, the Thames is 346 km long, and the (Great) Ouse 230 km."],
}
ROWS = [
    ("q1", "fi", "Kuinka pitkä Niili on?", "6650 km", "How long is the Nile?"),
    ("q2", "fi", "Kuinka pitkä on Thames?", "346 km", "How long is the Thames?"),
    ("q3", "ja", "ナイル川は何日?", "12", "How many days on the Nile?"),
    ("q4", "ja", "ナイル川は長い?", "yes", "Is the Nile long?"),
    ("q5", "ja", "ナイル川はどこ?", "Sudan", "Where is the Nile?"),
    ("q6", "ja", "ライン川はどこ?", "Germany", "Where is the Rhine?"),
    ("q7", " fi", "Missä on Rein?", "Germany", "Where is the  rhine"),
    ("q8", "fi", "Missä on Amur?", "Russia", ""),
]
DEVELOPMENT = {"id": "d1", "question": "ライン川は、どこ", "answers": ["Germany"], "lang": "ja"}


@pytest.fixture
def passages(tmp_path: Path) -> Path:
    """A SQuAD-style file of two articles."""
    data = [
        {
            "title": title,
            "paragraphs": [
                {"context": text, "qas": [{"id": f"{title}-{at}", "question": "?", "answers": []}]}
                for at, text in enumerate(texts)
            ],
        }
        for title, texts in PASSAGES.items()
    ]
    path = tmp_path / "passages.json"
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """A folder as XOR-TyDi's: q6 is a development question, q7 one in another language."""
    folder = tmp_path / "xor-tydi"
    for lang in ("fi", "ja"):
        own = [row for row in ROWS if row[1].strip() == lang and row[4]]
        (folder / "question-translations" / f"{lang}-en").mkdir(parents=True)
        for side, column in ((lang, 2), ("en", 4)):
            path = folder / "question-translations" / f"{lang}-en" / f"{side}.txt"
            path.write_text("".join(f"{row[column]}\n" for row in own), encoding="utf-8")
    train = [
        {"id": qid, "lang": lang, "question": question, "answers": [answer], "split": "train"}
        for qid, lang, question, answer, _ in ROWS
    ]
    for name, rows in (
        ("xor_train_retrieve_eng_span.jsonl", train),
        ("xor_dev_full_v1_1.half.jsonl", [DEVELOPMENT]),
    ):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
