"""The bundled questions over paragraphs of training sets, and over our own documentation."""

import bz2
import json
import shutil
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from tests.commands.questions import write_set
from xorqa.core.errors import DataError
from xorqa.core.lang import LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import (
    is_held_out,
    match_key,
    read_excluded,
    read_pairs,
)
from xorqa.lab.training.multilingual_questions import questions as module
from xorqa.lab.training.multilingual_questions.open_retrieval import load_questions_open
from xorqa.lab.training.multilingual_questions.questions import (
    LANGS,
    PARALLEL,
    SETS,
    SPLITS,
    QuestionSet,
    english_questions,
    located_questions,
    paragraph_key,
    translations,
    write_multilingual_questions,
)

SHARED = Path(__file__).parents[4].parent / "shared" / "data"
CONTEXTS = ("The Nile flows  north through Egypt.", "The Rhine rises in Switzerland.")


def squad_json(*contexts: str) -> str:
    paragraphs = [{"context": text, "qas": []} for text in contexts]
    return json.dumps({"data": [{"title": "Rivers", "paragraphs": paragraphs}]})


def squad_file(data: Path, *contexts: str) -> None:
    path = data / "squad" / "train-v1.1.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(squad_json(*contexts))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, and sets with three English questions and one in Finnish."""
    keys = [paragraph_key(text) for text in CONTEXTS]
    lines = (
        f"a\ttrain\t{keys[0]}\tEgypt\tWhich country does the Nile cross?\n"
        f"b\tvalidation\t{keys[1]}\tSwitzerland\tWhere is the source of the Rhine?"
    )
    other = f"c\ttrain\t{keys[0]}\t-\tHow long is the Nile?"
    none = dict.fromkeys(LANGS, "")
    finnish = "Minkä maan läpi Niili virtaa?\n"
    write_set(tmp_path / "sets" / "parallel", {"questions": lines, "fi": finnish})
    for name in ("squad", "jaquad", "tydiqa", "documentation"):
        write_set(tmp_path / "sets" / name, {**none, "questions": other})
    monkeypatch.setattr(module, "ROOT", tmp_path / "sets")
    monkeypatch.setattr(module, "LANGS", ("fi",))
    return tmp_path


def test_files_have_the_paragraphs_of_squad(data: Path) -> None:
    squad_file(data, *CONTEXTS)
    counts = write_multilingual_questions(data, data / "out")
    assert counts == {"parallel": {"en": 2, "fi": 1}, "squad": {"en": 1, "fi": 0}}
    [finnish] = read_squad(data / "out" / "fi.json")
    assert (finnish.qid, finnish.title, finnish.context) == ("a", "Rivers", CONTEXTS[0])
    assert finnish.span and finnish.context[finnish.span.start : finnish.span.end] == "Egypt"
    english = list(read_squad(data / "out" / "en.json"))
    assert [one.answers for one in english] == [("Egypt",), ("Switzerland",)]


def test_a_question_without_an_answer_is_in_a_file_of_its_own(data: Path) -> None:
    squad_file(data, *CONTEXTS)
    write_multilingual_questions(data, data / "out")
    [one] = read_squad(data / "out" / "more" / "unanswerable" / "en.json")
    assert (one.qid, one.context, one.answers) == ("c", CONTEXTS[0], ())


def test_paragraphs_of_our_own_are_stored_with_their_questions(data: Path) -> None:
    squad_file(data, *CONTEXTS)
    stored = data / "sets" / "documentation" / "paragraphs.json.bz2"
    stored.write_bytes(bz2.compress(squad_json(CONTEXTS[0]).encode()))
    assert write_multilingual_questions(data, data / "out")["documentation"] == {"en": 1, "fi": 0}
    [one] = read_squad(data / "out" / "documentation" / "unanswerable" / "en.json")
    assert (one.qid, one.context) == ("c", CONTEXTS[0])
    assert read_pairs([data / "out" / "documentation" / "train.tsv"]) == []


def test_pairs_are_split(data: Path) -> None:
    squad_file(data, *CONTEXTS)
    write_multilingual_questions(data, data / "out")
    pair = ("fi", "Minkä maan läpi Niili virtaa?", "en", "Which country does the Nile cross?")
    assert read_pairs([data / "out" / "train.tsv"]) == [pair]
    assert read_pairs([data / "out" / "validation.tsv"]) == []


def test_another_file_is_refused_with_a_hint(data: Path) -> None:
    squad_file(data, CONTEXTS[0])
    with pytest.raises(DataError, match=r"lacks 1 of the paragraphs.*xorqa data fetch squad"):
        write_multilingual_questions(data, data / "out")
    assert not (data / "out").exists()


