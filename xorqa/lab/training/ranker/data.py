"""The data of a ranker's training: questions with the passage that answers and others."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ....core.errors import ConfigError
from ....core.progress import Log, silent
from ....core.types import Passage
from ....io.squad_xor import SquadQuestion, read_squad
from ..bitext.corpus import read_pairs
from ..bitext.lexicon import Lexicon, read_lexicon
from ..bitext.word_replacement import switch_words
from ..common.decontamination import match_key, read_excluded
from ..common.loop import claim_folder
from ..common.random_streams import stream
from ..common.recipe import matching
from ..reader.data import read_sources
from ..reader.hard_negatives import mine_hard_negatives
from ..reader.windows import sample_sources, usable_questions
from .distillation import distilled_lists
from .lists import PassageList
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
    translations = _translations(matching(recipe.translations))
    more = [row for path in matching(recipe.passages) for row in read_squad(path)]
    for number, (source, sample, pool) in enumerate(
        zip(recipe.sources, samples, pools, strict=True), 1
    ):
        is_translated = bool(translations) and any(
            match_key(one.question) in translations for one in pool
        )
        maker = _ListMaker(
            recipe,
            lexicon,
            source.code_switched,
            translations,
            more if is_translated else (),
            out,
            report,
        )
        lists += maker.make(sample.questions, pool, f"hard-{number}")
        others = usable_questions(by_source[number - 1], source, held_out=True)
        rng = stream(recipe.seed, "validation", number)
        chosen = rng.sample(others, min(recipe.validation, len(others)))
        held_out += maker.make(chosen, others, f"held-out-{number}")
    gold = len(lists)
    if recipe.distillation:
        added = distilled_lists(
            recipe, recipe.distillation, out, excluded=excluded, lexicon=lexicon, report=report
        )
        lists += added[0]
        held_out += added[1]
    stream(recipe.seed, "batches").shuffle(lists)
    size = recipe.batch_size
    batches = [lists[at : at + size] for at in range(0, len(lists), size)]
    passages = sum(len(one.passages) for one in lists)
    counts = {"questions": len(lists), "distilled": len(lists) - gold, "passages": passages}
    report(f"{counts['questions']} questions with {counts['passages']} passages")
    return RankerData(batches, held_out, counts)


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

    recipe: RankerRecipe
    lexicon: Lexicon
    code_switched: float
    translations: Mapping[str, Sequence[str]]
    passages: Sequence[SquadQuestion]  # their paragraphs are mined as well
    out: Path
    report: Log

    def make(
        self, questions: Sequence[SquadQuestion], pool: Sequence[SquadQuestion], name: str
    ) -> list[PassageList]:
        """A list per question, with negatives from the paragraphs of `pool` and `passages`."""
        seed = self.recipe.seed
        pool = [*pool, *self.passages]
        if self.recipe.mine_translations:
            rng = stream(seed, "translations", name)
            questions = [replace(one, question=self._question(one, rng)) for one in questions]
            pool += questions
        mined: dict[str, list[str]] = {}
        for question, passage in mine_hard_negatives(
            list(dict.fromkeys(questions)),
            pool,
            per_question=self.recipe.hard_negatives,
            miner=self.recipe.miner,
            rng=stream(seed, "hard negatives", name),
            folder=self.out / name,
            report=self.report,
        ):
            mined.setdefault(question, []).append(passage)
        answers: dict[str, set[str]] = {}  # a question may be asked of several paragraphs
        for one in pool:
            answers.setdefault(one.question, set()).update(map(str.casefold, one.answers))
        titles = {one.context: one.title for one in pool}
        articles: dict[str, list[str]] = {}
        for context in sorted(titles):
            articles.setdefault(titles[context], []).append(context)
        rng = stream(seed, "lists", name)
        made = []
        for one in questions:
            near = _without(answers[one.question], articles[one.title], rng)
            near = near[: self.recipe.same_article]
            wrong = dict.fromkeys([*mined.get(one.question, ()), *near])
            texts = [one.context, *(text for text in wrong if text != one.context)]
            passages = (Passage("", text, titles[text].replace("_", " ")).titled for text in texts)
            made.append(PassageList(self._question(one, rng), tuple(passages)))
        return [one for one in made if len(one.passages) > 1]

    def _question(self, one: SquadQuestion, rng: random.Random) -> str:
        if translations := self.translations.get(match_key(one.question)):
            return rng.choice(translations)
        if not self.lexicon or rng.random() >= self.code_switched:
            return one.question
        words = self.lexicon[rng.choice(sorted(self.lexicon))]
        return switch_words(one.question, words, rng)


def _without(answers: set[str], contexts: Sequence[str], rng: random.Random) -> list[str]:
    """The contexts that contain no answer, in random order."""
    wrong = [c for c in contexts if not any(answer in c.casefold() for answer in answers)]
    return rng.sample(wrong, len(wrong))
