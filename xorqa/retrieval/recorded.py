"""Replay recorded rankings: of another search engine, or of an earlier run."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..core.errors import DataError
from ..core.lang import ENGLISH
from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..io.files import digest, sha256
from ..io.predictions import Predictions, read_passages
from ..io.trec import Run, read_run
from .over_corpus import OverCorpus

USE = "recorded"
TEXTS = ".json"  # an official XOR-Retrieve file, which holds the texts of passages


class RecordedRetriever(OverCorpus):
    """Replays the rankings in `file`, which are looked up by question id.

    The file is a TREC run, whose docids are the corpus's (`tag` selects one of several runs), or,
    if its name ends in .json, an official XOR-Retrieve prediction file, which holds texts. A text
    that is not a passage of the corpus becomes a passage of its own; its score is 1 / rank.
    Questions that are not in the file raise an error or, with `missing = "empty"`, have no hits.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Passage, Query, Question, RecordedRetriever
        >>> corpus = Corpus("rivers", [Passage("nile", "The Nile is a river in Africa.")])
        >>> written = Path("run.trec").write_text("q Q0 nile 1 7.5 my-engine\\n")
        >>> retriever = RecordedRetriever(file="run.trec", corpus=corpus)
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
        >>> [[hit]] = retriever.retrieve([query], k=2)
        >>> hit.passage.docid, hit.score
        ('nile', 7.5)
    """

    version = 1
    by_qid = True  # for the cache: hits depend on the question's id, not on its text

    def __init__(
        self,
        *,
        file: str,
        tag: str | None = None,
        missing: Literal["error", "empty"] = "error",
        corpus: Corpus | None = None,
        folder: Path | None = None,
    ) -> None:
        super().__init__(corpus, folder)
        self.path = Path(file).expanduser()
        self.tag, self.missing = tag, missing

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Nothing to build."""

    def is_complete(self) -> bool:
        """Nothing is left to build."""
        return True

    def fingerprint(self) -> str:
        """A hash of the corpus, the file and the settings."""
        return digest(USE, self.corpus.sha, self._sha, self.tag, self.missing)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The first `k` recorded passages of each question.

        Raises:
            DataError: if the file cannot be read, a question is not in it, or a docid is not in
                the corpus.
        """
        return [self._hits(query.question.qid)[:k] for query in queries]

    def _hits(self, qid: str) -> list[Hit]:
        ranking = (self._texts if self.path.suffix == TEXTS else self._run).get(qid)
        if ranking is None and self.missing == "error":
            raise DataError(
                f"{self.path} has no ranking for question '{qid}'; if such questions have no "
                'passages, set missing = "empty" for the retriever'
            )
        if isinstance(ranking, Mapping):
            return [Hit(self._passage(docid, qid), score) for docid, score in ranking.items()]
        languages = self.corpus.languages
        lang = languages[0] if len(languages) == 1 else ENGLISH
        return [
            Hit(self._by_text.get(text) or _passage(text, lang), 1 / rank)
            for rank, text in enumerate(ranking or (), 1)
        ]

    def _passage(self, docid: str, qid: str) -> Passage:
        passage = self.corpus.get(docid)
        if passage is None:
            raise DataError(
                f"{self.path}: docid '{docid}' of question '{qid}' is not in corpus "
                f"{self.corpus.name}; search the corpus that the run is from"
            )
        return passage

    @cached_property
    def _sha(self) -> str:
        if not self.path.is_file():
            raise DataError(f"{self.path} cannot be read: it is not a file")
        return sha256(self.path)

    @cached_property
    def _run(self) -> Run:
        return read_run(self.path, tag=self.tag)

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        return {qid: _distinct(texts) for qid, texts in _read(self.path).by_qid.items()}

    @cached_property
    def _by_text(self) -> dict[str, Passage]:
        return {passage.text: passage for passage in self.corpus}


def replays_texts(table: Mapping[str, Any]) -> bool:
    """Whether a retriever's table replays texts, which need no corpus."""
    return table.get("use") == USE and Path(str(table.get("file"))).suffix == TEXTS


def corpora_of(table: Mapping[str, Any], *, english: bool) -> dict[str, Corpus]:
    """The texts that a retriever's table replays, as corpora; none if it replays no texts.

    All are in English, or else each is in the language of its question.

    Raises:
        DataError: if the file cannot be read or has another layout.
    """
    if not replays_texts(table):
        return {}
    path = Path(table["file"]).expanduser()
    predictions = _read(path)
    passages: dict[str, dict[str, Passage]] = {}
    for qid, texts in predictions.by_qid.items():
        lang = ENGLISH if english else predictions.langs.get(qid)
        for passage in [_passage(text, lang) for text in _distinct(texts)] if lang else ():
            passages.setdefault(passage.lang, {})[passage.docid] = passage
    return {
        lang: Corpus(f"{path.stem}.{lang}", by_docid.values())
        for lang, by_docid in passages.items()
    }


def _passage(text: str, lang: str) -> Passage:
    return Passage(f"text-{digest(text)}", text, lang=lang)


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text.strip()))


def _read(path: Path) -> Predictions[tuple[str, ...]]:
    """The file's predictions, if all of its entries have the right types."""
    predictions = read_passages(path)
    for problem in predictions.problems:
        if problem.kind == "wrong type":
            raise DataError(f"{path}, question '{problem.qid}': {problem.detail}")
    return predictions
