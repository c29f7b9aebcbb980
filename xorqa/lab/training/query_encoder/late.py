"""Late interaction to distil: how the teacher ranks passages by their stored token vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import ConfigError
from ....core.types import Passage
from ....io.files import digest
from ....models.device import pick_device
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....models.late_interaction import EncoderTokens
from ....models.transforms import Key
from ....retrieval.late_interaction import LateInteraction
from ....retrieval.rows.token_codes import VECTORS, decoded, rotation, to_compare
from ...common.transforms import fit_transform, save_transform
from ..bitext.translations import LangText
from .recipe import LateDistillation

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

FITTED_ON = 150  # texts of each language, for means of token vectors


class LateRanking:
    """MaxSim of a student's questions and the teacher's, over the token vectors of one index.

    Both score the same few passages of each question: `candidates` of the `depth` that the vectors
    of both rank first, drawn with weight 1/rank.
    """

    def __init__(self, index: LateInteraction, settings: LateDistillation) -> None:
        self.settings, self.index = settings, index
        self._encoder = tokens_of(index)
        self._teacher: dict[str, NDArray[np.float32]] = {}

    def save_transform(self, path: Path, adapter: Path) -> None:
        """Write the means that the token vectors of a trained adapter are compared without."""
        if (transform := self._encoder.transform) is not None:
            encoder = Encoder(encoder_settings(str(adapter)))
            save_transform(path, transform, encoder=encoder.token_fingerprint)

    def loss(
        self,
        batch: Sequence[LangText],
        tokens: Sequence[torch.Tensor],
        similarity: torch.Tensor,
    ) -> torch.Tensor:
        """KL(teacher || student) of the softmax of the scores; the mean over the batch.

        `tokens` are the student's of each question (tokens, dimensions), `similarity` (questions,
        passages) what decides the candidates.
        """
        import torch
        from torch.nn.functional import kl_div, log_softmax

        settings = self.settings
        first = similarity.detach().topk(min(settings.depth, similarity.shape[1])).indices
        weights = 1 / torch.arange(1, first.shape[1] + 1, dtype=torch.float)
        drawn = torch.multinomial(
            weights.expand(first.shape),
            min(settings.candidates, first.shape[1]),
            generator=torch.Generator().manual_seed(_seed(batch)),
        )
        teacher = self._teacher_tokens(batch)
        divergences = []
        for pair, own, english, places in zip(
            batch, tokens, teacher, first.gather(1, drawn.to(first.device)).tolist(), strict=True
        ):
            codes, lengths = self.passages(places)
            ours, theirs = (
                log_softmax(self._scores(vectors, codes, lengths) / settings.temperature, dim=-1)
                for vectors in (self.centred(own, pair.lang), english)
            )
            divergences.append(kl_div(ours, theirs, reduction="sum", log_target=True))
        return torch.stack(divergences).mean()

    def mrr(
        self,
        pairs: Sequence[LangText],
        tokens: Sequence[torch.Tensor],
        similarities: tuple[NDArray[np.float32], NDArray[np.float32]],
    ) -> float:
        """In percent, of the teacher's first passage in the student's ranking.

        `similarities` (pairs, passages) are those of the student's vectors and of the teacher's;
        each compares the `depth` passages that its own rank first. One not among them counts 0.
        """
        reciprocal = []
        teacher = self._teacher_tokens(pairs)
        for at, (pair, own, english) in enumerate(zip(pairs, tokens, teacher, strict=True)):
            ours = self.centred(own, pair.lang)
            [first, *_] = self._ranked(english, similarities[1][at])
            ranked = self._ranked(ours, similarities[0][at])
            reciprocal.append(1 / (1 + ranked.index(first)) if first in ranked else 0.0)
        return 100 * float(np.mean(reciprocal))

    def centred(self, tokens: torch.Tensor, lang: str) -> torch.Tensor:
        """Unit vectors in the dimensions of the index, less the language's mean."""
        import torch
        from torch.nn.functional import normalize

        transform = self._encoder.transform
        if transform is not None:
            mean = transform.token_mean(tokens.detach().cpu().numpy(), lang, side="query")
            tokens = tokens - torch.from_numpy(mean).to(tokens.device)
        return normalize(tokens.float(), dim=-1) @ self._rotation

    def passages(self, places: Sequence[int]) -> tuple[torch.Tensor, list[int]]:
        """The token vectors of passages (tokens, dimensions), and how many each has."""
        import torch
        from torch.nn.functional import embedding

        rows = self.index.index
        tokens = np.concatenate([np.arange(*rows.starts[place : place + 2]) for place in places])
        stored = self._bits[torch.from_numpy(tokens).to(self._bits.device)]
        vectors = embedding(stored.int(), self._vectors_of_bytes).flatten(1)
        return vectors, rows.lengths[list(places)].tolist()

    @cached_property
    def _bits(self) -> torch.Tensor:
        """The stored bits of all passages (tokens, bytes), where they are compared."""
        import torch

        return torch.from_numpy(np.array(self.index.index.table[VECTORS])).to(pick_device())

    @cached_property
    def _vectors_of_bytes(self) -> torch.Tensor:
        """The eight numbers that each byte stands for: a look-up decodes faster than arithmetic."""
        import torch

        rows = np.arange(256, dtype=np.uint8)[:, None].repeat(self._bits.shape[1], axis=1)
        return torch.from_numpy(decoded({VECTORS: rows})[:, :8].copy()).to(pick_device())

    @cached_property
    def _rotation(self) -> torch.Tensor:
        import torch

        return torch.from_numpy(rotation(self._encoder.encoder.dimensions)).to(pick_device())

    def _ranked(self, tokens: torch.Tensor, similarity: NDArray[np.float32]) -> list[int]:
        depth = min(self.settings.depth, len(similarity))
        places = np.argpartition(-similarity, depth - 1)[:depth].tolist()
        scores = self._scores(tokens, *self.passages(places)).tolist()
        return [place for _, place in sorted(zip(scores, places, strict=True), reverse=True)]

    def _scores(
        self, tokens: torch.Tensor, codes: torch.Tensor, lengths: Sequence[int]
    ) -> torch.Tensor:
        """MaxSim (passages) of one question."""
        import torch

        similarity = tokens @ codes.to(tokens.device).T
        passages = np.repeat(np.arange(len(lengths)), lengths)
        at = torch.from_numpy(passages).to(tokens.device).expand_as(similarity)
        lowest = similarity.new_full((len(tokens), len(lengths)), -math.inf)
        best = lowest.scatter_reduce(1, at, similarity, "amax")
        return best.T.contiguous().sum(dim=1)

    def _teacher_tokens(self, batch: Sequence[LangText]) -> list[torch.Tensor]:
        import torch

        new = sorted({pair.english for pair in batch} - self._teacher.keys())
        if new:
            vectors = self._encoder.encode("query", new, ["en"] * len(new))
            self._teacher.update(zip(new, to_compare(vectors, self.index.kind), strict=True))
        rows = (torch.from_numpy(self._teacher[pair.english]) for pair in batch)
        return [tokens.to(pick_device()) for tokens in rows]


