"""Models of the families that need files of their own: bare checkpoints, own code, chat models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.zoo import rerankers
from tests.zoo.encoders import as_on_the_hub, edit_json, save_body, save_released
from tests.zoo.readers import bin_only
from tests.zoo.shapes import BERT, WIDTH
from tests.zoo.tokenizers import save_word_pieces, unigram
from xorqa.io.files import write_json

IDENTITY = {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CODE = """
import torch
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput


class OwnConfig(PretrainedConfig):
    model_type = "own"

    def __init__(self, vocab_size=9, hidden_size=8, **options):
        self.vocab_size, self.hidden_size = vocab_size, hidden_size
        super().__init__(**options)


class OwnModel(PreTrainedModel):
    config_class = OwnConfig

    def __init__(self, config):
        super().__init__(config)
        self.words = torch.nn.Embedding(config.vocab_size, config.hidden_size)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, **options):
        words = self.words(input_ids)
        mask = attention_mask[..., None].to(words.dtype)
        return BaseModelOutput(words + (words * mask).sum(1, keepdim=True) / mask.sum(1)[:, None])
"""


def bin_of(build: Callable[[Path], Any], folder: Path) -> None:
    """A model as `pytorch_model.bin` only."""
    build(folder)
    bin_only(folder)


def bert(folder: Path) -> None:
    """A bare BERT."""
    save_body(folder, "BertModel")
    bin_only(folder)


def contriever(folder: Path) -> None:
    """A bare BERT of a family whose pooling is known."""
    bert(folder)
    edit_json(folder / "config.json", architectures=["Contriever"])


def dpr(folder: Path) -> None:
    """The towers of DPR: the question tower in the folder, and the passage tower beside it."""
    import torch
    from transformers import DPRConfig, DPRContextEncoder, DPRQuestionEncoder

    other = folder.with_name("dpr-ctx_encoder-single-nq-base")
    for seed, (place, kind) in enumerate(
        ((folder, DPRQuestionEncoder), (other, DPRContextEncoder))
    ):
        torch.manual_seed(seed)
        config = DPRConfig(vocab_size=save_word_pieces(place), initializer_range=0.4, **BERT)
        kind(config).save_pretrained(place)
        bin_only(place)


def model2vec(folder: Path) -> None:
    """A static model in model2vec's own layout."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    tokenizer = unigram(["<pad>", "<unk>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(5)
    rows = torch.randn(tokenizer.get_vocab_size(), WIDTH)
    save_file({"embeddings": rows}, folder / "model.safetensors")
    write_json(
        folder / "config.json",
        {"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True},
    )
    names = {"StaticEmbedding": ".", "Normalize": "1_Normalize"}
    write_json(folder / "modules.json", _modules(names))


def own_code(folder: Path) -> None:
    """A bi-encoder with code of its own."""
    import torch
    from safetensors.torch import save_file

    as_on_the_hub(save_released(folder, pooling="cls", normalize=True))
    (folder / "modeling.py").write_text(CODE, "utf-8")
    size = json.loads((folder / "config.json").read_text("utf-8"))["vocab_size"]
    auto = {"AutoConfig": "modeling.OwnConfig", "AutoModel": "modeling.OwnModel"}
    config = {"architectures": ["OwnModel"], "auto_map": auto, "model_type": "own"}
    write_json(folder / "config.json", {**config, "vocab_size": size, "hidden_size": WIDTH})
    torch.manual_seed(6)
    words = {"words.weight": torch.randn(size, WIDTH)}
    save_file(words, folder / "model.safetensors", metadata={"format": "pt"})


def jina(folder: Path) -> None:
    """A known architecture whose weights have the names of its own code, which is elsewhere."""
    as_on_the_hub(save_released(folder, normalize=True))
    _rename_weights(folder, "XLMRobertaLoRA", "AutoModel")
    modules = json.loads((folder / "modules.json").read_text("utf-8"))
    modules[0]["type"] = "custom_st.Transformer"
    write_json(folder / "modules.json", modules)


def jina_reranker(folder: Path) -> None:
    """A cross-encoder whose weights have the names of its own code."""
    rerankers.xlm_roberta(folder)
    kind = "XLMRobertaForSequenceClassification"
    _rename_weights(folder, kind, "AutoModelForSequenceClassification")


def chat(folder: Path) -> None:
    """A chat model whose template is in `chat_template.jinja`."""
    rerankers.qwen(folder, template=CHATML)
    assert (folder / "chat_template.jinja").is_file()


def chat_with_bos(folder: Path) -> None:
    """A chat model whose template and whose tokenizer begin with the same token."""
    rerankers.qwen(folder, template=f"<|endoftext|>{CHATML}")
    table = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    bos = {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}
    text, other = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    table["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [bos, text],
        "pair": [bos, text, other],
        "special_tokens": {
            "<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(table), "utf-8")


def _rename_weights(folder: Path, kind: str, auto: str) -> None:
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    weights = {f"own.{name}": value for name, value in load_file(path).items()}
    save_file(weights, path, metadata={"format": "pt"})
    code = "owner/implementation--modeling"
    maps = {"AutoConfig": f"{code}.Config", auto: f"{code}.{kind}"}
    edit_json(folder / "config.json", auto_map=maps)


def _modules(names: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for at, (kind, path) in enumerate(names.items())
    ]
