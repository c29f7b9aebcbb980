"""Split questions into parts: at random, or so that no article is in two parts."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Literal

from ...core.errors import ConfigError
from ...core.types import Example

Manner = Literal["random", "article"]
PARTS = ("train", "dev", "test")


def read_shares(text: str) -> tuple[float, ...]:
    """The shares of train, dev and test: "80,10,10".

    Raises:
        ConfigError: if they are not three numbers, at least one of them above 0.
    """
    try:
        shares = tuple(float(part) for part in text.split(","))
    except ValueError:
        shares = ()
    if len(shares) != len(PARTS) or min(shares) < 0 or not 0 < sum(shares) < float("inf"):
        raise ConfigError(f"'{text:.40}' is not the shares of train, dev and test, like 80,10,10")
    return shares


def split_examples(
    examples: Sequence[Example],
    articles: Mapping[str, str],
    *,
    by: Manner,
    shares: Sequence[float],
    seed: int,
) -> dict[str, list[Example]]:
    """The examples of each part.

    `random` shuffles the questions of each language; with the shares 90, 10 and 0 as XOR QA, whose
    test questions are of another set, TyDi QA's dev set (section 2.1). `article` (ours) shuffles
    the articles of their answers, so that no article answers questions of two parts; `articles`
    are their titles by docid, where a passage has one.
    """
    parts: dict[str, list[Example]] = {name: [] for name in PARTS}
    langs = sorted({example.question.lang for example in examples})
    pools = [[e for e in examples if e.question.lang == lang] for lang in langs]
    for lang, pool in zip(langs, pools, strict=True) if by == "random" else [("", [*examples])]:
        groups = _groups(pool, by, articles)
        Random(f"{seed}:{lang}").shuffle(groups)
        limits = [len(pool) * part / sum(shares) for part in accumulate(shares)]
        done = 0
        for group in groups:
            middle = done + len(group) / 2
            below = (name for name, limit in zip(PARTS, limits, strict=False) if middle <= limit)
            parts[next(below, PARTS[-1])] += group
            done += len(group)
    order = {example.question.qid: position for position, example in enumerate(examples)}
    return {
        name: sorted(part, key=lambda example: order[example.question.qid])
        for name, part in parts.items()
    }


def _groups(
    examples: Sequence[Example], by: Manner, articles: Mapping[str, str]
) -> list[list[Example]]:
    """Questions that must stay together: one each, or those that share an article."""
    if by == "random":
        return [[example] for example in examples]
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for example in examples:
        for gold in example.golds:
            if gold.docid is not None:
                article = articles.get(gold.docid) or gold.docid
                parent[root(f"a {gold.lang} {article}")] = root(f"q {example.question.qid}")
    groups: dict[str, list[Example]] = {}
    for example in examples:
        groups.setdefault(root(f"q {example.question.qid}"), []).append(example)
    return [*groups.values()]