def tokens_of(index: LateInteraction) -> EncoderTokens:
    """The encoder of an index of a bi-encoder's token vectors."""
    if not isinstance(index.encoder, EncoderTokens):
        raise ConfigError(f"{index.settings.model} is no encoder whose token vectors are centred")
    return index.encoder


def fit_means(
    teacher: str, pairs: Sequence[LangText], passages: Sequence[Passage], path: Path
) -> None:
    """Write the means of the token vectors of questions, by language, and of passages.

    They are those of `FITTED_ON` texts of each language, from beginning to end.
    """
    encoder = Encoder(encoder_settings(teacher))
    texts: dict[Key, list[str]] = {}
    for pair in pairs:
        texts.setdefault((pair.lang, "query"), []).append(pair.text)
        texts.setdefault(("en", "query"), []).append(pair.english)
    for passage in passages:
        texts.setdefault((passage.lang, "passage"), []).append(passage.text)
    vectors = {
        (lang, side): np.concatenate(encoder.token_vectors(side, spread(of_lang, FITTED_ON)))
        for (lang, side), of_lang in sorted(texts.items())
    }
    save_transform(path, fit_transform(vectors, "center"), encoder=encoder.token_fingerprint)


def spread(texts: Sequence[str], count: int) -> list[str]:
    """At most `count` texts at equal distances, the first and the last included.

    Neighbours are of one article.
    """
    places = np.linspace(0, len(texts) - 1, min(len(texts), count))
    return [texts[round(at)] for at in places]


def _seed(batch: Sequence[LangText]) -> int:
    """The same candidates for a batch again, in a resumed training too."""
    return int(digest([pair.text for pair in batch]), 16) % 2**32
