"""`xorqa data check` and `xorqa data export`: data sets of your own."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from ....cli.options import JsonFile, datasets
from ....cli.show import counted, print_line
from ....core.errors import ConfigError
from ....core.progress import quantity
from ....datasets.catalog import load_dataset
from ....datasets.dataset import NOWHERE
from ....datasets.user_data import PASSAGES, has_questions
from ....io.files import write_json
from ..check_folder import ERRORS, KINDS, check_folder
from ..export import EXPORTS
from ..without_gold import without_gold

EXAMPLES = 5  # of each kind, without --all


def check(
    folder: Annotated[
        Path, Argument(help="The folder: questions.fi.jsonl, passages.fi.jsonl, ...")
    ],
    json_file: JsonFile = None,
    everything: Annotated[
        bool, Option("--all", help=f"Show more than {EXAMPLES} problems of a kind.")
    ] = False,
) -> None:
    """Check a data set of your own: ids, gold passages, spans, duplicates and languages.

    The exit status is 1 if there is an error; warnings may be intended.

    Example: xorqa data check rivers
    """
    if not has_questions(folder):
        raise ConfigError(f"{folder} has no questions.jsonl or questions.*.jsonl")
    checked = check_folder(folder)
    if json_file:
        write_json(json_file, asdict(checked) | {"valid": checked.is_valid})
    print_line(f"questions: {counted(checked.questions) or 'none'}")
    print_line(f"passages: {counted(checked.passages) or f'none ({PASSAGES})'}")
    for kind in KINDS:
        problems = [problem for problem in checked.problems if problem.kind == kind]
        if problems:
            print_line(f"{'error' if kind in ERRORS else 'warning'}: {kind}: {len(problems)}")
        shown = problems if everything else problems[:EXAMPLES]
        for problem in shown:
            print_line(f"  {problem.where}: {problem.detail}")
        if len(shown) < len(problems):
            print_line(f"  and {len(problems) - len(shown)} more (--all)")
    if not checked.is_valid:
        print_line(f"{folder}: correct the errors before you use it")
        raise typer.Exit(1)
    print_line(f"{folder} is valid; run it with: xorqa run CONFIG --data {folder}")


def export(
    name: Annotated[
        str, Argument(help="A data set, or a folder of your own.", autocompletion=datasets)
    ],
    out: Annotated[Path, Option(help="The folder of the files.")],
    format: Annotated[
        Literal["xor", "squad", "trec", "folder"],
        Option(
            help="xor: XOR QA's JSONL and psgs_w100 TSV; squad: SQuAD-style JSON; trec: topics, "
            "qrels and documents; folder: for --data FOLDER."
        ),
    ],
    share: Annotated[
        float | None,
        Option(
            "--without-gold",
            min=0,
            max=1,
            help="Remove this share of the gold passages, so that questions have no answer.",
        ),
    ] = None,
    seed: Annotated[int, Option(min=0, help="--without-gold: which passages are drawn.")] = 0,
) -> None:
    """Write a data set in the layout of XOR QA, SQuAD or TREC, or as a folder of your own.

    Examples: xorqa data export rivers --format trec --out rivers-trec
    xorqa data export mini --format folder --without-gold 0.33 --out gaps
    """
    dataset = load_dataset(name)
    if share is not None:
        dataset = without_gold(dataset, share, seed=seed)
        nowhere = [e.question.lang for e in dataset.examples if e.answered_in == NOWHERE]
        print_line(f"questions without an answer: {counted(Counter(nowhere)) or 'none'}")
    for file, count in EXPORTS[format](dataset, out).items():
        unit = "passage" if file.startswith("passages") else "question"
        print_line(f"{out / file}: {quantity(count, unit)}")
