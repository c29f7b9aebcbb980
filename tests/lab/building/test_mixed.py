import json
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.lang import language
from xorqa.core.types import Example, Gold, Passage, Question, Span
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset, gold_subsets
from xorqa.datasets.squad import XQUAD_LANGUAGES
from xorqa.datasets.tydi import DEV_LANGUAGES
from xorqa.io.squad_xor import title_hash
from xorqa.lab.building.mixed import load_te_mixed, load_xquad_mixed, split_articles

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
ENGLISH_HALF = next(
    title for title in ("Oulu", "Turku", "Vaasa", "Kemi") if title_hash(title) < 0.5
)
OWN_HALF = next(title for title in ("Oulu", "Turku", "Vaasa", "Kemi") if title_hash(title) >= 0.5)


def put(path, *articles):
    """SQuAD-style JSON of (title, context, qid, question, answer)."""
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
                            "question": question,
                            "answers": [{"text": answer, "answer_start": context.index(answer)}],
                        }
                    ],
                }
            ],
        }
        for title, context, qid, question, answer in articles
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")


def rows(lang=""):
    return [
        (
            title,
            f"{lang}{title} is {size} km wide.",
            f"q-{title}",
            f"{lang}How wide is {title}?",
            f"{size} km",
        )
        for title, size in ((ENGLISH_HALF, 3), (OWN_HALF, 4))
    ]


@pytest.fixture
def folder(tmp_path):
    put(tmp_path / "squad" / "train-v1.1.json", ("Sea", "The sea is cold.", "t1", "What?", "sea"))
    put(tmp_path / "squad" / "dev-v1.1.json", *rows())
    for lang in XQUAD_LANGUAGES:
        put(tmp_path / "xquad" / f"xquad.{lang}.json", *rows("" if lang == "en" else lang))
    for lang in DEV_LANGUAGES:
        for side in ("dev", "train"):
            name = f"{language(lang).name.lower()}_tydiqa_{side}.json"
            put(tmp_path / "tydiqa-goldp" / name, (side, f"{lang} {side} 5", "t", "T?", "5"))
    lines = {
        "con_eng": [rows()[0][1], rows()[1][1].replace("km", "km "), rows()[1][1]],
        "que_eng": [rows()[0][3].replace("?", " ?"), rows()[1][3], "How deep is it ?"],
        "real_con_tel": ["3 కి.మీ. వెడల్పు", "4 కి.మీ. వెడల్పు", "ఇతర 4 కి.మీ."],
        "que_tel": ["ఒకటి?", "రెండు?", "మూడు?"],
        "corrected_ans_tel": ["3 కి.మీ.", "4 కి.మీ.", "4"],
        "translated_ans_tel": ["మూడు", "4 కి.మీ.", "4"],
    }
    (tmp_path / "tequad").mkdir()
    for name, column in lines.items():
        (tmp_path / "tequad" / f"{name}.txt").write_text("\n".join(column) + "\n")
    return tmp_path


def texts(dataset, lang):
    return [passage.text for passage in dataset.corpora[lang]]


def test_an_answer_is_in_one_of_two_wikipedias(folder):
    mixed = load_xquad_mixed(folder)
    assert mixed.languages == sorted(set(XQUAD_LANGUAGES) - {"en"})
    assert texts(mixed, "en") == ["The sea is cold.", rows()[0][1]]
    assert texts(mixed, "ar") == [rows("ar")[1][1], "ar dev 5"]
    assert texts(mixed, "th") == [rows("th")[1][1]]
    first, second = mixed.only(["ar"]).examples
    assert (first.answered_in, second.answered_in) == ("en", "target")
    start = rows()[0][1].index("3 km")
    assert first.golds == (
        Gold("3 km", "en", "squad-00002", Span(start, start + 4)),
        Gold("3 km", "ar"),
    )
    assert [gold.docid for gold in second.golds] == [None, "xquad.ar-00002"]
    assert first.human_translation == rows()[0][3]


def test_lines_of_tequad_that_are_in_squad(folder):
    mixed = load_te_mixed(folder)
    first, second = mixed.examples
    assert [e.question.qid for e in mixed.examples] == [f"q-{ENGLISH_HALF}.te", f"q-{OWN_HALF}.te"]
    assert [(gold.text, gold.lang, gold.docid) for gold in first.golds] == [
        ("3 km", "en", "squad-00002"),
        ("3 కి.మీ.", "te", None),
        ("మూడు", "te", None),
    ]
    assert second.golds == (
        Gold("4 km", "en"),
        Gold("4 కి.మీ.", "te", "tequad-00002", Span(0, 8)),
    )
    assert first.human_translation == rows()[0][3]
    assert texts(mixed, "te") == ["4 కి.మీ. వెడల్పు", "te dev 5"]
    assert texts(mixed, "en") == ["The sea is cold.", rows()[0][1]]


def test_lines_that_are_not_parallel(folder):
    (folder / "tequad" / "que_tel.txt").write_text("ఒకటి?\n")
    with pytest.raises(DataError, match="tequad: the files do not have the same number of lines"):
        load_te_mixed(folder)


