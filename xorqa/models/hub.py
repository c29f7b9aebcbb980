"""Models of the hub: the files that are used, at one commit, and the hub's own explanations.

A name is `owner/name`, optionally `@revision`. A branch is resolved to a commit once in a process;
its workers, and a process that resumes its run, get that commit (`AtCommits`, `pin`).
"""

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

from ..core.errors import DataError, WeightsError
from ..core.network import TIMEOUT, proxy_hint, without_secrets
from ..core.progress import announce
from ..io.files import read_json
from .hub_answers import check_answers, check_revision, checked_snapshot
from .prompts import MODULES

SETTINGS = {".json", ".jinja", ".txt", ".model", ".spm", ".py"}
"""Suffixes of files that decide what is computed, besides weights; code runs only if trusted."""
NAMED = {"README.md", "artifact.metadata", "colbert_linear.pt", "sparse_linear.pt"}
_SHARD = r"(-\d+-of-\d+)?"
FORMATS = [
    re.compile(pattern)
    for pattern in (
        rf"model{_SHARD}\.safetensors",
        r".*\.safetensors",
        rf"pytorch_model{_SHARD}\.bin",
        r"pytorch_model.*\.bin",
    )
]
"""Weight files by preference; of each folder, only the first kind that it has is used."""

MODULE = re.compile(r"([a-z]+_)?\d+_\w+")
"""Folders of modules as sentence-transformers names them, those inside a router included."""

Result = TypeVar("Result")

_folders: dict[str, Path] = {}
_pinned: dict[str, str] = {}
_watchers: list[Callable[[], None]] = []


def folder_of(name: str) -> Path:
    """The files of a model on disk, downloaded on first use.

    If the hub does not answer, they are those downloaded before, which is announced.

    Raises:
        WeightsError: with the hub's explanation, if there are none, or for a revision or an answer
            that leads out of the cache.
    """
    if name not in _folders or not _folders[name].is_dir():
        repo, _, revision = name.partition("@")
        revision = _pinned.get(name, revision)
        try:
            check_revision(revision or None)
            check_answers()
            _folders[name] = _fetch(repo, revision or None)
        except WeightsError as error:
            raise WeightsError(f"{name} cannot be loaded: {error}") from error
        except Exception as error:  # the hub raises dozens of exception types
            raise WeightsError(
                f"{name} cannot be loaded from the model hub: {_explanation(repo, error)}"
            ) from error
        for is_resolved in list(_watchers):
            is_resolved()
    return _folders[name]


def add_files(name: str, pattern: str) -> None:
    """Download more files of a model of the hub into its folder, where its commit has them.

    Raises:
        WeightsError: with the hub's explanation, if it does not answer.
    """
    from huggingface_hub import snapshot_download

    if name not in _folders or any(_folders[name].glob(pattern)):
        return
    repo = name.partition("@")[0]
    try:
        snapshot_download(repo, revision=_folders[name].name, allow_patterns=[pattern])
    except Exception as error:  # as in `folder_of`
        raise WeightsError(
            f"{pattern} of {name} cannot be loaded from the model hub: {_explanation(repo, error)}"
        ) from error


def resolved() -> dict[str, str]:
    """The commit of each model of the hub that this process has used, by its name."""
    return {name: folder.name for name, folder in _folders.items()}


def pin(commits: Mapping[str, str]) -> None:
    """Load models at these commits, by their names, as another process resolved them."""
    _pinned.update(commits)
    for name, commit in resolved().items():
        if commits.get(name, commit) != commit:
            announce(f"{name}: commit {commit} is loaded already, instead of {commits[name]}")


@dataclass(frozen=True, slots=True)
class AtCommits(Generic[Result]):
    """A function for worker processes, which load models at the commits of this process."""

    work: Callable[..., Result]
    commits: Mapping[str, str] = field(default_factory=resolved)

    def __call__(self, *inputs: Any) -> Result:
        """Apply the function."""
        pin(self.commits)
        return self.work(*inputs)


@contextmanager
def watching(is_resolved: Callable[[], None]) -> Iterator[None]:
    """A context that calls a function whenever a model of the hub is resolved to a commit."""
    _watchers.append(is_resolved)
    try:
        yield
    finally:
        _watchers.remove(is_resolved)


def commits(settings: object) -> dict[str, str]:
    """The commit of each model of the hub that these settings name and this process has used."""
    names = {text.partition(",")[0] for text in _texts(settings)}
    return {name: _folders[name].name for name in sorted(names & _folders.keys())}


