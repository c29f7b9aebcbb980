"""`chooser-train`: questions over two Wikipedias to train answer choosers; not for evaluation.

In-language questions are from the training sets of TyDi GoldP (ko, sw), ARCD (ar) and JaQuAD
without the fifth in `tydi-open`. For the last fifth of the articles by title hash, W_i lacks the
gold paragraphs, so that neither Wikipedia answers these questions. Cross-lingual questions are
XOR-TyDi's training questions with an English passage from distant supervision, with English
answers only; W_eng is the paragraphs of the English training sets of SQuAD and TyDi.
"""

from collections.abc import Iterable
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...core.types import Example, Gold, Question
from ...datasets.catalog import JAQUAD, DatasetEntry
from ...datasets.corpus import Corpus
from ...datasets.dataset import NOWHERE, TARGET, Dataset
from ...datasets.squad import build_distinct_corpus, docids_by_text
from ...datasets.tydi import HELD_OUT
from ...io.files import digest
from ...io.squad_xor import SquadQuestion, XorQuestion, read_squad, read_xor, title_hash

DISTANT = "distant/xor-tydi.json"
QUESTIONS = "xor_train_retrieve_eng_span.jsonl"
MAX_QUESTIONS = 1000  # in-language questions per language, selected by the hash of their ids
REMOVED_FROM = 0.8  # articles with a title hash of at least this lose their gold paragraphs

_ENGLISH = ("squad/train-v1.1.json", "tydiqa-goldp/english_tydiqa_train.json")
_IN_LANGUAGE = {
    "ar": ("arcd/arcd-train.json",),
    "ja": tuple(f"jaquad/{file}" for file in JAQUAD),
    "ko": ("tydiqa-goldp/korean_tydiqa_train.json",),
    "sw": ("tydiqa-goldp/swahili_tydiqa_train.json",),
}


def load_chooser_train(folder: Path) -> Dataset:
    """Load the questions language by language, in-language ones first.

    Raises:
        DataError: if a file is missing or has another layout, or the question or passage of a
            distant pair is not in the files above.
    """
    english = _corpus("en", _rows(folder, _ENGLISH))
    examples: list[Example] = []
    corpora = {"en": english}
    for lang, files in _IN_LANGUAGE.items():
        rows = [
            row for row in _rows(folder, files) if lang != "ja" or title_hash(row.title) >= HELD_OUT
        ]
        kept = [row for row in rows if title_hash(row.title) < REMOVED_FROM]
        corpora[lang] = _corpus(lang, kept)
        examples += _in_language(rows, lang, docids_by_text(corpora[lang]))
    examples += _cross_lingual(folder, docids_by_text(english))
    return Dataset("chooser-train", tuple(examples), corpora)


def _rows(folder: Path, files: Iterable[str]) -> list[SquadQuestion]:
    return [row for file in files for row in read_squad(folder / file) if row.answers]


def _corpus(lang: str, rows: Iterable[SquadQuestion]) -> Corpus:
    return build_distinct_corpus(f"chooser-train.{lang}", lang, rows)


def _in_language(rows: Iterable[SquadQuestion], lang: str, docids: dict[str, str]) -> list[Example]:
    """The examples; the gold answer of a removed paragraph has only its text."""
    sample = sorted(rows, key=lambda row: digest(row.qid))[:MAX_QUESTIONS]
    return [
        Example(
            Question(f"{lang}-{row.qid}", row.question.strip(), lang),
            (
                Gold(row.answers[0], lang, docids.get(row.context)),
                *(Gold(text, lang) for text in dict.fromkeys(row.answers[1:])),
            ),
            answered_in=TARGET if row.context in docids else NOWHERE,
        )
        for row in sample
    ]


def _cross_lingual(folder: Path, docids: dict[str, str]) -> list[Example]:
    """XOR-TyDi's questions with distant pairs, in the pairs' order."""
    path = folder / DISTANT
    if not path.is_file():
        raise DataError(
            f"{path} is missing; create it with: xorqa data distant --with-english --out {path}"
        )
    questions = {row.qid: row for row in read_xor(folder / "xor-tydi" / QUESTIONS)}
    golds: dict[str, list[Gold]] = {}
    english: dict[str, str] = {}
    for pair in read_squad(path):
        qid = pair.qid.removesuffix("-en").rpartition("-")[0]
        if qid not in questions or pair.context not in docids:
            raise DataError(
                f"{path}: the question or passage of pair {pair.qid} is not in the data; create "
                "the file again"
            )
        if pair.qid.endswith("-en"):
            english[qid] = pair.question
        else:
            gold = Gold(pair.answers[0], "en", docids[pair.context])
            golds.setdefault(qid, []).append(gold)
    return [_example(questions[qid], rows, english.get(qid)) for qid, rows in golds.items()]


def _example(row: XorQuestion, golds: list[Gold], english: str | None) -> Example:
    others = (Gold(text, "en") for text in row.answers)
    return Example(Question(row.qid, row.question, row.lang), (*golds, *others), english, ENGLISH)


CHOOSER_TRAIN = DatasetEntry(
    about="train questions over two Wikipedias, for the answer chooser; needs distant pairs",
    license="Apache 2.0 (TyDi); CC BY-SA 3.0 (ja), 4.0 (SQuAD, XOR QA); MIT (ARCD)",
    use="training",
    citation=(
        "Clark et al. 2020 (TyDi); Mozannar et al. 2019 (ARCD); So et al. 2022 (JaQuAD); "
        "Asai et al. 2021 (XOR-TyDi); Rajpurkar et al. 2016 (SQuAD)"
    ),
    load=load_chooser_train,
    sources=("squad", "tydiqa-goldp", "jaquad", "arcd", "xor-tydi"),
    needs={"xor-tydi": (QUESTIONS,)},
)
