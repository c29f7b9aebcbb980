from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.lang import XOR_LANGUAGES, language
from xorqa.core.text.detection import script_share
from xorqa.io.squad_xor import read_squad
from xorqa.lab.lareqa.data import SHIPPED, build_pool, open_pool, read_pool
from xorqa.lab.lareqa.pool import PoolQuestion

XQUAD_R = Path(__file__).parents[3].parent / "shared" / "data" / "xquad-r"
CANDIDATES = {
    "ar": 1222,
    "de": 1276,
    "el": 1234,
    "en": 1180,
    "es": 1215,
    "hi": 1244,
    "ru": 1219,
    "th": 852,
    "tr": 1167,
    "vi": 1209,
    "zh": 1196,
}


def paragraph(sentences, **answers):
    """Answers are by qid; a substring of the context."""
    context = " ".join(sentences)
    starts = [context.index(sentence) for sentence in sentences]
    qas = [
        {
            "id": qid,
            "question": f"{qid}?",
            "answers": [{"text": text, "answer_start": context.index(text)}],
        }
        for qid, text in answers.items()
    ]
    return {
        "context": context,
        "qas": qas,
        "sentences": sentences,
        "sentence_breaks": [
            [start, start + len(text)] for start, text in zip(starts, sentences, strict=True)
        ],
    }


def write(folder, **articles):
    """A file for each language; an article is a list of paragraphs."""
    folder.mkdir(exist_ok=True)
    for lang, rows in articles.items():
        data = [{"title": "", "paragraphs": row} for row in rows]
        (folder / f"{lang}.json").write_text(json.dumps({"data": data}), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path):
    """Two articles, in another order in German; the second is in English and Turkish too."""
    return write(
        tmp_path / "rivers-r",
        en=[
            [paragraph(["The Nile is long.", "It flows north."], a="Nile", b="north")],
            [paragraph(["Oulu lies by the sea.", "It rains."], c="sea", d="rains")],
        ],
        de=[
            [paragraph(["Oulu liegt am Meer."], c="Meer")],
            [paragraph(["Lang ist der Nil.", "Er fließt."], a="Nil"), paragraph(["Ende."])],
        ],
        tr=[[paragraph(["Yağmur yağıyor."], d="Yağmur")]],
    )


def test_sentences_are_targets_of_the_questions_they_answer(folder):
    pool = read_pool(folder)
    assert (pool.name, pool.langs) == ("rivers-r", ("de", "en", "tr"))
    assert read_pool(folder, name="rivers").name == "rivers"
    assert pool.counts() == {"de": (2, 4), "en": (4, 4), "tr": (1, 1)}
    targets_of = {
        (question.qid, question.lang): [pool.sentences[row].text for row in targets]
        for question, targets in zip(pool.questions, pool.positives(), strict=True)
    }
    nile, sea = (
        ["Lang ist der Nil.", "The Nile is long."],
        ["Oulu liegt am Meer.", "Oulu lies by the sea."],
    )
    rain = ["It rains.", "Yağmur yağıyor."]
    assert targets_of == {
        ("c", "de"): sea,
        ("a", "de"): nile,
        ("a", "en"): nile,
        ("b", "en"): ["It flows north."],
        ("c", "en"): sea,
        ("d", "en"): rain,
        ("d", "tr"): rain,
    }
    assert pool.sentences[1].context == "Lang ist der Nil. Er fließt."


def test_an_article_has_one_number_in_all_languages_and_subsets_keep_all_targets(folder):
    pool = read_pool(folder)
    assert {row.article for row in pool.questions if row.qid in "ab"} == {1}
    assert {row.article for row in pool.questions if row.qid in "cd"} == {0}
    subset = pool.subset(lambda article: article == 0)
    assert subset.name == pool.name
    assert subset.counts() == {"de": (1, 1), "en": (2, 2), "tr": (1, 1)}
    whole = dict(zip(pool.questions, pool.positives(), strict=True))
    for question, targets in zip(subset.questions, subset.positives(), strict=True):
        kept = [subset.sentences[row] for row in targets]
        assert kept == [pool.sentences[row] for row in whole[question]]


@pytest.mark.parametrize(
    ("answer", "holder"),
    [("One. Two", 0), (". ", 0), (" Two", 1), (" ", None), ("Two. Three.", 1)],
)
def test_an_answer_across_a_break_is_in_the_sentence_it_starts_in(tmp_path, answer, holder):
    folder = write(tmp_path / "p", en=[[paragraph(["One.", "Two.", "Three."], q=answer)]])
    if holder is None:
        with pytest.raises(DataError, match="paragraph 1: the answer of question q is"):
            read_pool(folder)
    else:
        [targets] = read_pool(folder).positives()
        np.testing.assert_array_equal(targets, [holder])


def test_all_answers_of_a_question_count(tmp_path):
    row = paragraph(["Nile.", "The Nile.", "Oulu."], q="Nile")
    row["qas"][0]["answers"] += [
        {"text": "Nile", "answer_start": 10},
        {"text": "The Nile", "answer_start": 6},
    ]
    [targets] = read_pool(write(tmp_path / "p", en=[[row]])).positives()
    assert targets.tolist() == [0, 1]


def no_answers(row):
    row["qas"][0]["answers"] = []


