"""The interfaces of the pipeline's stages, and base classes with defaults.

Stages process batches, are cheap to build, load weights on first use, and return one result
per input in the same order. `version` is raised whenever a stage's output changes, and
`fingerprint` covers everything else that its output depends on (settings, weights, index).
Your own stage inherits from the `Base` class of its role, whose `role` marks it as a stage, or has
all members of the role. Those of xorqa are also `Configured`: they remember their settings, so that
an object is equivalent to a config table.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, runtime_checkable

from .progress import Progress, silent
from .types import Answer, Candidate, Hit, Passage, Query, Question
from .validation import SETTINGS, has_range

MEMBERS = {
    "translator": ("translate", "fingerprint", "black_box", "spent"),
    "retriever": ("retrieve", "fingerprint", "build", "verify", "by_qid", "ranks_each_language"),
    "ranker": ("rank", "fingerprint"),
    "reader": ("read", "fingerprint"),
    "localiser": ("localise", "fingerprint", "translator", "check_languages"),
    "chooser": ("choose", "fingerprint"),
}
"""The members that a stage class must have, by role."""
GIVEN = frozenset({"cache", "corpus", "failed", "folder", "translations"})
"""Constructor parameters that the pipeline fills in; they are not settings."""


class Stage(Protocol):
    """The attributes of every stage, which identify its output in the cache."""

    version: int

    def fingerprint(self) -> str: ...


AnyStage = TypeVar("AnyStage")
StageLike: TypeAlias = str | Mapping[str, Any] | type[AnyStage] | AnyStage
"""A stage as users give it: its name, its config table, its class or an object."""


@runtime_checkable
class Service(Protocol):
    """A stage that may call a service: its name, and the tokens and money used so far."""

    @property
    def black_box(self) -> str: ...

    @property
    def spent(self) -> Mapping[str, float]: ...


class Translator(Stage, Protocol):
    """Translates questions; a question that it cannot translate keeps its language.

    `black_box` names the service it calls, for manifests ("" without one); `spent` counts the
    tokens and money that this object has used. The pipeline passes a callback
    `failed(question, reason)` to constructors that have a parameter of that name.
    """

    @property
    def black_box(self) -> str: ...

    @property
    def spent(self) -> Mapping[str, float]: ...

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]: ...


class BaseTranslator:
    """A translator that calls no service."""

    role: ClassVar[str] = "translator"
    spent: Mapping[str, float] = MappingProxyType({})

    @property
    def black_box(self) -> str:
        """No service."""
        return ""

    def check_languages(self, langs: Collection[str], *, to: str) -> None:
        """Raise ConfigError if the translator lacks `to` or one of the languages of questions."""


class Retriever(Stage, Protocol):
    """Retrieves at most `k` passages per query, best first, equal scores by docid.

    `by_qid` is true if hits depend on the question's id, not on its text; `ranks_each_language`
    if each language is ranked on its own, so that ranks of different languages are not
    comparable (BM25). `verify` compares an index on disk with the checksums in its manifest, and
    returns notes.
    """

    @property
    def by_qid(self) -> bool: ...

    @property
    def ranks_each_language(self) -> bool: ...

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None: ...

    def verify(self) -> list[str]: ...

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]: ...


class BaseRetriever:
    """A retriever without an index that searches with the query's text.

    One with an index, on disk or on a server, inherits from `retrieval.over_corpus.OverCorpus`.
    `extra` and `packages` are the extra of the pyproject that it needs and the modules that this
    installs, if any.
    """

    role: ClassVar[str] = "retriever"
    extra: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """Checks for `xorqa doctor`, by name: each returns a note of one line, or raises."""
        return {}

    def health(self, sample: Sequence[Passage]) -> Mapping[str, Callable[[], str]]:
        """Checks of this retriever's index for `xorqa doctor`, with a sample of its passages.

        By name: each returns a note of one line, or raises.
        """
        return {}

    @property
    def by_qid(self) -> bool:
        """Hits depend on the text."""
        return False

    @property
    def ranks_each_language(self) -> bool:
        """All passages are ranked together."""
        return False

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Nothing to build."""

    def is_complete(self) -> bool:
        """Nothing is left to build."""
        return True

    def verify(self) -> list[str]:
        """Nothing to verify."""
        return []