def test_an_answer_that_is_not_in_its_paragraph(folder):
    (folder / "tequad" / "corrected_ans_tel.txt").write_text("3 మైళ్ళు\n4\n4\n")
    with pytest.raises(DataError, match="the answer of 'ఒకటి\\?' is not in its paragraph"):
        load_te_mixed(folder)


def test_a_repeated_paragraph_is_removed_everywhere():
    english = Corpus(
        "en",
        [Passage("en-1", "Twin.", OWN_HALF), Passage("en-2", "Twin."), Passage("en-3", "Other.")],
    )
    finnish = Corpus("fi", [Passage("fi-1", "Kaksonen.", lang="fi")])
    golds = Gold("Twin", "en", "en-1", Span(0, 4)), Gold("Kaksonen", "fi", "fi-1", Span(0, 8))
    example = Example(Question("q", "Mikä?", "fi"), golds)
    whole = Dataset("open", (example,), {"en": english, "fi": finnish})
    mixed = split_articles(whole, name="mixed")
    assert texts(mixed, "en") == ["Other."]
    assert [corpus.name for corpus in mixed.corpora.values()] == ["mixed.en", "mixed.fi"]
    assert mixed.examples[0].golds == (Gold("Twin", "en"), golds[1])
    assert mixed.name == "mixed"


@pytest.fixture(scope="module")
def xquad():
    if not SHARED.is_dir():
        pytest.skip("needs ../shared")
    return load_xquad_mixed(SHARED)


@pytest.fixture(scope="module")
def tequad():
    if not SHARED.is_dir():
        pytest.skip("needs ../shared")
    return load_te_mixed(SHARED)


def check_apart(dataset, lang):
    """Of each question one gold passage is there; of the other Wikipedia's no text holds it."""
    for example in dataset.only([lang]).examples:
        emptied_lang, gold_lang = (lang, "en") if example.answered_in == "en" else ("en", lang)
        assert all(gold.docid is None for gold in example.golds if gold.lang == emptied_lang)
        [gold] = [gold for gold in example.golds if gold.docid]
        assert gold.lang == gold_lang
        text = dataset.corpora[gold_lang][gold.docid].text
        assert text[gold.span.start : gold.span.end] == gold.text


def check_gone(dataset, lang, whole):
    """No passage holds a paragraph that was taken out; `whole` are all gold texts by language."""
    for code in whole:
        kept = "\n".join(texts(dataset, code))
        golds = {
            dataset.corpora[code][gold.docid].text
            for example in dataset.only([lang]).examples
            for gold in example.golds
            if gold.docid and gold.lang == code
        }
        gone = whole[code] - golds
        assert golds and gone
        assert not [text for text in gone if text in kept]


def test_the_published_xquad(xquad):
    sizes = {lang: len(corpus) for lang, corpus in xquad.corpora.items()}
    assert sizes == dict.fromkeys(XQUAD_LANGUAGES, 120) | {"ar": 962, "ru": 898, "en": 20_843}
    counts = list(gold_subsets(xquad.only(["ru"])).values())
    assert (counts.count("cross-lingual"), counts.count("in-language")) == (578, 612)
    first, last = xquad.examples[0], xquad.examples[-1]
    assert len(xquad.examples) == 11 * 1190
    assert (first.question.qid, first.answered_in) == ("56beb4343aeaaa14008c925b.ar", "target")
    assert first.golds == (Gold("308", "en"), Gold("308", "ar", "xquad.ar-00001", Span(29, 32)))
    assert (last.question.qid, last.answered_in) == ("5737a25ac3c5551400e51f54.zh", "en")


@pytest.mark.parametrize("langs", [("ar", "en"), ("zh",)])
def test_published_paragraphs_are_really_gone(xquad, langs):
    data = {
        code: json.loads((SHARED / "xquad" / f"xquad.{code}.json").read_bytes())["data"]
        for code in langs
    }
    check_apart(xquad, langs[0])
    check_gone(
        xquad,
        langs[0],
        {
            code: {
                paragraph["context"] for article in articles for paragraph in article["paragraphs"]
            }
            for code, articles in data.items()
        },
    )


def test_the_published_tequad(tequad):
    assert {lang: len(corpus) for lang, corpus in tequad.corpora.items()} == {
        "te": 694,
        "en": 20_880,
    }
    counts = list(gold_subsets(tequad).values())
    assert (counts.count("cross-lingual"), counts.count("in-language")) == (306, 204)
    first, last = tequad.examples[0], tequad.examples[-1]
    assert first.question.qid == "57265d08708984140094c397.te"
    assert first.golds[0] == Gold("seafloor spreading", "en", "squad-19632", Span(71, 89))
    assert last.human_translation == "In what year did the affiliate program end?"
    check_apart(tequad, "te")


def test_published_telugu_paragraphs_are_really_gone(tequad):
    lines = (SHARED / "tequad" / "real_con_tel.txt").read_text(encoding="utf-8").splitlines()
    check_gone(tequad, "te", {"te": set(lines)})
