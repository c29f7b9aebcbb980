"""What tests share: a home of their own, the bundled encoder, and tiny weights."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from xorqa.datasets.mini import load as load_mini
from xorqa.files import models_dir
from xorqa.models.adapters import save
from xorqa.models.checkpoints import Checkpoint, load_tokenizer, resolve

os.environ["HF_HUB_OFFLINE"] = "1"  # huggingface_hub reads it once, when it is imported
settings.register_profile("busy machine", deadline=None)
settings.load_profile("busy machine")

HIDDEN = 32
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")

MakeTiny = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def session_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """XORQA_HOME for all tests; only rebuilt weights are the user's own, to be made once."""
    models = models_dir().resolve()
    models.mkdir(parents=True, exist_ok=True)
    folder = tmp_path_factory.mktemp("session-home")
    (folder / "models").symlink_to(models, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_HOME", str(folder))
        yield folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An XORQA_HOME with nothing in it, not even weights; the folder does not exist yet."""
    folder = tmp_path / "home"
    monkeypatch.setenv("XORQA_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def e5(session_home: Path) -> Checkpoint:
    """The bundled encoder, rebuilt if it never was."""
    return resolve()


@pytest.fixture(scope="session")
def e5_tokenizer(e5: Checkpoint) -> Any:
    return load_tokenizer(e5)


@pytest.fixture(scope="session")
def make_tiny(tmp_path_factory: pytest.TempPathFactory) -> MakeTiny:
    """Saves a random BERT (2 layers, 32 wide) with a tokenizer of the bundled world."""

    def make(*, seed: int = 1, positions: int = 512, model: str = "BertModel") -> Path:
        import torch
        import transformers

        torch.manual_seed(seed)
        folder = tmp_path_factory.mktemp("tiny")
        size = _save_tokenizer(folder, longest=positions)
        kind = "DPRConfig" if model.startswith("DPR") else "BertConfig"
        config = getattr(transformers, kind)(
            vocab_size=size, hidden_size=HIDDEN, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=64, max_position_embeddings=positions, pad_token_id=1,
            initializer_range=0.5,
        )  # fmt: skip
        getattr(transformers, model)(config).save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def tiny(make_tiny: MakeTiny) -> Path:
    """A tiny checkpoint's folder."""
    return make_tiny()


@pytest.fixture(scope="session")
def tiny_adapter(tiny: Path) -> Path:
    """A random reader's adapter file on the tiny checkpoint."""
    import torch

    torch.manual_seed(2)
    path = tiny.parent / "tiny-reader.safetensors"
    tensors = {
        "bert.encoder.layer.0.attention.self.query.A": torch.randn(2, HIDDEN),
        "bert.encoder.layer.0.attention.self.query.B": torch.randn(HIDDEN, 2),
        "classifier.weight": torch.randn(3, HIDDEN),
        "classifier.bias": torch.zeros(3),
    }
    save(path, tensors, task="reader", base=resolve(str(tiny)), card={"steps": 0})
    return path


def _save_tokenizer(folder: Path, *, longest: int) -> int:
    """A Unigram tokenizer like the bundled one; returns the size of its vocabulary."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    passages = chain.from_iterable(load_mini().corpora.values())
    text = unicodedata.normalize("NFKC", " ".join(passage.text for passage in passages))
    words = [word for word, count in Counter(text.split()).most_common(1500) if count > 2]
    pieces = dict.fromkeys([*sorted({*text, "▁"} - {" "}), *(f"▁{word}" for word in words)])
    vocab = [(token, 0.0) for token in SPECIAL] + [(piece, -9.0) for piece in pieces]
    tokenizer = Tokenizer(models.Unigram(vocab, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", cls_token="<s>", eos_token="</s>",
        sep_token="</s>", pad_token="<pad>", unk_token="<unk>", model_max_length=longest,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)  # fmt: skip
    return tokenizer.get_vocab_size()
