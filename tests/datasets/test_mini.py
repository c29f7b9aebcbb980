from collections import Counter
from dataclasses import replace

import pytest

from xorqa.core.lang import XOR_LANGUAGES, language
from xorqa.core.text.detection import script_share
from xorqa.core.types import Question, Span
from xorqa.datasets.mini import load

LANGS = ("en", *XOR_LANGUAGES)


@pytest.fixture(scope="module")
def mini():
    return load()


def test_counts(mini):
    assert mini.languages == list(XOR_LANGUAGES)
    assert set(mini.corpora) == set(LANGS)
    assert len(mini.corpora["en"]) >= 240
    assert all(len(mini.corpora[lang]) >= 40 for lang in XOR_LANGUAGES)
    counts = Counter((example.question.lang, example.answered_in) for example in mini.examples)
    assert counts == {(lang, split): 12 for lang in XOR_LANGUAGES for split in ("en", "target")}


def test_first_and_last_question(mini):
    first, last = mini.examples[0].question, mini.examples[-1].question
    assert (first.qid, first.lang) == ("mini-ar-01", "ar")
    assert (last.qid, last.lang) == ("mini-te-24", "te")


def test_ids_are_unique_and_fit_a_run_file(mini):
    qids = [example.question.qid for example in mini.examples]
    docids = [passage.docid for corpus in mini.corpora.values() for passage in corpus]
    for ids in (qids, docids):
        assert len(set(ids)) == len(ids)
        assert not any(set(one) & set(" \t\n") for one in ids)


@pytest.mark.parametrize("lang", LANGS)
def test_passages(mini, lang):
    texts = [passage.text for passage in mini.corpora[lang]]
    assert len(set(texts)) == len(texts)
    for passage in mini.corpora[lang]:
        assert passage.lang == lang
        assert passage.title
        assert passage.text == passage.text.strip()
        assert script_share(passage.text, language(lang).script) > 0.9, passage.docid


@pytest.mark.parametrize("lang", XOR_LANGUAGES)
def test_questions(mini, lang):
    examples = mini.only([lang]).examples
    assert len({example.question.text for example in examples}) == len(examples)
    for example in examples:
        qid, text = example.question.qid, example.question.text
        assert qid.startswith(f"mini-{lang}-")
        assert script_share(text, language(lang).script) > 0.8, qid
        assert script_share(example.human_translation, "Latn") > 0.95, qid
        assert example.human_translation.endswith(("?", ".")), qid


def test_every_span_occurs_once_and_matches_its_offsets(mini):
    for example in mini.examples:
        (gold,) = [gold for gold in example.golds if gold.docid]
        where = "en" if example.answered_in == "en" else example.question.lang
        assert gold.lang == where
        text = mini.corpora[where][gold.docid].text
        span = text[gold.span.start : gold.span.end]
        assert span.strip() == span != ""
        assert text.count(span) == 1, example.question.qid


def test_answers_are_given_in_english_and_in_the_own_language(mini):
    for example in mini.examples:
        for lang in ("en", example.question.lang):
            answers = example.answers(lang)
            assert answers, example.question.qid
            assert all(answer == answer.strip() != "" for answer in answers)
            assert len(set(answers)) == len(answers), example.question.qid


def test_the_english_span_is_an_accepted_answer(mini):
    for example in mini.examples:
        if example.answered_in == "en":
            gold = next(gold for gold in example.golds if gold.docid)
            text = mini.corpora["en"][gold.docid].text
            assert text[gold.span.start : gold.span.end] in example.answers("en")


def test_translations_and_subsets(mini):
    assert len(mini.translations) == len(mini.examples)
    assert mini.only(["fi", "te"]).languages == ["fi", "te"]
    assert mini.only(["fi"]).corpora is mini.corpora


def test_a_sample_is_of_every_language_and_the_same_always(mini):
    some = mini.sample(5)
    assert Counter(e.question.lang for e in some.examples) == dict.fromkeys(mini.languages, 5)
    backwards = replace(mini, examples=mini.examples[::-1]).sample(5)
    assert backwards.examples == some.examples[::-1]
    assert set(mini.sample(4).examples) < set(some.examples) < set(mini.examples)
    assert mini.sample(10_000).examples == mini.examples
    assert some.examples != tuple(
        e for lang in mini.languages for e in mini.only([lang]).examples[:5]
    )


def test_loading_again_gives_the_same(mini):
    again = load.__wrapped__()
    assert again.examples == mini.examples
    assert {lang: corpus.sha for lang, corpus in again.corpora.items()} == {
        lang: corpus.sha for lang, corpus in mini.corpora.items()
    }
    assert isinstance(again.examples[0].question, Question)
    assert isinstance(again.examples[0].golds[0].span, Span)
