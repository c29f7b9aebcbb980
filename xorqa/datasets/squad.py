"""SQuAD v1.1 (Rajpurkar et al. 2016) and XQuAD (Artetxe et al. 2020), and `xquad-open`.

XQuAD translates 1,190 questions and 240 paragraphs of SQuAD's development part by hand.
In `xquad-open`, W_eng is all paragraphs of SQuAD v1.1, and W_i the XQuAD paragraphs in the
question's language.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.errors import DataError
from ..core.types import Example, Gold, Passage, Question
from ..io.squad_xor import SquadQuestion, read_squad
from .catalog import DatasetEntry
from .corpus import Corpus
from .dataset import Dataset

XQUAD_LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")
SQUAD_FILES = ("train-v1.1.json", "dev-v1.1.json")


def load_xquad_open(folder: Path) -> Dataset:
    """Load the questions in 12 languages; the languages of a question follow each other.

    Raises:
        DataError: if a file is missing or has another layout, an English paragraph is not in
            SQuAD, or a question is not in all languages.
    """
    files = {lang: _by_qid(folder / "xquad" / f"xquad.{lang}.json") for lang in XQUAD_LANGUAGES}
    corpora = {
        lang: build_corpus(f"xquad.{lang}", lang, rows.values())
        for lang, rows in files.items()
        if lang != "en"
    } | {"en": squad_corpus(folder / "squad")}
    docids = {lang: docids_by_text(corpus) for lang, corpus in corpora.items()}
    examples = [
        _example(source, lang, files, docids)
        for source in files["en"].values()
        for lang in XQUAD_LANGUAGES
    ]
    return Dataset("xquad-open", tuple(examples), corpora)


def squad_corpus(folder: Path) -> Corpus:
    """All paragraphs of SQuAD v1.1, train then dev, as passages with titles."""
    rows = (row for name in SQUAD_FILES for row in read_squad(folder / name))
    return build_corpus("squad", "en", rows)


def _by_qid(path: Path) -> dict[str, SquadQuestion]:
    rows = {row.qid: row for row in read_squad(path)}
    for row in rows.values():
        if not row.answers:
            raise DataError(f"{path}: question {row.qid} has no answer")
    return rows


def docids_by_text(corpus: Corpus) -> dict[str, str]:
    """Map passage texts to docids; a repeated text gets the docid of its first passage."""
    return {passage.text: passage.docid for passage in reversed(corpus.passages)}


def build_corpus(name: str, lang: str, rows: Iterable[SquadQuestion]) -> Corpus:
    """Build a corpus with a passage per paragraph.

    A paragraph ends where its number or its text changes; numbers restart with each file.
    """
    passages: list[Passage] = []
    previous: tuple[int, str] | None = None
    for row in rows:
        if (row.paragraph, row.context) != previous:
            previous = row.paragraph, row.context
            docid = f"{name}-{len(passages) + 1:05d}"
            passages.append(Passage(docid, row.context, row.title.replace("_", " "), lang))
    return Corpus(name, passages)


def build_distinct_corpus(name: str, lang: str, rows: Iterable[SquadQuestion]) -> Corpus:
    """Build a corpus with a passage per distinct paragraph text."""
    first: dict[str, SquadQuestion] = {}
    for row in rows:
        first.setdefault(row.context, row)
    return build_corpus(name, lang, first.values())


def _example(
    source: SquadQuestion,
    lang: str,
    files: Mapping[str, Mapping[str, SquadQuestion]],
    docids: Mapping[str, Mapping[str, str]],
) -> Example:
    row = files[lang].get(source.qid)
    if row is None:
        raise DataError(f"xquad.{lang}.json lacks question {source.qid} of xquad.en.json")
    if source.context not in docids["en"]:
        raise DataError(f"the paragraph of XQuAD question {source.qid} is not in SQuAD")
    golds = [_gold(source, "en", docids["en"][source.context])]
    if lang != "en":
        golds.append(_gold(row, lang, docids[lang][row.context]))
    question = Question(f"{row.qid}.{lang}", row.question, lang)
    return Example(question, tuple(golds), source.question)


def _gold(row: SquadQuestion, lang: str, docid: str) -> Gold:
    return Gold(row.answers[0], lang, docid, row.span)


XQUAD_OPEN = DatasetEntry(
    about="XQuAD's questions in 12 languages over all 20,963 paragraphs of SQuAD v1.1",
    license="CC BY-SA 4.0",
    use="evaluation only",
    citation="Artetxe et al. 2020 (XQuAD); Rajpurkar et al. 2016 (SQuAD)",
    questions=dict.fromkeys(XQUAD_LANGUAGES, 1190),
    passages=dict.fromkeys(XQUAD_LANGUAGES, 240) | {"en": 20_963},
    load=load_xquad_open,
    sources=("squad", "xquad"),
)
