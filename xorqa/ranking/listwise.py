"""Rank passages by a chat model that sees many of them at once: RankGPT."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import ConfigError, Notice, ServiceError
from ..core.stages import BaseRanker, Configured
from ..core.types import Hit, Query, SearchText
from ..core.validation import Count, CountOrZero, NonNegative, Positive
from ..io.cache import Cache, NoCache
from ..io.files import digest
from ..reading.generation.endpoint import EndpointGenerator, EndpointSettings, Prompt
from ..reading.generation.reply import Reply
from .permutation import RANKGPT, read_permutation, read_prompt, windows
from .rerank import reranked

WHERE = "[ranker] 'listwise'"


class ListwiseRanker(Configured, BaseRanker):
    """Rank the first `depth` hits by a chat model, window by window (RankGPT, Sun et al. 2023).

    The model orders `window` passages, beginning with the last ones, and the window moves up by
    `step`, so that the best passages rise to the top. Passages are cut to `words`. A reply that is
    no complete order is repaired by RankGPT's rule, counted in `spent` and reported. `prompt` is
    "rankgpt" or your own TOML file. `text` is the "query" or the original "question".

    `endpoint` is the URL of an OpenAI-compatible chat service, `model` its model; the key is in the
    environment variable `key_env`. With `recorded`, replies are replayed from that file and, with
    an endpoint, added to it. Scores are ranks: the best of n hits has n.

    Example:
        >>> from xorqa import Hit, ListwiseRanker, Passage, Query, Question
        >>> ranker = ListwiseRanker(endpoint="http://localhost:8000/v1", model="my-model")
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
        >>> hits = [Hit(Passage("rhine", "..."), 2.0), Hit(Passage("nile", "..."), 1.0)]
        >>> [[first, _]] = ranker.rank([query], [hits])
        >>> first.passage.docid, first.score
        ('nile', 2.0)

    Raises:
        ConfigError: for a url, a key_env, a prompt or a number that cannot be used.
    """

    version = 1

    def __init__(
        self,
        *,
        model: str,
        endpoint: str = "",
        depth: Count = 100,
        keep: Count | None = None,
        window: Count = 20,
        step: Count = 10,
        words: Count = 300,
        prompt: str = RANKGPT,
        text: SearchText = "query",
        key_env: str = "",
        options: Mapping[str, Any] | None = None,
        retries: CountOrZero = 3,
        backoff: NonNegative = 1.0,
        timeout: Positive = 60.0,
        per_minute: NonNegative = 0.0,
        price_in: NonNegative = 0.0,
        price_out: NonNegative = 0.0,
        recorded: str = "",
        cache: Cache | None = None,
    ) -> None:
        if not endpoint and not recorded:
            raise ConfigError(f"{WHERE} needs an endpoint, or recorded replies")
        if step > window:
            raise ConfigError(f"{WHERE}: a step of {step} skips passages of a window of {window}")
        self.depth, self.keep, self.window, self.step = depth, keep, window, step
        self.words, self.text = words, text
        self.prompt = read_prompt(prompt, where=WHERE)
        settings = EndpointSettings(
            model=model,
            endpoint=endpoint,
            key_env=key_env,
            options=options,
            retries=retries,
            backoff=backoff,
            timeout=timeout,
            per_minute=per_minute,
            price_in=price_in,
            price_out=price_out,
            recorded=recorded,
        )
        self._endpoint = EndpointGenerator(settings, cache or NoCache(), where=WHERE)
        self._counts = {"replies": 0, "repaired": 0}

    @property
    def black_box(self) -> str:
        """The model and host of the endpoint, or of the recorded replies."""
        return self._endpoint.name

    @property
    def spent(self) -> Mapping[str, float]:
        """The requests, tokens and costs since this object was built, and replies repaired."""
        return {**self._endpoint.spent, **self._counts}

    def fingerprint(self) -> str:
        """A hash of the endpoint, the prompt and the settings."""
        settings = self.depth, self.keep, self.window, self.step, self.words, self.text
        return digest("listwise", self._endpoint.fingerprint(), self.prompt.fingerprint, settings)

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The hits of each query, best first.

        Raises:
            ServiceError: if a window has no reply; those received are kept for the next call.
            ConfigError: if the key's environment variable is not set.
        """
        texts = [query.of(self.text).text for query in queries]
        orders = [list(range(min(self.depth, len(ranking)))) for ranking in hits]
        moves = [list(windows(len(order), window=self.window, step=self.step)) for order in orders]
        before = dict(self._counts)
        for turn in range(max(map(len, moves), default=0)):
            asked = [index for index, move in enumerate(moves) if turn < len(move)]
            shown = [orders[index][slice(*moves[index][turn])] for index in asked]
            prompts = [
                self._prompt(queries[index], texts[index], [hits[index][at] for at in rows])
                for index, rows in zip(asked, shown, strict=True)
            ]
            for index, rows, reply in zip(asked, shown, self._replies(prompts), strict=True):
                order = self._order(reply, len(rows))
                orders[index][slice(*moves[index][turn])] = [rows[at] for at in order]
        self._report(before)
        return [
            reranked(ranking, _scores(order))[: self.keep]
            for ranking, order in zip(hits, orders, strict=True)
        ]

    def _prompt(self, query: Query, text: str, hits: Sequence[Hit]) -> Prompt:
        passages = [" ".join(hit.passage.titled.split()[: self.words]) for hit in hits]
        messages = self.prompt.messages(text, passages)
        return Prompt(messages, query.question.text, query.question.lang)

    def _replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
        replies = self._endpoint.generate(prompts, Reply)
        if problems := [reply.problem for reply in replies if reply.problem]:
            raise ServiceError(
                f"{WHERE}: {len(problems)} of {len(replies)} requests have no reply "
                f"({problems[0]}); the others are kept, run again to continue"
            )
        return replies

    def _order(self, reply: Reply, count: int) -> list[int]:
        order, repaired = read_permutation(reply.text, count)
        self._counts["replies"] += 1
        self._counts["repaired"] += repaired
        return order

    def _report(self, before: Mapping[str, int]) -> None:
        replies, repaired = (self._counts[name] - before[name] for name in ("replies", "repaired"))
        if repaired:
            warnings.warn(
                f"{self.black_box}: {repaired} of {replies} replies were no complete order of "
                "their passages; missing passages follow in the order in which they were shown",
                Notice,
                stacklevel=3,
            )


def _scores(order: Sequence[int]) -> list[float]:
    """The score of each hit, in the hits' own order: n for the best of n, 1 for the worst."""
    scores = [0.0] * len(order)
    for place, index in enumerate(order):
        scores[index] = float(len(order) - place)
    return scores
