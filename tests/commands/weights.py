"""Tiny weights, under the names of those that ship: they do the same in a hundredth of the time."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.torch import load_file

from xorqa.experiments.confidence import retriever_fingerprint
from xorqa.io.files import models_dir, sha256, write_json
from xorqa.lab.backretrieval.images.convolutional import ImageShape, new_network, save_image_encoder
from xorqa.lab.common.transforms import fit_transform, save_transform
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.lab.training.ranker.train import ranker_tensors
from xorqa.models import adapters, e5_small_q4, pair_classifier
from xorqa.models.checkpoints import DEFAULT, resolve
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings
from xorqa.models.late_interaction import CENTRED, late_encoder
from xorqa.models.transforms import SIDES
from xorqa.reading import by_name
from xorqa.retrieval.vectors.encoding import shared_encoder

LANGUAGES = ("ar", "en", "fi")
NO_ANSWER = {
    "threshold": 0.5,
    "files": ["squad/train-v1.1.json"],
    "held_out": 0.05,
    "questions": 300,
    "passages": 5,
    "seed": 1,
    "answered": 0.8,
    "refused": 0.8,
}


def forget_weights() -> None:
    """Let the next stages load weights anew: those of other tests have the same names."""
    stages = (shared_encoder, late_encoder, by_name.shared, pair_classifier.shared)
    for cached in (*stages, retriever_fingerprint):
        cached.cache_clear()


def write_base(tiny: Path) -> None:
    """A checkpoint where the rebuilt encoder stands, which worker processes find as well."""
    folder = models_dir() / f"{DEFAULT}-{e5_small_q4.SHA256[:12]}"
    shutil.copytree(tiny, folder)
    done = {"model.safetensors": sha256(folder / "model.safetensors")}
    (folder / "done.json").write_text(json.dumps(done))


def write_adapters(folder: Path, *, reader: Path, translator: Path) -> None:
    """Readers, a ranker, a translator, an encoder with its transform and an encoder of queries.

    All but the image encoder are on `write_base`'s checkpoint.

    Whoever calls this has made `folder` the place of shipped weights.
    """
    base = resolve()
    for name in ("reader-multi", "reader-questions"):
        path = folder / f"{name}.safetensors"
        save_adapter(path, load_file(reader), task="reader", base=base, card={})
        write_json(
            adapters.card_path(path), {"no_answer": NO_ANSWER | {"adapter_sha": sha256(path)[:16]}}
        )
    path, ranker = folder / "ranker-questions.safetensors", ranker_tensors(load_file(reader))
    save_adapter(path, ranker, task="ranker", base=base, card={})
    card = adapters.open_adapter(str(translator)).card
    save_adapter(
        folder / "translator.safetensors",
        load_file(translator),
        task="translator",
        base=base,
        card=card,
    )
    pair = {name: value for name, value in load_file(reader).items() if name[-2:] in {".A", ".B"}}
    pair = {name.removeprefix("bert."): value for name, value in pair.items()}
    save_adapter(folder / "encoder-aligned.safetensors", pair, task="encoder", base=base, card={})
    queries = {"recipe": {"side": "query"}}
    for name in ("encoder-questions",):
        path = folder / f"{name}.safetensors"
        save_adapter(path, pair, task="encoder", base=base, card=queries)
    images = ImageShape(16, (8,), 8)
    weights = new_network(images).state_dict()
    save_image_encoder(folder / "image-encoder.safetensors", weights, shape=images, card={})
    _write_transforms(folder)


def _write_transforms(folder: Path) -> None:
    """Means of vectors for an aligned encoder, and of token vectors for late interaction."""
    texts = ["Nile", "Oulu"]
    for encoder_name, transform in {"encoder-aligned": "encoder-aligned", **CENTRED}.items():
        encoder = Encoder(encoder_settings(encoder_name))
        by_token = transform.startswith("tokens-")
        vectors = (
            np.concatenate(encoder.token_vectors("query", texts))
            if by_token
            else encoder.queries(texts)
        )
        save_transform(
            folder / f"{transform}.transform",
            fit_transform(
                {(lang, side): vectors for lang in LANGUAGES for side in SIDES}, "center"
            ),
            encoder=encoder.token_fingerprint if by_token else encoder.fingerprint(),
        )
