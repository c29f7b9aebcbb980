"""Bi-encoders as their authors released them: sentence-transformers runs their own modules.

A model with a `modules.json` has its pooling, Dense layers, normalisation, prompts, length and
similarity in files of its own. None of them is interpreted here; settings that a user gives
override the model's, and are announced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ConfigError, WeightsError, one_of
from ..core.named import expect, require
from ..core.progress import Progress, announce, silent
from ..io.files import digest, read_object, sha256_once
from .batches import by_length
from .checkpoints import Checkpoint, cannot_load, check_tokenizer, load
from .device import load_dtype, pick_device
from .encoder_settings import EncoderSettings
from .hub import add_files, modules_of
from .prompts import CONFIG
from .towers import Text, count_longer

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXTRA = "hub"
OTHER_KINDS = {
    "CrossEncoder": "a cross-encoder: name it as the ranker `cross-encoder`",
    "SparseEncoder": "a learned sparse encoder: its retriever is `learned-sparse`",
    "MultiVectorEncoder": "a late-interaction model: its retriever is `late-interaction`",
    "ColBERT": "a late-interaction model: its retriever is `late-interaction`",
}
"""`model_type` in a config of sentence-transformers or PyLate, and what such a model is."""
CONVERTED = {"onnx": "onnx/model.onnx*", "openvino": "openvino/openvino_model.*"}
"""The files of a model for other backends that the library loads; without them, it converts."""
WITH_FILES = ("Transformer", "Pooling", "Dense", "LayerNorm", "CNN", "LSTM", "WordEmbeddings")
"""Modules that cannot be loaded without their folder; some others have none."""
BATCH = 512  # texts between two reports of progress


class ReleasedTower:
    """One tower of a bi-encoder that sentence-transformers loads; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, settings: EncoderSettings) -> None:
        expect("sentence_transformers", extra=EXTRA)
        self.checkpoint = checkpoint
        self.settings = settings
        self.adapter = None
        _check_kind(checkpoint)

    @property
    def sha(self) -> str:
        """A hash of the weights, the tokenizer, the modules and a backend's files."""
        of_backend = {file.name: sha256_once(file) for file in self._converted}
        own = self.checkpoint.fingerprint
        return digest(own, of_backend) if of_backend else own

    @cached_property
    def _converted(self) -> list[Path]:
        """The files that a backend other than torch computes with; those of the hub are fetched."""
        if self.settings.backend == "torch":
            return []
        pattern = CONVERTED[self.settings.backend]
        add_files(self.checkpoint.name, pattern)
        return sorted(self.checkpoint.path.glob(pattern))

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        return int(self._model.get_embedding_dimension())

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens included."""
        return [_tokens(self._model, text) for text in texts]

    def truncated(self, texts: Sequence[Text], prefix: str) -> int:
        """The number of texts that have more tokens than the model reads, by its tokenizer."""
        limit = self._model.max_seq_length
        if not limit:
            return 0
        return count_longer(self._model.tokenizer, self._joined(texts), prefix, limit)

    def encode(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions); `progress` counts characters.

        A (title, text) pair is encoded as one text, with the tokenizer's separator between them.
        """
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        options = {"normalize_embeddings": self._normalizes}
        for rows, encoded in self._batches(side, texts, prefix, progress, options):
            vectors[rows] = encoded
        return vectors

    def token_vectors(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Each text's token vectors (tokens, dimensions), before pooling and what follows it.

        Raises:
            ConfigError: if the model has a vector per text only.
        """
        vectors: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(texts)
        options = {"output_value": "token_embeddings"}
        try:
            for rows, encoded in self._batches(side, texts, prefix, progress, options):
                for row, tokens in zip(rows, encoded, strict=True):
                    vectors[row] = np.asarray(tokens.float().cpu(), np.float32)
        except KeyError as error:
            raise ConfigError(f"{self.checkpoint.name} has no vectors per token") from error
        return vectors

    def _batches(
        self,
        side: str,
        texts: Sequence[Text],
        prefix: str,
        progress: Progress,
        options: Mapping[str, Any],
    ) -> Iterator[tuple[list[int], Any]]:
        """Positions of texts, and what the library returns for them."""
        joined = self._joined(texts)
        encode = self._model.encode_query if side == "query" else self._model.encode_document
        done, total = 0, sum(map(len, joined))
        limit = self.settings.batch_tokens
        for rows, size in batches(self._model, [prefix + text for text in joined], limit):
            batch = [joined[row] for row in rows]
            yield rows, encode(batch, prompt=prefix, show_progress_bar=False, **options, **size)
            done += sum(map(len, batch))
            progress(done, total)

    def _joined(self, texts: Sequence[Text]) -> list[str]:
        """Each text, or title and text with the tokenizer's separator between them."""
        token = getattr(self._model.tokenizer, "sep_token", None)
        separator = f" {token} " if token else " "
        return [text if isinstance(text, str) else separator.join(text) for text in texts]

    @cached_property
    def _normalizes(self) -> bool:
        """Whether vectors get unit length: as set, or where the model compares by cosine."""
        if self.settings.normalize is not None:
            return self.settings.normalize
        similarity = str(self._model.similarity_fn_name)
        if similarity not in ("cosine", "dot"):
            raise ConfigError(
                f"{self.checkpoint.name} compares vectors by {similarity} distance, an index by "
                "inner product; set normalize = true to compare by cosine"
            )
        return similarity == "cosine"

    @cached_property
    def _model(self) -> Any:
        check_weights(self.checkpoint, trust_remote_code=self.settings.trust_remote_code)
        s = self.settings
        if s.backend != "torch" and not self._converted:
            announce(f"{self.checkpoint.name} has no files for {s.backend}; it is converted now")
        model = open_model(
            "SentenceTransformer",
            self.checkpoint,
            model_options(s.dtype, s.backend),
            trust_remote_code=s.trust_remote_code,
            truncate_dim=s.truncate_dim,
            backend=s.backend,
        )
        self._check_limits(model)
        return self._with_settings(model)

    def _check_limits(self, model: Any) -> None:
        """Refuse more dimensions or tokens than the model has."""
        s, name = self.settings, self.checkpoint.name
        model.truncate_dim, own = None, model.get_embedding_dimension()
        model.truncate_dim = s.truncate_dim
        if s.truncate_dim is not None and s.truncate_dim > (own or 0):
            raise ConfigError(f"truncate_dim = {s.truncate_dim}, but {name} has {own} dimensions")
        positions = _positions(model)
        if s.max_tokens is not None and s.max_tokens > (positions or s.max_tokens):
            raise ConfigError(f"max_tokens = {s.max_tokens}, but {name} has {positions} positions")

    def _with_settings(self, model: Any) -> Any:
        """The model with the settings that override its own, each announced."""
        s, name = self.settings, self.checkpoint.name
        kinds = {str(each.dtype).removeprefix("torch.") for each in model.parameters()}
        if s.dtype != "auto" and kinds - {s.dtype}:
            announce(f"{name}: dtype = '{s.dtype}' has no effect; it computes in {one_of(kinds)}")
        if s.max_tokens is not None and s.max_tokens != model.max_seq_length:
            announce(f"{name}: max_tokens = {s.max_tokens} instead of {model.max_seq_length}")
            model.max_seq_length = s.max_tokens
        modules = {type(module).__name__: index for index, module in enumerate(model)}
        if s.pooling is not None:
            _set_pooling(model, modules, s.pooling, name)
        if s.normalize is False and "Normalize" in modules:
            announce(f"{name}: normalize = false leaves out its Normalize module")
            del model[modules["Normalize"]]
        for side in ("query", "passage"):
            given = s.given_prefix(side)
            own = model.prompts.get("query" if side == "query" else "document") or ""
            if given is not None and own and given != own:
                announce(f"{name}: {side}_prefix = {given!r} instead of {own!r}")
        return model


def _set_pooling(model: Any, modules: dict[str, int], pooling: str, name: str) -> None:
    if "Pooling" not in modules:
        raise ConfigError(f"{name} has no pooling module; remove pooling = '{pooling}'")
    module = model[modules["Pooling"]]
    if pooling not in module.POOLING_MODES:
        raise ConfigError(
            f"no pooling is called '{pooling}'; valid for {name}: {one_of(module.POOLING_MODES)}"
        )
    if pooling != module.pooling_mode:
        announce(f"{name}: pooling = '{pooling}' instead of '{module.pooling_mode}'")
        module.pooling_mode = pooling
        module.pooling_output_dimension = module.embedding_dimension


def _positions(model: Any) -> int | None:
    """The tokens that a model has position embeddings for; None if its positions have no limit."""
    for name, module in model.named_modules():
        if name.endswith(".position_embeddings") and hasattr(module, "num_embeddings"):
            padding = module.padding_idx  # RoBERTa counts from the one after it
            return int(module.num_embeddings) - (0 if padding is None else padding + 1)
    return None


def _check_kind(checkpoint: Checkpoint) -> None:
    """Refuse a model of sentence-transformers or PyLate that is no bi-encoder."""
    kind = read_object(checkpoint.path / CONFIG).get("model_type")
    modules = modules_of(checkpoint.path)
    types = " ".join(str(module.get("type")) for module in modules)
    if "pylate." in types or "MultiVector" in types:
        kind = "ColBERT"
    if "sparse_encoder" in types or "Splade" in types:
        kind = "SparseEncoder"
    if kind in OTHER_KINDS:
        raise WeightsError(f"{checkpoint.name} is {OTHER_KINDS[kind]}")
    for module in modules:
        path, name = str(module.get("path") or ""), str(module.get("type")).split(".")[-1]
        if name in WITH_FILES and not (checkpoint.path / path).is_dir():
            raise WeightsError(f"{checkpoint.path} lacks its module {path}; download it again")


def open_model(
    kind: str,
    checkpoint: Checkpoint,
    options: Mapping[str, Any],
    *,
    trust_remote_code: bool,
    **settings: Any,
) -> Any:
    """A model of a class of sentence-transformers, in eval mode; the hub is not asked.

    `options` are those of its transformer, see `model_options`.

    Raises:
        WeightsError: if its files are damaged, or it comes with code that is not trusted.
        MissingExtraError: if sentence-transformers is not installed.
    """
    library = require("sentence_transformers", extra=EXTRA)
    try:
        model = getattr(library, kind)(
            str(checkpoint.path),
            device=str(pick_device()),
            local_files_only=True,
            trust_remote_code=trust_remote_code,
            model_kwargs=dict(options),
            **settings,
        )
    except Exception as error:  # damaged files raise dozens of exception types
        raise cannot_load(checkpoint, error) from error
    check_tokenizer(checkpoint, getattr(model, "tokenizer", None))
    return model.eval()


def check_weights(checkpoint: Checkpoint, *, trust_remote_code: bool = False) -> None:
    """Refuse a transformer whose weights are not all in its files.

    Other libraries initialise missing weights at random. Nothing is read but the names.
    """
    if not (checkpoint.path / "config.json").is_file() or trust_remote_code:
        return  # a model without a transformer, or one whose own code names its weights
    if checkpoint.config.get("model_type") == "model2vec":
        return
    check_complete(checkpoint, "AutoModel", optional=("pooler.",))


def check_complete(checkpoint: Checkpoint, kind: str, *, optional: tuple[str, ...]) -> None:
    """Refuse a model of an auto class that lacks weights, for example those of its own code."""
    has_code = "auto_map" in checkpoint.config
    try:
        load(checkpoint, kind, optional=optional, device_map="meta")
    except WeightsError as error:
        if has_code:
            raise cannot_load(checkpoint, ValueError("custom code")) from error
        raise
    if has_code:
        announce(f"{checkpoint.name}: transformers' own class computes it, not the model's code")


def model_options(dtype: str, backend: str = "torch") -> dict[str, Any]:
    """Options of a transformers model: its precision, see `models.device`.

    Raises:
        ConfigError: for a precision that is not valid, or one of a converted model.
    """
    if backend == "torch":
        return {"dtype": load_dtype(dtype, on_cpu="auto")}
    if dtype != "auto":
        raise ConfigError(
            f"dtype = '{dtype}' is for backend = 'torch'; a model for {backend} has its precision "
            "in its file, so remove dtype"
        )
    return {}


def batches(
    model: Any, inputs: Sequence[Any], batch_tokens: int | None
) -> Iterator[tuple[list[int], dict[str, int]]]:
    """The positions of the inputs encoded at a time, longest first, and the option of their number.

    Without `batch_tokens`, which limits the padded tokens, the library splits them further.
    """
    if batch_tokens is None:
        order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]))
        for start in range(0, len(order), BATCH):
            yield order[start : start + BATCH], {}
        return
    lengths = [_tokens(model, each) for each in inputs]
    for rows in by_length(lengths, budget=batch_tokens, step=1):
        yield rows, {"batch_size": len(rows)}


def _tokens(model: Any, each: Any) -> int:
    """The tokens of one text or pair, as the model's first module prepares it."""
    features = model.preprocess([each])
    name = "attention_mask" if "attention_mask" in features else "input_ids"
    value = features[name]
    return int(value.sum()) if name == "attention_mask" else int(value.numel())
