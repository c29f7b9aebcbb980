"""The data sets by name, data sets from outside the package, and files of fetched publications.

A data set is a `DatasetEntry` in its module, and a line in `CATALOG`. Wherever a data set is named,
`my_package.module:load` names a function from outside that returns a `Dataset`, a path a folder
with questions (`user_data`), and `ir_datasets:ID` a collection of that library (`ir_datasets`).
"""

from dataclasses import replace
from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from ..core.extensions import extended
from ..core.named import accepts, import_named
from ..io.files import data_dir
from .corpus import Corpus
from .dataset import Dataset
from .entry import DatasetEntry
from .fetch import local_file
from .ir_datasets import PREFIX, collection_entry, is_collection
from .publications import PUBLICATIONS
from .user_data import PASSAGES, has_questions, read_folder

CATALOG = extended(
    "datasets",
    {
        "mini": "xorqa.datasets.mini.world:MINI",
        "xquad-open": "xorqa.datasets.squad:XQUAD_OPEN",
        "tydi-open": "xorqa.datasets.tydi:TYDI_OPEN",
        "xor-tydi": "xorqa.datasets.xor:XOR_TYDI",
    },
)


def find_dataset(name: str) -> DatasetEntry:
    """Find a data set's entry by name, or one from outside, as the module describes.

    Raises:
        ConfigError: for an unknown name, or an object that is not such a function.
        MissingExtraError: for a collection, if the library is not installed.
    """
    if is_collection(name):
        return collection_entry(name)
    if name not in CATALOG:
        if has_questions(folder := Path(name)):
            about = f"{folder}: your questions and passages"
            return DatasetEntry(about=about, license="yours", load=lambda _: read_folder(folder))
        _refuse_path(name)
    target = import_named(name, CATALOG, kind="data set")
    if isinstance(target, DatasetEntry):
        return target
    if not accepts(target):
        raise ConfigError(f"'{name}' is not a data set: it must be callable without arguments")
    about = (target.__doc__ or name).splitlines()[0]
    return DatasetEntry(about=about, license="not stated", load=lambda _: target())


def _refuse_path(name: str) -> None:
    """Raise ConfigError for a path or a publication where a data set's name is expected."""
    publication = name.partition("/")[0]
    if Path(name).exists():
        kind = "folder" if Path(name).is_dir() else "file"
        raise ConfigError(
            f"{name} is a {kind}, not a data set; valid: {one_of(CATALOG)}, module:name, "
            f"{PREFIX}ID, or a folder with questions.jsonl or questions.*.jsonl, and {PASSAGES} "
            "(passages of your own: --corpus, predictions: xorqa eval)"
        )
    if publication in PUBLICATIONS:
        built = [other for other in CATALOG if publication in find_dataset(other).sources]
        raise ConfigError(
            f"{name} is a publication, not a data set; data sets built from it: {one_of(built)}"
        )


def load_dataset(name: str) -> Dataset:
    """Load a data set by name, from the package or the data folder, or as `module:name`.

    Raises:
        ConfigError: as `find_dataset`, or if the function does not return a `Dataset`.
        DataError: if its sources have not been fetched.
    """
    entry = find_dataset(name)
    if absent := entry.absent():
        raise DataError(
            f"data set {name} is built from {' and '.join(entry.sources)}; "
            f"fetch what is missing with: xorqa data fetch {' '.join(absent)}"
        )
    dataset = entry.load(data_dir())
    if not isinstance(dataset, Dataset):
        kind = type(dataset).__name__
        raise ConfigError(f"'{name}' is not a data set: it returned {kind}, not a Dataset")
    return replace(dataset, name=name) if ":" in name else dataset


def corpora_of(name: str, languages: str) -> list[Corpus]:
    """A data set's corpora in the given languages (`fi,ko`), or all of them (`all`).

    Raises:
        ConfigError: for an unknown name, or a language in which it has no corpus.
        DataError: if its sources have not been fetched.
    """
    corpora = load_dataset(name).corpora
    langs = sorted(corpora) if languages == "all" else languages.split(",")
    for lang in langs:
        if lang not in corpora:
            raise ConfigError(f"{name} has no corpus '{lang}'; valid: {one_of(corpora)}")
    return [corpora[lang] for lang in langs]


MAX_NAMED = 3  # files of a folder in an error message


def data_file(path: Path) -> Path:
    """The path, or the fetched file of that name: `xquad/xquad.fi.json`.

    A path that does not exist is returned as it is, for the reader of the file to report.

    Raises:
        ConfigError: for a folder, and for the name of a data set, which is not a file.
    """
    fetched = local_file(data_dir(), str(path))
    if path.is_file() or (fetched.is_file() and not path.exists()):
        return path if path.is_file() else fetched
    folder = path if path.is_dir() else fetched
    if folder.is_dir():
        raise ConfigError(f"{path} is a folder; name a file in it: {_files(folder, path)}")
    if str(path) in CATALOG and not path.exists():
        raise ConfigError(
            f"'{path}' is a data set; this command reads files: a path, or a fetched one such as "
            "xquad/xquad.en.json"
        )
    publication = path.parts[0] if path.parts else ""
    if publication in PUBLICATIONS and not path.exists():
        raise ConfigError(
            f"{path} has not been fetched; fetch it with: xorqa data fetch {publication}"
        )
    return path


def _files(folder: Path, named: Path) -> str:
    """The first files of a folder, with the path that the user gave."""
    files = sorted(path for path in folder.rglob("*.json*") if path.is_file())
    shown = [str(named / path.relative_to(folder)) for path in files[:MAX_NAMED]]
    more = [f"and {len(files) - MAX_NAMED} more"] if len(files) > MAX_NAMED else []
    return ", ".join([*shown, *more]) or "it has no .json or .jsonl file"
