"""The bundled translators into and from English, and their file format.

The lower layers are the base's, frozen. The file holds the layers above in 8 bits per weight
(a matrix row is `<name>.Q`, int8, times its scale `<name>.S`, float16) and the vocabularies. Those
of pieces of Moses's words (Koehn et al. 2007) have the languages of both sides in the card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigError
from ..core.lang import ENGLISH
from ..core.validation import CountOrZero
from ..metrics.answers import words
from .adapters import Adapter, card_as, open_adapter
from .batches import by_length
from .beam import hypotheses
from .checkpoints import shared_tokenizer
from .device import pick_device
from .seq2seq import Network, Shape
from .source_encoding import (
    END,
    QUESTION,
    QUESTION_MARKS,
    LowerLayers,
    encode_sources,
    language_token,
    pad_sources,
)
from .word_translations import bundled_words

if TYPE_CHECKING:
    import torch

TASK = "translator"
BUDGET = 2048  # padded source tokens per batch


@dataclass(frozen=True, slots=True)
class _Card:
    """The card's description of the network."""

    shape: Shape
    frozen_layers: CountOrZero
    targets: tuple[str, ...] = ()
    moses: tuple[str, ...] = ()


class TranslatorModel:
    """A translator, shipped or from a `.safetensors` file. Weights load on first use.

    It translates into English, or English into its `targets` if it has any.
    """

    def __init__(self, name: str) -> None:
        self.adapter: Adapter = open_adapter(name, task=TASK)
        card = card_as(self.adapter, _Card)
        self.shape, self.frozen_layers = card.shape, card.frozen_layers
        self.targets, self.moses = card.targets, card.moses

    def translate(
        self,
        texts: Sequence[str],
        *,
        langs: Sequence[str],
        to: str = "en",
        beams: int = 4,
        max_tokens: int = 64,
    ) -> list[list[tuple[str, float]]]:
        """Translations of each text, best first, with the mean log-probability of their tokens.

        `langs` are the texts' languages. Texts and translations are truncated to `max_tokens`.

        Raises:
            ConfigError: if `to` is not a target language.
        """
        import torch

        self.check_target(to)
        (source, target), lower = self.tokenizers, self._lower_layers
        hints = self.shape.hints
        split = [moses_words(text, self.moses[0]) for text in texts] if self.moses else texts
        glosses = [
            bundled_words().glosses(text, lang, self.shape.glosses)
            for text, lang in zip(texts, langs, strict=True)
            if self.shape.glosses
        ]
        sources = encode_sources(
            split, source, target, max_tokens=max_tokens, hints=hints, glosses=glosses
        )
        starts = [self._start(to, text) for text in texts]
        translations: list[list[tuple[str, float]]] = [[] for _ in texts]
        for start in sorted(set(starts)):
            rows = [row for row, first in enumerate(starts) if first == start]
            lengths = [len(sources[row].ids) for row in rows]
            for positions in by_length(lengths, budget=BUDGET):
                batch_rows = [rows[position] for position in positions]
                batch = [sources[row] for row in batch_rows]
                with torch.inference_mode():
                    states = lower.states([source.ids for source in batch]) if lower else None
                    rankings = hypotheses(
                        self._network,
                        self._network.memory(pad_sources(batch, states)),
                        start=start,
                        end=END,
                        beams=beams,
                        max_tokens=max_tokens,
                    )
                for row, ranking in zip(batch_rows, rankings, strict=True):
                    decoded = target.decode_batch([tokens for tokens, _ in ranking])
                    translations[row] = [
                        (self._sentence(text, to), total / (len(tokens) + 1))
                        for text, (tokens, total) in zip(decoded, ranking, strict=True)
                    ]
        return translations

    def _sentence(self, text: str, to: str) -> str:
        return moses_sentence(text, to) if self.moses else text.strip()

    def check_target(self, to: str) -> None:
        """Raises ConfigError if `to` is not a target language."""
        valid = self.targets or (ENGLISH,)
        if to not in valid:
            raise ConfigError(
                f"[translator] model '{self.adapter.path.stem}' cannot translate into '{to}'; "
                f"valid: {', '.join(valid)}"
            )

    def _start(self, to: str, text: str) -> int:
        """The decoder's first token: into English, every text is taken for a question."""
        if not self.targets:
            return QUESTION
        is_question = text.rstrip().endswith(QUESTION_MARKS)
        return language_token(self.tokenizers[1], to, "Aa?" if is_question else "Aa")

    @cached_property
    def _lower_layers(self) -> LowerLayers | None:
        """In float32, so that translations are the same on every machine."""
        layers = self.frozen_layers
        return LowerLayers(self.adapter.base, layers, dtype="float32") if layers else None

    @cached_property
    def _tensors(self) -> Mapping[str, torch.Tensor]:
        from safetensors.torch import load_file

        tensors: dict[str, torch.Tensor] = load_file(self.adapter.path)
        return tensors

    @cached_property
    def _network(self) -> Network:
        device = pick_device()
        weights = {name: value.to(device) for name, value in self.weights().items()}
        return Network(weights, self.shape)

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights by name, in float32."""
        return dequantise_rows(self._tensors)

    @cached_property
    def tokenizers(self) -> tuple[Any, Any]:
        """The tokenizers of both sides."""
        from tokenizers import Tokenizer

        target, *source = (
            Tokenizer.from_str(bytes(self._tensors[name].tolist()).decode())
            for name in ("english.json", "target.json", "foreign.json", "source.json")
            if name in self._tensors  # "english" and "foreign" are names of older files
        )
        if source:
            return source[0], target
        return shared_tokenizer(self.adapter.base), target


def moses_words(text: str, lang: str) -> str:
    """Moses's words of a text, with spaces between them."""
    return " ".join(words(text, lang))


def moses_sentence(text: str, lang: str) -> str:
    """The sentence of Moses's words."""
    return str(_detokenizer(lang).detokenize(text.split(), unescape=False))


@cache
def _detokenizer(lang: str) -> Any:
    return import_module("sacremoses").MosesDetokenizer(lang)


def dequantise_rows(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights that `quantise_rows` quantised, in float32; tokenizers are skipped."""
    weights: dict[str, torch.Tensor] = {}
    for name, value in tensors.items():
        if name.endswith(".Q"):
            scales = tensors[f"{name.removesuffix('.Q')}.S"]
            weights[name.removesuffix(".Q")] = value.float() * scales.float()[:, None]
        elif not name.endswith((".S", ".json")):
            weights[name] = value.float()
    return weights
