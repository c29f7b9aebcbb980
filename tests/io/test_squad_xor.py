import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Span
from xorqa.io.squad_xor import XorQuestion, read_langs, read_squad, read_xor

SHARED = Path(__file__).parents[2].parent / "shared"


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_read_xor_strips_languages_and_reads_test_files(tmp_path):
    path = write(
        tmp_path / "q.jsonl",
        {"id": "1", "question": "Missä?", "answers": ["Oulu"], "lang": " ar", "split": "train"},
        {"id": -2, "question": "Kuka?", "lang": "fi"},
        {"id": "3", "question": "Mikä?", "answers": "Oulu", "lang": "fi"},
    )
    assert list(read_xor(path)) == [
        XorQuestion("1", "Missä?", "ar", ("Oulu",), "train"),
        XorQuestion("-2", "Kuka?", "fi", (), ""),
        XorQuestion("3", "Mikä?", "fi", ("Oulu",), ""),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "line 2: needs an 'id'"),
        ({"id": "1"}, "line 2: id '1' occurs twice"),
        ({"lang": " "}, "line 2: needs a language code 'lang'"),
        ({"question": 5}, "line 2: needs a string 'question'"),
        ({"answers": [5]}, "line 2: 'answers' must be a list of strings"),
        ({"answers": None}, "line 2: 'answers' must be a list of strings"),
    ],
)
def test_read_xor_names_the_bad_line(tmp_path, change, message):
    row = {"id": "1", "question": "Missä?", "answers": ["Oulu"], "lang": "fi"}
    path = write(tmp_path / "q.jsonl", row, {**row, "id": "2", **change})
    with pytest.raises(DataError, match=message):
        list(read_xor(path))


