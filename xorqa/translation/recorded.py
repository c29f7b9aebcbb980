"""Translations recorded once in a JSONL file, and replayed from it.

A row has the provider, its version, the date of the translation, `lang`, `to`, and the hash of
the question by which it is looked up; then the question and its translation.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, DataError, one_of
from ..core.progress import Progress, silent
from ..core.stages import Translator
from ..core.types import Question
from ..io.files import digest, read_jsonl, write_jsonl
from ..io.locks import lock_path
from .checks import Attempt, CheckedTranslator, OnFailure, ignore_failure

CHUNK = 64  # questions; a killed recording loses at most one chunk
_STRINGS = ("provider", "version", "date", "lang", "to", "hash", "translation")


class RecordedTranslator(CheckedTranslator):
    """Replays the rows of `file`; `provider`, `version` and `date` select among them.

    Of several translations by one provider and version the latest is used. Questions that are
    not in the file are reported to `failed`.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import HumanTranslation, Question, RecordedTranslator
        >>> from xorqa.translation.recorded import record
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> human = HumanTranslation(translations={"q": "Where is Inari?"})
        >>> settings = {"to": "en", "provider": "human", "date": "2026-01-31"}
        >>> recorded = record(human, [question], Path("translations.jsonl"), **settings)
        >>> RecordedTranslator(file="translations.jsonl").translate([question], to="en")[0].text
        'Where is Inari?'
    """

    version = 1

    def __init__(
        self,
        *,
        file: str,
        provider: str = "",
        version: str = "",
        date: str = "",
        failed: OnFailure = ignore_failure,
    ) -> None:
        self.path = Path(file).expanduser()
        self.selection = {"provider": provider, "version": version, "date": date}
        self.failed = failed

    @property
    def black_box(self) -> str:
        """The services that made the rows, for a run's manifest."""
        names = {str(row["black_box"]) for row in self._rows.values() if row.get("black_box")}
        return ", ".join(sorted(names))

    def fingerprint(self) -> str:
        """A hash of the selected translations."""
        return digest("recorded", [(*key, row["translation"]) for key, row in self._rows.items()])

    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """The recorded translations.

        Raises:
            DataError: if the file cannot be read or has no such translations.
            ConfigError: if it has several providers or versions.
        """
        rows = [
            self._rows.get((question.lang, to, digest(question.text))) for question in questions
        ]
        return [
            Attempt(row["translation"]) if row else Attempt("", f"not recorded in {self.path}")
            for row in rows
        ]

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str], dict[str, Any]]:
        """The selected rows by language, target and hash."""
        rows = [
            row
            for row in read_rows(self.path)
            if all(value in ("", row[name]) for name, value in self.selection.items())
        ]
        kinds = {f"{row['provider']} {row['version']}" for row in rows}
        if not rows:
            provider = " ".join(filter(None, self.selection.values())) or "any provider"
            raise DataError(f"{self.path} contains no translation by {provider}")
        if len(kinds) > 1:
            raise ConfigError(
                f"[translator] {self.path} has several providers or versions; "
                f"select one with provider and version: {one_of(kinds)}"
            )
        rows.sort(key=lambda row: str(row["date"]))
        return {(row["lang"], row["to"], row["hash"]): row for row in rows}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of recorded translations.

    Raises:
        DataError: naming the line that lacks a string.
    """
    return [row for _, row in read_jsonl(path, strings=_STRINGS)]


def record(
    translator: Translator,
    questions: Sequence[Question],
    path: Path,
    *,
    to: str,
    provider: str,
    date: str,
    progress: Progress = silent,
) -> int:
    """Add translations to a file, and return the number of new ones.

    The provider's version is the translator's fingerprint. Questions that the file already has
    by this provider and version are skipped, so a killed recording resumes. `date` is today's,
    as YYYY-MM-DD. Questions that the translator leaves in their language are not recorded.

    Raises:
        LockedError: if another process writes the file.
    """
    with lock_path(path, "file"):
        rows = read_rows(path) if path.is_file() else []
        version = translator.fingerprint()
        known, before = recorded_keys(rows, provider, version), len(rows)
        keyed = {(q.lang, to, digest(q.text)): q for q in questions if q.lang != to}
        new = [question for key, question in keyed.items() if key not in known]
        for start in range(0, len(new), CHUNK):
            progress(start, len(new))
            rows += [
                {
                    "provider": provider,
                    "version": version,
                    "date": date,
                    **translation_row(query.question.lang, query.question.text, to, query.text),
                    "black_box": translator.black_box,
                }
                for query in translator.translate(new[start : start + CHUNK], to=to)
                if query.lang == to
            ]
            write_jsonl(path, rows)
        progress(len(new), len(new))
        return len(rows) - before


def translation_row(lang: str, text: str, to: str, translation: str) -> dict[str, str]:
    """What a row has of a text and its translation."""
    key = {"lang": lang, "to": to, "hash": digest(text)}
    return {**key, "text": text, "translation": translation}


def recorded_keys(
    rows: Iterable[Mapping[str, Any]], provider: str, version: str
) -> set[tuple[str, str, str]]:
    """Language, target and hash of each text that a provider's version has translated."""
    return {
        (row["lang"], row["to"], row["hash"])
        for row in rows
        if (row["provider"], row["version"]) == (provider, version)
    }
