"""Rank passages by a chat model that sees many of them at once: RankGPT."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import ConfigError, Notice
from ..core.progress import quantity
from ..core.stages import BaseRanker, Configured, Unranked
from ..core.types import Hit, Query, SearchText
from ..core.validation import Count, CountOrZero, NonNegative, Positive
from ..io.cache import Cache, NoCache
from ..io.files import digest
from ..reading.generation.endpoint import EndpointGenerator, EndpointSettings, Prompt
from ..reading.generation.reply import Reply
from .permutation import RANKGPT, read_permutation, read_prompt, windows
from .rerank import reranked

WHERE = "[ranker] 'listwise'"


@dataclass(slots=True)
class _List:
    """The hits of a query, the order of the first ones so far, and why there is no more of it."""

    query: Query
    hits: list[Hit]
    order: list[int]
    problem: str = ""


class ListwiseRanker(Configured, BaseRanker):
    """Rank the first `depth` hits by a chat model, window by window (RankGPT, Sun et al. 2023).

    The model orders `window` passages, beginning with the last ones, and the window moves up by
    `step`, so that the best passages rise to the top. Passages are cut to `words`. A reply that is
    no complete order is repaired by RankGPT's rule, counted in `spent` and reported; so is a query
    without a reply, which keeps its order. `prompt` is "rankgpt" or your own TOML file. `text` is
    the "query" or the original "question".

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
        self._endpoint = EndpointGenerator(
            EndpointSettings(
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
            ),
            cache or NoCache(),
            where=WHERE,
        )
        self._counts = {"replies": 0, "repaired": 0, "unranked": 0}

    @property
    def black_box(self) -> str:
        """The model and host of the endpoint, or of the recorded replies."""
        return self._endpoint.name

    @property
    def spent(self) -> Mapping[str, float]:
        """The requests, tokens and costs since this object was built, and what went wrong."""
        return {**self._endpoint.spent, **self._counts}

    def fingerprint(self) -> str:
        """A hash of the endpoint, the prompt and the settings."""
        settings = self.depth, self.keep, self.window, self.step, self.words, self.text
        return digest("listwise", self._endpoint.fingerprint(), self.prompt.fingerprint, settings)

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The hits of each query, best first; `Unranked` where a window has no reply.

        Raises:
            ConfigError: if the key's environment variable is not set.
        """
        before = dict(self._counts)
        lists = [
            _List(query, list(ranking), list(range(min(self.depth, len(ranking)))))
            for query, ranking in zip(queries, hits, strict=True)
        ]
        moves = [[*windows(len(each.order), window=self.window, step=self.step)] for each in lists]
        for turn in range(max(map(len, moves), default=0)):
            self._move(
                [
                    (each, slice(*move[turn]))
                    for each, move in zip(lists, moves, strict=True)
                    if turn < len(move) and not each.problem
                ]
            )
        self._report(before, [each.problem for each in lists if each.problem])
        return [self._ranked(each) for each in lists]

    def _move(self, shown: Sequence[tuple[_List, slice]]) -> None:
        """Order a window of each list."""
        prompts = [self._prompt(each, each.order[part]) for each, part in shown]
        replies = self._endpoint.generate(prompts, Reply)
        for (each, part), reply in zip(shown, replies, strict=True):
            each.problem = reply.problem
            if reply.problem:
                self._counts["unranked"] += 1
                continue
            rows = each.order[part]
            order, repaired = read_permutation(reply.text, len(rows))
            each.order[part] = [rows[index] for index in order]
            self._counts["replies"] += 1
            self._counts["repaired"] += repaired

    def _ranked(self, ranking: _List) -> list[Hit]:
        if ranking.problem:
            return Unranked(ranking.hits[: self.keep])
        return reranked(ranking.hits, _scores(ranking.order))[: self.keep]

    def _prompt(self, ranking: _List, rows: Sequence[int]) -> Prompt:
        passages = [
            " ".join(ranking.hits[row].passage.titled.split()[: self.words]) for row in rows
        ]
        query = ranking.query
        messages = self.prompt.messages(query.of(self.text).text, passages)
        return Prompt(messages, query.question.text, query.question.lang)

    def _report(self, before: Mapping[str, int], problems: Sequence[str]) -> None:
        replies, repaired = (self._counts[name] - before[name] for name in ("replies", "repaired"))
        if repaired:
            warnings.warn(
                f"{self.black_box}: {repaired} of {replies} replies were no complete order of "
                "their passages; missing passages follow in the order in which they were shown",
                Notice,
                stacklevel=3,
            )
        if problems:
            warnings.warn(
                f"{WHERE}: {quantity(len(problems), 'question')} could not be ranked "
                f"({problems[0]}); the retriever's order stays, run again to retry",
                Notice,
                stacklevel=3,
            )


def _scores(order: Sequence[int]) -> list[float]:
    """The score of each hit, in the hits' own order: n for the best of n, 1 for the worst."""
    scores = [0.0] * len(order)
    for place, index in enumerate(order):
        scores[index] = float(len(order) - place)
    return scores
