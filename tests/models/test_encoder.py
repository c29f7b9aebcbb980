import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from xorqa.datasets.mini import load as load_mini
from xorqa.errors import ConfigError, WeightsError
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.models.encoder import Encoder, EncoderSettings

TEXTS = ["Niili", *(next(iter(corpus)).text for corpus in load_mini().corpora.values()), "東京", ""]


def encoder(model: Path | str, **options: Any) -> Encoder:
    return Encoder(EncoderSettings(str(model), dtype="float32", **options))


def outputs(folder: Path, text: str, kind: str = "BertModel") -> Any:
    """What transformers itself says of one text."""
    import transformers

    tokenizer = load_tokenizer(resolve(str(folder)))
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    with torch.inference_mode():
        return model(**tokenizer(text, return_tensors="pt", truncation=True, max_length=512))


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def test_order_is_kept_whatever_is_batched_together(tiny: Path) -> None:
    encode = encoder(tiny).passages
    together = encode(TEXTS)
    assert together.shape == (len(TEXTS), 32)
    assert together.dtype == np.float32
    np.testing.assert_allclose(encode(TEXTS[::-1])[::-1], together, atol=1e-5)
    for at, text in enumerate(TEXTS):
        np.testing.assert_allclose(encode([text])[0], together[at], atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_many_texts_are_many_batches_and_progress_counts_them(tiny: Path) -> None:
    texts = [f"{'joki ' * (at % 70)}{at}" for at in range(300)]
    done: list[int] = []
    vectors = encoder(tiny).passages(texts, progress=done.append)
    assert done == sorted(done) and done[-1] == len(texts) and len(done) > 1
    np.testing.assert_allclose(encoder(tiny).passages(texts[250:251])[0], vectors[250], atol=1e-5)


def test_poolings_are_what_their_names_say(tiny: Path) -> None:
    text = TEXTS[1]
    output = outputs(tiny, text)
    wanted = {
        "mean": output.last_hidden_state[0].mean(0),
        "cls": output.last_hidden_state[0, 0],
        "pooler": output.pooler_output[0],
    }
    for pooling, vector in wanted.items():
        raw = encoder(tiny, pooling=pooling, normalize=False).queries([text])[0]
        np.testing.assert_allclose(raw, vector.numpy(), atol=1e-4)
        normal = encoder(tiny, pooling=pooling).queries([text])[0]
        np.testing.assert_allclose(normal, unit(vector.numpy()), atol=1e-5)
    with pytest.raises(ConfigError, match="'max'; there are: cls, mean, pooler"):
        encoder(tiny, pooling="max")


def test_one_tower_or_two(tiny: Path, make_tiny: Callable[..., Path]) -> None:
    other = make_tiny(seed=9)
    both = encoder(tiny, passage_tower=str(other))
    np.testing.assert_array_equal(both.queries(TEXTS), encoder(tiny).queries(TEXTS))
    np.testing.assert_array_equal(both.passages(TEXTS), encoder(other).passages(TEXTS))
    assert np.abs(both.passages(TEXTS) - both.queries(TEXTS)).max() > 0.1
    prints = {both.fingerprint(), encoder(tiny).fingerprint(), encoder(other).fingerprint()}
    assert len(prints) == 3


def test_a_dpr_pair(make_tiny: Callable[..., Path]) -> None:
    kinds = ("DPRQuestionEncoder", "DPRContextEncoder")
    question, context = (make_tiny(seed=at, model=kind) for at, kind in enumerate(kinds, 4))
    pair = encoder(question, passage_tower=str(context), pooling="pooler", normalize=False)
    for kind, folder, encode in zip(kinds, (question, context), (pair.queries, pair.passages),
                                    strict=True):  # fmt: skip
        wanted = outputs(folder, TEXTS[1], kind).pooler_output[0].numpy()
        np.testing.assert_allclose(encode([TEXTS[1]])[0], wanted, atol=1e-4)
    with pytest.raises(ConfigError, match="pooling = 'cls' needs a last_hidden_state"):
        encoder(question, pooling="cls").queries(["joki"])


def test_prefixes(tiny: Path, tmp_path: Path) -> None:
    plain = encoder(tiny)
    given = encoder(tiny, query_prefix="Q: ", passage_prefix="P: ")
    np.testing.assert_array_equal(given.queries(["joki"]), plain.queries(["Q: joki"]))
    np.testing.assert_array_equal(given.passages(["joki"]), plain.passages(["P: joki"]))
    shutil.copytree(tiny, tmp_path / "e5-tiny")
    of_e5 = encoder(tmp_path / "e5-tiny")
    np.testing.assert_array_equal(of_e5.queries(["joki"]), plain.queries(["query: joki"]))
    np.testing.assert_array_equal(of_e5.passages(["joki"]), plain.passages(["passage: joki"]))
    without = encoder(tmp_path / "e5-tiny", query_prefix="")
    np.testing.assert_array_equal(without.queries(["joki"]), plain.queries(["joki"]))


def test_nothing_and_a_lot(tiny: Path, make_tiny: Callable[..., Path]) -> None:
    assert encoder(tiny).queries([]).shape == (0, 32)
    long = "joki on pitkä " * 715
    assert len(long) > 10_000
    output = outputs(tiny, long)
    assert output.last_hidden_state.shape[1] == 512
    wanted = unit(output.last_hidden_state[0].mean(0).numpy())
    np.testing.assert_allclose(encoder(tiny).queries([long])[0], wanted, atol=1e-5)
    short = encoder(make_tiny(positions=64))
    np.testing.assert_allclose(np.linalg.norm(short.queries([long])), 1, atol=1e-5)


def test_unknown_weights_are_told_when_they_are_used(tmp_path: Path) -> None:
    missing = encoder(tmp_path / "none")
    with pytest.raises(WeightsError, match="is not a folder"):
        missing.queries(["joki"])


def test_the_fingerprint_knows_weights_and_settings_but_not_precision(tiny: Path) -> None:
    prints = [
        Encoder(EncoderSettings(str(tiny), **options)).fingerprint()
        for options in ({}, {"dtype": "bfloat16"}, {"pooling": "cls"}, {"max_tokens": 64})
    ]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3
