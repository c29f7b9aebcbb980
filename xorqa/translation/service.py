"""Translation by a chat service: any OpenAI-compatible endpoint, also one on this machine."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import ConfigError
from ..core.lang import LANGUAGES, language
from ..core.types import Question
from ..core.validation import CountOrZero, NonNegative, Positive
from ..io.files import digest
from ..models.chat_client import ChatService, request_options
from .checks import Attempt, CheckedTranslator, OnFailure, check_translation, ignore_failure

PROMPT = (
    "You translate questions from {source} into {target}. Reply with the translation of the "
    "user's message and nothing else. Do not answer the question. Write names as {target} "
    "texts write them."
)
_QUOTES = {'"': '"', "“": "”", "«": "»", "'": "'"}


class ServiceTranslator(CheckedTranslator):
    """One request per question, retried up to `retries` times after `backoff`, twice that, ... s.

    A service that is down or refuses the key gets one request per further batch. `price_in` and
    `price_out` are per million tokens, in any currency; `spent` counts from when this object was
    built. Questions that stay untranslated are reported to `failed`.

    Example:
        >>> from xorqa import Question, ServiceTranslator
        >>> translator = ServiceTranslator(url="http://localhost:8000/v1", model="my-model")
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = translator.translate([question], to="en")
        >>> query.text
        'Where is Inari?'

    Raises:
        ConfigError: for a url, a key_env, a prompt or a number that cannot be used.
    """

    version = 1

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key_env: str = "",
        prompt: str = PROMPT,
        options: Mapping[str, Any] | None = None,
        retries: CountOrZero = 3,
        backoff: NonNegative = 1.0,
        timeout: Positive = 30.0,
        per_minute: NonNegative = 0.0,
        price_in: NonNegative = 0.0,
        price_out: NonNegative = 0.0,
        failed: OnFailure = ignore_failure,
    ) -> None:
        self.prompt = prompt
        self.options = request_options(options)
        self.failed = failed
        self._service = ChatService(
            url=url,
            model=model,
            key_env=key_env,
            timeout=timeout,
            per_minute=per_minute,
            options=self.options,
            where="[translator] 'service'",
            retries=retries,
            backoff=backoff,
            price_in=price_in,
            price_out=price_out,
        )
        self.spent = self._service.spent
        self._system_prompt("en", "en")

    @property
    def black_box(self) -> str:
        """The model and host, for a run's manifest."""
        return self._service.name

    def fingerprint(self) -> str:
        """A hash of the endpoint, the model, the prompt and the options."""
        client = self._service.client
        return digest("service", client.url, client.model, self.prompt, self.options)

    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """The service's checked translations; problems for all questions once it is down.

        Raises:
            ConfigError: if `to` is unknown, or the key's environment variable is not set.
        """
        attempts: list[Attempt] = []
        for question in questions:
            # The first question of a batch tries the service again.
            if self._service.is_down and attempts:
                missing = len(questions) - len(attempts)
                reason = f"not sent, the service is down: {attempts[-1].problem}"
                return [*attempts, *[Attempt("", reason)] * missing]
            attempts.append(self._attempt(question, to))
        return attempts

    def _attempt(self, question: Question, to: str) -> Attempt:
        """The first good translation of several tries, or the last problem."""
        messages = [
            {"role": "system", "content": self._system_prompt(question.lang, to)},
            {"role": "user", "content": question.text},
        ]
        return self._service.ask(
            messages,
            lambda reply: check_translation(question, _unquoted(reply, question.text), to=to),
            lambda reason: Attempt("", reason),
        )

    def _system_prompt(self, lang: str, to: str) -> str:
        source = LANGUAGES[lang].name if lang in LANGUAGES else "their language"
        try:
            return self.prompt.format(source=source, target=language(to).name)
        except (KeyError, IndexError, ValueError) as error:
            raise ConfigError(
                "[translator] prompt may have {source} and {target}, and no other braces"
            ) from error


def _unquoted(reply: str, question: str) -> str:
    """A reply without the quotation marks around it, unless the question begins with them."""
    text = reply.strip()
    quoted = len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in question
    return text[1:-1] if quoted else text
