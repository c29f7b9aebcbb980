"""Published files: where they are, which hashes they have, and how they get here."""

from __future__ import annotations

import hashlib
import shutil
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from ..errors import ConfigError, DataError, one_of
from ..files import atomic_path, data_dir
from ..formats import read_squad

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """One publication. `files` maps a file name to its SHA-256; `url` ends in a slash."""

    name: str
    url: str
    files: Mapping[str, str]
    license: str


_SQUAD = {
    "train-v1.1.json": "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
    "dev-v1.1.json": "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
}
_XQUAD = {
    "xquad.ar.json": "abdabd7afed5c635d99cca0f3f0d0c9d9ed0bc77451e963c2e4e0638c29e486d",
    "xquad.de.json": "990b5d746746ed65ed4702ea5f35f99ffa4e2f1c390c07d003642acd937916f9",
    "xquad.el.json": "821cf0f88e73fa258fd2f548b19b6ec39f7025059e16f6f9fc8cd797c9c3663e",
    "xquad.en.json": "e4c57d1c9143aaa1c5d265ba5987a65f4e69528d2a98f29d6e75019b10344f29",
    "xquad.es.json": "dcbae93ec3a9f4b9e78fd834a171d6f96c1a875e10e15b7530b7e4ef4971e37e",
    "xquad.hi.json": "df2cce3532b37e9beb8979704b5c9a4bf874358f105395a298b89427b43b9d24",
    "xquad.ro.json": "94f8d54e93ad2b7dd2e76dd921a666b5b8eff2d4379df9f179c42b445f09643f",
    "xquad.ru.json": "208d5b1aa154c52b1b5c5eda16281e455e8fd198cdb9af3f469f0d6037d973bf",
    "xquad.th.json": "5cdda11d0e1e075f7872abf4e6ae830388ce7f617964d542308e9ae4257e0f43",
    "xquad.tr.json": "92179a564774b7696100d144c1e10870d0a966b6fccbdd254a65b9d2ab1971cc",
    "xquad.vi.json": "f619a1eb11fb42d3ab0834259e488a65f585447ef6154437bfb7199d85161a04",
    "xquad.zh.json": "691d0b3359bc6b8faa8de931dfdfe21d50a65861ae348e32a0d1a0190b0c8835",
}
SOURCES = {
    source.name: source
    for source in (
        Source("squad", "https://rajpurkar.github.io/SQuAD-explorer/dataset/", _SQUAD,
               "CC BY-SA 4.0"),
        Source("xquad", "https://raw.githubusercontent.com/google-deepmind/xquad/master/", _XQUAD,
               "CC BY-SA 4.0"),
    )
}  # fmt: skip


def fetch(
    name: str, *, copy_from: Path | None = None, progress: Progress = lambda file, done, total: None
) -> Path:
    """Bring a publication's files to the data folder; what is there already stays.

    A local copy (`copy_from/<name>/<file>`) is read through before it is taken: mirrors that
    were put together again have other hashes than the published files. Downloads are checked
    against the published hash.

    Raises:
        ConfigError: for an unknown name.
        DataError: for a missing, damaged or unreachable file; nothing half-fetched stays.
    """
    if name not in SOURCES:
        raise ConfigError(f"no source is called '{name}'; there are: {one_of(SOURCES)}")
    source, folder = SOURCES[name], data_dir() / name
    for file, wanted in source.files.items():
        if (folder / file).is_file():
            continue
        with atomic_path(folder / file) as temporary:
            if copy_from is None:
                _download(source.url + file, temporary, wanted, progress)
            else:
                _copy(copy_from / name / file, temporary)
        progress(file, 1, 1)
    return folder


def _copy(origin: Path, target: Path) -> None:
    if not origin.is_file():
        raise DataError(
            f"{origin} is missing; --from needs a folder that holds {origin.parent.name}/"
        )
    if not sum(1 for _ in read_squad(origin)):
        raise DataError(f"{origin} holds no questions")
    shutil.copyfile(origin, target)


def _download(url: str, target: Path, wanted: str, progress: Progress) -> None:
    state, done, name = hashlib.sha256(), 0, url.rsplit("/", 1)[1]
    try:
        with urllib.request.urlopen(url, timeout=60) as answer, target.open("wb") as stream:
            total = int(answer.headers.get("Content-Length") or 0)
            while block := answer.read(1 << 20):
                stream.write(block)
                state.update(block)
                done += len(block)
                progress(name, done, total)
    except (OSError, HTTPException) as error:
        raise DataError(f"{url} cannot be fetched ({error}); a local copy: --from DIR") from error
    if state.hexdigest() != wanted:
        raise DataError(f"{url} has SHA-256 {state.hexdigest()}, not the published {wanted}")
