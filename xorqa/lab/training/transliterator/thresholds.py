"""Refit a transliterator's thresholds on other names than it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ....answering.transliteration.name_table import key
from ....answering.transliteration.transliterate import needs_sounds
from ....core.errors import DataError
from ....models.transliterator import TASK, Transliteration, TransliteratorModel
from ..common.finetuning import save_adapter
from ..common.training_data import read_pairs, short_names
from .data import NamePair, by_language, hash_place
from .scores import Right, fit_threshold, rights, score, spelled
from .spelling import words_of
from .train import BEAMS


def refit_thresholds(
    weights: str, names: Sequence[Path], out: Path, *, trained: Sequence[Path] = ()
) -> dict[str, dict[str, float]]:
    """Write the weights with thresholds fitted on files of name pairs; returns the scores.

    Names that are in the files `trained`, and not among those that the training held out, are
    left out, as are those that need no spelling. `exact_unseen` is the exact match of each half
    of the names, by hash, with the threshold of the other half.

    Raises:
        DataError: if a file cannot be used, or no name is left.
        WeightsError: if there is no such transliterator.
    """
    from safetensors.torch import load_file

    model = TransliteratorModel(weights)
    share = float(model.adapter.card.get("recipe", {}).get("held_out", 0.0))
    seen = {(pair[0], key(pair[3])) for pair in read_pairs(trained) if hash_place(pair[3]) >= share}
    pairs = _unseen_names(names, seen, model.alphabet.langs)
    if not pairs:
        raise DataError(f"{', '.join(map(str, names))}: no name is left to fit thresholds on")
    thresholds, scores = dict(model.thresholds), {}
    for lang, of_lang in by_language(pairs).items():
        ranked = model.transliterate([pair[1] for pair in of_lang], lang, beams=BEAMS)
        best = [row[0] if row else Transliteration("", 0.0) for row in ranked]
        fitted = score(lang, of_lang, best)
        thresholds[lang] = fitted.threshold
        unseen = _exact_unseen(lang, of_lang, best)
        scores[lang] = fitted.to_json() | {"exact_unseen": round(unseen, 4)}
    fitted_on = {"files": short_names(map(str, names)), "scores": scores}
    card = {**model.adapter.card, "thresholds": thresholds, "thresholds_fitted_on": fitted_on}
    save_adapter(out, load_file(model.adapter.path), task=TASK, base=model.adapter.base, card=card)
    return scores


def _unseen_names(
    files: Sequence[Path], seen: set[tuple[str, str]], langs: Sequence[str]
) -> list[NamePair]:
    """The pairs of the files that a model has not been trained on."""
    return [
        (lang, " ".join(words_of(english)), " ".join(words_of(name)))
        for lang, name, _, english in dict.fromkeys(read_pairs(files))
        if lang in langs and (lang, key(english)) not in seen and needs_sounds(english, lang)
    ]


def _exact_unseen(lang: str, pairs: Sequence[NamePair], best: Sequence[Transliteration]) -> float:
    """Exact match in percent, each half of the names with the threshold of the other."""
    rows = rights(pairs, best, spelled(lang, pairs))
    halves: tuple[list[Right], list[Right]] = ([], [])
    for pair, row in zip(pairs, rows, strict=True):
        halves[hash_place(f"{pair[1]} half") < 0.5].append(row)
    right = 0
    for half, other in (halves, halves[::-1]):
        threshold, _ = fit_threshold(other)
        right += sum(model if sure >= threshold else rule for sure, model, rule in half)
    return 100 * right / len(pairs)
