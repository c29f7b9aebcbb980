"""The data sets there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..core.errors import ConfigError, DataError, one_of
from ..io.files import data_dir
from . import chooser_train, mini, mixed, squad, tydi, xor
from .corpus import Corpus
from .dataset import Dataset
from .fetch import missing_files
from .publications import PUBLICATIONS


@dataclass(frozen=True, slots=True)
class Entry:
    """A data set before it is loaded: what it is, and the sources it is made of.

    `needs` are the files of a source that it reads, where it does not read them all.
    """

    about: str
    license: str
    sources: tuple[str, ...]
    load: Callable[[], Dataset]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def absent(self) -> list[str]:
        """The sources of which something is not in the data folder."""
        return [
            one
            for one in self.sources
            if set(missing_files(one)) & set(self.needs.get(one, PUBLICATIONS[one].files))
        ]


CATALOG = {
    "mini": Entry("the bundled world: 8 languages, 7 x 24 questions", "CC0 1.0", (), mini.load),
    "xquad-open": Entry(
        "XQuAD's questions in 12 languages over all 20,963 paragraphs of SQuAD v1.1",
        "CC BY-SA 4.0",
        ("squad", "xquad"),
        lambda: squad.load_xquad_open(data_dir()),
    ),
    "xquad-mixed": Entry(
        "XQuAD's questions in 11 languages, half answered by W_i only, half by W_eng only",
        "CC BY-SA 4.0; Apache 2.0 (TyDi)",
        ("squad", "xquad", "tydiqa-goldp"),
        lambda: mixed.load_xquad_mixed(data_dir()),
    ),
    "te-mixed": Entry(
        "TeQuAD's answerable questions, half answered by W_te only, half by W_eng only",
        "none stated (TeQuAD); CC BY-SA 4.0 (SQuAD); Apache 2.0 (TyDi)",
        ("squad", "tequad", "tydiqa-goldp"),
        lambda: mixed.load_te_mixed(data_dir()),
    ),
    "tydi-open": Entry(
        "TyDi GoldP dev and a fifth of JaQuAD: 7 languages, answered by W_i",
        "Apache 2.0; CC BY-SA 3.0 (ja); CC BY-SA 4.0 (SQuAD)",
        ("squad", "tydiqa-goldp", "jaquad"),
        lambda: tydi.load_tydi_open(data_dir()),
    ),
    "chooser-train": Entry(
        "train questions over two Wikipedias, for the answer chooser; needs distant pairs",
        "Apache 2.0 (TyDi); CC BY-SA 3.0 (ja), 4.0 (SQuAD, XOR QA); MIT (ARCD)",
        ("squad", "tydiqa-goldp", "jaquad", "arcd", "xor-tydi"),
        lambda: chooser_train.load_chooser_train(data_dir()),
        {"xor-tydi": (chooser_train.QUESTIONS,)},
    ),
    "xor-tydi": Entry(
        "XOR-Full's dev questions as published; passages are yours: run --corpus",
        "CC BY-SA 4.0; its repository MIT",
        ("xor-tydi",),
        lambda: xor.load_xor_tydi(data_dir()),
        {"xor-tydi": (xor.IN_ENGLISH, xor.FULL)},
    ),
}


def load_dataset(name: str) -> Dataset:
    """A data set by its name, from the package or the data folder.

    Raises:
        ConfigError: for an unknown name.
        DataError: if its sources have not been fetched.
    """
    if name not in CATALOG:
        raise ConfigError(f"no data set is called '{name}'; there are: {one_of(CATALOG)}")
    entry = CATALOG[name]
    if absent := entry.absent():
        raise DataError(
            f"data set {name} is made of {' and '.join(entry.sources)}; "
            f"fetch what is missing with: xorqa data fetch {' '.join(absent)}"
        )
    return entry.load()


def corpora_of(name: str, languages: str) -> list[Corpus]:
    """A data set's corpora in some languages, `fi,ko`, or in all.

    Raises:
        ConfigError: for an unknown name, or a language in which it has no corpus.
        DataError: if its sources have not been fetched.
    """
    corpora = load_dataset(name).corpora
    wanted = sorted(corpora) if languages == "all" else languages.split(",")
    for lang in wanted:
        if lang not in corpora:
            raise ConfigError(f"{name} has no corpus '{lang}'; there are: {one_of(corpora)}")
    return [corpora[lang] for lang in wanted]
