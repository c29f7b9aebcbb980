"""Translation by models converted to CTranslate2, in 8-bit integers where the CPU has them."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, WeightsError
from ..core.named import require
from ..core.validation import Count
from ..io.files import digest, read_json, read_object, sha256
from .checks import OnFailure, ignore_failure
from .language_codes import FORMS, Codes, Naming, OnePair, family, pair_in_name
from .model_translator import ModelTranslator

END = "</s>"
PIECES = ("source.spm", "target.spm")  # OPUS-MT; other models have one file for both sides
VOCABULARIES = ("shared_vocabulary", "source_vocabulary")  # .json, or .txt by older converters
BATCH = 1024  # source tokens


class CTranslate2Translator(ModelTranslator):
    """A folder written by `ct2-transformers-converter`, with the model's SentencePiece files.

    The converter copies them with `--copy_files source.spm target.spm` (OPUS-MT),
    `--copy_files sentencepiece.bpe.model` (NLLB, M2M-100, mBART-50) or `--copy_files spiece.model`
    (MADLAD-400, T5). `longest` limits the tokens of a source and of an output; `compute` is one of
    CTranslate2's compute types; `codes` and `prefix` are those of `seq2seq`.

    Example:
        >>> from xorqa import CTranslate2Translator, Question
        >>> translator = CTranslate2Translator(model="./opus-mt-fi-en-int8", beams=2)
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = translator.translate([question], to="en")
        >>> query.question == question
        True
    """

    version = 2

    def __init__(
        self,
        *,
        model: str,
        beams: Count = 4,
        longest: Count = 128,
        compute: str = "int8",
        batch_tokens: Count = BATCH,
        codes: Mapping[str, str] | None = None,
        prefix: str | None = None,
        device: str = "auto",
        failed: OnFailure = ignore_failure,
    ) -> None:
        self.folder = Path(model).expanduser()
        super().__init__(str(self.folder), beams, longest, codes, prefix, device, failed)
        self.compute, self.batch_tokens = compute, batch_tokens

    def fingerprint(self) -> str:
        """A hash of the files and of the search settings."""
        settings = [self.folder / "config.json", self._vocabulary_file]
        files = [self.folder / "model.bin", *self._spm, *filter(None, settings)]
        hashes = [sha256(path) for path in files]
        languages = sorted(self.codes.items()), self.prefix
        batches = [self.batch_tokens] if self.batch_tokens != BATCH else []
        search = self.beams, self.longest, self.compute
        return digest("ctranslate2", hashes, *search, *languages, *batches)

    def own_naming(self) -> Naming:
        """How the model names languages, read from its vocabulary.

        Raises:
            ConfigError: if its files do not say it, or it lacks a code of `codes`.
        """
        is_opus = len(self._spm) == len(PIECES)
        form, tokens = family(self._vocabulary, ("opus",) if is_opus else tuple(FORMS))
        if form:
            return Codes(self.name, form, tokens, self.codes, "")
        if is_opus:
            return OnePair(self.name, *pair_in_name(self.name))
        raise ConfigError(
            f"[translator] the vocabulary of {self.name} has no language tokens; set prefix, such "
            'as "translate {source} to {target}: ", or "" for none'
        )

    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (what names the languages, text).

        `target` is the outputs' first token, "" for none.
        """
        results = self._model.translate_batch(
            [self._pieces(before, text) for before, text in sources],
            target_prefix=[[target]] * len(sources) if target else None,
            beam_size=self.beams,
            max_decoding_length=self.longest,
            max_batch_size=self.batch_tokens,
            batch_type="tokens",
        )
        outputs = ([p for p in result.hypotheses[0] if p != target] for result in results)
        return [str(self._processors[-1].decode(pieces)) for pieces in outputs]

    def _pieces(self, before: str, text: str) -> list[str]:
        """The source with at most `longest` pieces of the text."""
        processor, longest = self._processors[0], self.longest
        start = [before] if before and before in self._vocabulary else []
        # MADLAD-400's language tokens are pieces of SentencePiece's own, as are words of a prefix.
        if before and (not start or processor.id_to_piece(processor.piece_to_id(before)) == before):
            text = f"{before} {text}" if start else before + text
            start, longest = [], longest + len(processor.encode(before))
        pieces = processor.encode(text, out_type=str)
        if len(pieces) > longest:
            self.report_cut()
        return [*start, *pieces[:longest], *self._end]

    @cached_property
    def _spm(self) -> list[Path]:
        """The SentencePiece files, the source's first."""
        pair = [self.folder / name for name in PIECES]
        files = pair if all(path.is_file() for path in pair) else []
        files = files or sorted(self.folder.glob("*.model"))[:1]
        if not files or not (self.folder / "model.bin").is_file():
            raise WeightsError(
                f"{self.folder} is not a CTranslate2 model: it needs model.bin and source.spm "
                "with target.spm, or one *.model (ct2-transformers-converter --copy_files)"
            )
        return files

    @cached_property
    def _processors(self) -> list[Any]:
        spm = require("sentencepiece", extra="mt")
        return [spm.SentencePieceProcessor(model_file=str(path)) for path in self._spm]

    @cached_property
    def _vocabulary_file(self) -> Path | None:
        names = [f"{name}.{kind}" for name in VOCABULARIES for kind in ("json", "txt")]
        return next((path for name in names if (path := self.folder / name).is_file()), None)

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        """The tokens of the source vocabulary."""
        path = self._vocabulary_file
        if path is None:
            raise WeightsError(
                f"{self.folder} has no vocabulary: it needs shared_vocabulary or "
                "source_vocabulary, .json or .txt"
            )
        is_json = path.suffix == ".json"
        tokens = read_json(path) if is_json else path.read_text("utf-8").split("\n")[:-1]
        return {token: number for number, token in enumerate(tokens)}

    @cached_property
    def _end(self) -> list[str]:
        """The end token of a source, unless the model adds it itself."""
        adds = read_object(self.folder / "config.json").get("add_source_eos", False)
        return [] if adds else [END]

    @cached_property
    def _model(self) -> Any:
        engine = require("ctranslate2", extra="mt")
        try:
            return engine.Translator(
                str(self.folder), device=self.device, compute_type=self.compute
            )
        except (RuntimeError, ValueError) as error:
            line = str(error).splitlines()[0]
            raise WeightsError(f"{self.folder} cannot be loaded: {line}") from error
