"""`xorqa doctor --model`: whether xorqa computes with a model what the model's own library does."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import ConfigError, one_of
from ..core.registry import build
from ..core.validation import SETTINGS
from ..io.files import read_object
from ..models.adapters import is_adapter
from ..models.checkpoints import DEFAULT, Checkpoint, resolve
from ..models.encoder import Encoder
from ..models.encoder_settings import EncoderSettings, is_plugged, settings_in_name
from ..models.late_interaction import (
    LateSettings,
    ReleasedTokens,
    is_late_interaction,
    late_encoder,
)
from ..models.learned_sparse import ReleasedSparse, SparseSettings, sparse_encoder
from ..models.mono_t5 import TOKENS, is_seq2seq
from ..models.prompts import CONFIG, is_released, repository_of
from ..models.question_answering import DPR, HEAD
from ..models.rerankers import TEMPLATES
from ..reading.generation.local import LocalModel
from ..reading.generation.reply import Reply
from ..reading.pairs import QuestionPassage, TitledPassage
from ..translation.seq2seq import Seq2SeqTranslator
from . import model_references as plain
from .index_checks import Finding

TEXTS = (
    "Where is the Nile?",
    "나일강은 아프리카의 강이다.",
    "Niili on joki Afrikassa, ja se laskee Välimereen.",
)
QUESTIONS = {
    "en": TEXTS[0],
    "ko": "나일강은 어디에 있나요?",
    "fi": "Missä on Niili?",
    "de": "Wo liegt der Nil?",
    "fr": "Où se trouve le Nil ?",
    "ja": "ナイル川はどこにありますか?",
    "zh": "尼罗河在哪里?",
    "ar": "أين يقع نهر النيل؟",
    "ru": "Где находится Нил?",
    "es": "¿Dónde está el Nilo?",
}
PASSAGE = "The Nile is a river in Africa, and the Rhine one in Europe."
PAIR_ROLE = re.compile(r"""["']document\\?["']""")
"""In a chat template that renders a query and a document, as sentence-transformers expects it."""
TOKENS_OUT = 12
LONGEST_SOURCE = 64  # of a translator, which cuts texts and outputs there
TOLERANCES = {"float32": 1e-5, "float16": 1e-2, "bfloat16": 5e-2}
"""The largest difference of values up to 1, or of larger ones relative to the largest."""
HUB, TRANSFORMERS = "sentence-transformers", "transformers"

Settings = Mapping[str, Any]


class Compared(NamedTuple):
    """Arrays or texts that xorqa and a model's `library` compute from the same inputs."""

    part: str
    library: str
    ours: Sequence[Any]
    theirs: Sequence[Any]


@dataclass(frozen=True, slots=True)
class ModelFinding(Finding):
    """A comparison with the library `reference`.

    `difference` is the largest one of numbers, relative to the largest number if that is above 1;
    of texts, the share that differ.
    """

    reference: str
    difference: float


def check_model(name: str, kind: str | None = None) -> Iterator[ModelFinding]:
    """Compare what xorqa computes with a model with what its own library does, in one precision.

    `name` may be followed by settings, as in `owner/model,pooling=cls`; `kind` is one of `KINDS`,
    by default the one that the model's files name.

    Raises:
        ConfigError: for a model that has no other library, or settings that xorqa refuses.
        WeightsError: if xorqa refuses the model.
    """
    model, settings = settings_in_name(name)
    if is_plugged(model) or (model != DEFAULT and is_adapter(model)):
        raise ConfigError(f"{model} has no library to compare with but xorqa, or its own")
    if kind not in (None, *KINDS):
        raise ConfigError(f"no kind of model is called '{kind}'; valid: {one_of(KINDS)}")
    for option in ("trust_remote_code", "backend"):
        if settings.get(option) not in (None, False, "torch"):
            raise ConfigError(f"the comparison is without {option}; remove it")
    dtype = settings.setdefault("dtype", "float32")
    if dtype not in TOLERANCES:
        raise ConfigError(f"dtype cannot be '{dtype}' here; valid: {one_of(TOLERANCES)}")
    checkpoint = resolve(model)
    for compared in KINDS[kind or kind_of(checkpoint)](checkpoint, settings):
        yield _finding(name, compared, dtype)


def _finding(name: str, compared: Compared, dtype: str) -> ModelFinding:
    part, package, ours, theirs = compared
    library = f"{package} {version(package)}"
    if isinstance(theirs[0], str):
        difference = sum(a != b for a, b in zip(ours, theirs, strict=True)) / len(theirs)
        equal, measure = difference == 0, f"{difference:.0%} of {len(theirs)} differ"
    else:
        difference = _largest_difference(ours, theirs)
        equal, measure = difference <= TOLERANCES[dtype], f"largest difference {difference:.1e}"
    note = f"{'equal to' if equal else 'different from'} {library} in {dtype}: {measure}"
    return ModelFinding(name, part, "ok" if equal else "broken", note, library, difference)


def _largest_difference(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """Relative to the largest number, if that is above 1; infinite where shapes differ."""
    largest, scale = 0.0, 1.0
    for one, other in zip(ours, theirs, strict=True):
        own, reference = np.asarray(one, np.float64), np.asarray(other, np.float64)
        if own.shape != reference.shape or not np.isfinite(own).all():
            return float("inf")
        largest = max(largest, float(np.abs(own - reference).max(initial=0.0)))
        scale = max(scale, float(np.abs(reference).max(initial=0.0)))
    return largest / scale


def kind_of(checkpoint: Checkpoint) -> str:
    """The kind of a model by its files."""
    path, architecture = checkpoint.path, checkpoint.architecture
    named = read_object(path / CONFIG).get("model_type")
    is_ranker = named == "CrossEncoder" or "SequenceClassification" in architecture
    is_pair = bool(checkpoint.config.get("is_encoder_decoder")) or architecture.endswith("MTModel")
    is_mono_t5 = is_pair and repository_of(checkpoint.name) in TOKENS
    is_decoder = architecture.endswith("ForCausalLM")
    kinds = {
        "late-interaction": is_late_interaction(path),
        "learned-sparse": named == "SparseEncoder",
        "encoder": is_released(path) and not is_ranker,
        "ranker": is_ranker or is_mono_t5 or (is_decoder and _has_pair_template(checkpoint)),
        "reader": architecture.endswith(HEAD) or architecture == DPR,
        "translator": is_pair,
        "generator": is_decoder,
    }
    return next((kind for kind, is_it in kinds.items() if is_it), "encoder")


def _has_pair_template(checkpoint: Checkpoint) -> bool:
    """Whether a decoder's chat template has the roles of a reranker, or its card describes one."""
    if repository_of(checkpoint.name) in TEMPLATES:
        return True
    files = (checkpoint.path / name for name in ("chat_template.jinja", "tokenizer_config.json"))
    return any(PAIR_ROLE.search(file.read_text("utf-8")) for file in files if file.is_file())


def _encoder(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    where = f"encoder {checkpoint.name}:"
    settings = SETTINGS.fill(EncoderSettings, {"model": checkpoint.name, **table}, where=where)
    encoder, released = Encoder(settings), is_released(checkpoint.path)
    for side, part in (("query", "queries"), ("passage", "passages")):
        prompt = settings.prefix(side)
        ours = encoder.queries(TEXTS) if side == "query" else encoder.passages(TEXTS)
        if released:
            given = None if settings.given_prefix(side) is None else prompt
            theirs = plain.encoder(checkpoint, settings, TEXTS, side, given=given, other=prompt)
        else:
            texts = [prompt + text for text in TEXTS]
            pooling, normalize = settings.pooled(checkpoint.name)
            theirs = plain.body(checkpoint, settings, texts, pooling=pooling, normalize=normalize)
        yield Compared(part, HUB if released else TRANSFORMERS, list(ours), theirs)


def _late_interaction(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    settings = SETTINGS.fill(LateSettings, {"model": checkpoint.name, **table}, where="settings")
    encoder = late_encoder(settings)
    if not isinstance(encoder, ReleasedTokens):
        raise ConfigError(f"{checkpoint.name} has no library with its late interaction to compare")
    for side, part in (("query", "queries"), ("passage", "passages")):
        ours = encoder.encode(side, TEXTS, ["en"] * len(TEXTS))
        theirs = plain.late_interaction(checkpoint, settings.dtype, TEXTS, side)
        yield Compared(part, HUB, ours, theirs)


def _learned_sparse(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    settings = SETTINGS.fill(SparseSettings, {"model": checkpoint.name, **table}, where="settings")
    encoder = sparse_encoder(settings)
    if not isinstance(encoder, ReleasedSparse):
        raise ConfigError(f"{checkpoint.name} has no library with its term weights to compare")
    for side, part in (("query", "queries"), ("passage", "passages")):
        ours = np.zeros((len(TEXTS), encoder.vocabulary))
        for row, (terms, weights) in zip(ours, encoder.encode(side, TEXTS), strict=True):
            row[terms] = weights
        theirs = plain.learned_sparse(checkpoint, settings.dtype, TEXTS, side)
        yield Compared(part, HUB, list(ours), theirs)


def _ranker(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    stage = build("ranker", {"use": "cross-encoder", "model": checkpoint.name, **table})
    settings = stage.classifier.settings
    pairs = [(question, PASSAGE) for question in TEXTS]
    ours = stage.classifier.score(pairs)
    if is_seq2seq(checkpoint):
        tokens = settings.tokens or TOKENS[repository_of(checkpoint.name)]
        theirs = plain.mono_t5(checkpoint, settings.dtype, pairs, tokens)
        yield Compared("scores", TRANSFORMERS, ours, theirs)
        return
    described = {} if is_released(checkpoint.path) else TEMPLATES
    template = described.get(repository_of(checkpoint.name))
    theirs = plain.reranker(checkpoint, settings.dtype, pairs, template=template)
    yield Compared("scores", HUB, ours, theirs)


def _reader(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    stage = build("reader", {"use": "span", "model": checkpoint.name, **table})
    titled = stage.by_title
    inputs = [
        TitledPassage(question, PASSAGE, "Nile") if titled else QuestionPassage(question, PASSAGE)
        for question in TEXTS
    ]
    windows = stage.pairs.score_windows(inputs)
    if max(map(len, windows)) > 1:
        raise ConfigError("max_tokens is too short for the texts that are compared")
    ours = [logits for [(_, logits)] in windows]
    theirs = plain.reader(checkpoint, stage.pairs.settings.dtype, inputs)
    yield Compared("logits", TRANSFORMERS, ours, theirs)


def _translator(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    options = {"beams": 2, "longest": LONGEST_SOURCE}
    stage = build("translator", {"use": "seq2seq", "model": checkpoint.name, **options, **table})
    to, langs = _languages(stage)
    named = [stage.naming.tokens(lang, to) for lang in langs]
    sources = [(each.source, QUESTIONS[lang]) for each, lang in zip(named, langs, strict=True)]
    ours = stage.generate(sources, named[0].target)
    search = {"num_beams": stage.beams, "max_new_tokens": stage.longest}
    theirs = plain.translator(checkpoint, stage.dtype, sources, named[0].target, **search)
    yield Compared(f"to {to}", TRANSFORMERS, ours, theirs)


def _languages(stage: Seq2SeqTranslator) -> tuple[str, list[str]]:
    """A target language and up to three source languages that a translator has."""
    refused: ConfigError | None = None
    for to in QUESTIONS:
        langs = []
        for lang in QUESTIONS:
            try:
                stage.check_languages({lang}, to=to)
            except ConfigError as error:
                refused = error
                continue
            if lang != to:
                langs.append(lang)
        if langs:
            return to, langs[:3]
    raise ConfigError(f"no pair of {one_of(QUESTIONS)} can be translated: {refused}")


def _generator(checkpoint: Checkpoint, table: Settings) -> Iterator[Compared]:
    if others := table.keys() - {"dtype"}:
        raise ConfigError(f"a generator is compared without {one_of(others)}; remove it")
    model = LocalModel(checkpoint.name, TOKENS_OUT, table["dtype"])
    ours = [reply.text for reply in model.complete(TEXTS, Reply)]
    theirs = plain.generator(checkpoint, model.dtype, TEXTS, max_new_tokens=TOKENS_OUT)
    yield Compared("outputs", TRANSFORMERS, ours, theirs)


KINDS = {
    "encoder": _encoder,
    "reader": _reader,
    "ranker": _ranker,
    "translator": _translator,
    "late-interaction": _late_interaction,
    "learned-sparse": _learned_sparse,
    "generator": _generator,
}
"""What is compared, by the kind of model."""
