"""The measurements of `xorqa bench score`: XOR-Full's scorers against NLTK and sacreBLEU."""

import time
import warnings
from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

from ...datasets.mini import load
from ...metrics.answers import words
from ...metrics.report import Reference
from ...metrics.task import SCORERS
from ...metrics.tasks.xor_full import XOR_FULL

SAMPLE = 2000  # predictions that the peer scores

Data = tuple[list[Reference], dict[str, str]]


def measure(n: int) -> dict[str, Any]:
    """Measure CPU seconds on one thread, without loading, and predictions per second.

    `ratio` compares predictions per second: all metrics of both scorers with the peer, which
    computes only the two BLEU scores.
    """
    references, predictions = synthetic(n)
    sample = references[:SAMPLE]
    _peer(sample[:100], predictions)
    peer = _peer(sample, predictions)
    figures: dict[str, Any] = {"predictions": n}
    for scorer in SCORERS:
        XOR_FULL.evaluate(references[:100], predictions, scorer=scorer)
        started = time.process_time()
        XOR_FULL.evaluate(references, predictions, scorer=scorer)
        figures[f"{scorer}_s"] = time.process_time() - started
    seconds = figures["official_s"] + figures["strict_s"]
    speed, peer_speed = n / seconds, len(sample) / peer
    return {**figures, "per_s": speed, "peer_per_s": peer_speed, "ratio": speed / peer_speed}


def synthetic(n: int, *, seed: int = 0) -> Data:
    """Questions of the bundled data drawn with replacement, and right and wrong answers."""
    random, examples = Random(seed), load().examples
    references, predictions = [], {}
    for number in range(n):
        example = random.choice(examples)
        lang = example.question.lang
        golds = tuple(gold.text for gold in example.golds if gold.lang == lang)
        references.append(Reference(str(number), lang, golds))
        predictions[str(number)] = _perturbed(random.choice(golds), example.question.text, random)
    return references, predictions


def _perturbed(answer: str, question: str, random: Random) -> str:
    """Keep two of ten answers, replace characters in four, and add words to four."""
    kind = random.randrange(5)
    if kind == 0:
        return answer
    if kind < 3:
        letters = list(answer)
        for _ in range(3):
            letters[random.randrange(len(letters))] = random.choice(question)
        return "".join(letters)
    return f"{answer} {random.choice(question.split())} {random.randrange(10_000)}"


def _peer(references: Sequence[Reference], predictions: dict[str, str]) -> float:
    """CPU seconds of NLTK's and sacreBLEU's sentence BLEU, without caching."""
    characters = import_module("nltk.translate.bleu_score").sentence_bleu
    bleu = import_module("sacrebleu").BLEU(tokenize="none", effective_order=True)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns about every order without an overlap
        for reference in references:
            texts = (predictions[reference.qid], *reference.answers)
            characters(texts[1:], texts[0])
            line, *golds = (" ".join(words.__wrapped__(text, reference.lang)) for text in texts)
            bleu.sentence_score(line, golds)
    return time.process_time() - started
