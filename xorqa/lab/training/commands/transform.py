"""`xorqa transform`: fit a transform that removes language information from vectors."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray
from typer import Argument, Option

from ....cli.show import console, progress
from ....core.errors import ConfigError, DataError
from ....core.lang import in_name
from ....core.progress import quantity
from ....datasets.catalog import data_file
from ....io.files import read_lines, sha256
from ....io.squad_xor import read_squad, read_xor
from ....models import transforms
from ....models.checkpoints import DEFAULT
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....models.transforms import SIDES, Transform
from ...common.transforms import fit_transform, save_transform
from ..common.training_data import read_pairs

BATCH = 1000  # texts per tokenizer call

app = typer.Typer(no_args_is_help=True)


@dataclass(slots=True)
class Texts:
    """The distinct texts of one language, and the names of their files by hash."""

    texts: dict[str, None] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    min_tokens: int = 0

    def choose(self, encoder: Encoder, min_tokens: int, at_most: int | None) -> None:
        """Keep texts of at least `min_tokens` encoder tokens, a random sample of `at_most`."""
        shuffled = random.Random(0).sample(list(self.texts), len(self.texts))
        long = (
            text
            for start in range(0, len(shuffled), BATCH)
            for text, tokens in encoder.tokens(shuffled[start : start + BATCH])
            if tokens >= min_tokens
        )
        self.texts, self.min_tokens = dict.fromkeys(islice(long, at_most)), min_tokens

    def card(self) -> dict[str, Any]:
        """The entry in a transform's card."""
        long = {"min_tokens": self.min_tokens} if self.min_tokens else {}
        return {"texts": len(self.texts), **long, "files": self.files}


@app.callback()
def about() -> None:
    """Fit a transform that removes language information from vectors."""


@app.command()
def fit(
    files: Annotated[
        list[str],
        Argument(
            metavar="[LANG=]FILE...",
            help="Texts, one per line, questions as JSONL or SQuAD-style JSON, or sentence pairs "
            "as TSV. The file name gives the language (questions.fi.txt, tatoeba.fin-eng.fin), or "
            "use fi=mine.txt.",
        ),
    ],
    out: Annotated[Path, Option(help="The output file; existing entries are kept.")],
    encoder: Annotated[str, Option(help="A checkpoint or an encoder's adapter.")] = DEFAULT,
    kind: Annotated[
        str,
        Option(
            help="center: subtract each language's mean. remove:K: project out each language's "
            "first K principal directions. subspace: project out the differences of the means."
        ),
    ] = "center",
    side: Annotated[
        Literal["query", "passage", "both"], Option(help="What the texts are encoded as.")
    ] = "both",
    min_tokens: Annotated[int, Option(help="Skip texts with fewer tokens.", min=0)] = 0,
    at_most: Annotated[
        int | None, Option(help="Maximum texts per language, at random.", min=1)
    ] = None,
    tokens: Annotated[
        bool, Option("--tokens", help="Fit on token vectors, for late-interaction.")
    ] = False,
) -> None:
    """Fit a transform on unlabelled texts; a killed run resumes.

    Each call adds languages or a side to the file, or replaces entries fitted on other texts.

    Example: xorqa transform fit --side query --out e5.transform questions.fi.txt questions.te.txt
    """
    by_lang = _texts_by_language(files)
    model = Encoder(encoder_settings(encoder))
    fingerprint = model.token_fingerprint if tokens else model.fingerprint()
    transform = _open_or_create(out, kind, fingerprint)
    encoder_name = Path(encoder).name if Path(encoder).exists() else encoder
    if min_tokens or at_most:
        for texts in by_lang.values():
            texts.choose(model, min_tokens, at_most)
    todo = [
        (lang, text_side, texts)
        for lang, texts in sorted(by_lang.items())
        if texts.texts
        for text_side in (SIDES if side == "both" else (side,))
    ]
    if not todo:
        raise DataError(f"no text has {min_tokens} tokens; lower --min-tokens")
    with progress() as report:
        for done, (lang, text_side, texts) in enumerate(todo):
            report("fitting", done, len(todo))
            key = f"{lang}.{text_side}"
            if transform.card.get(key) != texts.card():
                vectors = _encode(model, text_side, list(texts.texts), tokens=tokens)
                entries = fit_transform({(lang, text_side): vectors}, kind).entries
                card = {**transform.card, "encoder": encoder_name, key: texts.card()}
                entries = {**transform.entries, **entries}
                transform = replace(transform, entries=entries, card=card)
                save_transform(out, transform, encoder=fingerprint)
    for lang, text_side, texts in todo:
        console.print(f"{lang} {text_side}: {quantity(len(texts.texts), 'text')}")
    console.print(f"transform: {out}", soft_wrap=True)


def _encode(
    model: Encoder, side: str, texts: Sequence[str], *, tokens: bool
) -> NDArray[np.float32]:
    """The vectors of the texts, or of all their tokens."""
    if tokens:
        return np.concatenate(model.token_vectors(side, texts))
    return model.queries(texts) if side == "query" else model.passages(texts)


def _open_or_create(out: Path, kind: str, fingerprint: str) -> Transform:
    """The transform in the file, or an empty one."""
    if not out.exists():
        return fit_transform({}, kind)
    transform = transforms.open_transform(str(out.absolute()), encoder=fingerprint)
    if transform.kind != kind:
        raise ConfigError(f"{out} is of kind {transform.kind}, not {kind}; choose another file")
    return transform


def _texts_by_language(files: Sequence[str]) -> dict[str, Texts]:
    """The texts of each language, without duplicates."""
    by_lang: dict[str, Texts] = {}
    for argument in files:
        code, equals, name = argument.partition("=")
        if not equals or not re.fullmatch("[a-z]{2,3}", code):
            code, name = "", argument
        path = data_file(Path(name))
        rows = list(_read(path, code))
        if not rows:
            raise DataError(f"{path} has no texts")
        sha = sha256(path)[:16]
        for lang, text in rows:
            texts = by_lang.setdefault(lang, Texts())
            texts.texts[text] = None
            texts.files[sha] = path.name
    return by_lang


def _read(path: Path, code: str) -> Iterator[tuple[str, str]]:
    """The language and text of each non-empty line, or of each question."""
    if path.suffix == ".tsv" and not code:
        for pair in read_pairs([path]):
            yield from ((pair[0], pair[1]), (pair[2], pair[3]))
        return
    if path.suffix == ".jsonl":
        yield from ((code or question.lang, question.question) for question in read_xor(path))
        return
    lang = code or in_name(path.name) or _two_letter_code(path.suffix[1:])
    rows: Iterable[tuple[str | None, str]]
    if path.suffix.lower() == ".json":
        rows = ((code or row.lang or lang, row.question) for row in read_squad(path))
    else:
        rows = ((lang, line.strip()) for line in read_lines(path) if line.strip())
    for named, text in rows:
        if named is None:
            raise ConfigError(f"{path.name} does not name its language; write fi={path}")
        yield named, text


def _two_letter_code(code: str) -> str | None:
    """The ISO 639-1 code of an ISO 639-3 code, from CLDR."""
    from babel.core import get_global

    alias = get_global("language_aliases").get(code, "")
    return alias if len(alias) == 2 else None
