"""Translation by models converted to CTranslate2, in 8-bit integers where the CPU has them."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import WeightsError
from ..core.named import require
from ..core.validation import Count
from ..io.files import digest, read_json, sha256
from .checks import ModelTranslator, OnFailure, ignore_failure

END = "</s>"
PIECES = ("source.spm", "target.spm")  # OPUS-MT; other models have one file for both sides
BATCH = 1024  # source tokens


class CTranslate2Translator(ModelTranslator):
    """A folder written by `ct2-transformers-converter`, with the model's SentencePiece files.

    The converter copies them with `--copy_files source.spm target.spm` (OPUS-MT) or
    `--copy_files sentencepiece.bpe.model` (NLLB, M2M-100). `longest` limits the tokens of a
    source and of an output; `compute` is one of CTranslate2's compute types.

    Example:
        >>> from xorqa import CTranslate2Translator, Question
        >>> translator = CTranslate2Translator(model="./opus-mt-fi-en-int8", beams=2)
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = translator.translate([question], to="en")
        >>> query.question == question
        True
    """

    version = 1

    def __init__(
        self,
        *,
        model: str,
        beams: Count = 4,
        longest: Count = 128,
        compute: str = "int8",
        device: str = "auto",
        failed: OnFailure = ignore_failure,
    ) -> None:
        self.folder = Path(model).expanduser()
        super().__init__(str(self.folder), beams, longest, device, failed)
        self.compute = compute

    def fingerprint(self) -> str:
        """A hash of the files and of the search settings."""
        files = [sha256(path) for path in [self.folder / "model.bin", *self._spm]]
        return digest("ctranslate2", files, self.beams, self.longest, self.compute)

    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (language token, text); `target` is the outputs' first token."""
        encoder, decoder = self._processors[0], self._processors[-1]
        rows = [
            [
                *filter(None, [token]),
                *encoder.encode(text, out_type=str)[: self.longest],
                *self._end,
            ]
            for token, text in sources
        ]
        results = self._model.translate_batch(
            rows,
            target_prefix=[[target]] * len(rows) if target else None,
            beam_size=self.beams,
            max_decoding_length=self.longest,
            max_batch_size=BATCH,
            batch_type="tokens",
        )
        outputs = ([p for p in result.hypotheses[0] if p != target] for result in results)
        return [decoder.decode(pieces) for pieces in outputs]

    def in_vocabulary(self, token: str) -> bool:
        """Whether the source vocabulary has a token."""
        return token in self._vocabulary

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
    def _vocabulary(self) -> set[str]:
        """The tokens of the source vocabulary."""
        names = ("shared_vocabulary.json", "source_vocabulary.json")
        path = next((p for name in names if (p := self.folder / name).is_file()), None)
        return set(read_json(path)) if path else set()

    @cached_property
    def _end(self) -> list[str]:
        """The end token of a source, unless the model adds it itself."""
        adds = read_json(self.folder / "config.json").get("add_source_eos", False)
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
