"""Translation by a chat service: any OpenAI-compatible endpoint, also one on this machine."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from ..core.errors import ConfigError
from ..core.lang import LANGUAGES, language
from ..core.types import Question
from ..core.validation import CountOrZero, NonNegative, Positive
from ..io.files import digest
from ..models.chat_client import ChatService, request_options
from ..models.chat_limits import Messages
from ..models.thoughts import without_thoughts
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

    `prompt` is the system's message, with {source} and {target} for the languages; one with
    {text} is the whole request, for models such as TowerInstruct.

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
        self._messages("", "en", "en")  # raises

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
        return self._service.ask(
            self._messages(question.text, question.lang, to),
            lambda reply: check_translation(question, _unquoted(reply, question.text), to=to),
            lambda reason: Attempt("", reason),
        )

    def _messages(self, text: str, lang: str, to: str) -> Messages:
        """The prompt and the text, or one message if the prompt has a place for the text."""
        source = LANGUAGES[lang].name if lang in LANGUAGES else "their language"
        names = {"source": source, "target": language(to).name, "text": text}
        try:
            prompt = self.prompt.format(**names)
        except (KeyError, IndexError, ValueError) as error:
            raise ConfigError(
                "[translator] prompt may have {source}, {target} and {text}, and no other braces"
            ) from error
        if any(field == "text" for _, field, *_ in Formatter().parse(self.prompt)):
            return [{"role": "user", "content": prompt}]
        return [{"role": "system", "content": prompt}, {"role": "user", "content": text}]


def _unquoted(reply: str, question: str) -> str:
    """A reply without its thoughts, and the quotation marks that the question does not have."""
    text = without_thoughts(reply).strip()
    quoted = len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in question
    return text[1:-1] if quoted else text
