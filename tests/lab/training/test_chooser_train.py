"""The data set that choosers are trained on, from small files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.lang import ENGLISH
from xorqa.datasets.dataset import NOWHERE, TARGET, Dataset
from xorqa.datasets.tydi import HELD_OUT
from xorqa.io.squad_xor import title_hash
from xorqa.lab.training import chooser_train
from xorqa.lab.training.chooser_train import REMOVED_FROM, load_chooser_train

TITLES = [f"river {at}" for at in range(12)]
FILES = {
    "squad/train-v1.1.json": "en",
    "tydiqa-goldp/english_tydiqa_train.json": "te-en",
    "arcd/arcd-train.json": "ar",
    "tydiqa-goldp/korean_tydiqa_train.json": "ko",
    "tydiqa-goldp/swahili_tydiqa_train.json": "sw",
    **{f"jaquad/train/jaquad_train_{at:04d}.json": f"ja{at}" for at in range(30)},
}


def write(path: Path, rows: Sequence[tuple[str, str, str, str]]) -> None:
    """SQuAD-style: title, context, qid and answer of each question."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = [
        {
            "title": title,
            "paragraphs": [
                {
                    "context": context,
                    "qas": [
                        {
                            "id": qid,
                            "question": f"{qid}?",
                            "answers": [{"text": answer, "answer_start": context.find(answer)}],
                        }
                    ],
                }
            ],
        }
        for title, context, qid, answer in rows
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All files, an article a title; of the two distant pairs one has a translation."""
    for file, tag in FILES.items():
        write(tmp_path / file, [(t, f"{tag} of {t}", f"{tag}-{t}", tag) for t in TITLES])
    (tmp_path / "xor-tydi").mkdir()
    (tmp_path / "xor-tydi" / "xor_train_retrieve_eng_span.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "id": str(at),
                    "question": "?",
                    "lang": lang,
                    "answers": ["en", "other"],
                    "split": "train",
                }
            )
            + "\n"
            for at, lang in ((-7, " ar"), (8, "te"), (9, "te"))
        )
    )
    write(
        tmp_path / chooser_train.DISTANT,
        [
            ("a", "en of river 1", "-7-000001", "en"),
            ("a", "en of river 1", "-7-000001-en", "en"),
            ("b", "en of river 2", "8-000002", "en"),
            ("c", "en of river 3", "8-000003", "en"),
        ],
    )
    return tmp_path


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return load_chooser_train(folder)


def test_its_questions_and_corpora(dataset: Dataset) -> None:
    assert dataset.languages == ["ar", "ja", "ko", "sw", "te"]
    assert sorted(dataset.corpora) == ["ar", "en", "ja", "ko", "sw"]
    assert len(dataset.corpora["en"]) == 2 * len(TITLES)
    assert {e.answered_in for e in dataset.examples} == {TARGET, NOWHERE, ENGLISH}
    assert len({e.question.qid for e in dataset.examples}) == len(dataset.examples)


def test_an_answer_is_in_one_wikipedia_or_in_none(dataset: Dataset) -> None:
    for example in dataset.examples:
        lang = example.question.lang
        placed = {gold.lang for gold in example.golds if gold.docid}
        assert placed == {TARGET: {lang}, ENGLISH: {"en"}, NOWHERE: set()}[example.answered_in]
        for gold in example.golds:
            assert gold.docid is None or gold.text in dataset.corpora[gold.lang][gold.docid].text


def test_articles_of_the_last_fifth_have_no_passages(dataset: Dataset) -> None:
    titles = {title for title in TITLES if title_hash(title) < REMOVED_FROM}
    assert 0 < len(titles) < len(TITLES)
    assert {passage.title for passage in dataset.corpora["ko"]} == titles
    asked = [e for e in dataset.examples if e.question.lang == "ko"]
    assert len(asked) == len(TITLES)
    assert sum(e.answered_in == NOWHERE for e in asked) == len(TITLES) - len(titles)


def test_no_article_of_tydi_open_is_used(dataset: Dataset) -> None:
    held_out = {title for title in TITLES if title_hash(title) < HELD_OUT}
    assert held_out
    assert not held_out & {passage.title for passage in dataset.corpora["ja"]}
    texts = [e.question.text for e in dataset.examples if e.question.lang == "ja"]
    assert texts and not any(text.endswith(f"{title}?") for text in texts for title in held_out)


def test_distant_pairs(dataset: Dataset) -> None:
    first, second = (e for e in dataset.examples if e.answered_in == ENGLISH)
    assert (first.question.lang, first.human_translation) == ("ar", "-7-000001-en?")
    assert (second.question.lang, second.human_translation) == ("te", None)
    assert [gold.text for gold in second.golds] == ["en", "en", "en", "other"]
    assert sum(gold.docid is not None for gold in second.golds) == 2


def test_a_language_has_its_share(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chooser_train, "MAX_QUESTIONS", 5)
    found = load_chooser_train(folder)
    assert sum(e.question.lang == "ja" for e in found.examples) == 5
    assert found.examples == load_chooser_train(folder).examples


def test_without_distant_pairs(folder: Path) -> None:
    (folder / chooser_train.DISTANT).unlink()
    with pytest.raises(DataError, match=r"xor-tydi\.json is missing; .*data distant --with-engl"):
        load_chooser_train(folder)


@pytest.mark.parametrize(
    "row", [("a", "en of river 1", "10-000001", "en"), ("a", "elsewhere", "8-000001", "e")]
)
def test_pairs_of_other_data(folder: Path, row: tuple[str, str, str, str]) -> None:
    write(folder / chooser_train.DISTANT, [row])
    with pytest.raises(DataError, match=f"passage of pair {row[2]} is not in the data"):
        load_chooser_train(folder)
