import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.errors import ConfigError, WeightsError
from xorqa.datasets.mini import load as load_mini
from xorqa.io.files import digest
from xorqa.lab.common.transforms import fit_transform, save_transform
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.models.checkpoints import DEFAULT, load_tokenizer, resolve
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings, encoder_settings

TEXTS = ["Niili", *(next(iter(corpus)).text for corpus in load_mini().corpora.values()), "東京", ""]


def encoder(model: Path | str, **options: Any) -> Encoder:
    options = {"pooling": "mean", "dtype": "float32"} | options
    return Encoder(EncoderSettings(str(model), **options))


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


def test_many_texts_are_many_batches_and_progress_counts_tokens(tiny: Path) -> None:
    texts = [f"{'joki ' * (at % 70)}{at}" for at in range(300)]
    calls: list[tuple[int, int]] = []
    vectors = encoder(tiny).passages(texts, progress=lambda *call: calls.append(call))
    tokens = sum(count for _, count in encoder(tiny).tokens(texts))
    assert calls == sorted(calls) and calls[-1] == (tokens, tokens) and len(calls) > 1
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
    with pytest.raises(ConfigError, match="'max'; valid: cls, mean, pooler"):
        encoder(tiny, pooling="max").queries(["joki"])


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_the_output_of_a_layer(tiny: Path, layer: int) -> None:
    import transformers

    model = transformers.BertModel.from_pretrained(tiny).eval()
    tokens = load_tokenizer(resolve(str(tiny)))(TEXTS[1], return_tensors="pt")
    with torch.inference_mode():
        states = model(**tokens, output_hidden_states=True).hidden_states[layer][0].numpy()
    for pooling, vector in (("mean", states.mean(0)), ("cls", states[0])):
        [row] = encoder(tiny, pooling=pooling, layer=layer).queries([TEXTS[1]])
        np.testing.assert_allclose(row, unit(vector), atol=1e-5)


def test_layers_that_cannot_be_used(tiny: Path) -> None:
    with pytest.raises(ConfigError, match=r"layer = 3, but .* has layers 0 to 2"):
        encoder(tiny, layer=3).queries(["Niili"])
    with pytest.raises(ConfigError, match="pools the last layer"):
        encoder(tiny, layer=1, pooling="pooler")


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
    for kind, folder, encode in zip(
        kinds, (question, context), (pair.queries, pair.passages), strict=True
    ):
        wanted = outputs(folder, TEXTS[1], kind).pooler_output[0].numpy()
        np.testing.assert_allclose(encode([TEXTS[1]])[0], wanted, atol=1e-4)
    first = encoder(question, pooling="cls", normalize=False)
    np.testing.assert_array_equal(first.queries(["joki"]), pair.queries(["joki"]))
    with pytest.raises(ConfigError, match="pooling = 'mean' needs a last_hidden_state"):
        encoder(question).queries(["joki"])


def test_prefixes(tiny: Path, tmp_path: Path) -> None:
    plain = encoder(tiny)
    given = encoder(tiny, query_prefix="Q: ", passage_prefix="P: ")
    np.testing.assert_array_equal(given.queries(["joki"]), plain.queries(["Q: joki"]))
    np.testing.assert_array_equal(given.passages(["joki"]), plain.passages(["P: joki"]))
    shutil.copytree(tiny, tmp_path / "e5-runs" / "tiny")
    unguessed = encoder(tmp_path / "e5-runs" / "tiny")
    np.testing.assert_array_equal(unguessed.queries(["joki"]), plain.queries(["joki"]))
    shutil.copytree(tiny, tmp_path / "intfloat" / "multilingual-e5-base")
    of_e5 = encoder(tmp_path / "intfloat" / "multilingual-e5-base")
    np.testing.assert_array_equal(of_e5.queries(["joki"]), plain.queries(["query: joki"]))
    np.testing.assert_array_equal(of_e5.passages(["joki"]), plain.passages(["passage: joki"]))
    without = encoder(tmp_path / "intfloat" / "multilingual-e5-base", query_prefix="")
    np.testing.assert_array_equal(without.queries(["joki"]), plain.queries(["joki"]))


def test_a_title_and_a_text_are_the_tokenizers_pair(tiny: Path) -> None:
    import transformers

    tokenizer = load_tokenizer(resolve(str(tiny)))
    model = transformers.BertModel.from_pretrained(tiny).eval()
    with torch.inference_mode():
        output = model(tokenizer("P: Niili", "joki on", return_tensors="pt")["input_ids"])
    made = encoder(tiny, passage_prefix="P: ").passages([("Niili", "joki on"), "joki"])
    wanted = unit(output.last_hidden_state[0].mean(0).numpy())
    np.testing.assert_allclose(made[0], wanted, atol=1e-5)
    np.testing.assert_allclose(made[1], encoder(tiny).passages(["P: joki"])[0], atol=1e-5)


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
    settings = ({}, {"dtype": "bfloat16"}, {"pooling": "cls"}, {"max_tokens": 64}, {"layer": 1})
    prints = [encoder(tiny, **options).fingerprint() for options in settings]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 4


