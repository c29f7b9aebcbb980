"""MLQA's Table 3 beside files: questions that each pair of languages has in common."""

from collections.abc import Sequence
from pathlib import Path

from ..common.parallel_files import find_files, parallel_folder, read_questions
from .printed import Measured


def shared_questions(folders: Sequence[Path]) -> Measured:
    """The questions of folders together, such as dev and test: "de-es" to their number.

    Raises:
        ConfigError: for a folder that does not exist or has not been fetched.
        DataError: for one without files.
    """
    ids: dict[str, set[str]] = {}
    for folder in folders:
        for lang, path in find_files(parallel_folder(str(folder), kind="data set")).items():
            ids.setdefault(lang, set()).update(read_questions(path))
    return {
        f"{lang}-{other}": {"n": len(of_lang & of_other)}
        for lang, of_lang in ids.items()
        for other, of_other in ids.items()
    }
