"""The data sets by name, data sets from outside the package, and published files.

A data set is a `DatasetEntry` in its module, and a line in `CATALOG`. Wherever a data set is named,
`my_package.module:load` names a function from outside that returns a `Dataset`, a path a folder
with questions (`user_data`), and `ir_datasets:ID` a collection of that library (`ir_datasets`).

Data sets are built from `PUBLICATIONS`, whose files `xorqa data fetch` stores in the data folder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.config import read_toml
from ..core.errors import ConfigError, DataError, one_of
from ..core.extensions import extended
from ..core.named import accepts, import_named
from ..io.files import data_dir
from .corpus import Corpus
from .dataset import Dataset

MAX_NAMED = 3  # files of a folder in an error message


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication that can be fetched.

    `files` maps paths relative to its folder to the SHA-256 of the published file: "" if it is
    unknown (the download is then parsed), None if the file has no address (it is part of an
    archive, or the layout is ours). `url` ends in a slash; `page` is the publication's web page;
    `unpacked` is the folder that its archive unpacks into; `layout` is that of files which are
    neither SQuAD-style JSON nor XOR QA JSONL: "dpr", "tydi", or sentence pairs as "lines" or "tsv".
    `named` has patterns for files of the archive whose names are not documented; nothing is missing
    without the files `more`.
    """

    name: str
    license: str
    use: str
    page: str
    files: Mapping[str, str | None]
    url: str = ""
    unpacked: str = ""
    layout: str = ""
    named: Mapping[str, str] = field(default_factory=dict)
    more: tuple[str, ...] = ()


def _publication(name: str, row: Mapping[str, Any]) -> Publication:
    files = {
        **row.get("files", {}),
        **dict.fromkeys(row.get("unhashed", ()), ""),
        **dict.fromkeys((*row.get("unaddressed", ()), *row.get("named", ()))),
    }
    keys = ("url", "unpacked", "layout", "named")
    optional = {key: row[key] for key in keys if key in row} | {"more": tuple(row.get("more", ()))}
    return Publication(name, row["license"], row["use"], row["page"], files, **optional)


PUBLICATIONS = {
    name: _publication(name, row)
    for name, row in read_toml(Path(__file__).with_name("publications.toml")).items()
}

JAQUAD = tuple(PUBLICATIONS["jaquad"].files)
"""JaQuAD's training files, relative to its folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetEntry:
    """A data set's entry in the catalogue.

    Attributes:
        about: one line for `xorqa data list`.
        license: the licence of questions and passages.
        use: what it may be used for.
        citation: the papers to cite.
        questions: the number of questions by language; empty if it depends on the user's files.
        passages: the number of passages by language of the corpus; empty without corpora.
        load: loads the data set from the data folder.
        sources: the publications it is built from, which `xorqa data fetch` fetches.
        needs: the files it reads of each source, if it does not read all of them.
    """

    about: str
    license: str
    load: Callable[[Path], Dataset]
    sources: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    use: str = ""
    citation: str = ""
    questions: Mapping[str, int] = field(default_factory=dict)
    passages: Mapping[str, int] = field(default_factory=dict)

    def absent(self) -> list[str]:
        """The sources with a file that is missing from the data folder."""
        return [
            source
            for source in self.sources
            if set(missing_files(source)) & set(self.needs.get(source, PUBLICATIONS[source].files))
        ]


CATALOG = extended(
    "datasets",
    {
        "mini": "xorqa.datasets.mini.world:MINI",
        "xquad-open": "xorqa.datasets.squad:XQUAD_OPEN",
        "tydi-open": "xorqa.datasets.tydi:TYDI_OPEN",
        "xor-tydi": "xorqa.datasets.xor:XOR_TYDI",
        "xor-tydi-test": "xorqa.datasets.xor_test:XOR_TEST",
    },
)

OUTSIDE = ("xorqa.datasets.ir_datasets:collection_entry", "xorqa.datasets.user_data:folder_entry")
"""Functions that make the entry of a name from outside the catalogue, or return None."""


def find_dataset(name: str) -> DatasetEntry:
    """Find a data set's entry by name, or one from outside, as the module describes.

    Raises:
        ConfigError: for an unknown name, or an object that is not such a function.
        MissingExtraError: for a collection, if the library is not installed.
    """
    if name not in CATALOG:
        for path in OUTSIDE:
            entry: DatasetEntry | None = import_named(path, {}, kind="source of data sets")(name)
            if entry is not None:
                return entry
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
            "ir_datasets:ID, or a folder with questions.jsonl or questions.*.jsonl, and "
            "passages.*.jsonl (passages of your own: --corpus, predictions: xorqa eval)"
        )
    if publication in PUBLICATIONS:
        built = [other for other in CATALOG if publication in find_dataset(other).sources]
        file = f"{publication}/{next(iter(PUBLICATIONS[publication].files))}"
        raise ConfigError(
            f"{name} is a publication, not a data set; data sets built from it: {one_of(built)}"
            + ("" if built else f"; recipes and commands that read files name them: {file}")
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


def missing_files(name: str) -> list[str]:
    """The files of a publication that are not in the data folder."""
    return [
        file
        for file in PUBLICATIONS[name].files
        if not local_file(data_dir() / name, file).is_file()
    ]


def local_file(folder: Path, file: str) -> Path:
    """The path of a file or, if it does not exist, of its half: `dev.half.jsonl` for `dev.jsonl`.

    A half is a copy of a data set whose other half is reserved for testing.
    """
    full = folder / file
    half = full.with_suffix(f".half{full.suffix}")
    return half if half.is_file() and not full.is_file() else full