def used_files(names: Iterable[str], modules: Sequence[Mapping[str, Any]]) -> list[str]:
    """Of a model's files, those that decide what is computed, in one weight format.

    They are at the top or, if there are `modules` (the content of `modules.json`), in folders of
    modules.
    """
    of_modules = {str(PurePosixPath(str(module.get("path") or "."))) for module in modules} - {"."}
    by_folder: dict[str, list[PurePosixPath]] = {}
    for path in map(PurePosixPath, names):
        parents = {str(parent) for parent in path.parents}
        is_module = parents & of_modules or (modules and MODULE.fullmatch(path.parts[0]))
        if len(path.parts) == 1 or is_module:
            by_folder.setdefault(str(path.parent), []).append(path)
        elif path.suffix in (".py", ".jinja"):  # imported code, further chat templates
            by_folder.setdefault(path.suffix, []).append(path)
    return sorted(str(path) for files in by_folder.values() for path in _of_folder(files))


def _of_folder(files: list[PurePosixPath]) -> Iterator[PurePosixPath]:
    yield from (file for file in files if file.suffix in SETTINGS or file.name in NAMED)
    kinds = ([file for file in files if kind.fullmatch(file.name)] for kind in FORMATS)
    weights = next(filter(None, kinds), [])
    whole = [file for file in weights if file.name in ("model.safetensors", "pytorch_model.bin")]
    yield from whole or weights


def modules_of(folder: Path) -> list[Mapping[str, Any]]:
    """The modules that a model's folder names, of which each may have a folder.

    Raises:
        DataError: if its `modules.json` is damaged.
    """
    path = folder / MODULES
    modules = read_json(path) if path.is_file() else []
    if not isinstance(modules, list) or not all(isinstance(each, dict) for each in modules):
        raise DataError(f"{path} is no list of modules; download the model again")
    return modules


def _fetch(repo: str, revision: str | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    try:
        HfApi().model_info(repo, revision=revision, timeout=TIMEOUT)
    except WeightsError:
        raise
    except Exception as error:
        return _downloaded_before(repo, revision, error)
    top = checked_snapshot(
        snapshot_download(repo, revision=revision, allow_patterns=[MODULES, "config.json"])
    )
    listed = HfApi().model_info(repo, revision=top.name).siblings or []
    used = used_files((file.rfilename for file in listed), modules_of(top))
    patterns = [glob.escape(file) for file in used]
    return checked_snapshot(snapshot_download(repo, revision=top.name, allow_patterns=patterns))


def _downloaded_before(repo: str, revision: str | None, error: Exception) -> Path:
    """The files on disk if all that are used are there, else the hub's `error` is raised."""
    from huggingface_hub import snapshot_download

    find = partial(snapshot_download, repo, revision=revision, local_files_only=True)
    try:
        folder = checked_snapshot(find(allow_patterns=[MODULES, "config.json"]))
        used = used_files(_listed(folder), modules_of(folder))
        find(allow_patterns=[glob.escape(file) for file in used])
    except WeightsError:
        raise
    except Exception:
        raise error from None
    if not _is_switched_off():
        announce(
            f"{repo}: {_explanation(repo, error)}; the files downloaded before are used "
            f"(commit {folder.name})"
        )
    return folder


def _listed(folder: Path) -> list[str]:
    """The repository's files at the commit of a folder, else those on disk."""
    tree = folder.parents[1] / "trees" / f"{folder.name}.json"
    if tree.is_file():
        return list(read_json(tree).get("files") or {})
    return [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]


def _explanation(repo: str, error: Exception) -> str:
    """Why the hub does not serve a repository, in its own words where it has any, and a remedy."""
    from huggingface_hub import errors

    message = getattr(error, "server_message", None) or str(error).strip() or type(error).__name__
    line = " ".join(message.split())
    token = os.environ.get("HF_TOKEN", "")
    line = without_secrets(line, [token]).rstrip(".")
    if isinstance(error, errors.GatedRepoError):
        return f"{line}; accept its conditions on its page, then set HF_TOKEN to your token"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{repo} has no such revision ({line}); name a branch, a tag or a commit"
    if isinstance(error, errors.RepositoryNotFoundError):
        return (
            f"there is no {repo}, or it is private ({line}); check the spelling, or set HF_TOKEN "
            "to a token that may read it"
        )
    if isinstance(error, errors.HFValidationError | errors.HfHubHTTPError):
        return line
    if _is_switched_off():
        return f"{line}; HF_HUB_OFFLINE allows downloaded weights only; unset it"
    return f"{line}; {proxy_hint()}, or HF_ENDPOINT to a mirror"


def _is_switched_off() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, Iterable):
        for each in value:
            yield from _texts(each)
