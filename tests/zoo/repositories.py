"""Tiny models by the repository of the released one whose layout each has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.zoo import late, readers, rerankers, translators
from tests.zoo.encoders import save_released

QWEN_PROMPTS = {
    "query": "Instruct: Given a web search query, retrieve relevant passages that answer the query"
    "\nQuery:",
    "document": "",
}
GEMMA_PROMPTS = {"query": "task: search result | query: ", "document": "title: none | text: "}
REPOSITORIES: dict[str, Callable[[Path], Path]] = {
    "BAAI/bge-m3": lambda folder: late.with_heads(
        save_released(folder, pooling="cls", normalize=True)
    ),
    "google/embeddinggemma-300m": lambda folder: save_released(
        folder, "Gemma3TextModel", dense=64, normalize=True, prompts=GEMMA_PROMPTS
    ),
    "Qwen/Qwen3-Embedding-0.6B": lambda folder: save_released(
        folder,
        "Qwen3Model",
        pooling="lasttoken",
        normalize=True,
        prompts=QWEN_PROMPTS,
    ),
    "Qwen/Qwen3-Reranker-0.6B": rerankers.qwen,
    "google/madlad400-3b-mt": lambda folder: translators.t5(folder, translators.MADLAD),
    "timpal0l/mdeberta-v3-base-squad2": lambda folder: readers.build(folder, "mdeberta"),
    "deepset/xlm-roberta-large-squad2": lambda folder: readers.build(folder, "xlm-roberta"),
}
"""How the tiny model of a repository is saved."""


def stand_in(patch: pytest.MonkeyPatch, folder: Path, *, other: Path | None = None) -> None:
    """Models of the hub are tiny ones in `folder`, and `other` for any other name."""

    def folder_of(name: str) -> Path:
        repository = name.partition("@")[0]
        if repository not in REPOSITORIES:
            assert other, f"no tiny model for {repository}"
            return other
        saved = folder / repository
        return saved if saved.exists() else REPOSITORIES[repository](saved)

    patch.setattr("xorqa.models.checkpoints.folder_of", folder_of)