def test_the_bundled_encoder_has_the_fingerprint_of_earlier_versions() -> None:
    settings = {
        "model": DEFAULT,
        "passage_tower": None,
        "pooling": "mean",
        "query_prefix": None,
        "passage_prefix": None,
        "normalize": True,
        "max_tokens": 512,
    }
    sha = resolve().sha
    assert Encoder().fingerprint() == digest(settings, sha, sha)
    assert Encoder(EncoderSettings(pooling="mean", max_tokens=512)).fingerprint() == digest(
        settings, sha, sha
    )


MODULE = "encoder.layer.0.attention.self.query"


@pytest.fixture
def make_adapter(tiny: Path, tmp_path: Path) -> Callable[..., Path]:
    """Saves a random adapter of the tiny checkpoint."""

    def make(seed: int, *, base: Path = tiny, **recipe: Any) -> Path:
        torch.manual_seed(seed)
        path = tmp_path / f"{seed}.safetensors"
        tensors = {f"{MODULE}.A": torch.randn(2, 32), f"{MODULE}.B": torch.randn(32, 2)}
        save_adapter(
            path, tensors, task="encoder", base=resolve(str(base)), card={"recipe": recipe}
        )
        return path

    return make


def test_an_adapter_changes_the_weights(
    tiny: Path, tmp_path: Path, make_adapter: Callable[..., Path]
) -> None:
    import transformers

    path = make_adapter(1)
    model = transformers.BertModel.from_pretrained(tiny)
    pair = {name[-1]: value.float() for name, value in load_file(path).items()}
    with torch.no_grad():
        model.get_submodule(MODULE).weight += pair["B"] @ pair["A"]
    shutil.copytree(tiny, tmp_path / "merged")
    model.save_pretrained(tmp_path / "merged")
    adapted, merged = encoder(tiny, adapter=str(path)), encoder(tmp_path / "merged")
    np.testing.assert_allclose(adapted.queries(TEXTS), merged.queries(TEXTS), atol=1e-5)
    np.testing.assert_array_equal(adapted.passages(TEXTS), adapted.queries(TEXTS))
    assert np.abs(adapted.queries(TEXTS) - encoder(tiny).queries(TEXTS)).max() > 0.01


def test_an_adapter_a_tower(tiny: Path, make_adapter: Callable[..., Path]) -> None:
    one, two = (str(make_adapter(seed)) for seed in (1, 2))
    pair = encoder(tiny, adapter=one, passage_adapter=two)
    np.testing.assert_array_equal(pair.queries(TEXTS), encoder(tiny, adapter=one).queries(TEXTS))
    np.testing.assert_array_equal(pair.passages(TEXTS), encoder(tiny, adapter=two).passages(TEXTS))
    prints = {
        encoder(tiny, adapter=first, passage_adapter=second).fingerprint()
        for first in (None, one, two)
        for second in (None, one, two)
    }
    assert len(prints) == 9 - 2  # one adapter for both, said once or twice


def test_an_adapters_name_and_default_prefixes_are_not_in_the_fingerprint(
    tiny: Path, tmp_path: Path, make_adapter: Callable[..., Path]
) -> None:
    path = make_adapter(1)
    shutil.copy(path, tmp_path / "copy.safetensors")
    prints = {
        encoder(tiny, adapter=str(tmp_path / name), **prefixes).fingerprint()
        for name in (path.name, "copy.safetensors")
        for prefixes in ({}, {"query_prefix": "", "passage_prefix": ""})
    }
    assert len(prints) == 1


def test_adapters_that_do_not_belong_here(
    tiny: Path, make_tiny: Callable[..., Path], make_adapter: Callable[..., Path]
) -> None:
    foreign = make_adapter(1, base=make_tiny(seed=9))
    trained = make_adapter(2, pooling="cls", normalize=True)
    for path, error, message in (
        (foreign, WeightsError, r"1\.safetensors is an adapter for .*, not for "),
        (trained, ConfigError, r"2\.safetensors' was trained with pooling = 'cls', but .* 'mean'"),
    ):
        with pytest.raises(error, match=message) as caught:
            encoder(tiny, adapter=str(path)).queries(["joki"])
        assert "\n" not in str(caught.value)


@pytest.fixture
def transform(tiny: Path, tmp_path: Path) -> Path:
    """A transform for the tiny checkpoint, fitted on a language a side."""
    own = encoder(tiny)
    fitted = fit_transform(
        {("fi", "query"): own.queries(TEXTS), ("en", "passage"): own.passages(TEXTS)}, "center"
    )
    path = tmp_path / "a.transform"
    save_transform(path, fitted, encoder=own.fingerprint())
    return path


