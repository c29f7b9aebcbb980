from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.zoo.translators import marian, mbart50, nllb, t5
from xorqa.core.errors import ConfigError
from xorqa.core.text.words import word_spans
from xorqa.core.types import Span
from xorqa.lab.mlqa.alignment import SegmentedText, WordAligner
from xorqa.lab.mlqa.attention import (
    AttentionAligner,
    CrossAttention,
    cross_attention,
    token_spans,
    word_weights,
)
from xorqa.translation.seq2seq import Seq2SeqTranslator

TEXTS = [
    ("Niili on joki.", "The Nile is a river."),
    ("Inari", "A lake in Finland, far in the north"),
    ("Kuka? 東京", "Who?"),
]


def build(folder: Path, **options: Any) -> Seq2SeqTranslator:
    given = {"longest": 40, "dtype": "float32", "device": "cpu", **options}
    return Seq2SeqTranslator(model=str(folder), **given)


def segmented(text: str) -> SegmentedText:
    return SegmentedText(text, tuple(word_spans(text)))


def test_the_weights_are_those_of_transformers(tiny_seq2seq: Path) -> None:
    import torch
    from transformers import AutoTokenizer, MarianMTModel

    tokenizer = AutoTokenizer.from_pretrained(tiny_seq2seq)
    model = MarianMTModel.from_pretrained(tiny_seq2seq, attn_implementation="eager").eval()
    translator = build(tiny_seq2seq)
    made = cross_attention(translator, TEXTS, lang="fi", to="en")
    for (source, target), attention in zip(TEXTS, made, strict=True):
        row = tokenizer(source, text_target=target, return_tensors="pt")
        with torch.no_grad():
            layers = model(**row, output_attentions=True).cross_attentions
        expected = torch.stack(layers).mean((0, 2))[0].numpy()
        assert attention.weights.shape == (len(attention.target), len(attention.source))
        np.testing.assert_allclose(attention.weights, expected, atol=1e-6)
        np.testing.assert_allclose(attention.weights.sum(1), 1, atol=1e-5)
        assert attention.source[-1] == attention.target[-1] == ""
    again = translator.generate([("", TEXTS[0][0])], "")
    assert again == build(tiny_seq2seq).generate([("", TEXTS[0][0])], "")


@pytest.mark.parametrize("family", ["codes", "nllb", "mbart50", "t5"])
def test_every_word_of_every_family_has_its_weights(family: str, tmp_path: Path) -> None:
    folder, prefix = tmp_path / "model", None
    if family == "codes":
        marian(folder, ["eng", "fin"], pair=("mul", "mul"))
    elif family == "t5":
        t5(folder)
        prefix = "translate {source} to {target}: "
    else:
        {"nllb": nllb, "mbart50": mbart50}[family](folder)
    aligner = AttentionAligner(build(folder, prefix=prefix), lang="fi", to="en")
    assert isinstance(aligner, WordAligner)
    pairs = [(segmented(a), segmented(b)) for a, b in TEXTS]
    together = aligner.links(pairs)
    assert aligner.links([]) == []
    for pair, links in zip(pairs, together, strict=True):
        source, target = pair
        assert {i for i, _ in links} == set(range(len(source.words)))
        assert {j for _, j in links} == set(range(len(target.words)))
        [alone] = aligner.links([pair])
        assert alone == pytest.approx(links, abs=1e-5)


def test_words_sum_the_weights_of_their_tokens() -> None:
    weights = np.array([[0.5, 0.25, 0.2, 0.05], [0.1, 0.1, 0.7, 0.1], [0, 0, 0, 1]], np.float32)
    attention = CrossAttention(["▁Nii", "li", "▁on", ""], ["▁Ni", "le", ""], weights)
    links = word_weights(segmented("Niili on"), segmented("Nile"), attention)
    assert links == pytest.approx({(0, 0): 0.95, (1, 0): 0.9})


def test_tokens_without_offsets_are_located() -> None:
    spans = token_spans(["▁Cai", "ro", "▁", "<unk>", "▁ﬁ", "n", ""], "Cairo 東京 fin")
    assert spans == [Span(0, 3), Span(3, 5), None, Span(6, 8), Span(9, 11), Span(11, 12), None]
    assert token_spans([">>fin<<", "▁on"], "On") == [None, Span(0, 2)]
    assert token_spans(["", "<unk>"], "") == [None, None]


def test_what_is_cut_is_reported(tiny_seq2seq: Path) -> None:
    aligner = AttentionAligner(build(tiny_seq2seq, longest=4), lang="fi", to="en")
    with pytest.warns(UserWarning, match="reads only the first 4 tokens"):
        [links] = aligner.links([(segmented("joki " * 9), segmented("river"))])
    assert {i for i, _ in links} < set(range(9))


def test_a_model_with_two_vocabularies(tiny_seq2seq: Path) -> None:
    translator = build(tiny_seq2seq)
    translator.tokenizer.separate_vocabs = True
    with pytest.raises(ConfigError, match="a vocabulary for each side"):
        cross_attention(translator, TEXTS, lang="fi", to="en")
