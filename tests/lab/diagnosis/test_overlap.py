"""BLEU without brevity penalty equals sacreBLEU's where that has no penalty."""

import pytest
import sacrebleu

from xorqa.lab.diagnosis.overlap import bleu_precision, word_overlap

TEXTS = [
    ("the river Nile", "How long is the river Nile in Africa ?"),
    ("the long river Nile is in Africa today", "How long is the river Nile in Africa ?"),
    ("Nile", "Where is the Nile ?"),
    ("Nile river", "the Nile is a river"),
    ("mikä joki", "Mikä on pisin joki maailmassa ?"),
]


@pytest.mark.parametrize(("text", "reference"), TEXTS)
def test_bleu_is_sacrebleus_precision(text, reference):
    bleu = sacrebleu.BLEU(tokenize="none", lowercase=True, effective_order=True)
    score = bleu.sentence_score(text, [reference])
    assert bleu_precision(text, reference) == pytest.approx(score.score / score.bp)


def test_bleu_of_texts_that_share_nothing_or_are_empty():
    assert bleu_precision("ibis", "Where is the Nile?") == 0
    assert bleu_precision("", "Where?") is None
    assert bleu_precision("Where?", "") is None
    assert bleu_precision("尼罗河", "尼罗河在哪里") == 100


def test_word_overlap_counts_distinct_search_tokens():
    assert word_overlap("Nile Nile Rhine", "en", "The Nile flows.", "en") == 0.5
    assert word_overlap("?", "en", "The Nile flows.", "en") is None
