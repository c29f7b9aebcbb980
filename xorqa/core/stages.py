"""The interfaces of the pipeline's stages, and base classes with defaults.

Stages process batches, are cheap to build, load weights on first use, and return one result
per input in the same order. `version` is raised whenever a stage's output changes, and
`fingerprint` covers everything else that its output depends on (settings, weights, index).
A stage that is `Configured` remembers its settings, so that an object is equivalent to a config
table. Your own stage inherits from the `Base` class of its role, if there is one.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType, MethodType
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from .progress import Progress, silent
from .types import Answer, Candidate, Hit, Query, Question
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

    spent: Mapping[str, float] = MappingProxyType({})

    @property
    def black_box(self) -> str:
        """No service."""
        return ""


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

    extra: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """Checks for `xorqa doctor`, by name: each returns a note of one line, or raises."""
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

    def verify(self) -> list[str]:
        """Nothing to verify."""
        return []


class Ranker(Stage, Protocol):
    """Ranks retrieved hits again, best first; it may leave hits out.

    The pipeline passes the searched `corpus` to constructors that have a parameter of that name;
    only such a ranker may add hits, of that corpus. Scores order the hits that it returns, equal
    scores by docid.
    """

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]: ...


class Reader(Stage, Protocol):
    """Reads candidates from hits, best first; a query without hits gets an empty list.

    A query that could not be read gets None, which is not cached: the next run reads it again.
    The pipeline passes a callback `failed(query, reason)` to constructors that have a parameter of
    that name, and its `cache`. A reader that calls a service has `black_box` and `spent`, as
    translators have. A reader with `by_lang = True` depends on the question's language, not only
    on its text.
    """

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> Sequence[list[Candidate] | None]: ...


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

    translator: Translator | None = None

    def check_languages(self, langs: Collection[str]) -> None:
        """Every language is supported."""


class Chooser(Stage, Protocol):
    """Chooses one answer per question from the answers of all routes."""

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]: ...


class Configured:
    """Remembers the constructor arguments that differ from the defaults."""

    settings_given: Mapping[str, Any]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        stage = super().__new__(cls)
        signature = signature_of(cls)
        try:
            arguments = signature.bind_partial(*args, **options).arguments
        except TypeError:  # `__init__` raises it again, with Python's message
            arguments = {}
        for name, value in arguments.items():
            if has_range(signature.parameters[name].annotation):
                hint = signature.parameters[name].annotation
                SETTINGS.check(hint, value, where=f"{cls.__name__} {name}")
        stage.settings_given = {
            name: value
            for name, value in arguments.items()
            if name not in GIVEN and value != signature.parameters[name].default
        }
        return stage


def signature_of(cls: type[Any]) -> inspect.Signature:
    """The signature of a class, with its annotations evaluated if possible."""
    made_by = _constructor(cls)
    try:
        return inspect.signature(made_by, eval_str=True)
    except NameError:  # an annotation that only type checkers can read
        return inspect.signature(made_by)


def _constructor(cls: type[Any]) -> Callable[..., Any]:
    """What is called with a class's arguments: Python finds `Configured.__new__`, not `__init__`.

    Before 3.11.4 it does so for every stage, after that for those without an `__init__`.
    """
    if not issubclass(cls, Configured):
        return cls
    return object if cls.__init__ is object.__init__ else MethodType(cls.__init__, cls)
