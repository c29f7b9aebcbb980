"""The sizes of tiny models, by the names of their configs."""

from typing import Any

WIDTH = 32
BERT: dict[str, Any] = {
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
}
DISTILBERT: dict[str, Any] = {"dim": WIDTH, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}
BART: dict[str, Any] = {
    "d_model": WIDTH,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "init_std": 0.5,
}
T5: dict[str, Any] = {
    "d_model": WIDTH,
    "d_kv": 16,
    "d_ff": 64,
    "num_layers": 2,
    "num_heads": 2,
}
