"""TyDi QA's gold passages (Clark et al. 2020), JaQuAD (So et al. 2022), and `tydi-open`.

`tydi-open` has the questions of TyDi GoldP's development set and of a fifth of JaQuAD's articles,
over two Wikipedias: W_i is all paragraphs in the question's language, W_eng the English ones and
SQuAD's. W_i has the answers.
"""

from collections.abc import Iterable
from pathlib import Path

from ..core.lang import language
from ..core.types import Example, Gold, Question
from ..io.squad_xor import SquadQuestion, read_squad, title_hash
from .catalog import JAQUAD, DatasetEntry
from .corpus import Corpus
from .dataset import TARGET, Dataset
from .squad import build_distinct_corpus, docids_by_text, squad_corpus

DEV_LANGUAGES = ("ar", "bn", "en", "fi", "id", "ko", "ru", "sw", "te")
TRAIN_LANGUAGES = ("en", "ko", "sw")
HELD_OUT = 0.2  # of JaQuAD's articles; recipes that train on JaQuAD exclude the same ones


def load_tydi_open(folder: Path) -> Dataset:
    """Load the questions in XOR QA's seven languages, language by language.

    Raises:
        DataError: if a file is missing or has another layout.
    """
    japanese = [row for file in JAQUAD for row in read_squad(folder / "jaquad" / file)]
    rows = {
        lang: list(read_squad(_file(folder / "tydiqa-goldp", lang, "dev")))
        for lang in ("ar", "bn", "fi", "ko", "ru", "te")
    } | {"ja": [row for row in japanese if title_hash(row.title) < HELD_OUT]}
    corpora = {
        lang: tydi_corpus(folder / "tydiqa-goldp", lang) for lang in rows if lang != "ja"
    } | {"ja": build_distinct_corpus("jaquad", "ja", japanese)}
    english = [*squad_corpus(folder / "squad"), *tydi_corpus(folder / "tydiqa-goldp", "en")]
    examples = [
        example
        for lang in sorted(rows)
        for example in _examples(rows[lang], lang, docids_by_text(corpora[lang]))
    ]
    corpora["en"] = Corpus("tydi-open.en", english)
    return Dataset("tydi-open", tuple(examples), corpora)


def tydi_corpus(folder: Path, lang: str) -> Corpus:
    """The distinct paragraphs of a language, the development set's first."""
    splits = ("dev", "train") if lang in TRAIN_LANGUAGES else ("dev",)
    rows = (row for split in splits for row in read_squad(_file(folder, lang, split)))
    return build_distinct_corpus(f"tydi.{lang}", lang, rows)


def _file(folder: Path, lang: str, split: str) -> Path:
    return folder / f"{language(lang).name.lower()}_tydiqa_{split}.json"


def _examples(rows: Iterable[SquadQuestion], lang: str, docids: dict[str, str]) -> list[Example]:
    """The first answer has a span, the others only their text."""
    examples = []
    for row in rows:
        texts = list(dict.fromkeys(row.answers))
        golds = [Gold(texts[0], lang, docids[row.context], row.span)]
        golds += [Gold(text, lang) for text in texts[1:]]
        examples.append(
            Example(Question(row.qid, row.question, lang), tuple(golds), answered_in=TARGET)
        )
    return examples


TYDI_OPEN = DatasetEntry(
    about="TyDi GoldP dev and a fifth of JaQuAD: 7 languages, answered by W_i",
    license="Apache 2.0; CC BY-SA 3.0 (ja); CC BY-SA 4.0 (SQuAD)",
    use="evaluation only",
    citation="Clark et al. 2020 (TyDi); So et al. 2022 (JaQuAD); Rajpurkar et al. 2016 (SQuAD)",
    questions={"ar": 921, "bn": 113, "fi": 782, "ja": 5417, "ko": 276, "ru": 812, "te": 669},
    passages={
        **{"ar": 842, "bn": 105, "fi": 634, "ja": 9713, "ko": 1488, "ru": 778, "te": 601},
        "en": 24_821,
    },
    load=load_tydi_open,
    sources=("squad", "tydiqa-goldp", "jaquad"),
)
