"""Translations that were made once, kept in a JSONL file, and replayed from it.

A row has the provider, its version, the date of the translation, `lang`, `to`, and a hash of
the question by which it is found; the question and its translation follow for readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ..core.configured import Configured
from ..core.errors import ConfigError, DataError, one_of
from ..core.progress import Progress, silent
from ..core.stages import BaseTranslator, Translator
from ..core.types import Query, Question
from ..io.files import digest, read_jsonl, write_jsonl
from .checks import Attempt, OnFailure, ignore_failure, translate_checked

CHUNK = 64  # questions; what a killed recording loses at most
_STRINGS = ("provider", "version", "date", "lang", "to", "hash", "translation")


class RecordedTranslator(Configured, BaseTranslator):
    """Replays the rows of `file`; `provider`, `version` and `date` choose among them.

    Of one provider's and version's translations the latest is taken. A question that was never
    recorded is reported to `failed`.
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
        self.wanted = {"provider": provider, "version": version, "date": date}
        self.failed = failed

    @property
    def black_box(self) -> str:
        """The black boxes that the rows come from."""
        names = {str(row["black_box"]) for row in self._rows.values() if row.get("black_box")}
        return ", ".join(sorted(names))

    def fingerprint(self) -> str:
        """The translations there are."""
        return digest("recorded", [(*key, row["translation"]) for key, row in self._rows.items()])

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query a question; those without a translation stay in their own language.

        Raises:
            DataError: if the file cannot be read or has no such translations.
            ConfigError: if it holds those of several providers or versions.
        """
        return translate_checked(
            questions, partial(self._attempts, to=to), to=to, failed=self.failed
        )

    def _attempts(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        rows = [
            self._rows.get((question.lang, to, digest(question.text))) for question in questions
        ]
        return [
            Attempt(row["translation"]) if row else Attempt("", f"not recorded in {self.path}")
            for row in rows
        ]

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str], dict[str, Any]]:
        """The chosen rows by language, target and hash."""
        rows = [
            row
            for row in read_rows(self.path)
            if all(value in ("", row[name]) for name, value in self.wanted.items())
        ]
        kinds = {f"{row['provider']} {row['version']}" for row in rows}
        if not rows:
            wanted = " ".join(filter(None, self.wanted.values())) or "anybody"
            raise DataError(f"{self.path} holds no translation by {wanted}")
        if len(kinds) > 1:
            raise ConfigError(
                f"[translator] {self.path} holds translations by several; choose with "
                f"provider and version: {one_of(kinds)}"
            )
        rows.sort(key=lambda row: str(row["date"]))
        return {(row["lang"], row["to"], row["hash"]): row for row in rows}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of recorded translations.

    Raises:
        DataError: naming the line that lacks something.
    """
    rows = []
    for number, row in read_jsonl(path):
        lacking = [name for name in _STRINGS if not isinstance(row.get(name), str)]
        if lacking:
            raise DataError(f"{path}, line {number}: needs a string '{lacking[0]}'")
        rows.append(row)
    return rows


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
    """Add translations to a file, and return how many are new.

    The provider's version is the translator's fingerprint. What the file has of this provider
    and version is not translated again, so that a killed recording goes on; `date` is today's,
    as YYYY-MM-DD. A question that the translator leaves in its language is not recorded.
    """
    rows = read_rows(path) if path.is_file() else []
    version = translator.fingerprint()
    known = {
        (row["lang"], row["to"], row["hash"])
        for row in rows
        if (row["provider"], row["version"]) == (provider, version)
    }
    keyed = {(q.lang, to, digest(q.text)): q for q in questions if q.lang != to}
    new = [question for key, question in keyed.items() if key not in known]
    before = len(rows)
    for start in range(0, len(new), CHUNK):
        progress(start, len(new))
        rows += [
            {
                "provider": provider,
                "version": version,
                "date": date,
                "lang": query.question.lang,
                "to": to,
                "hash": digest(query.question.text),
                "text": query.question.text,
                "translation": query.text,
                "black_box": translator.black_box,
            }
            for query in translator.translate(new[start : start + CHUNK], to=to)
            if query.lang == to
        ]
        write_jsonl(path, rows)
    progress(len(new), len(new))
    return len(rows) - before
