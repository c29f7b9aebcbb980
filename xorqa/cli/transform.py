"""`xorqa transform`: fit a transform that removes language information from vectors."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..core.errors import ConfigError, DataError
from ..core.lang import in_name
from ..io.files import read_lines, sha256
from ..io.squad_xor import read_xor
from ..models import transforms
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder, encoder_settings
from ..models.transforms import SIDES, Transform
from ..training.bitext.corpus import read_pairs
from .show import console, progress

TOGETHER = 1000  # texts tokenized at a time

app = typer.Typer(no_args_is_help=True)


@dataclass(slots=True)
class Texts:
    """The different texts of one language, and the names of their files by their hashes."""

    texts: dict[str, None] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    min_tokens: int = 0

    def choose(self, encoder: Encoder, min_tokens: int, at_most: int | None) -> None:
        """Keep texts of `min_tokens` of the encoder's or more; `at_most` so many, at random."""
        shuffled = random.Random(0).sample(list(self.texts), len(self.texts))
        long = (
            text
            for at in range(0, len(shuffled), TOGETHER)
            for text, tokens in encoder.tokens(shuffled[at : at + TOGETHER])
            if tokens >= min_tokens
        )
        self.texts, self.min_tokens = dict.fromkeys(islice(long, at_most)), min_tokens

    def card(self) -> dict[str, Any]:
        """What a transform says it was fitted on."""
        long = {"min_tokens": self.min_tokens} if self.min_tokens else {}
        return {"texts": len(self.texts), **long, "files": self.files}


@app.callback()
def about() -> None:
    """Fit what takes out of vectors what only tells the language."""


@app.command()
def fit(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[LANG=]FILE...",
            help="Texts, one a line, or questions as JSONL, or sentence pairs as TSV. A name tells "
            "the language (questions.fi.txt, tatoeba.fin-eng.fin) unless it is given: fi=mine.txt.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The file; what it holds already stays.")],
    encoder: Annotated[str, typer.Option(help="A checkpoint or an encoder's adapter.")] = DEFAULT,
    kind: Annotated[
        str,
        typer.Option(
            help="center: a mean a language. remove:K: as many principal directions of each. "
            "subspace: what the languages' means differ in, from all texts alike."
        ),
    ] = "center",
    side: Annotated[
        Literal["query", "passage", "both"], typer.Option(help="What the texts are encoded as.")
    ] = "both",
    min_tokens: Annotated[
        int, typer.Option(help="Leave out texts of fewer tokens: passages are long.", min=0)
    ] = 0,
    at_most: Annotated[
        int | None, typer.Option(help="Texts of a language, drawn at random.", min=1)
    ] = None,
) -> None:
    """Fit a transform on texts without labels; killed, it goes on where it was.

    Each call adds languages or a side to the file, or replaces those fitted on other texts.

    Example: xorqa transform fit --side query --out e5.transform questions.fi.txt questions.te.txt
    """
    model = Encoder(encoder_settings(encoder))
    fingerprint = model.fingerprint()
    made = _begun(out, kind, fingerprint)
    named = Path(encoder).name if Path(encoder).exists() else encoder  # not where a file stands
    gathered = _gather(files)
    if min_tokens or at_most:
        for texts in gathered.values():
            texts.choose(model, min_tokens, at_most)
    todo = [
        (lang, one, texts)
        for lang, texts in sorted(gathered.items())
        if texts.texts
        for one in (SIDES if side == "both" else (side,))
    ]
    if not todo:
        raise DataError(f"no text has {min_tokens} tokens; lower --min-tokens")
    with progress() as tell:
        for done, (lang, one, texts) in enumerate(todo):
            tell("fitting", done, len(todo))
            if made.card.get(f"{lang}.{one}") != texts.card():
                encode = model.queries if one == "query" else model.passages
                entry = transforms.fit({(lang, one): encode(list(texts.texts))}, kind).entries
                card = {**made.card, "encoder": named, f"{lang}.{one}": texts.card()}
                made = replace(made, entries={**made.entries, **entry}, card=card)
                transforms.save(out, made, encoder=fingerprint)
    for lang, one, texts in todo:
        console.print(f"{lang} {one}: {len(texts.texts)} texts", highlight=False)
    console.print(f"transform: {out}", soft_wrap=True)


def _begun(out: Path, kind: str, fingerprint: str) -> Transform:
    """The transform in the file, or an empty one."""
    if not out.exists():
        return transforms.fit({}, kind)
    made = transforms.open_transform(str(out.absolute()), encoder=fingerprint)
    if made.kind != kind:
        raise ConfigError(f"{out} is of kind {made.kind}, not {kind}; name another file")
    return made


def _gather(files: Sequence[str]) -> dict[str, Texts]:
    """The texts of each language, equal ones once."""
    found: dict[str, Texts] = {}
    for given in files:
        code, equals, name = given.partition("=")
        if not equals or not re.fullmatch("[a-z]{2,3}", code):
            code, name = "", given
        path = Path(name)
        rows = list(_read(path, code))
        if not rows:
            raise DataError(f"{path} holds no text")
        sha = sha256(path)[:16]
        for lang, text in rows:
            own = found.setdefault(lang, Texts())
            own.texts[text] = None
            own.files[sha] = path.name
    return found


def _read(path: Path, code: str) -> Iterator[tuple[str, str]]:
    """Language and text of each line that has a text."""
    if path.suffix == ".tsv" and not code:
        for pair in read_pairs([path]):
            yield from ((pair[0], pair[1]), (pair[2], pair[3]))
        return
    if path.suffix == ".jsonl":
        yield from ((code or question.lang, question.question) for question in read_xor(path))
        return
    lang = code or in_name(path.name) or _of_three_letters(path.suffix[1:])
    if lang is None:
        raise ConfigError(f"{path.name} names no language; say it: fi={path}")
    yield from ((lang, line.strip()) for line in read_lines(path) if line.strip())


def _of_three_letters(code: str) -> str | None:
    """ISO 639-1 for a code of ISO 639-3, as CLDR knows it."""
    from babel.core import get_global

    alias = get_global("language_aliases").get(code, "")
    return alias if len(alias) == 2 else None
