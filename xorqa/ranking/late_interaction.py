"""Rank passages by late interaction: MaxSim between token vectors of query and passage."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..core.types import Hit, Passage, Query, SearchText
from ..core.validation import Count, NonNegative
from ..models.checkpoints import DEFAULT
from ..models.device import Dtype
from ..models.late_interaction import LateEncoder, LateSettings, late_encoder
from ..models.maxsim import maxsim
from .rerank import ScoringRanker

PASSAGES = 256  # encoded and scored at a time


class LateInteractionRanker(ScoringRanker):
    """Rank the first `depth` hits by MaxSim (Khattab and Zaharia 2020).

    `model` and the other settings are those of the retriever `LateInteraction`: a late-interaction
    model, BGE-M3, or any encoder. `text` is the query's side: the original "question" or the
    "query" (its translation).

    Example:
        >>> from xorqa import Hit, LateInteractionRanker, Passage, Query, Question
        >>> texts = {"rhine": "The Rhine is a river in Europe.", "nile": "The Nile is in Africa."}
        >>> hits = [Hit(Passage(name, text), 1.0) for name, text in texts.items()]
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [ranked] = LateInteractionRanker().rank([query], [hits])
        >>> ranked[0].passage.docid
        'nile'
    """

    version = 1

    def __init__(
        self,
        *,
        model: str = DEFAULT,
        depth: Count = 20,
        keep: Count | None = None,
        retrieval: NonNegative = 0.0,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        max_tokens: Count | None = None,
        transform: str | None = None,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
        trust_remote_code: bool = False,
        text: SearchText = "question",
    ) -> None:
        self.depth, self.keep, self.retrieval = depth, keep, retrieval
        self.settings = LateSettings(
            model,
            query_prefix,
            passage_prefix,
            max_tokens,
            transform,
            dtype,
            trust_remote_code,
            batch_tokens,
        )
        self.text = text

    @cached_property
    def encoder(self) -> LateEncoder:
        """The encoder; weights load on first use."""
        return late_encoder(self.settings)

    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""
        weights = self.encoder.sha, self.encoder.description
        return self._digest(*weights, self.text, *self.settings.precision)

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """MaxSim of each hit; each passage is encoded once for all queries."""
        sources = [query.of(self.text) for query in queries]
        vectors = self.encoder.encode(
            "query", [source.text for source in sources], [source.lang for source in sources]
        )
        passages = list(dict.fromkeys(hit.passage for ranking in hits for hit in ranking))
        scores: dict[tuple[int, Passage], float] = {}
        for start in range(0, len(passages), PASSAGES):
            batch = passages[start : start + PASSAGES]
            encoded = self.encoder.encode(
                "passage", [p.titled for p in batch], [p.lang for p in batch]
            )
            rows_of = dict(zip(batch, encoded, strict=True))
            for number, ranking in enumerate(hits):
                here = [hit.passage for hit in ranking if hit.passage in rows_of]
                if here:
                    rows = [rows_of[passage] for passage in here]
                    [row] = maxsim(
                        [vectors[number]],
                        np.concatenate(rows),
                        np.array(list(map(len, rows)), np.int64),
                        mean=self.encoder.averages,
                    )
                    scores |= {(number, p): float(s) for p, s in zip(here, row, strict=True)}
        return [
            [scores[number, hit.passage] for hit in ranking] for number, ranking in enumerate(hits)
        ]
