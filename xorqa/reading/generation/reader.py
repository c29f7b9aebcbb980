"""A language model as a reader: it answers from all passages at once, and cites them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ...core.errors import ConfigError
from ...core.stages import BaseReader, Configured
from ...core.types import Candidate, Hit, Query, ReadingFailure, SearchText
from ...core.validation import Count, CountOrZero, NonNegative, Positive
from ...io.cache import Cache, NoCache
from ...io.files import digest
from ...models.device import Dtype, not_default
from . import prompts
from .endpoint import EndpointGenerator, EndpointSettings, Prompt
from .local import shared
from .reply import Reply, candidate_from_reply, read_answer, read_reply

Input = tuple[Query, Sequence[Hit]]


def ignore_failure(failure: ReadingFailure) -> None:
    """The default: a query that was not read shows only in the result, None."""


class GenerativeReader(Configured, BaseReader):
    """Ask a model for one answer from the first `passages` hits, with citations.

    `endpoint` is the URL of an OpenAI-compatible chat service, `model` its model; the key is in the
    environment variable `key_env`. Without an endpoint, `model` is a model of transformers (a hub
    name, or a local folder, `./folder`), or, with `recorded`, the one whose replies are replayed
    from that file; with both, new replies are added to the file. `format` is a local model's input:
    "chat", as for endpoints, or "mgen" (Asai et al. 2021), whose output is the answer alone.

    `prompt` is "bundled" (a file per language of `text`) or your own text file. `answer_in` is the
    language of the answer: the "question"'s, or the "passage"'s, from which the localiser goes on.
    `ask_again`: an answer in another language is asked for once more.

    No candidates: the model answered "not in the passages". None, and a call of `failed`: there is
    no usable reply. The score is log((s + 1) / (c + 2)) if s of c quotations are in their passages:
    endpoints return no probability, and this orders the answers of several routes.

    Example:
        >>> from xorqa import GenerativeReader, Hit, Passage, Query, Question
        >>> reader = GenerativeReader(endpoint="http://localhost:8000/v1", model="my-model")
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Missä Niili on?", "fi")
        >>> hits = [Hit(Passage("nile", "The Nile is in Africa."), 1.0)]
        >>> [[candidate]] = reader.read([query], [hits])
        >>> candidate.text, candidate.generated.citations[0].quote
        ('Afrikassa', 'in Africa')

    Raises:
        ConfigError: for a url, a key_env, a prompt or a number that cannot be used.
    """

    version = 2
    by_lang = True

    def __init__(
        self,
        *,
        model: str,
        endpoint: str = "",
        passages: Count = 10,
        prompt: str = prompts.BUNDLED,
        answer_in: Literal["question", "passage"] = "question",
        ask_again: bool = False,
        format: Literal["chat", "mgen"] = "chat",
        text: SearchText = "question",
        key_env: str = "",
        options: Mapping[str, Any] | None = None,
        retries: CountOrZero = 3,
        backoff: NonNegative = 1.0,
        timeout: Positive = 60.0,
        per_minute: NonNegative = 0.0,
        price_in: NonNegative = 0.0,
        price_out: NonNegative = 0.0,
        recorded: str = "",
        max_new_tokens: Count = 256,
        dtype: Dtype = "auto",
        cache: Cache | None = None,
        failed: Callable[[ReadingFailure], None] = ignore_failure,
    ) -> None:
        is_local = not endpoint and not recorded
        if format == "mgen" and not is_local:
            raise ConfigError(f'{prompts.WHERE}: the format "mgen" is for local models')
        if dtype != "auto" and not is_local:
            raise ConfigError(f"{prompts.WHERE}: dtype is for local models")
        self.passages, self.prompt, self.answer_in = passages, prompt, answer_in
        self.ask_again, self.format, self.text = ask_again, format, text
        self.failed = failed
        prompts.read_prompt(prompt, "answer", prompts.FALLBACK)
        self._local = shared(model, max_new_tokens, dtype) if is_local else None
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
            where=prompts.WHERE,
        )
        self.spent: Mapping[str, float] = self._endpoint.spent

    @property
    def black_box(self) -> str:
        """The model and host of the endpoint, or of the recorded replies; "" for a local model."""
        return "" if self._local else self._endpoint.name

    def fingerprint(self) -> str:
        """A hash of the model or endpoint, the prompts and the settings."""
        local = self._local
        model: list[Any]
        if local:
            model = [local.sha, local.max_new_tokens, *not_default(local.dtype, None)]
        else:
            model = [self._endpoint.fingerprint()]
        settings = self.passages, self.answer_in, self.ask_again, self.format, self.text
        return digest("generate", *model, prompts.fingerprint(self.prompt), settings)

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate] | None]:
        """The answer of each query as its only candidate.

        Raises:
            ConfigError: if the key's environment variable is not set.
            WeightsError: for a local model that cannot be loaded.
        """
        pairs = [
            (query, list(ranking)[: self.passages])
            for query, ranking in zip(queries, hits, strict=True)
        ]
        inputs = [pair for pair in pairs if pair[1]]
        replies = self._replies(inputs)
        answers = [
            self._candidate(*pair, reply) for pair, reply in zip(inputs, replies, strict=True)
        ]
        if self.ask_again and self.format == "chat":
            self._replace_other_languages(inputs, replies, answers)
        outcomes = iter(zip(replies, answers, strict=True))
        results: list[list[Candidate] | None] = []
        for query, ranking in pairs:
            reply, answer = next(outcomes) if ranking else (None, None)
            if reply and reply.problem:
                self.failed(ReadingFailure(query.question, reply.problem))
                results.append(None)
            else:
                results.append([answer] if answer else [])
        return results

    def _replies(self, pairs: Sequence[Input]) -> list[Reply]:
        if self._local and self.format == "mgen":
            texts = [
                prompts.mgen_input(q.of(self.text).text, q.question.lang, hits) for q, hits in pairs
            ]
            return self._local.complete(texts, read_answer)
        return self._generate([self.conversation(*pair) for pair in pairs])

    def _generate(self, batch: Sequence[Prompt]) -> list[Reply]:
        if self._local:
            return self._local.chat(batch, read_reply)
        return self._endpoint.generate(batch, read_reply)

    def conversation(
        self, query: Query, hits: Sequence[Hit], *, after: Reply | None = None
    ) -> Prompt:
        """The conversation that the model continues, about all `hits`.

        `after` a reply in another language, it asks for the right one.
        """
        source = query.of(self.text)
        task: prompts.Task = "answer" if self.answer_in == "question" else "extract"
        system = prompts.read_prompt(self.prompt, task, source.lang)
        messages = [
            {"role": "system", "content": prompts.fill(system, query.question.lang)},
            {"role": "user", "content": prompts.question_with_passages(source.text, hits)},
        ]
        if after is not None:
            again = prompts.read_prompt(prompts.BUNDLED, "again", source.lang)
            messages += [
                {"role": "assistant", "content": after.text},
                {"role": "user", "content": prompts.fill(again, query.question.lang)},
            ]
        return Prompt(messages, query.question.text, query.question.lang)

    def _replace_other_languages(
        self, inputs: Sequence[Input], replies: Sequence[Reply], answers: list[Candidate | None]
    ) -> None:
        """Ask again for answers in another language than the question's; keep usable new ones."""
        indices = [
            index
            for index, (answer, (query, _)) in enumerate(zip(answers, inputs, strict=True))
            if answer and self.answer_in == "question" and answer.lang != query.question.lang
        ]
        prompt = [self.conversation(*inputs[index], after=replies[index]) for index in indices]
        for index, reply in zip(indices, self._generate(prompt), strict=True):
            new = None if reply.problem else self._candidate(*inputs[index], reply)
            answer = new or answers[index]
            if answer and answer.generated:
                generated = replace(answer.generated, asked_again=True)
                answers[index] = replace(answer, generated=generated)

    def _candidate(self, query: Query, hits: Sequence[Hit], reply: Reply) -> Candidate | None:
        expected = query.question.lang if self.answer_in == "question" else None
        return candidate_from_reply(reply, hits, expected=expected)