def test_a_paragraph_without_its_answer_is_refused(data: Path) -> None:
    squad_file(data, CONTEXTS[0].replace("Egypt", "Sudan"), CONTEXTS[1])
    key = paragraph_key(CONTEXTS[0].replace("Egypt", "Sudan"))
    english = f"a\ttrain\t{key}\tEgypt\tWhich country does the Nile cross?"
    shutil.rmtree(data / "sets" / "parallel")
    write_set(data / "sets" / "parallel", {"questions": english, "fi": ""})
    with pytest.raises(DataError, match="a paragraph of 'Rivers' lacks 'Egypt'"):
        write_multilingual_questions(data, data / "out")


def test_parallel_questions_are_whole_and_in_all_languages() -> None:
    questions = english_questions(PARALLEL)
    assert len(questions) == 3624
    assert set(Counter(one.paragraph for one in questions).values()) == {1, 2}
    assert Counter(one.split for one in questions) == {"train": 3384, "validation": 240}
    for lang in LANGS:
        assert translations(lang).keys() == {one.qid for one in questions}


def test_all_questions_are_distinct() -> None:
    questions = [one for of in SETS for one in english_questions(of)]
    assert len(questions) >= 12_000
    assert len({one.qid for one in questions}) == len(questions)
    assert len({match_key(one.text) for one in questions}) == len(questions)
    assert {one.split for one in questions} == set(SPLITS)


@pytest.mark.parametrize("of", SETS[1:], ids=lambda of: of.name)
def test_questions_of_other_sets_are_in_some_languages(of: QuestionSet) -> None:
    questions = english_questions(of)
    qids = {one.qid for one in questions}
    times = Counter(qid for lang in LANGS for qid in translations(lang, of))
    assert times.keys() == qids
    assert set(times.values()) == ({4, 5} if of.out == "documentation" else {4})
    assert {one.split for one in questions} <= set(SPLITS)
    assert 0.02 < sum(not one.answer for one in questions) / len(questions) < 0.07
    if of.lang in LANGS:
        assert translations(of.lang, of).keys() == qids


@pytest.mark.parametrize("of", SETS, ids=lambda of: of.name)
@pytest.mark.parametrize("lang", LANGS)
def test_translations_are_questions_in_their_script(lang: str, of: QuestionSet) -> None:
    texts = translations(lang, of)
    assert len(set(texts.values())) > 0.99 * len(texts)
    shares = [script_share(text, LANGUAGES[lang].script) for text in texts.values()]
    assert min(shares) > 0
    assert fmean(shares) > (0.75 if of.out == "documentation" else 0.9)  # names of options


@pytest.mark.skipif(not SHARED.exists(), reason="needs the training files")
@pytest.mark.parametrize("of", SETS, ids=lambda of: of.name)
def test_splits_are_those_of_the_recipes_and_answers_are_in_their_paragraphs(
    of: QuestionSet,
) -> None:
    questions = english_questions(of)
    splits = {one.qid: one.split for one in questions}
    located = located_questions(questions, of, SHARED)
    assert len(located) == len(questions)
    share = 0.2 if of.lang == "ja" else 0.05  # a fifth of JaQuAD's articles is for evaluation
    for one in located:
        assert (splits[one.qid] == "validation") == is_held_out(one, share)


@pytest.mark.skipif(not SHARED.exists(), reason="needs the evaluation files")
def test_no_question_is_one_of_an_evaluation_set() -> None:
    names = (
        "xquad/*.json",
        "squad/dev-v1.1.json",
        "xor-tydi/xor_dev*.jsonl",
        "mkqa/dev-half*.jsonl",
    )
    files = [path for name in (*names, "tydiqa-goldp/*_dev.json") for path in SHARED.glob(name)]
    excluded = read_excluded(files)
    for of in SETS[1:]:
        texts = [one.text for one in english_questions(of)]
        for lang in LANGS:
            texts += translations(lang, of).values()
        assert not excluded & set(map(match_key, texts))


@pytest.mark.skipif(not SHARED.exists(), reason="needs SQuAD's files")
def test_questions_open_has_the_validation_questions_and_their_paragraphs() -> None:
    dataset = load_questions_open(SHARED)
    assert len(dataset.corpora["en"]) == 20_963
    passages = {passage.docid: passage for passage in dataset.corpora["en"]}
    langs = Counter(example.question.lang for example in dataset.examples)
    assert langs["en"] == 240
    assert set(langs) == {"en", *LANGS}
    first = dataset.examples[0]
    assert first.question.text == first.human_translation
    for example in dataset.examples:
        [gold] = example.golds
        assert gold.docid and gold.span
        assert passages[gold.docid].text[gold.span.start : gold.span.end] == gold.text
