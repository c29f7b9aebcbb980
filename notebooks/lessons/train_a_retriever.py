"""Tools of lesson 13: questions in 17 languages, a bi-encoder without a transformer, its ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.training.multilingual_questions.questions import (
    LANGS,
    english_questions,
    translations,
)
from xorqa.models.checkpoints import load_body, resolve, shared_tokenizer
from xorqa.models.encoder import Encoder

from . import bundled
from .fonts import use_fonts
from .intervals import SAMPLES, Difference, difference, middle
from .train_a_retriever_exercises import check_1, check_2, check_3, check_4

if TYPE_CHECKING:
    import torch
    from matplotlib.figure import Figure

__all__ = [
    "LANGS",
    "bag",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "draw_languages",
    "draw_loss",
    "encode",
    "first",
    "gain",
    "gain_over_seeds",
    "large_ranks",
    "parameters",
    "passage_gain",
    "passage_ranks",
    "positions",
    "ranks",
    "shown_gain",
    "start",
    "texts",
]

Ints = NDArray[np.int64]
ENGLISH = "en"


@cache
def texts(lang: str) -> tuple[str, ...]:
    """The 3,624 questions in a language; the same order in all of them."""
    if lang == ENGLISH:
        return tuple(question.text for question in english_questions())
    by_qid = translations(lang)
    return tuple(by_qid[question.qid] for question in english_questions())


@cache
def positions(split: str) -> tuple[int, ...]:
    """Which of the questions are in "train" or in "validation"; the split is by article."""
    written = enumerate(english_questions())
    return tuple(at for at, question in written if question.split == split)


@cache
def _subwords(lang: str) -> tuple[Ints, ...]:
    """The subwords of the questions in a language, as rows of the table."""
    return _rows(texts(lang))


@cache
def _passages() -> tuple[tuple[Ints, ...], tuple[Ints, ...], Ints]:
    """The bundled world's crossing questions, its English passages, and each one's gold."""
    passages = list(bundled.english())
    places = {passage.docid: at for at, passage in enumerate(passages)}
    asked = _rows([example.question.text for example in bundled.crossing()])
    read = _rows([f"{passage.title} {passage.text}" for passage in passages])
    golds = np.array([places[bundled.gold_docid(example)] for example in bundled.crossing()])
    return asked, read, golds


def _rows(of: Sequence[str]) -> tuple[Ints, ...]:
    encoded = shared_tokenizer(resolve())(list(of), add_special_tokens=False)["input_ids"]
    return tuple(np.array(ids, np.int64) for ids in encoded)


@cache
def start() -> torch.Tensor:
    """The input embeddings of multilingual E5 small (subwords, dimensions): no transformer."""
    weights: torch.Tensor = load_body(resolve()).get_input_embeddings().weight
    return weights.detach().clone().float()


def parameters(table: torch.Tensor) -> int:
    """How many numbers of a table the questions use."""
    used = {row for lang in (ENGLISH, *LANGS) for ids in _subwords(lang) for row in ids.tolist()}
    return len(used) * table.shape[1]


def bag(pairs: Sequence[tuple[str, int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """The subwords of questions (language, position) in one list, and where each begins."""
    return _joined([_subwords(lang)[at] for lang, at in pairs])


def _joined(rows: Sequence[Ints]) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    begins = np.cumsum([0, *(len(ids) for ids in rows[:-1])])
    return torch.from_numpy(np.concatenate(rows)), torch.from_numpy(begins)


def encode(table: torch.Tensor, subwords: torch.Tensor, begins: torch.Tensor) -> torch.Tensor:
    """Texts as vectors of length 1: the mean of the rows of their subwords."""
    from torch.nn.functional import embedding_bag, normalize

    mean = embedding_bag(subwords, table, begins, mode="mean", sparse=table.requires_grad)
    return normalize(mean, dim=1)


def ranks(
    table: torch.Tensor, langs: Sequence[str] = LANGS, *, split: str = "validation"
) -> dict[str, Ints]:
    """By language: the rank of the English question among all, for the questions of a split."""
    table, golds = table.detach(), np.array(positions(split))
    everything = encode(table, *bag([(ENGLISH, at) for at in range(len(texts(ENGLISH)))])).numpy()
    found = {}
    for lang in langs:
        asked = encode(table, *bag([(lang, at) for at in positions(split)])).numpy()
        found[lang] = _ranks(asked @ everything.T, golds)
    return found


@cache
def large_ranks() -> dict[str, Ints]:
    """The same with all twelve layers of E5."""
    encoder = Encoder()
    everything = encoder.queries(texts(ENGLISH)).T
    golds = np.array(positions("validation"))
    return {
        lang: _ranks(encoder.queries([texts(lang)[at] for at in golds]) @ everything, golds)
        for lang in LANGS
    }


def _ranks(scores: NDArray[Any], golds: Ints) -> Ints:
    of_gold = scores[np.arange(len(golds)), golds]
    above: Ints = (scores > of_gold[:, None]).sum(axis=1)
    return 1 + above


def passage_ranks(table: torch.Tensor) -> Ints:
    """The rank of the gold passage for the bundled world's crossing questions."""
    asked, read, golds = _passages()
    vectors = encode(table.detach(), *_joined(read)).numpy()
    return _ranks(encode(table.detach(), *_joined(asked)).numpy() @ vectors.T, golds)


