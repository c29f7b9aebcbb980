import numpy as np
import pytest

from xorqa.lab.backretrieval.terms import bm25_vectors, character_vectors


def test_characters_are_counted_without_case():
    source, target = character_vectors(["Aab!", "xyz"], ["baa", "bq"])
    assert source @ target.T == pytest.approx(np.array([[1, 1 / 10**0.5], [0, 0]]))


def test_all_vectors_are_unit_vectors_and_those_of_empty_texts_zero():
    for side in character_vectors(["ab", "", "zz"], ["a", "?", "yy"]):
        assert np.linalg.norm(side, axis=1) == pytest.approx([1, 0, 1])


def test_bm25_prefers_rare_terms():
    source = [["red", "cat"]]
    target = [["red", "dog"], ["grey", "cat"], ["red", "bus"], ["red", "sun"]]
    [scores] = bm25_vectors(source, target)[0] @ bm25_vectors(source, target)[1].T
    assert scores.argmax() == 1
    assert scores[0] == scores[2] == scores[3]


def test_texts_without_shared_terms_are_not_similar():
    source, target = bm25_vectors([["kissa"], []], [["cat"], ["dog"]])
    assert not (source @ target.T).any()
