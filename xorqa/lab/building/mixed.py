"""`xquad-mixed` and `te-mixed`: parallel questions that only one Wikipedia answers.

Articles are split in halves by a hash of their title. For the first half the gold paragraphs are
removed from W_i, so that only W_eng has the answers; for the second from W_eng. If TyDi GoldP has
paragraphs in a language, they are added to its W_i.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...core.types import AnsweredIn, Example, Gold, Passage, Question, Span
from ...datasets.catalog import DatasetEntry
from ...datasets.corpus import Corpus
from ...datasets.dataset import TARGET, Dataset
from ...datasets.squad import XQUAD_LANGUAGES, docids_by_text, load_xquad_open, squad_corpus
from ...datasets.tydi import DEV_LANGUAGES, tydi_corpus
from ...io.files import read_lines
from ...io.squad_xor import SquadQuestion, read_squad, title_hash

_TEQUAD = (
    "con_eng",
    "que_eng",
    "real_con_tel",
    "que_tel",
    "corrected_ans_tel",
    "translated_ans_tel",
)


def load_xquad_mixed(folder: Path) -> Dataset:
    """Load XQuAD's questions in 11 languages, without English.

    Raises:
        DataError: if a file is missing or has another layout.
    """
    dataset = load_xquad_open(folder)
    dataset = replace(
        dataset,
        examples=tuple(e for e in dataset.examples if e.question.lang != "en"),
        corpora={
            lang: _with_tydi(corpus, lang, folder) for lang, corpus in dataset.corpora.items()
        },
    )
    return split_articles(dataset, name="xquad-mixed")


def load_te_mixed(folder: Path) -> Dataset:
    """Load TeQuAD's questions that are also in SQuAD v1.1.

    About half of TeQuAD's lines are unanswerable questions of SQuAD v2.0 with a plausible but
    wrong answer: they are left out, by their English line. English questions and golds are from
    SQuAD, since TeQuAD's English lines are tokenised.

    Raises:
        DataError: if a file is missing or has another layout, or its lines are not parallel.
    """
    english = squad_corpus(folder / "squad")
    lines = _tequad(folder)
    texts = dict.fromkeys(line.telugu for line in lines)
    telugu = Corpus(
        "tequad",
        [Passage(f"tequad-{number:05d}", text, lang="te") for number, text in enumerate(texts, 1)],
    )
    docids = docids_by_text(english), docids_by_text(telugu)
    dataset = Dataset(
        "te-open",
        tuple(_example(line, *docids) for line in lines),
        {"en": english, "te": _with_tydi(telugu, "te", folder)},
    )
    return split_articles(dataset, name="te-mixed")


def split_articles(dataset: Dataset, *, name: str) -> Dataset:
    """Remove the gold paragraphs of each question from one of its two corpora.

    Every question must have a gold passage in English and in its own language. All paragraphs
    with the text of a gold paragraph are removed; their golds have only a text.
    """
    removed: dict[str, set[str]] = defaultdict(set)
    examples = []
    for example in dataset.examples:
        docid = next(gold.docid for gold in example.golds if gold.lang == "en" and gold.docid)
        title = dataset.corpora["en"][docid].title.replace(" ", "_")  # as SQuAD's files write it
        answered_in: AnsweredIn = ENGLISH if title_hash(title) < 0.5 else TARGET
        removed_lang = example.question.lang if answered_in == ENGLISH else "en"
        removed[removed_lang] |= {
            dataset.corpora[removed_lang][gold.docid].text
            for gold in example.golds
            if gold.lang == removed_lang and gold.docid
        }
        golds = (
            Gold(gold.text, gold.lang) if gold.lang == removed_lang else gold
            for gold in example.golds
        )
        examples.append(replace(example, golds=tuple(golds), answered_in=answered_in))
    corpora = {
        lang: Corpus(f"{name}.{lang}", (p for p in corpus if p.text not in removed[lang]))
        for lang, corpus in dataset.corpora.items()
    }
    return Dataset(name, tuple(examples), corpora)


def _with_tydi(corpus: Corpus, lang: str, folder: Path) -> Corpus:
    if lang == "en" or lang not in DEV_LANGUAGES:
        return corpus
    return Corpus(corpus.name, [*corpus, *tydi_corpus(folder / "tydiqa-goldp", lang)])


@dataclass(frozen=True, slots=True)
class _TequadLine:
    """A line of TeQuAD: the SQuAD question and paragraph in Telugu, with Telugu answers."""

    squad: SquadQuestion
    question: str
    telugu: str
    answers: tuple[str, ...]


def _tequad(folder: Path) -> list[_TequadLine]:
    columns = [read_lines(folder / "tequad" / f"{name}.txt") for name in _TEQUAD]
    if len(set(map(len, columns))) > 1:
        raise DataError(f"{folder / 'tequad'}: the files do not have the same number of lines")
    squad = {
        (_letters(row.context), _letters(row.question)): row
        for row in read_squad(folder / "squad" / "dev-v1.1.json")
    }
    rows = (
        (squad.get((_letters(c), _letters(q))), *rest) for c, q, *rest in zip(*columns, strict=True)
    )
    return [
        _TequadLine(row, question, telugu, tuple(dict.fromkeys(answers)))
        for row, telugu, question, *answers in rows
        if row
    ]


def _letters(text: str) -> str:
    """The lower-case letters and digits of a text, to compare differently tokenised texts."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _example(line: _TequadLine, english: dict[str, str], telugu: dict[str, str]) -> Example:
    """An example; the first Telugu answer's span is its first occurrence in the paragraph."""
    row, (text, *others) = line.squad, line.answers
    start = line.telugu.find(text)
    if start < 0:
        raise DataError(f"tequad: the answer of '{line.question}' is not in its paragraph")
    golds = [
        Gold(row.answers[0], "en", english[row.context], row.span),
        Gold(text, "te", telugu[line.telugu], Span(start, start + len(text))),
        *(Gold(other, "te") for other in others),
    ]
    return Example(Question(f"{row.qid}.te", line.question, "te"), tuple(golds), row.question)


_FOREIGN = tuple(lang for lang in XQUAD_LANGUAGES if lang != "en")

XQUAD_MIXED = DatasetEntry(
    about="XQuAD's questions in 11 languages, half answered by W_i only, half by W_eng only",
    license="CC BY-SA 4.0; Apache 2.0 (TyDi)",
    use="evaluation only",
    citation="Artetxe et al. 2020 (XQuAD); Rajpurkar et al. 2016 (SQuAD); Clark et al. 2020 (TyDi)",
    questions=dict.fromkeys(_FOREIGN, 1190),
    passages=dict.fromkeys(_FOREIGN, 120) | {"ar": 962, "ru": 898, "en": 20_843},
    load=load_xquad_mixed,
    sources=("squad", "xquad", "tydiqa-goldp"),
)
TE_MIXED = DatasetEntry(
    about="TeQuAD's answerable questions, half answered by W_te only, half by W_eng only",
    license="none stated (TeQuAD); CC BY-SA 4.0 (SQuAD); Apache 2.0 (TyDi)",
    use="evaluation only",
    citation="Vemula et al. 2022 (TeQuAD); Rajpurkar et al. 2016 (SQuAD); Clark et al. 2020 (TyDi)",
    questions={"te": 510},
    passages={"te": 694, "en": 20_880},
    load=load_te_mixed,
    sources=("squad", "tequad", "tydiqa-goldp"),
)