def test_read_xor_refuses_other_encodings(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_bytes('{"id": "1", "question": "Missä?", "lang": "fi"}'.encode("latin-1"))
    with pytest.raises(DataError, match="line 1: not UTF-8 text"):
        list(read_xor(path))


texts = st.text(st.characters(exclude_categories=["Cs"]))
langs = st.sampled_from(["ar", "fi", "ja"])


@given(st.lists(st.tuples(texts, langs, st.lists(texts)), unique_by=lambda row: row[0]))
def test_xor_questions_are_read_in_order(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("xor") / "q.jsonl"
    lines = [
        {"id": qid, "question": qid, "lang": lang, "answers": answers, "split": "dev"}
        for qid, lang, answers in rows
    ]
    assert list(read_xor(write(path, *lines))) == [
        XorQuestion(qid, qid, lang, tuple(answers), "dev") for qid, lang, answers in rows
    ]


def squad_question(qid, *answers):
    rows = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": qid, "question": "Where?", "answers": rows}


def test_read_squad(tmp_path):
    qas = [squad_question("1", ("Oulu", 3))]
    article = {"title": "Oulu", "paragraphs": [{"context": "In Oulu.", "qas": qas}]}
    (row,) = read_squad(write(tmp_path / "s.json", {"data": [article]}))
    assert (row.qid, row.title, row.context) == ("1", "Oulu", "In Oulu.")
    assert row.span == Span(3, 7)


def test_read_squad_keeps_order_and_counts_paragraphs_through_the_file(tmp_path):
    articles = [
        {
            "title": "Oulu",
            "paragraphs": [
                {"context": "In Oulu.", "qas": [squad_question("1", ("Oulu", 3), ("In Oulu", 0))]},
                {"context": "No question here.", "qas": []},
            ],
        },
        {"paragraphs": [{"context": "In Turku.", "qas": [squad_question(2), squad_question("3")]}]},
    ]
    rows = list(read_squad(write(tmp_path / "s.json", {"data": articles})))
    assert [(row.qid, row.paragraph) for row in rows] == [("1", 1), ("2", 3), ("3", 3)]
    assert (rows[0].answers, rows[0].span) == (("Oulu", "In Oulu"), Span(3, 7))
    assert (rows[1].answers, rows[1].span, rows[1].title) == ((), None, "")


@pytest.mark.parametrize(
    "value",
    [
        {"rows": []},
        [],
        {"data": ["article"]},
        {"data": [["paragraphs"]]},
        {"data": [{"paragraphs": [{"qas": [squad_question("1")]}]}]},
        {"data": [{"paragraphs": [{"context": "In Oulu.", "qas": [{"id": "1"}]}]}]},
        {
            "data": [
                {
                    "paragraphs": [
                        {
                            "context": "In Oulu.",
                            "qas": [{"id": "1", "question": "Where?", "answers": ["Oulu"]}],
                        }
                    ]
                }
            ]
        },
    ],
)
def test_read_squad_refuses_other_layouts(tmp_path, value):
    with pytest.raises(DataError, match=r"s\.json is not SQuAD-style JSON"):
        list(read_squad(write(tmp_path / "s.json", value)))


def test_read_squad_names_a_file_that_is_missing_or_damaged(tmp_path):
    with pytest.raises(DataError, match=r"s\.json cannot be read"):
        list(read_squad(tmp_path / "s.json"))
    (tmp_path / "s.json").write_text('{"data": [', encoding="utf-8")
    with pytest.raises(DataError, match=r"s\.json is not valid JSON"):
        list(read_squad(tmp_path / "s.json"))


offsets = st.tuples(texts, texts.filter(bool), texts)


@given(st.lists(offsets, min_size=1))
def test_squad_offsets_come_back_as_written(tmp_path_factory, parts):
    path = tmp_path_factory.mktemp("squad") / "s.json"
    paragraphs = [
        {"context": before + answer + after, "qas": [squad_question(number, (answer, len(before)))]}
        for number, (before, answer, after) in enumerate(parts)
    ]
    rows = list(read_squad(write(path, {"data": [{"title": "", "paragraphs": paragraphs}]})))
    assert len(rows) == len(parts)
    for row, (_, answer, _) in zip(rows, parts, strict=True):
        assert row.context[row.span.start : row.span.end] == answer


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_the_training_file():
    rows = list(read_xor(SHARED / "data" / "xor-tydi" / "xor_train_retrieve_eng_span.jsonl"))
    assert len(rows) == 15250
    assert sum(row.lang == "ar" for row in rows) == 2574
    assert (rows[0].qid, rows[0].lang, rows[0].answers) == ("-2745676532874802308", "bn", ("2006",))


def test_the_languages_of_a_runs_queries(tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text(
        '{"qid": "1", "lang": "fi", "question": "Missä?"}\n{"qid": "2", "lang": "te"}\n'
    )
    assert read_langs(path) == {"1": "fi", "2": "te"}
    path.write_text('{"qid": "1", "lang": "fi"}\n{"qid": "2"}\n')
    with pytest.raises(DataError, match=r"line 2: needs the strings 'qid' and 'lang'"):
        read_langs(path)


def test_squad_style_files_without_answers(tmp_path):
    paragraph = {"context": "Oulu", "qas": [{"id": "q", "question": "Missä?"}]}
    path = write(tmp_path / "test.json", {"data": [{"title": "T", "paragraphs": [paragraph]}]})
    [question] = read_squad(path)
    assert (question.answers, question.span) == ((), None)


def test_xor_qas_gold_paragraphs_and_reading_comprehension_data(tmp_path):
    qas = [
        {"id": "1", "question": "誰?", "lang": "ja", "answers": [{"text": "A", "answer_start": 0}]},
        {
            "id": "2",
            "question": "?",
            "lang": "ja",
            "answers": [{"text": "yes", "answer_start": -1}],
        },
        {"id": "3", "question": "?", "lang": "ko", "answers": []},
    ]
    title = "title:Nile_parentSection:Course_currentSection:Source"
    data = [{"title": title, "paragraphs": [{"context": "A b c", "qas": qas}]}]
    path = tmp_path / "gp_squad_train_data.json"
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    one, two, three = read_squad(path)
    assert (one.title, one.lang, one.span) == ("Nile", "ja", Span(0, 1))
    assert (two.answers, two.span) == (("yes",), None)
    assert (three.answers, three.span) == ((), None)
