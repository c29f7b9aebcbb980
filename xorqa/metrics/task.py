"""Tasks: their files and scorers, and how scores are averaged and explained.

`read_xor_references` and `read_squad_references` read the questions of most tasks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ..core.errors import ConfigError, DataError, one_of
from ..core.lang import in_name
from ..core.types import Trace
from ..io.predictions import Predictions, read_answers, write_answers
from ..io.squad_xor import read_checked_squad, read_xor
from .measure import Measure
from .report import Reference, Report, Score, average

Scorer = Callable[..., list[Score]]
"""Maps references and predictions (qid to prediction) to a `Score` per counted question."""

ScorerName = Literal["official", "strict"]
OFFICIAL: Final = "official"
STRICT: Final = "strict"
SCORERS: tuple[ScorerName, ...] = (OFFICIAL, STRICT)
"""`official` equals the published script digit for digit; `strict` follows the paper."""

Values = Mapping[str, float]
Explain = Callable[[Reference, Any, Values | None, Values | None], str]
"""Maps a question, its prediction and both scorers' values (None: not counted) to the reason."""


def read_xor_references(path: Path, *, lang: str | None = None) -> list[Reference]:
    """Read the questions of an XOR QA JSONL file, each of which states its language.

    Raises:
        ConfigError: if `lang` is given.
        DataError: as `read_xor`.
    """
    if lang is not None:
        raise ConfigError(f"each question of {path} states its language; leave out --lang")
    return [Reference(row.qid, row.lang, row.answers) for row in read_xor(path)]


def read_squad_references(
    path: Path, *, lang: str | None = None, default_lang: str | None = None
) -> list[Reference]:
    """Read the questions of a SQuAD-style file.

    The language is `lang`, or else the one in the file's name, or in the question's id (TyDi's
    ids begin with it), or else `default_lang`.

    Repeated ids, and missing and wrong offsets of answers, are counted in a `Notice`.

    Raises:
        ConfigError: if none of these gives a language.
        DataError: as `read_squad`.
    """
    file_lang = lang or in_name(path.name)
    references = []
    for question in read_checked_squad(path):
        name, dash, _ = question.qid.partition("-")
        id_lang = in_name(name) if dash and name.isalpha() else None  # SQuAD's are hexadecimal
        question_lang = file_lang or id_lang or default_lang
        if question_lang is None:
            raise ConfigError(f"{path}: no language in the file's name; set it with --lang")
        references.append(
            Reference(question.qid, question_lang, question.answers, question.context)
        )
    return references


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task; only `name`, `title` and `scorers` have no default.

    Attributes:
        name: its name on the command line and in result files.
        title: one line for tables and `--help`.
        scorers: by name, the default first; bundled tasks have `official` and `strict`.
        measures: what its scorers score, the main one first; a measure that is not declared
            is shown under its own name, and higher scores are better.
        citation: the paper that defines it.
        read_references: (path, lang=...) to the questions of a data file; XOR QA's JSONL by
            default. `lang` is the file's language if the user gives it.
        read_predictions: a prediction file; `{qid: answer}` by default.
        write_predictions: (path, predictions by qid, languages by qid), the same format.
        scored_part: cuts a prediction for a file to the part that scorers use by default; None:
            all of it.
        answer_lang: the language of all gold answers; None: the question's language.
        needs_answers: whether a question without a gold answer is an error.
        check_script: whether an answer in a script other than its language's is reported.
        alias: maps a prediction's id that no question has to the id to try instead.
        summarise: (scores, task=..., scorer=...) to the report.
        explain: why two scorers disagree, for `xorqa eval --diff`.
        predict: the predictions of a pipeline's traces, empty if the pipeline stopped before;
            None if the task does not score pipelines.
    """

    name: str
    title: str
    scorers: Mapping[str, Scorer]
    measures: tuple[Measure, ...] = ()
    citation: str = ""
    read_references: Callable[..., list[Reference]] = read_xor_references
    read_predictions: Callable[[Path], Predictions[Any]] = read_answers
    write_predictions: Callable[[Path, Mapping[str, Any], Mapping[str, str]], None] = write_answers
    scored_part: Callable[[Any], Any] | None = None
    answer_lang: str | None = None
    needs_answers: bool = True
    check_script: bool = False
    alias: Callable[[str], str] = str
    summarise: Callable[..., Report] = average
    explain: Explain | None = None
    predict: Callable[[Sequence[Trace]], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        if not self.scorers or not all(map(callable, self.scorers.values())):
            raise ConfigError(
                f"task {self.name}: scorers must map at least one name to a function of "
                "references and predictions"
            )

    @property
    def file(self) -> str:
        """The name of its prediction file in a run folder."""
        return f"{self.name.replace('-', '_')}.json"

    @property
    def default_scorer(self) -> str:
        """The name of the first scorer."""
        return next(iter(self.scorers))

    def score(
        self,
        references: Sequence[Reference],
        predictions: Mapping[str, Any],
        *,
        scorer: str | None = None,
        **options: Any,
    ) -> list[Score]:
        """Score each question, from 0 to 1.

        Args:
            references: the questions with their gold answers.
            predictions: by qid, as `read_predictions` gives them.
            scorer: the name of one of `scorers`; the first by default.
            options: keyword arguments of the scorer; xor-retrieve has `k`.

        Raises:
            ConfigError: for an unknown scorer, or one that does not return scores.
            DataError: if a question has no gold answer.
        """
        name = scorer or self.default_scorer
        if name not in self.scorers:
            valid = one_of(self.scorers)
            raise ConfigError(f"{self.name} has no scorer '{name}'; valid: {valid}")
        without = [reference.qid for reference in references if not reference.answers]
        if without and self.needs_answers:
            raise DataError(f"{self.name}: question '{without[0]}' has no gold answer")
        scores = self.scorers[name](references, predictions, **options)
        if not isinstance(scores, list) or not all(isinstance(score, Score) for score in scores):
            raise ConfigError(f"{self.name}: scorer '{name}' must return a list of Score")
        return scores

    def report(self, scores: Sequence[Score], *, scorer: str | None = None) -> Report:
        """Average scores per language and over languages.

        Raises:
            DataError: if there are no scores.
        """
        return self.summarise(scores, task=self.name, scorer=scorer or self.default_scorer)

    def evaluate(
        self,
        references: Sequence[Reference],
        predictions: Mapping[str, Any],
        *,
        scorer: str | None = None,
        **options: Any,
    ) -> Report:
        """Score predictions and report the averages: `score`, then `report`.

        Raises:
            ConfigError, DataError: as `score` and `report`.
        """
        scores = self.score(references, predictions, scorer=scorer, **options)
        return self.report(scores, scorer=scorer)
