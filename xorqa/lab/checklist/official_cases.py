"""Cases from the official MultiCheckList templates, for comparison with published results.

The table has no names, so those of the bundled checklists are used. If a checklist marks gender,
the three tests whose templates are in the masculine have men only, as in the authors' code, and the
others men and women equally often (Ruder et al. 2021, appendix F). Errors in the table (a
question with the placeholder of another, an answer spelt differently than in the context) are kept.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from ...core.errors import DataError
from .format import Checklist
from .generate import CASES, SEED, TRIES
from .official_table import Block, Entry, complete_languages, fill_in_keys, pick_form
from .placeholders import AGREEMENT
from .suite import Case, Example

NAMES = (
    "comparisons",
    "intensifiers",
    "properties",
    "job and nationality",
    "animal and vehicle",
    "animal and vehicle 2",
)
"""The names of the tests, in the table's order."""
_OF_MEN = frozenset({"comparisons", "intensifiers", "job and nationality"})
"""The tests whose templates are in the masculine."""
ID_PREFIX = "official/"
"""The prefix of these cases' ids."""
NAMES_NOTE = "Names of persons are from xorqa's checklists; XTREME-R's are from Wikidata."
"""A note to print with results on these cases."""

_PLACEHOLDER = re.compile(r"\{(?:a:)?(\w+)(?:\[(\d)\]|\.(\w+))?\}")
_FEWEST = 3
_PERSON = re.compile(r"first_name\d?")
_ALIASES = {"s": "state"}
_PROPERTY, _PAIR = "property", "p"


@dataclass(frozen=True, slots=True)
class People:
    """The data of a language that are not in the table; `men` is empty if no gender is marked."""

    names: Sequence[str]
    articles: tuple[str, ...]
    men: Sequence[str] = ()

    @property
    def women(self) -> list[str]:
        """The names that are not those of men."""
        return [name for name in self.names if name not in self.men]


def people(checklist: Checklist) -> People:
    """The names and articles of a checklist."""
    names = checklist.words.get("name", {}).values()
    men = [name.text for name in names if name.form(AGREEMENT) == "m"]
    everybody = [name.text for name in names]
    return People(everybody, checklist.articles, men if len(men) >= _FEWEST else ())


def generate_official(
    blocks: Sequence[Block],
    by_lang: Mapping[str, People],
    *,
    langs: Sequence[str] = (),
    count: int = CASES,
    seed: int = SEED,
) -> Iterator[Case]:
    """Yield `count` cases per test and language, by default for all languages of the table.

    Raises:
        DataError: if a template cannot be filled; it names language, test and placeholder.
    """
    lists = {kind: rows for block in blocks for kind, rows in block.lists.items()}
    for lang in langs or complete_languages(blocks):
        if lang not in by_lang:
            raise DataError(f"no checklist of '{lang}' to take names from")
        for position, block in enumerate(blocks):
            name = NAMES[position] if position < len(NAMES) else block.name
            try:
                maker = _Maker(block, lists, lang, by_lang[lang], of_men=name in _OF_MEN)
                cases = maker.distinct(count, random.Random(f"{seed} {lang} {name}"))
            except DataError as error:
                raise DataError(f"{lang}, test '{name}': {error}") from error
            for number, examples in enumerate(cases):
                key = f"{ID_PREFIX}{lang}/{name}/{number:03}".replace(" ", "-")
                capability, articles = block.capability.lower(), by_lang[lang].articles
                yield Case(key, lang, name, capability, "MFT", articles, examples)


