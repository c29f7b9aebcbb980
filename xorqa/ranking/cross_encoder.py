"""Rank passages with a cross-encoder: a model that reads question and passage together."""

from collections.abc import Sequence

from ..core.types import Hit, Query, SearchText
from ..core.validation import Count, NonNegative
from ..models.device import Dtype
from ..models.pair_classifier import DEFAULT_RANKER, PairClassifier, shared
from ..models.pair_settings import PairClassifierSettings
from .rerank import ScoringRanker


class CrossEncoder(ScoringRanker):
    """Rank the first `depth` hits by the relevance of title and text (Nogueira and Cho 2019).

    `model` is the ranker that ships, another ranker's adapter file, or a reranker as released, by
    its name on the model hub or a local folder (`./folder`): a cross-encoder or a causal reranker,
    which sentence-transformers runs (extra `hub`), or a monoT5. `text` is what it reads beside the
    passage: the "query" (translated, if there is a translator) or the original "question".

    Activation, `prompt` (the instruction, for models that have one) and `max_tokens` of a pair are
    the model's unless they are set; an adapter has 256 tokens and a monoT5 512. `tokens` are those
    of "not relevant" and "relevant" of a monoT5 that is not known by name. Code that comes with a
    model runs only with `trust_remote_code`.

    Example:
        >>> from xorqa import CrossEncoder, Hit, Passage, Query, Question
        >>> texts = {"rhine": "The Rhine is a river in Europe.", "nile": "The Nile is in Africa."}
        >>> hits = [Hit(Passage(name, text), 1.0) for name, text in texts.items()]
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [ranked] = CrossEncoder().rank([query], [hits])
        >>> [hit.passage.docid for hit in ranked]
        ['nile', 'rhine']
    """

    version = 1

    def __init__(
        self,
        *,
        model: str = DEFAULT_RANKER,
        depth: Count = 20,
        keep: Count | None = None,
        retrieval: NonNegative = 0.0,
        max_tokens: Count | None = None,
        text: SearchText = "query",
        prompt: str | None = None,
        tokens: Sequence[str] = (),
        trust_remote_code: bool = False,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
    ) -> None:
        self.depth, self.keep, self.retrieval = depth, keep, retrieval
        self.text = text
        self.classifier: PairClassifier = shared(
            PairClassifierSettings(
                model, max_tokens, dtype, prompt, tuple(tokens), trust_remote_code, batch_tokens
            )
        )

    def fingerprint(self) -> str:
        """A hash of the weights and the settings."""
        return self._digest(*self.classifier.identity, self.text)

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        """The score of each hit: of a released model, the one that its own library computes."""
        texts = [query.of(self.text).text for query in queries]
        pairs = [
            (text, hit.passage.titled)
            for text, ranking in zip(texts, hits, strict=True)
            for hit in ranking
        ]
        scores = iter(self.classifier.score(pairs))
        return [[next(scores) for _ in ranking] for ranking in hits]
