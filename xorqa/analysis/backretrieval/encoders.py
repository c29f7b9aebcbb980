"""Text encoders by name: vectors of source and target texts whose cosine is their similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError, DataError, one_of
from ...core.types import Question
from ...models.encoder import Encoder, EncoderSettings, encoder_settings
from ...models.transforms import fit, is_kind
from ...text.search_tokens import tokens
from ...translation.lexicon import LexiconTranslator
from .terms import bm25_vectors, character_vectors

Floats = NDArray[np.float32]

CHARACTERS, BM25, LEXICON = "characters", "bm25", "lexicon"
OPTIONS = ("layer", "pooling", "transform")
LEXICON_OPTIONS = ("file",)


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a language; `rows` are their positions in the language's data, of `total`."""

    lang: str
    texts: Sequence[str]
    rows: Sequence[int] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class EncoderName:
    """A name with options, `e5-small-q4,layer=8,pooling=cls`."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)


def encode_texts(name: str, source: Texts, target: Texts) -> tuple[Floats, Floats]:
    """Vectors of source and target texts.

    Args:
        name: a checkpoint or an adapter, with options: `layer=N`, `pooling=cls` and
            `transform=NAME` (a stored one, or center, remove:K and subspace, fitted on the texts);
            `characters`: how often each letter occurs; `bm25`: BM25's weights of the terms;
            `lexicon`: the same, with the source texts translated word by word first, with the
            option `file=DICTIONARY`; or an .npz file with an array per language, whose rows are
            in the order of the language's data.

    Raises:
        ConfigError: for an unknown option.
        WeightsError: if a checkpoint or adapter does not exist.
        DataError: if a file of vectors or a dictionary does not fit.
    """
    parsed = parse_name(name)
    if parsed.name.endswith(".npz"):
        return _from_file(Path(parsed.name), source), _from_file(Path(parsed.name), target)
    if parsed.name == CHARACTERS:
        return character_vectors(source.texts, target.texts)
    if parsed.name in (BM25, LEXICON):
        lexicon = parsed.name == LEXICON
        texts = _translated(source, target.lang, parsed.options) if lexicon else source.texts
        words = [tokens(text, target.lang if lexicon else source.lang) for text in texts]
        return bm25_vectors(words, [tokens(text, target.lang) for text in target.texts])
    return _by_model(parsed, source, target)


def parse_name(name: str) -> EncoderName:
    """Split an encoder's name and options.

    Raises:
        ConfigError: for an option that the encoder does not have.
    """
    base, *given = name.split(",")
    valid: Sequence[str] = OPTIONS
    if base in (CHARACTERS, BM25) or base.endswith(".npz"):
        valid = ()
    elif base == LEXICON:
        valid = LEXICON_OPTIONS
    options = {}
    for one in given:
        key, equals, value = one.partition("=")
        if key not in valid or not equals or not value:
            raise ConfigError(f"encoder '{name}' has no option '{one}'; valid: {_valid(valid)}")
        options[key] = value
    return EncoderName(base, options)


def _valid(options: Sequence[str]) -> str:
    return one_of(f"{option}=..." for option in options)


def _by_model(parsed: EncoderName, source: Texts, target: Texts) -> tuple[Floats, Floats]:
    settings = _settings(parsed)
    kind = parsed.options.get("transform", "")
    encode = Encoder(settings).queries
    vectors = [encode(side.texts, [side.lang] * len(side.texts)) for side in (source, target)]
    if is_kind(kind):
        keys = [(side.lang, "query") for side in (source, target)]
        transform = fit(dict(zip(keys, vectors, strict=True)), kind)
        vectors = [
            transform.apply(rows, [side.lang] * len(rows), side="query")
            for side, rows in zip((source, target), vectors, strict=True)
        ]
    return vectors[0], vectors[1]


def _settings(parsed: EncoderName) -> EncoderSettings:
    """The settings of the encoder; both sides are encoded as queries."""
    settings = encoder_settings(parsed.name)
    layer, transform = (parsed.options.get(key) for key in ("layer", "transform"))
    if layer is not None and not layer.isdecimal():
        raise ConfigError(f"layer={layer} is not a number")
    return replace(
        settings,
        layer=int(layer) if layer is not None else None,
        pooling=parsed.options.get("pooling", settings.pooling),
        transform=transform if transform and not is_kind(transform) else None,
    )


def _translated(source: Texts, to: str, options: Mapping[str, str]) -> list[str]:
    files = [options["file"]] if "file" in options else []
    questions = [Question(str(at), text, source.lang) for at, text in enumerate(source.texts)]
    return [query.text for query in LexiconTranslator(files=files).translate(questions, to=to)]


def _from_file(path: Path, side: Texts) -> Floats:
    try:
        with np.load(path, allow_pickle=False) as stream:
            array = stream[side.lang]
    except (OSError, EOFError, ValueError, BadZipFile) as error:
        raise DataError(f"{path} cannot be read as an .npz file: {error}") from error
    except KeyError as error:
        raise DataError(f"{path} has no array '{side.lang}'") from error
    if array.ndim != 2 or len(array) != side.total or array.dtype.kind not in "fiu":
        raise DataError(
            f"{path}: '{side.lang}' has type {array.dtype} and shape {array.shape}; needed are "
            f"numbers of shape ({side.total}, dimensions)"
        )
    rows: Floats = array[list(side.rows)].astype(np.float32)
    return rows