def test_a_transform_goes_by_language_and_side(tiny: Path, transform: Path) -> None:
    plain, made = encoder(tiny), encoder(tiny, transform=str(transform))
    vectors, langs = plain.queries(TEXTS), ["fi"] * len(TEXTS)
    wanted = unit(vectors - vectors.mean(axis=0))
    np.testing.assert_allclose(made.queries(TEXTS, langs), wanted, atol=1e-5)
    np.testing.assert_allclose(made.passages(TEXTS, ["en"] * len(TEXTS)), wanted, atol=1e-5)
    np.testing.assert_array_equal(plain.queries(TEXTS, langs), vectors)
    assert made.fingerprint() != plain.fingerprint()


def test_transforms_that_cannot_be_used(tiny: Path, transform: Path) -> None:
    for encode in (
        encoder(tiny, transform=str(transform)).queries,
        encoder(tiny, transform=str(transform)).passages,
    ):
        with pytest.raises(
            ConfigError, match=r"a\.transform' depends on the language: pass the language"
        ):
            encode(["joki"])
    with pytest.raises(ConfigError, match="needs normalize = true"):
        encoder(tiny, transform=str(transform), normalize=False)
    with pytest.raises(WeightsError, match="fitted for an encoder with fingerprint"):
        encoder(tiny, transform=str(transform), max_tokens=64).queries(["joki"], ["fi"])


def test_an_adapter_is_an_encoder_and_its_card_says_how(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    change = {
        "encoder.layer.0.output.dense.A": torch.zeros((1, 64)),
        "encoder.layer.0.output.dense.B": torch.zeros((32, 1)),
    }
    card = {"recipe": {"pooling": "cls", "query_prefix": "q: ", "steps": 3}}
    save_adapter(path, change, task="encoder", base=resolve(str(tiny)), card=card)
    assert encoder_settings(str(path)) == EncoderSettings(
        str(tiny), adapter=str(path), pooling="cls", query_prefix="q: "
    )
    assert encoder_settings("owner/name") == EncoderSettings("owner/name")


def test_a_readers_adapter_is_no_encoder(tiny_adapter: Path) -> None:
    with pytest.raises(WeightsError, match="not for 'encoder'"):
        encoder_settings(str(tiny_adapter))


def test_settings_may_follow_the_name() -> None:
    settings = encoder_settings("./a,b/model,pooling=cls,max_tokens=64,normalize=false")
    assert (settings.model, settings.pooling) == ("./a,b/model", "cls")
    assert (settings.max_tokens, settings.normalize) == (64, False)
    assert encoder_settings("encoder-questions,max_tokens=64").adapter == "encoder-questions"
    with pytest.raises(ConfigError, match="encoder a/b: has no setting 'pool'; valid: adapter, "):
        encoder_settings("a/b,pool=cls")


def of_transformers(folder: Path, *texts: str, segments: bool) -> Any:
    """The unit mean of transformers' own hidden states of a pair."""
    import transformers

    inputs = transformers.AutoTokenizer.from_pretrained(folder)(*texts, return_tensors="pt")
    assert inputs["token_type_ids"].any()
    if not segments:
        inputs["token_type_ids"] *= 0
    model = transformers.BertModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        return unit(model(**inputs).last_hidden_state[0].mean(0).numpy())


def test_a_sentence_and_its_paragraph_are_two_segments(tiny_bert: Path) -> None:
    pair = ("Niili", "joki on pitkä")
    made = encoder(tiny_bert)
    assert made.has_segments
    wanted = of_transformers(tiny_bert, *pair, segments=True)
    np.testing.assert_allclose(made.passages([pair])[0], wanted, atol=1e-5)
    [tokens] = made.token_vectors("passage", [pair])
    np.testing.assert_allclose(unit(tokens.mean(0)), wanted, atol=1e-5)
    several = made.passages(["joki", pair, "Niili on joki"])
    np.testing.assert_allclose(several[1], wanted, atol=1e-5)
    np.testing.assert_allclose(several[0], made.passages(["joki"])[0], atol=1e-5)


def test_adapters_on_single_texts_have_no_segments(tiny_bert: Path, tmp_path: Path) -> None:
    """They were made before segments were, and keep their vectors."""
    pair, base = ("Niili", "joki on pitkä"), resolve(str(tiny_bert))
    for context in (False, True):
        path, card = tmp_path / f"{context}.safetensors", {"recipe": {"context": context}}
        save_adapter(path, {}, task="encoder", base=base, card=card if context else {})
        made = encoder(tiny_bert, adapter=str(path))
        wanted = of_transformers(tiny_bert, *pair, segments=context)
        np.testing.assert_allclose(made.passages([pair])[0], wanted, atol=1e-5)


def test_the_bundled_model_and_dpr_have_no_segments(make_tiny: Callable[..., Path]) -> None:
    assert not Encoder(EncoderSettings(DEFAULT)).has_segments
    assert not encoder(make_tiny(model="DPRContextEncoder"), pooling="pooler").has_segments
