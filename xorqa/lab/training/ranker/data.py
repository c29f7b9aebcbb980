"""The data of a ranker's training: questions with the passage that answers and others."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from ....core.errors import ConfigError
from ....core.progress import Log, silent
from ....core.stages import Retriever
from ....core.types import Passage
from ....io.squad_xor import SquadQuestion, read_squad
from ..bitext.lexicon import Lexicon, read_lexicon, switch_words
from ..common.training_data import match_key, matching, read_excluded, read_pairs, stream
from ..common.training_folder import claim_folder
from ..reader.samples import (
    mine_hard_negatives,
    read_sources,
    retriever_maker,
    sample_sources,
    usable_questions,
)
from .article_negatives import article_negatives
from .distillation import PassageList, distilled_lists
from .recipe import RankerRecipe


@dataclass(frozen=True, slots=True)
class RankerData:
    """Batches to train on, held-out lists, and the counts for the card."""

    batches: Sequence[Sequence[PassageList]]
    held_out: Sequence[PassageList]
    counts: Mapping[str, int]


def prepare(recipe: RankerRecipe, out: Path, *, report: Log = silent) -> RankerData:
    """Read, sample and mine a recipe's data; hard negatives stay in `out`.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
    """
    excluded = read_excluded(matching(recipe.exclude))
    by_source = read_sources(recipe.sources, excluded)
    pools = list(map(usable_questions, by_source, recipe.sources))
    if not any(pools):
        raise ConfigError("no question is left to train on; see sources and exclude")
    claim_folder(out, recipe.identity())
    weights = [source.weight for source in recipe.sources]
    rng = stream(recipe.seed, "questions")
    samples = sample_sources(pools, weights, questions=recipe.questions, negatives=0, rng=rng)
    lists: list[PassageList] = []
    held_out: list[PassageList] = []
    lexicon = read_lexicon(matching(recipe.lexicon))
    makers = _list_makers(recipe, pools, lexicon, out, report)
    for number, (maker, sample, pool) in enumerate(zip(makers, samples, pools, strict=True), 1):
        lists += maker.make(sample.questions, pool, f"hard-{number}")
        source = recipe.sources[number - 1]
        others = usable_questions(by_source[number - 1], source, held_out=True)
        rng = stream(recipe.seed, "validation", number)
        chosen = rng.sample(others, min(recipe.validation, len(others)))
        held_out += maker.make(chosen, others, f"held-out-{number}")
    gold = len(lists)
    if recipe.distillation:
        added = distilled_lists(
            recipe.distillation,
            out,
            excluded=excluded,
            lexicon=lexicon,
            seed=recipe.seed,
            dtype=recipe.dtype,
            report=report,
        )
        lists += added[0]
        held_out += added[1]
    stream(recipe.seed, "batches").shuffle(lists)
    size = recipe.batch_size
    batches = [lists[start : start + size] for start in range(0, len(lists), size)]
    passages = sum(len(passage_list.passages) for passage_list in lists)
    counts = {"questions": len(lists), "distilled": len(lists) - gold, "passages": passages}
    report(f"{counts['questions']} questions with {counts['passages']} passages")
    return RankerData(batches, held_out, counts)


def _list_makers(
    recipe: RankerRecipe,
    pools: Sequence[Sequence[SquadQuestion]],
    lexicon: Lexicon,
    out: Path,
    report: Log,
) -> Iterator["_ListMaker"]:
    """One for each source; only those with translated questions mine further passages."""
    translations = _translations(matching(recipe.translations))
    miner = retriever_maker(recipe.miner)
    files = matching(recipe.passages)
    more = [row for path in files for row in read_squad(path, every_paragraph=True)]
    for source, pool in zip(recipe.sources, pools, strict=True):
        is_translated = bool(translations) and any(
            match_key(question.question) in translations for question in pool
        )
        yield _ListMaker(
            seed=recipe.seed,
            lexicon=lexicon,
            code_switched=source.code_switched,
            translations=translations,
            mine_translations=recipe.mine_translations,
            passages=more if is_translated or recipe.random_negatives else (),
            miner=miner,
            hard_negatives=recipe.hard_negatives,
            same_article=recipe.same_article,
            random_negatives=recipe.random_negatives,
            out=out,
            report=report,
        )


def _translations(files: Iterable[Path]) -> dict[str, list[str]]:
    """The questions of pair files by the match key of the English one."""
    texts: dict[str, list[str]] = {}
    for _, text, other, english in read_pairs(files):
        if other == "en":
            texts.setdefault(match_key(english), []).append(text)
    return texts


@dataclass(frozen=True, slots=True)
class _ListMaker:
    """Makes the passage lists of one source's questions."""

    seed: int
    lexicon: Lexicon
    code_switched: float
    translations: Mapping[str, Sequence[str]]
    mine_translations: bool
    passages: Sequence[SquadQuestion]  # their paragraphs are mined as well
    miner: Callable[..., Retriever]
    hard_negatives: int
    same_article: int
    random_negatives: int
    out: Path
    report: Log

    def make(
        self, questions: Sequence[SquadQuestion], pool: Sequence[SquadQuestion], name: str
    ) -> list[PassageList]:
        """A list per question, with negatives from the paragraphs of `pool` and `passages`."""
        seed = self.seed
        pool = [*pool, *self.passages]
        if self.mine_translations:
            rng = stream(seed, "translations", name)
            questions = [replace(q, question=self._varied(q, rng)) for q in questions]
            pool += questions
        mined: dict[str, list[str]] = {}
        for text, passage, *_ in mine_hard_negatives(
            list(dict.fromkeys(questions)),
            pool,
            per_question=self.hard_negatives,
            make_retriever=self.miner,
            rng=stream(seed, "hard negatives", name),
            folder=self.out / name,
            report=self.report,
        ):
            mined.setdefault(text, []).append(passage)
        drawn = article_negatives(
            questions,
            pool,
            count=self.random_negatives,
            make_retriever=self.miner,
            rng=stream(seed, "random negatives", name),
            folder=self.out / name,
            report=self.report,
        )
        answers: dict[str, set[str]] = {}  # a question may have several paragraphs
        for question in pool:
            answers.setdefault(question.question, set()).update(map(str.casefold, question.answers))
        titles = {question.context: question.title for question in pool}
        articles: dict[str, list[str]] = {}
        for context in sorted(titles):
            articles.setdefault(titles[context], []).append(context)
        rng = stream(seed, "lists", name)
        lists = []
        for question in questions:
            near = _without(answers[question.question], articles[question.title], rng)
            near = near[: self.same_article]
            others = mined.get(question.question, ()), drawn.get(question.question, ())
            wrong = dict.fromkeys([*chain(*others), *near])
            texts = [question.context, *(text for text in wrong if text != question.context)]
            passages = (Passage("", text, titles[text].replace("_", " ")).titled for text in texts)
            lists.append(PassageList(self._varied(question, rng), tuple(passages)))
        return [passage_list for passage_list in lists if len(passage_list.passages) > 1]

    def _varied(self, question: SquadQuestion, rng: random.Random) -> str:
        """The question's text, translated or code-switched."""
        text = question.question
        if translations := self.translations.get(match_key(text)):
            return rng.choice(translations)
        if not self.lexicon or rng.random() >= self.code_switched:
            return text
        return switch_words(text, self.lexicon[rng.choice(sorted(self.lexicon))], rng)


def _without(answers: set[str], contexts: Sequence[str], rng: random.Random) -> list[str]:
    """The contexts that contain no answer, in random order."""
    wrong = [c for c in contexts if not any(answer in c.casefold() for answer in answers)]
    return rng.sample(wrong, len(wrong))
