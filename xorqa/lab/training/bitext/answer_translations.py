"""Translations of a system's English answers, matched by the questions' ids."""

from collections.abc import Mapping
from pathlib import Path

from ....io.files import write_jsonl
from ....io.locks import lock_path
from ....translation.recorded import read_rows, recorded_keys, translation_row


def add_answers(
    path: Path,
    english: Mapping[str, str],
    translated: Mapping[str, str],
    langs: Mapping[str, str],
    *,
    provider: str,
) -> tuple[int, int]:
    """Add them to a file of recorded translations; all mappings are by question id.

    Returns the number of new translations, and of those without an English answer or a language.
    Of several translations of an answer into one language the first is recorded.

    Raises:
        LockedError: if another process writes the file.
    """
    with lock_path(path, "file"):
        rows = read_rows(path) if path.is_file() else []
        known, before, unknown = recorded_keys(rows, provider, ""), len(rows), 0
        for qid, translation in translated.items():
            if qid not in english or qid not in langs:
                unknown += 1
                continue
            row = translation_row("en", english[qid], langs[qid], " ".join(translation.split()))
            key = ("en", langs[qid], row["hash"])
            if english[qid].strip() and row["translation"] and key not in known:
                known.add(key)
                rows.append({"provider": provider, "version": "", "date": "", **row})
        write_jsonl(path, rows)
        return len(rows) - before, unknown
