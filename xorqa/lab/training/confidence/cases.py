"""The questions of a confidence model's training, each with and without its answer in the corpus.

All paragraphs form one corpus in several languages. Each question searches a part of it: of one of
the recipe's sizes, with the question's paragraph, and once more without any passage that contains
an answer. Questions of XOR QA, which have no paragraph, search only without.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ....core.errors import DataError
from ....core.types import Example, Gold, Passage, Question
from ....datasets.corpus import Corpus
from ....io.squad_xor import SquadQuestion, read_squad, read_xor, title_hash
from ....metrics.tasks.squad import normalize
from ..bitext.lexicon import Lexicon, switch_words
from ..common.training_data import is_held_out, match_key, stream
from .recipe import ConfidenceSource

CODE_SWITCHED = "code-switched"
WITHOUT_PARAGRAPH = ".jsonl"  # XOR QA's files
YES_NO = {"yes", "no"}


@dataclass(frozen=True, slots=True)
class Case:
    """A question over a part of the corpus: `docids`.

    `answerable` is false if no passage of this part contains an answer. `group` is the language
    of the question, or `CODE_SWITCHED`. `measured` cases are not trained on.
    """

    example: Example
    docids: frozenset[str]
    size: int
    group: str
    answerable: bool
    measured: bool

    @property
    def answers_in(self) -> str:
        """The language that the question is answered in."""
        return self.example.golds[0].lang


@dataclass(frozen=True, slots=True)
class _CaseQuestion:
    """A question, its language, and the language of its paragraph (None without one)."""

    row: SquadQuestion
    lang: str
    group: str
    answers_in: str
    has_paragraph: bool


@dataclass(frozen=True, slots=True)
class CaseSet:
    """All cases, and the corpus whose parts they search."""

    corpus: Corpus
    cases: tuple[Case, ...]


def make_cases(
    sources: Sequence[ConfidenceSource],
    *,
    sizes: Sequence[int],
    lexicon: Lexicon,
    excluded: frozenset[str],
    seed: int,
) -> CaseSet:
    """Sample questions and paragraphs from the sources, deterministically.

    Raises:
        DataError: if a file is missing or of another layout, or there are no questions.
    """
    questions: list[_CaseQuestion] = []
    paragraphs: dict[str, Passage] = {}
    for number, source in enumerate(sources):
        rng = stream(seed, "questions", number)
        rows = [row for row in _rows(source) if match_key(row.question) not in excluded]
        sample = rng.sample(rows, min(source.questions, len(rows)))
        with_paragraph = not _is_xor(source)
        questions += [
            _CaseQuestion(
                row, row.lang or source.lang, row.lang or source.lang, source.lang, with_paragraph
            )
            for row in sample
        ]
        if with_paragraph:
            switched = rng.sample(sample, round(source.code_switched * len(sample)))
            questions += _switch(switched, source.lang, lexicon, rng)
            _add_paragraphs(paragraphs, source, sample, rows, rng)
    if not paragraphs:
        raise DataError("the recipe's sources have no paragraphs; add SQuAD-style files")
    corpus = Corpus("confidence", paragraphs.values())
    maker = _CaseMaker(corpus, paragraphs)
    cases = [
        case
        for number, question in enumerate(questions)
        for case in maker.cases(
            question, sizes[number % len(sizes)], stream(seed, "part", number), number
        )
    ]
    return CaseSet(corpus, tuple(cases))


def _is_xor(source: ConfidenceSource) -> bool:
    return all(path.suffix == WITHOUT_PARAGRAPH for path in source.paths)


def _rows(source: ConfidenceSource) -> list[SquadQuestion]:
    """The usable questions of a source, sorted by id."""
    if _is_xor(source):
        rows = [
            SquadQuestion(row.qid, row.question, "", "", row.answers, None, lang=row.lang)
            for path in source.paths
            for row in read_xor(path)
            if row.answers and not YES_NO & {answer.lower() for answer in row.answers}
        ]
    else:
        held_out = source.articles == "held-out"
        rows = [
            row
            for path in source.paths
            for row in read_squad(path)
            if row.span and row.answers and is_held_out(row, source.held_out) is held_out
        ]
    return sorted(rows, key=lambda row: row.qid)


def _switch(
    rows: Iterable[SquadQuestion], lang: str, lexicon: Lexicon, rng: random.Random
) -> list[_CaseQuestion]:
    """The questions with words of one other language each; unchanged ones are left out."""
    langs, questions = sorted(lexicon), []
    for row in rows if langs else ():
        to = rng.choice(langs)
        text = switch_words(row.question, lexicon[to], rng)
        if text != row.question:
            questions.append(
                _CaseQuestion(replace(row, question=text), to, CODE_SWITCHED, lang, True)
            )
    return questions


def _add_paragraphs(
    paragraphs: dict[str, Passage],
    source: ConfidenceSource,
    sample: Sequence[SquadQuestion],
    rows: Sequence[SquadQuestion],
    rng: random.Random,
) -> None:
    """Add the paragraphs of the sample, then others of the source up to its limit."""
    first = list(dict.fromkeys(row.context for row in sample))
    titles = {row.context: row.title.replace("_", " ") for row in rows}
    others = sorted(titles.keys() - set(first))
    rng.shuffle(others)
    for context in [*first, *others[: max(0, source.paragraphs - len(first))]]:
        docid = f"{len(paragraphs) + 1:05d}"
        paragraphs.setdefault(context, Passage(docid, context, titles[context], source.lang))


class _CaseMaker:
    """Makes the cases of a question: the parts of a corpus that it searches."""

    def __init__(self, corpus: Corpus, by_text: dict[str, Passage]) -> None:
        self.corpus = corpus
        self.by_text = by_text
        self.normalized = {passage.docid: normalize(passage.text) for passage in corpus}

    def cases(
        self, question: _CaseQuestion, size: int, rng: random.Random, number: int
    ) -> list[Case]:
        """The case with the question's paragraph, if it has one, and the one without answers."""
        row = question.row
        gold = self.by_text[row.context] if question.has_paragraph else None
        part = self._part(gold, size or len(self.corpus), rng)
        answers = {answer for answer in map(normalize, row.answers) if answer}
        contains = {
            docid for docid in part if any(a in self.normalized[docid] for a in answers)
        } | ({gold.docid} if gold else set())
        golds = tuple(Gold(text, question.answers_in) for text in dict.fromkeys(row.answers))
        measured = title_hash(f"measured {row.title or row.question}") < 0.5

        def case(docids: Iterable[str], qid: str, answerable: bool) -> Case:
            example = Example(Question(qid, row.question.strip(), question.lang), golds)
            return Case(example, frozenset(docids), size, question.group, answerable, measured)

        cases = [case(part - contains, f"{number}-without", False)]
        return [case(part, f"{number}-with", True), *cases] if gold else cases

    def _part(self, gold: Passage | None, size: int, rng: random.Random) -> set[str]:
        """`size` docids: the gold passage, up to half of its article, and random others."""
        article = [p.docid for p in self.corpus if gold and gold.title and p.title == gold.title]
        near = rng.sample(article, min(size // 2, len(article)))
        every = [passage.docid for passage in self.corpus]
        part = list(dict.fromkeys([*([gold.docid] if gold else []), *near]))
        rng.shuffle(every)
        return set(list(dict.fromkeys([*part, *every]))[:size])