class Unranked(list[Hit]):
    """The hits of a query that could not be ranked, in the retriever's order."""


class Ranker(Stage, Protocol):
    """Ranks retrieved hits again, best first; it may leave hits out.

    The pipeline passes the searched `corpus` to constructors that have a parameter of that name;
    only such a ranker may add hits, of that corpus. Scores order the hits that it returns, equal
    scores by docid. A query that could not be ranked gets its hits as `Unranked`, which is not
    cached: the next run ranks it again. A ranker that calls a service gets the `cache` in the same
    way, and has `black_box` and `spent`, as translators have.
    """

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]: ...


class BaseRanker:
    """A ranker."""

    role: ClassVar[str] = "ranker"


class Reader(Stage, Protocol):
    """Reads candidates from hits, best first; a query without hits gets an empty list.

    A query that could not be read gets None, which is not cached: the next run reads it again.
    The pipeline passes a callback `failed(query, reason)` to constructors that have a parameter of
    that name, and its `cache`. A reader that calls a service has `black_box` and `spent`, as
    translators have. A reader with `by_lang = True` depends on the question's language, not only
    on its text, and one with `by_title = True` on the titles of the passages.
    """

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> Sequence[list[Candidate] | None]: ...


class BaseReader:
    """A reader that calls no service."""

    role: ClassVar[str] = "reader"


class Localiser(Stage, Protocol):
    """Localises candidates into the question's language where it can.

    `translator` is the translator it calls, or None; a run's costs include it.
    `check_languages` raises ConfigError for question languages that it does not support.
    """

    @property
    def translator(self) -> Translator | None: ...

    def check_languages(self, langs: Collection[str]) -> None: ...

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]: ...


class BaseLocaliser:
    """A localiser that calls no translator and supports every language."""

    role: ClassVar[str] = "localiser"
    translator: Translator | None = None

    def check_languages(self, langs: Collection[str]) -> None:
        """Every language is supported."""


class Chooser(Stage, Protocol):
    """Chooses one answer per question from the answers of all routes."""

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]: ...


class BaseChooser:
    """A chooser."""

    role: ClassVar[str] = "chooser"


def missing_members(stage: object, role: str) -> list[str]:
    """The members of a role that a stage, an object or a class, does not have."""
    return [member for member in MEMBERS[role] if not hasattr(stage, member)]


def role_of(stage: object) -> str | None:
    """The role of a stage, an object or a class: that of its base class, else by its members."""
    marked = getattr(stage, "role", None)
    roles = [marked] if isinstance(marked, str) and marked in MEMBERS else [*MEMBERS]
    return next((role for role in roles if not missing_members(stage, role)), None)


class Configured:
    """Remembers the constructor arguments that differ from the defaults, as `settings_given`.

    The settings of a stage are the parameters of its `__init__`, except `GIVEN`.
    """

    settings_given: Mapping[str, Any] = MappingProxyType({})

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in cls.__dict__:
            cls.__init__ = _recording(cls.__init__)  # type: ignore[method-assign]


def _recording(constructor: Callable[..., None]) -> Callable[..., None]:
    """The constructor; before it runs, it checks the ranges of its arguments and records them."""

    @wraps(constructor)
    def construct(stage: Configured, *args: Any, **options: Any) -> None:
        if "settings_given" not in vars(stage):  # else a subclass's constructor has called this one
            stage.settings_given = _settings(type(stage), args, options)
        constructor(stage, *args, **options)

    return construct


def _settings(cls: type[Any], args: tuple[Any, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    signature = signature_of(cls)
    try:
        arguments = signature.bind_partial(*args, **options).arguments
    except TypeError:  # the constructor raises it again, with Python's message
        return {}
    for name, value in arguments.items():
        hint = signature.parameters[name].annotation
        if has_range(hint):
            SETTINGS.check(hint, value, where=f"{cls.__name__} {name}")
    return {
        name: value
        for name, value in arguments.items()
        if name not in GIVEN and value != signature.parameters[name].default
    }


def signature_of(cls: type[Any]) -> inspect.Signature:
    """The signature of a class, with its annotations evaluated if possible."""
    try:
        return inspect.signature(cls, eval_str=True)
    except NameError:  # an annotation that only type checkers can read
        return inspect.signature(cls)
