import json
from collections import Counter
from pathlib import Path

import pytest

from xorqa.core.lang import XOR_LANGUAGES, language
from xorqa.core.types import Gold, Passage, Question, Span
from xorqa.datasets.dataset import gold_subsets
from xorqa.datasets.tydi import DEV_LANGUAGES, HELD_OUT, load_tydi_open, tydi_corpus
from xorqa.io.squad_xor import read_squad, title_hash
from xorqa.lab.training.common.training_data import is_held_out

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
HELD = next(title for title in "abcdefghijklmnop" if title_hash(title) < HELD_OUT)
TRAINED = next(title for title in "abcdefghijklmnop" if title_hash(title) >= HELD_OUT)


def put(path, *rows):
    """SQuAD-style JSON of (title, context, qid, answers), one paragraph an article."""
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
                            "answers": [
                                {"text": text, "answer_start": context.index(text)}
                                for text in answers
                            ],
                        }
                    ],
                }
            ],
        }
        for title, context, qid, answers in rows
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    for side in ("train", "dev"):
        put(tmp_path / "squad" / f"{side}-v1.1.json", ("S", f"SQuAD {side}.", side, ["SQuAD"]))
    for lang in DEV_LANGUAGES:
        name = f"{language(lang).name.lower()}_tydiqa"
        put(
            tmp_path / "tydiqa-goldp" / f"{name}_dev.json",
            ("T", f"{lang} a b.", f"{lang}-1", ["a", "b", "a"]),
            ("T", f"{lang} a b.", f"{lang}-2", ["b"]),
        )
        put(
            tmp_path / "tydiqa-goldp" / f"{name}_train.json",
            ("T", f"{lang} a b.", f"{lang}-3", ["a"]),
            ("U", f"{lang} c.", f"{lang}-4", ["c"]),
        )
    for number in range(30):
        rows = [(HELD, "ja a.", "ja-1", ["a"]), (TRAINED, "ja b.", "ja-2", ["b"])]
        path = tmp_path / "jaquad" / "train" / f"jaquad_train_{number:04d}.json"
        put(path, *(rows if number == 7 else []))
    return tmp_path


def test_each_paragraph_once(folder):
    assert list(tydi_corpus(folder / "tydiqa-goldp", "ko")) == [
        Passage("tydi.ko-00001", "ko a b.", "T", "ko"),
        Passage("tydi.ko-00002", "ko c.", "U", "ko"),
    ]
    assert len(tydi_corpus(folder / "tydiqa-goldp", "fi")) == 1  # its train part is left alone


def test_questions_in_seven_languages_over_two_wikipedias(folder):
    made = load_tydi_open(folder)
    assert made.languages == sorted(XOR_LANGUAGES)
    assert [e.question.qid for e in made.examples if e.question.lang in ("ja", "ko")] == [
        "ja-1",
        "ko-1",
        "ko-2",
    ]
    assert [p.text for p in made.corpora["ja"]] == ["ja a.", "ja b."]
    assert [p.text for p in made.corpora["en"]] == [
        "SQuAD train.",
        "SQuAD dev.",
        "en a b.",
        "en c.",
    ]
    example = next(e for e in made.examples if e.question.qid == "ko-1")
    assert example.question == Question("ko-1", "ko-1?", "ko")
    assert example.golds == (Gold("a", "ko", "tydi.ko-00001", Span(3, 4)), Gold("b", "ko"))
    assert set(gold_subsets(made).values()) == {"in-language"}
    assert made.translations == {}


@pytest.fixture(scope="module")
def published():
    if not SHARED.is_dir():
        pytest.skip("needs ../shared")
    return load_tydi_open(SHARED)


def test_counts_of_the_published_files(published):
    assert Counter(e.question.lang for e in published.examples) == {
        "ar": 921,
        "bn": 113,
        "fi": 782,
        "ja": 5417,
        "ko": 276,
        "ru": 812,
        "te": 669,
    }
    assert {lang: len(corpus) for lang, corpus in published.corpora.items()} == {
        "ar": 842,
        "bn": 105,
        "fi": 634,
        "ja": 9713,
        "ko": 1488,
        "ru": 778,
        "te": 601,
        "en": 24_821,
    }
    first, last = published.examples[0], published.examples[-1]
    assert first.question.qid == "arabic-2387335860751143628-1"
    assert first.golds == (Gold("بطولتين", "ar", "tydi.ar-00001", Span(394, 401)),)
    assert last.question.qid == "telugu-6864900869020429717-14"
    assert last.golds[0] == Gold("2,247", "te", "tydi.te-00601", Span(23, 28))


def test_every_published_span_matches_its_offsets(published):
    for example in published.examples:
        gold = example.golds[0]
        text = published.corpora[gold.lang][gold.docid].text
        assert text[gold.span.start : gold.span.end] == gold.text


def test_japanese_questions_are_those_that_recipes_hold_out(published):
    files = sorted((SHARED / "jaquad" / "train").glob("*.json"))
    held = [row.qid for file in files for row in read_squad(file) if is_held_out(row, HELD_OUT)]
    assert [e.question.qid for e in published.only(["ja"]).examples] == held
