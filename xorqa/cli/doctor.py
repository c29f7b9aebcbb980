"""`xorqa doctor`: does all that xorqa stands on work, and do indexes belong to their corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ..core.errors import ConfigError
from ..datasets.catalog import corpora_of
from ..datasets.corpus import Corpus, read_corpus
from ..health.findings import Finding
from ..health.index import examine as examine_index
from ..health.machine import examine as examine_machine
from ..io.files import write_json
from ..models.checkpoints import DEFAULT
from ..models.encoder import EncoderSettings, encoder_settings
from .show import console

COLOURS = {"ok": "green", "missing": "yellow", "broken": "red"}


def doctor(
    indexes: Annotated[
        list[Path] | None, typer.Argument(help="Folders of indexes; none: this machine.")
    ] = None,
    data: Annotated[str | None, typer.Option(help="The data set they are of: mini.")] = None,
    lang: Annotated[str, typer.Option(help="Which of its corpora: en,ko or all.")] = "all",
    corpus: Annotated[Path | None, typer.Option(help="Or their passages as JSONL.")] = None,
    encoder: Annotated[
        str | None, typer.Option(help="The adapter they were encoded with, if with one.")
    ] = None,
    transform: Annotated[str | None, typer.Option(help="And the transform.")] = None,
    sample: Annotated[int, typer.Option(min=1, help="Passages encoded or found again.")] = 32,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write findings.")] = None,
) -> None:
    """Check this machine, or indexes; the exit status is 1 if anything is broken.

    Example: xorqa doctor indexes/mini.en/dense --data mini --lang en
    """
    if indexes:
        corpora = _corpora(data, lang, corpus)
        settings = _settings(encoder, transform)
        found = _printed(
            one
            for folder in indexes
            for one in examine_index(folder, corpora, encoder=settings, sample=sample)
        )
    else:
        found = _printed(examine_machine())
    findings = list(found)
    if json_file:
        write_json(json_file, [asdict(one) for one in findings])
    if any(one.state == "broken" for one in findings):
        raise typer.Exit(1)


def _corpora(data: str | None, lang: str, path: Path | None) -> list[Corpus]:
    if data and path:
        raise ConfigError("give either --corpus FILE.jsonl or --data NAME, not both")
    if path:
        return [read_corpus(path)]
    if not data:
        return []
    return corpora_of(data, lang)


def _settings(encoder: str | None, transform: str | None) -> EncoderSettings | None:
    """What the indexes were encoded with, where their manifests cannot say it."""
    if encoder is None and transform is None:
        return None
    return replace(encoder_settings(encoder or DEFAULT), transform=transform)


def _printed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Print findings as they come, below the name of their subject."""
    subject = ""
    for one in findings:
        if one.subject != subject:
            subject = one.subject
            console.print(subject, markup=False, highlight=False, soft_wrap=True)
        line = Text(f"  {one.state:<8}", COLOURS[one.state]).append(f"{one.check:<17}", "default")
        console.print(line.append(one.note, "default"), soft_wrap=True)
        yield one
