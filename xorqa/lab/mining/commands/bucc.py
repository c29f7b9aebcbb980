"""`xorqa eval bucc`: F1 of mined sentence pairs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import Output, with_groups
from ....cli.show import counted
from ....core.errors import ConfigError
from ....tables.grid import score_grid
from ..bucc import Pair, above, bucc_report, score_pairs, tune_threshold
from ..bucc_files import Candidates, gold_language, read_candidates, read_gold

Files = list[Path] | None


@with_groups
def bucc(
    data: Annotated[
        list[Path], Option(help="Gold pairs: two ids per line, separated by a tab; repeatable.")
    ],
    pred: Annotated[
        list[Path],
        Option(help="Mined pairs: two ids per line, or a score before them; one per --data."),
    ],
    output: Output,
    train_data: Annotated[Files, Option(help="Gold pairs to tune the threshold on.")] = None,
    train_pred: Annotated[Files, Option(help="Scored pairs of --train-data.")] = None,
    threshold: Annotated[float | None, Option(help="The lowest score of a pair.")] = None,
) -> None:
    """BUCC's F1, precision and recall of mined sentence pairs, as XTREME's scripts compute them.

    Scored pairs need a threshold: tuned on training pairs (--train-data, --train-pred), given, or
    else tuned on the evaluated pairs. `xorqa mine --ids` writes scored pairs.

    Example: xorqa eval bucc --data de-en.test.gold --pred de-en.test.tsv
    --train-data de-en.training.gold --train-pred de-en.training.tsv
    """
    _check(data, pred, train_data, train_pred, threshold)
    values, n, thresholds = {}, {}, {}
    signature = "pairs without scores"
    for number, (gold_path, pred_path) in enumerate(zip(data, pred, strict=True)):
        gold, candidates = read_gold(gold_path), read_candidates(pred_path)
        lang = gold_language(gold_path, gold)
        if lang in values:
            raise ConfigError(f"{gold_path}: another --data file has the language '{lang}' already")
        pairs = set(candidates.scores)
        if candidates.scored:
            train = (train_data[number], train_pred[number]) if train_data and train_pred else None
            thresholds[lang], signature = _threshold(gold, candidates, train, threshold)
            pairs = above(candidates.scores, thresholds[lang])
        values[lang], n[lang] = score_pairs(pairs, gold), len(gold)
    report = bucc_report(values, n, signature=signature)
    output.write_json(report.to_json() | {"thresholds": thresholds})
    output.print_grid(score_grid("bucc", {"official": report}, first="scorer"))
    output.aside(f"gold pairs: {counted(n)}")


def _threshold(
    gold: set[Pair],
    candidates: Candidates,
    train: tuple[Path, Path] | None,
    given: float | None,
) -> tuple[float, str]:
    """The threshold of a language, and where it comes from."""
    if given is not None:
        return given, f"threshold {given}"
    if train is None:
        return tune_threshold(candidates.scores, gold), "threshold tuned on the evaluated pairs"
    tuned = tune_threshold(read_candidates(train[1]).scores, read_gold(train[0]))
    return tuned, "threshold tuned on training pairs"


def _check(
    data: Sequence[Path],
    pred: Sequence[Path],
    train_data: Files,
    train_pred: Files,
    threshold: float | None,
) -> None:
    """Raise ConfigError unless the options go together."""
    if len(pred) != len(data):
        raise ConfigError(f"{len(data)} --data files for {len(pred)} --pred files")
    for option, paths in (("--train-data", train_data), ("--train-pred", train_pred)):
        if (train_data or train_pred) and len(paths or ()) != len(data):
            raise ConfigError(f"{len(data)} --data files for {len(paths or ())} {option} files")
    if threshold is not None and train_data:
        raise ConfigError("use either --threshold or --train-data")
