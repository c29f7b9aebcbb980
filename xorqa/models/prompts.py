"""Prompts of bi-encoders: the text before each query or passage, as a model was trained."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, one_of
from ..core.progress import announce
from ..io.files import read_object

MODULES = "modules.json"
CONFIG = "config_sentence_transformers.json"
PASSAGE_PROMPTS = ("document", "passage", "corpus")
"""Names of the prompt of passages in a model's config, the first one that it has."""
E5 = ("query: ", "passage: ")
E5_REPOSITORIES = {
    f"intfloat/{family}{size}{version}"
    for family, version in (("e5-", ""), ("e5-", "-v2"), ("multilingual-e5-", ""))
    for size in ("small", "base", "large")
}
"""Released without prompts, and trained with "query: " and "passage: " (Wang et al. 2024)."""
INSTRUCTED = {"intfloat/multilingual-e5-large-instruct", "intfloat/e5-mistral-7b-instruct"}
"""Released without a prompt for queries, and trained with an instruction in each of them."""


class WithPrefixes:
    """Settings with prefixes and a length, of which None leaves a model its own."""

    __slots__ = ()
    query_prefix: str | None
    passage_prefix: str | None
    max_tokens: int | None

    @property
    def overridden(self) -> dict[str, Any]:
        """The prefixes and the length that override the model's own."""
        names = ("query_prefix", "passage_prefix", "max_tokens")
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}

    def given_prefix(self, side: str) -> str | None:
        """The prefix that is set for a "query" or a "passage"."""
        return self.query_prefix if side == "query" else self.passage_prefix

    def announce_prefixes(self, name: str, prompts: Mapping[str, str]) -> None:
        """Announce the prefixes that are set and differ from a model's prompts."""
        for side, own in (("query", "query"), ("passage", "document")):
            given, prompt = self.given_prefix(side), prompts.get(own) or ""
            if given is not None and given != prompt:
                announce(f"{name}: {side}_prefix = {given!r} instead of {prompt!r}")


def is_released(folder: Path) -> bool:
    """Whether a model's folder names its own modules."""
    return (folder / MODULES).is_file()


def prompt(name: str, folder: Path, side: str) -> str:
    """The text before each query or passage: of the model's config, or of an E5 repository.

    Raises:
        ConfigError: if the model has prompts, but none for queries, or if it was trained with
            an instruction in each query and has none.
    """
    config = read_object(folder / CONFIG)
    prompts = config.get("prompts") or {}
    if not isinstance(prompts, dict):
        raise ConfigError(f"the prompts in {folder / CONFIG} are no table of texts by name")
    choices = [key for key, text in prompts.items() if text]  # the library saves empty ones
    of_side = ("query",) if side == "query" else PASSAGE_PROMPTS
    for key in (*of_side, config.get("default_prompt_name")):
        if prompts.get(key) is not None and {*choices} & {"query", *PASSAGE_PROMPTS, key}:
            return str(prompts[key])
    repository = repository_of(name)
    if repository in E5_REPOSITORIES:
        return E5[side == "passage"]
    if side == "query" and choices:
        raise ConfigError(
            f"{name} has no prompt for queries, but {one_of(choices)}; set query_prefix to the "
            f'text of one, such as {prompts[choices[0]]!r}, or to "" for none'
        )
    if side == "query" and repository in INSTRUCTED:
        raise ConfigError(
            f"{repository} needs an instruction in each query; set for example query_prefix = "
            '"Instruct: Given a question, retrieve passages that answer it\\nQuery: "'
        )
    return ""


def repository_of(name: str) -> str:
    """The repository `owner/name` of a model of the hub, of its cached snapshot or its copy."""
    path = Path(name.partition("@")[0])
    if path.parent.name == "snapshots":
        return path.parents[1].name.removeprefix("models--").replace("--", "/")
    return "/".join(path.parts[-2:])