class _Maker:
    """Builds the cases of a test in a language."""

    def __init__(
        self,
        block: Block,
        lists: Mapping[str, list[Entry]],
        lang: str,
        folk: People,
        *,
        of_men: bool,
    ) -> None:
        self.block, self.lists, self.lang, self.folk, self.of_men = block, lists, lang, folk, of_men
        texts = [entry.english for entry in (*block.contexts, *block.questions, *block.answers)]
        roots = {match[1] for text in texts for match in _PLACEHOLDER.finditer(text)}
        self.persons = sorted(root for root in roots if _PERSON.fullmatch(root))
        self.kinds = sorted(_ALIASES.get(root, root) for root in roots - {*self.persons, _PAIR})
        self.paired = _PAIR in roots
        kinds = list(self.kinds)
        if self.paired:  # a pair of properties has fill-ins for each property
            kinds += [_PROPERTY, *(row.english for row in self.lists.get(_PROPERTY, ()))]
        for kind in kinds:
            if not self._rows(kind):
                raise DataError(f"the table has no fill-ins '{kind}'")
        self.keys = [
            frozenset().union(*(fill_in_keys(row.english) for row in self.lists[kind]))
            for kind in kinds
        ]

    def distinct(self, count: int, chance: random.Random) -> list[tuple[Example, ...]]:
        """The examples of `count` distinct cases."""
        distinct: dict[frozenset[tuple[str, str]], tuple[Example, ...]] = {}
        for _ in range(TRIES * count):
            if len(distinct) == count:
                return list(distinct.values())
            examples = self.case(chance)
            distinct.setdefault(frozenset((e.context, e.question) for e in examples), examples)
        raise DataError(f"its words allow {len(distinct)} cases, not {count}")

    def case(self, chance: random.Random) -> tuple[Example, ...]:
        """Each question of each context, for one choice of fill-ins and names."""
        rows = {kind: chance.choice(self._rows(kind)) for kind in self.kinds}
        people = dict(zip(self.persons, self.draw_names(chance), strict=True))
        pair: list[tuple[Entry, Entry]] = []
        if self.paired:
            for row in chance.sample(self._rows(_PROPERTY), 2):
                pair.append((row, chance.choice(self._rows(row.english))))
        fill = partial(self._fill, rows=rows, people=people, pair=pair)
        examples = []
        for context in self.block.contexts:
            text = fill(context, about=pair)
            asks = zip(self.block.questions, self.block.answers, strict=True)
            for number, entries in enumerate(asks):
                question, gold = (fill(entry, about=pair[number : number + 1]) for entry in entries)
                examples.append(Example(text, question, (gold,)))
        return tuple(examples)

    def draw_names(self, chance: random.Random) -> list[str]:
        """A name for each person: of men only, of both genders equally often, or of anybody."""
        count, folk = len(self.persons), self.folk
        names = list(folk.men if folk.men and self.of_men else folk.names)
        if len(names) < count:
            raise DataError(f"needs {count} names, not {len(names)}")
        if not folk.men or self.of_men or min(len(folk.men), len(folk.women)) < count:
            return chance.sample(names, count)
        men, women = chance.sample(list(folk.men), count), chance.sample(folk.women, count)
        return [chance.choice(pair) for pair in zip(men, women, strict=True)]

    def _fill(
        self,
        entry: Entry,
        *,
        rows: Mapping[str, Entry],
        people: Mapping[str, str],
        pair: Sequence[tuple[Entry, Entry]],
        about: Sequence[tuple[Entry, Entry]],
    ) -> str:
        """Fill a template; a form may depend on the properties in `about`."""
        known = chain(rows.values(), *about)
        chosen = {key for row in known for key in fill_in_keys(row.english)}

        def form(row: Entry) -> str:
            return pick_form(row, self.lang, chosen, self.keys, entry.english) or ""

        def word(match: re.Match[str]) -> str:
            root, index, part = match.groups()
            kind = _ALIASES.get(root, root)
            if root in people:
                return people[root]
            if root == _PAIR and part in {"p1", "v1", "p2", "v2"}:
                return form(pair[int(part[1]) - 1][part[0] == "v"])
            if kind not in rows:
                raise DataError(f"placeholder {match[0]}: not in the English template")
            return form(rows[kind]) if index is None else _part(form(rows[kind]), int(index))

        return _PLACEHOLDER.sub(word, form(entry))

    def _rows(self, kind: str) -> list[Entry]:
        """The fill-ins of a kind that exist in the language."""
        return [row for row in self.lists.get(kind, ()) if self.lang in row.by_lang]


def _part(text: str, index: int) -> str:
    """One of the forms in a cell, which are separated by spaces in Thai, by commas otherwise."""
    parts = [part.strip() for part in re.split(r"[,،、၊，]", text) if part.strip()]
    if len(parts) == 1:
        parts = text.split()
    return parts[min(index, len(parts) - 1)]