def twice(row):
    row["qas"] *= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (no_answers, "question q has no answer"),
        (twice, "question q occurs twice"),
        (lambda row: row.pop("sentence_breaks"), "lacks 'sentence_breaks'"),
        (lambda row: row["sentences"].pop(), "do not match"),
        (lambda row: row["sentence_breaks"].reverse(), "do not match"),
        (lambda row: row["sentences"].__setitem__(0, 5), "5 is not a string"),
        (lambda row: row.update(qas=[5]), "int"),
        (lambda row: row.update(context=None), "None is not a string"),
    ],
)
def test_a_bad_paragraph_is_named(tmp_path, change, message):
    rows = [paragraph(["One.", "Two."]), paragraph(["One.", "Two."], q="Two")]
    change(rows[1])
    folder = write(tmp_path / "p", en=[[], rows])
    with pytest.raises(DataError, match=rf"en\.json, article 2, paragraph 2: .*{message}") as error:
        read_pool(folder)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["[]", '{"data": 5}', '{"data": [{}]}', '{"data": ["a"]}', "{"])
def test_a_file_of_another_layout_is_named(tmp_path, text):
    (tmp_path / "en.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"en\.json is not (SQuAD-style|valid) JSON"):
        read_pool(tmp_path)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"contains no <lang>\.json"):
        read_pool(tmp_path)


def test_a_pool_of_files_without_sentences(tmp_path, folder):
    for path in folder.iterdir():
        data = json.loads(path.read_text(encoding="utf-8"))
        for article in data["data"]:
            for row in article["paragraphs"]:
                del row["sentences"], row["sentence_breaks"]
        path.write_text(json.dumps(data), encoding="utf-8")
    files = {path.stem: path for path in folder.iterdir()}
    built = build_pool(files, name="rivers-r")
    assert built.questions[0] == PoolQuestion("c", "de", "c?", 0)
    assert [row.text for row in built.sentences if row.lang == "en"] == [
        "The Nile is long.",
        "It flows north.",
        "Oulu lies by the sea.",
        "It rains.",
    ]
    assert [len(targets) for targets in built.positives()] == [2, 2, 2, 1, 2, 2, 2]


MINI = sorted(("en", *XOR_LANGUAGES))


def test_the_bundled_pool_asks_24_questions_in_eight_languages():
    pool = open_pool()
    assert pool.name == "mini"
    assert pool.counts() == dict.fromkeys(MINI, (24, 24))
    assert {row.article for row in pool.questions} == set(range(8))
    for targets in pool.positives():
        assert [pool.sentences[row].lang for row in targets] == MINI
    first, last = pool.questions[0], pool.questions[-1]
    assert (first.qid, first.lang, first.article) == ("parallel-01", "ar", 0)
    assert (last.qid, last.lang, last.article) == ("parallel-24", "te", 7)
    assert pool.sentences[0].text.startswith("وُلد أنطونيو فيفالدي")
    assert pool.sentences[-1].answers == {"parallel-24"}


def test_bundled_languages_are_parallel_paragraph_by_paragraph():
    pool = open_pool("mini")
    rows = {lang: [row for row in pool.sentences if row.lang == lang] for lang in MINI}
    answered = [[(row.article, row.answers) for row in of_lang] for of_lang in rows.values()]
    assert all(articles == answered[0] for articles in answered)
    for sentences in rows.values():
        texts = [row.text for row in sentences]
        assert len(set(texts)) == 24
        assert all(
            text in row.context and len(row.answers) == 1
            for text, row in zip(texts, sentences, strict=True)
        )
        assert {[row.context for row in sentences].count(row.context) for row in sentences} == {
            2,
            3,
            4,
        }


@pytest.mark.parametrize("lang", MINI)
def test_bundled_texts_are_in_their_script_and_contain_their_answers(lang):
    script = language(lang).script
    pool = open_pool()
    sentences = {qid: row.text for row in pool.sentences if row.lang == lang for qid in row.answers}
    questions = list(read_squad(SHIPPED["mini"] / f"{lang}.json"))
    assert [row.qid for row in questions] == [f"parallel-{number:02}" for number in range(1, 25)]
    assert len({row.question for row in questions}) == 24
    for row in questions:
        [answer] = row.answers
        assert row.context[row.span.start : row.span.end] == answer
        assert sentences[row.qid].count(answer) == 1
        assert row.question.endswith("؟" if lang == "ar" else "?")
        for text in (row.question, sentences[row.qid]):
            assert script_share(text, script) > 0.8, text
            assert text == unicodedata.normalize("NFC", text).strip()


def test_a_pool_is_named_or_pathed(folder):
    assert open_pool(str(folder)) == read_pool(folder)
    assert open_pool("mini").name == "mini"
    with pytest.raises(ConfigError, match=r"no pool is called './mini', and there is no such"):
        open_pool("./mini")


def test_a_pool_of_selected_languages(folder):
    whole, part = read_pool(folder), read_pool(folder, langs=["en"])
    assert len(whole.langs) > 1
    assert part.langs == ("en",)
    assert [row.text for row in part.sentences] == [
        row.text for row in whole.sentences if row.lang == "en"
    ]


@pytest.mark.skipif(not XQUAD_R.is_dir(), reason="needs ../shared")
def test_xquad_r_has_the_papers_counts():
    pool = read_pool(XQUAD_R)
    assert pool.counts() == {lang: (1190, count) for lang, count in CANDIDATES.items()}
    assert (len(pool.questions), len(pool.sentences)) == (13090, 13014)
    for targets in pool.positives():
        assert sorted(pool.sentences[row].lang for row in targets) == sorted(CANDIDATES)
    assert {row.article for row in pool.questions} == set(range(48))
    first, last = pool.questions[0], pool.sentences[-1]
    assert (first.qid, first.lang, first.article) == ("56beb4343aeaaa14008c925b", "ar", 0)
    assert (last.lang, last.article) == ("zh", 47)
