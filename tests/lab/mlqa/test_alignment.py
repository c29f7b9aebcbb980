from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.text.words import word_spans
from xorqa.lab.mlqa.alignment import EncoderAligner, SegmentedText, WordAligner, align
from xorqa.models.checkpoints import Checkpoint


def segmented(text: str) -> SegmentedText:
    return SegmentedText(text, tuple(word_spans(text)))


def test_tokens_that_are_each_other_s_nearest_link_all_their_words() -> None:
    source = np.array([[1, 0, 0], [0, 1, 0], [0.9, 0.1, 0]], np.float32)
    target = np.array([[0, 2, 0], [3, 0, 0]], np.float32)
    assert align(source, target, [[0], [1], [0]], [[0], [1]]) == {(0, 1): 1.0, (1, 0): 1.0}
    assert align(source, target, [[0, 1], [2], [3]], [[0], [1, 2]]) == {
        (0, 1): 1.0,
        (0, 2): 1.0,
        (1, 1): 1.0,
        (1, 2): 1.0,
        (2, 0): 1.0,
    }
    assert align(source, target[:0], [[0], [1], [0]], []) == {}


@given(st.permutations(range(6)), st.integers(0, 2**32 - 1))
def test_a_permutation_is_found_back(order: list[int], seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(6, 8)).astype(np.float32)
    words = [[target] for target in range(6)]
    links = align(vectors, vectors[order] * 3, words, words)
    assert links == {(source, target): 1.0 for target, source in enumerate(order)}
    assert align(vectors[order] * 3, vectors, words, words).keys() == {(j, i) for i, j in links}


def test_order_is_kept_whatever_is_aligned_together(tiny: Path) -> None:
    aligner = EncoderAligner(model=str(tiny), layer=1)
    assert isinstance(aligner, WordAligner)
    texts = [
        ("Niili on joki", "joki on Niili"),
        ("", "joki"),
        ("東京 joki " * 90, "joki"),
        ("joki", "joki"),
    ]
    pairs = [(segmented(source), segmented(target)) for source, target in texts]
    links = aligner.links(pairs)
    assert [aligner.links([pair])[0] for pair in pairs] == links
    assert (links[1], links[3]) == ({}, {(0, 0): 1.0})
    for (source, target), of_pair in zip(pairs, links, strict=True):
        assert all(i < len(source.words) and j < len(target.words) for i, j in of_pair)
    assert aligner.links([]) == []


def test_the_fingerprint_tells_weights_and_layers_apart(tiny: Path) -> None:
    prints = {EncoderAligner(model=str(tiny), layer=layer).fingerprint() for layer in (1, 1, 2)}
    assert len(prints) == 2


@pytest.mark.slow
def test_the_bundled_encoder_links_words_that_say_the_same(e5: Checkpoint) -> None:
    pairs = [
        ("The white house stands near the river.", "La casa blanca está cerca del río."),
        ("My sister sells bread on Friday.", "Am Freitag verkauft meine Schwester Brot."),
    ]
    wanted = [
        {("white", "blanca"), ("house", "casa"), ("river", "río"), ("near", "cerca")},
        {("sister", "Schwester"), ("sells", "verkauft"), ("bread", "Brot"), ("Friday", "Freitag")},
    ]
    links = EncoderAligner().links([(segmented(a), segmented(b)) for a, b in pairs])
    for (source, target), of_pair, gold in zip(pairs, links, wanted, strict=True):
        a, b = word_spans(source), word_spans(target)
        named = {(source[a[i].start : a[i].end], target[b[j].start : b[j].end]) for i, j in of_pair}
        assert gold <= named