def first(found: Mapping[str, Ints], langs: Sequence[str] = LANGS) -> float:
    """For how many of the questions in these languages the right one is first, in percent."""
    return float(100 * np.mean([found[lang] == 1 for lang in langs]))


def gain(
    before: Mapping[str, Ints], after: Mapping[str, Ints], langs: Sequence[str] = LANGS
) -> Difference:
    """The difference in right questions at the first rank, in points.

    The interval draws source questions: the translations of one are not independent.
    """
    return gain_over_seeds([before], [after], langs)


def gain_over_seeds(
    before: Sequence[Mapping[str, Ints]],
    after: Sequence[Mapping[str, Ints]],
    langs: Sequence[str] = LANGS,
) -> Difference:
    """The same over several runs of both."""
    sources = [at for _ in before for _ in langs for at in positions("validation")]
    one, other = (
        np.concatenate([run[lang] for run in runs for lang in langs]) == 1
        for runs in (before, after)
    )
    return difference(one, other, groups=sources)


def passage_gain(before: Ints, after: Ints) -> Difference:
    """The difference in gold passages among the first ten, in points."""
    return difference(before <= 10, after <= 10)


def shown_gain(
    right: NDArray[np.bool_], shown: NDArray[np.bool_], *, by_language: bool = False
) -> Difference:
    """Right answers (languages, questions) where `shown` minus where not, in points.

    Over all languages together, or the mean of the differences within each. The interval draws
    source questions.
    """
    n = right.shape[1]
    stream = np.random.default_rng(1)
    times = stream.multinomial(n, np.full(n, 1 / n), size=SAMPLES)
    times = np.concatenate([np.ones((1, n), np.int64), times])  # first the questions as they are

    def share(part: NDArray[np.bool_]) -> NDArray[Any]:
        hits, of = times @ (right & part).T, times @ part.T
        return hits / of if by_language else (hits.sum(axis=1) / of.sum(axis=1))[:, None]

    points = 100 * (share(shown) - share(~shown)).mean(axis=1)
    return Difference(float(points[0]), *middle(points[1:]), n)


def draw_languages(systems: Mapping[str, Mapping[str, Ints]]) -> Figure:
    """By language, for how many questions the right one is first."""
    import matplotlib.pyplot as plt

    use_fonts()
    figure: Figure
    figure, axes = plt.subplots(figsize=(7.5, 3.2), layout="constrained")
    looks = (("#bbbbbb", "s"), ("#ee6677", "^"), ("#4477aa", "o"))
    order = sorted(LANGS, key=lambda lang: -first(next(iter(systems.values())), [lang]))
    for (name, found), (colour, marker) in zip(systems.items(), looks, strict=False):
        shares = [first(found, [lang]) for lang in order]
        axes.plot(order, shares, marker, color=colour, label=name)
    axes.set(ylabel="right one first, %", ylim=(0, 103))
    axes.grid(axis="y", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def draw_loss(steps: Sequence[int], losses: Sequence[float], shares: Mapping[int, float]) -> Figure:
    """The loss of each step, and the share of right questions first now and then."""
    import matplotlib.pyplot as plt

    figure: Figure
    figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
    axes.plot(steps, losses, color="#bbbbbb", label="loss of the batch (left)")
    axes.set(xlabel="step", ylabel="loss", ylim=(0, None))
    right = axes.twinx()
    right.plot(*zip(*shares.items(), strict=True), "o-", color="#4477aa", label="first, % (right)")
    right.set(ylabel="right one first, %", ylim=(0, 100))
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figure
