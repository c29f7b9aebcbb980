"""`xorqa eval tatoeba` and `xsim`: retrieval of translations by an encoder."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Langs, Output, split_langs, with_groups
from ....cli.show import counted, progress
from ....core.errors import ConfigError, DataError
from ....metrics.report import Report, Score, average
from ....models.checkpoints import DEFAULT
from ....tables.grid import score_grid
from ...common.fetched import local_or_fetched
from ..encoding import encode_sides
from ..margins import K, Margin
from ..sentences import read_parallel
from ..tatoeba import XTREME, XTREME_R, score_tatoeba, tatoeba_report
from ..tatoeba_files import find_test_sets
from ..xsim import score_xsim
from .mine import VectorsFolder

EncoderOption = Annotated[
    str,
    Option(
        help="A checkpoint (hub name or ./folder), an encoder's adapter, or an .npz file with an "
        "array per text file, named like it."
    ),
]


@with_groups
def tatoeba(
    folder: Annotated[
        Path, Option("--dir", help="The test sets: tatoeba.fin-eng.fin, tatoeba.fin-eng.eng, ...")
    ],
    output: Output,
    encoder: EncoderOption = DEFAULT,
    lang: Langs = None,
    vectors: VectorsFolder = None,
) -> None:
    """Accuracy of retrieving Tatoeba's translations by cosine, as in XTREME and XTREME-R.

    accuracy searches the other language with each English sentence, as XTREME's script does;
    accuracy_to_en is the other direction. Ties are errors.

    Example: xorqa eval tatoeba --dir tatoeba --encoder encoder-aligned --lang fi,ko
    """
    test_sets = find_test_sets(local_or_fetched(folder), split_langs(lang))
    scores: list[Score] = []
    with progress() as report:
        for code, (path, english_path) in test_sets.items():
            sides = [read_parallel(english_path, "en"), read_parallel(path, code)]
            if len(sides[0]) != len(sides[1]):
                raise DataError(
                    f"{english_path} has {len(sides[0])} lines, {path.name} {len(sides[1])}"
                )
            english, other = encode_sides(encoder, sides, folder=vectors, progress=report)
            scores += score_tatoeba(english, other, lang=code)
    result = tatoeba_report(scores)
    _print(result, encoder, output)
    for name, langs in (("XTREME", XTREME), ("XTREME-R", XTREME_R)):
        if subset := result.subsets.get(name):
            present = f"{len(subset.n)} of its {len(langs)} languages"
            output.aside(f"{name}, {present}: accuracy {subset.macro['accuracy']:.1f}")


@with_groups
def xsim(
    source: Annotated[Path, Argument(help="Sentences, one per line.")],
    target: Annotated[Path, Argument(help="Their translations, line by line.")],
    langs: Annotated[str, Option(help="The two languages: fi,en.")],
    output: Output,
    encoder: EncoderOption = DEFAULT,
    margin: Annotated[Margin, Option(help="How a pair is scored.")] = "ratio",
    k: Annotated[int, Option("--k", min=1, help="Nearest neighbours of each sentence.")] = K,
    vectors: VectorsFolder = None,
) -> None:
    """xSIM, LASER's similarity error rate: the share of sentences with a better candidate.

    Lower is better.

    Example: xorqa eval xsim flores.fi flores.en --langs fi,en --margin ratio
    """
    codes = two_langs(langs)
    sides = [read_parallel(path, code) for path, code in zip((source, target), codes, strict=True)]
    with progress() as report:
        x, y = encode_sides(encoder, sides, folder=vectors, progress=report)
    scores = score_xsim(x, y, lang=codes[0], margin=margin, k=k)
    signature = margin if margin == "absolute" else f"{margin}, k = {k}"
    result = average(scores, task="xsim", scorer="official", signature=signature)
    _print(result, encoder, output)


def two_langs(value: str) -> list[str]:
    """The languages of `--langs fi,en`. Raises ConfigError unless there are two."""
    codes = [code.strip() for code in value.split(",")]
    if len(codes) != 2 or not all(codes):
        raise ConfigError(f"--langs {value}: name the languages of the two files, such as fi,en")
    return codes


def _print(result: Report, encoder: str, output: Output) -> None:
    output.write_json({"encoder": encoder, **result.to_json()})
    output.print_grid(score_grid(result.task, {encoder: result}, first="encoder"))
    output.aside(f"sentences: {counted(result.n)}")
