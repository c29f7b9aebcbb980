"""`xorqa train`: train weights from a recipe."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import ConfigError
from ..core.quantity import quantity
from ..models.adapters import open_adapter
from ..tables.grid import Grid
from ..training.average import average_encoders, average_readers
from ..training.biencoder.recipe import BiencoderRecipe
from ..training.bitext.corpus import OUTCOMES, gather_pairs, read_pairs
from ..training.bitext.lexicon import make_lexicon, write_lexicon
from ..training.chooser.train import train_chooser
from ..training.common.decontamination import read_excluded
from ..training.common.recipe import SquadSource, located
from ..training.history import KINDS, read_history
from ..training.reader.no_answer import fit_no_answer
from ..training.reader.recipe import ReaderRecipe
from ..training.repeat import repeat_history, train_once
from ..training.translator.data import read_data, write_held_out
from ..training.translator.recipe import TranslatorRecipe
from ..training.transliterator.attested import write_words
from ..training.transliterator.gather import OUTCOMES as NAME_OUTCOMES
from ..training.transliterator.gather import gather_names
from ..training.transliterator.sentence_names import sentence_names
from ..training.transliterator.thresholds import refit_thresholds
from .completion import recipes as recipe_names
from .options import Trust, Wait, split_langs
from .show import console, print_grid, waiting_if
from .train_confidence import confidence

app = typer.Typer(no_args_is_help=True)

Config = Annotated[
    str,
    typer.Argument(
        help="A recipe's name (reader-en, encoder-lareqa) or a file (my.toml).",
        autocompletion=recipe_names,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of checkpoints, curves and weights; without it, show the plan."),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", help="Train without stages, with schedule.learning_rate=1e-4."),
]
Stage = Annotated[str | None, typer.Option(help="Stop after this stage of the recipe.")]


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; after an interruption the same command resumes."""


@app.command()
def reader(
    config: Config,
    out: Out = None,
    changes: Changes = None,
    stage: Stage = None,
    wait: Wait = False,
) -> None:
    """Train a span reader on SQuAD-style files, in all stages of its recipe.

    Example: xorqa train reader reader-en --out training/reader-en
    """
    with waiting_if(wait):
        _train("reader", config, out, changes, stage)


@app.command()
def average(
    config: Config,
    adapters: Annotated[list[str], typer.Argument(help="Names or files of two or more adapters.")],
    out: Annotated[Path, typer.Option(help="The folder for the mean and its card.")],
) -> None:
    """Average the weights of readers or encoders; the recipe gives the validation questions.

    Example: xorqa train average reader-multi r2/reader.safetensors r3/reader.safetensors --out mean
    """
    if open_adapter(adapters[0]).task == "encoder":
        path = average_encoders(BiencoderRecipe.load(config), adapters, out)
    else:
        path = average_readers(ReaderRecipe.load(config), adapters, out)
    console.print(f"adapter: {path}", soft_wrap=True)


@app.command()
def biencoder(
    config: Config,
    out: Out = None,
    changes: Changes = None,
    stage: Stage = None,
    wait: Wait = False,
) -> None:
    """Train the encoder of dense retrieval on questions and sentence pairs.

    Example: xorqa train biencoder encoder-lareqa --set seed=2 --out training/encoder-x-x
    """
    with waiting_if(wait):
        _train("biencoder", config, out, changes, stage)


@app.command()
def query_encoder(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train the query encoder of dense retrieval; existing indexes stay valid.

    Example: xorqa train query-encoder encoder-queries --out training/encoder-queries
    """
    with waiting_if(wait):
        _train("query_encoder", config, out, changes, None)


@app.command()
def translator(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a translator of questions into English on sentence pairs.

    Example: xorqa train translator translator --out training/translator
    """
    with waiting_if(wait):
        _train("translator", config, out, changes, None)


@app.command()
def transliterator(
    config: Config, out: Out = None, changes: Changes = None, wait: Wait = False
) -> None:
    """Train a transliterator of English names on name pairs.

    Example: xorqa train transliterator transliterator --out training/transliterator
    """
    with waiting_if(wait):
        _train("transliterator", config, out, changes, None)


def _train(
    kind: str, config: str, out: Path | None, changes: list[str] | None, stage: str | None
) -> None:
    """Train a recipe in `out`, or show its stages and inputs."""
    if changes and stage:
        raise ConfigError("use --set or --stage, not both: --set trains once, without stages")
    history = read_history(config, kind)
    if out is None:
        print_grid(history.describe())
        print_grid(history.describe_inputs())
        console.print("Nothing was trained; give a folder with --out.")
        return
    if history.stages and not changes:
        paths = repeat_history(history, out, until=stage, report=console.print)
    elif stage:
        raise ConfigError(f"{history.config} has no stages; remove --stage")
    else:
        paths = train_once(KINDS[kind].load(config, changes or ()), out, report=console.print)
    for path in paths:
        label = kind if kind in ("translator", "transliterator") else "adapter"
        console.print(f"{label}: {path}", soft_wrap=True)


@app.command()
def held_out(
    config: Annotated[str, typer.Argument(help="A translator's recipe: a name or a file.")],
    out: Annotated[Path, typer.Option(help="The TSV of pairs to write.")],
) -> None:
    """Write the pairs that a translator's recipe holds out for evaluation.

    Example: xorqa train held-out translator --out held-out.tsv
    """
    recipe = TranslatorRecipe.load(config)
    data = read_data(recipe.sources, recipe.exclude, targets=recipe.targets)
    write_held_out(data, out)
    console.print(f"{quantity(len(data.held_out), 'pair')}: {out}", soft_wrap=True)


@app.command()
def chooser(
    runs: Annotated[list[Path], typer.Argument(help="Run folders over training questions.")],
    out: Annotated[Path, typer.Option(help="The JSON file for the weights and their card.")],
    trust: Trust = False,
) -> None:
    """Train the learned chooser on the saved answers of runs, in seconds.

    Example: xorqa train chooser runs/hybrid-chooser-train --out training/chooser.json
    """
    card = train_chooser(runs, out, trust=trust).card
    print_grid(_choices(card["choices"]))
    before, after = (card["calibration"][f"error_{when}"] for when in ("before", "after"))
    console.print(f"calibration error: {before:.3f}, after calibration {after:.3f}")
    console.print(f"weights: {out}", soft_wrap=True)


@app.command()
def no_answer(
    adapter: Annotated[str, typer.Argument(help="A bundled reader's name, or a file of weights.")],
    file: Annotated[
        list[str] | None,
        typer.Option(help="SQuAD-style training data, as a recipe names them; repeatable."),
    ] = None,
    held_out: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of articles not used to train the reader."),
    ] = 0.05,
    questions: Annotated[int, typer.Option(min=1, help="Questions to sample from them.")] = 300,
    passages: Annotated[int, typer.Option(min=1, help="Passages retrieved per question.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="The random seed of the sample.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="The JSON file; default: the .card.json beside the weights.")
    ] = None,
) -> None:
    """Fit the probability below which a reader's passages count as having no answer.

    The choosers' rule uses it: rule,prefer=target,no_answer=READER.

    Example: xorqa train no-answer training/reader/reader.safetensors --file squad/train-v1.1.json
    """
    files = located(file or ["squad/train-v1.1.json"], Path.cwd())
    path = fit_no_answer(
        adapter,
        SquadSource(files, held_out=held_out, first_offsets=True),
        questions=questions,
        passages=passages,
        seed=seed,
        out=out,
        report=console.print,
    )
    console.print(f"threshold: {path}", soft_wrap=True)


app.command()(confidence)


@app.command()
def parallel(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="train.ja beside train.en, fin.txt, questions.mkqa-ja.jsonl, recorded "
            "translations, wheels with message catalogues, or folders of help pages "
            "(help/de beside help/en-US)."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The TSV to write; counts go into a .json beside it.")],
    exclude: Annotated[
        list[Path] | None,
        typer.Option(help="A file or a folder of sentences or questions to exclude."),
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Languages besides English: de,hi; default all.")
    ] = None,
    with_others: Annotated[
        bool, typer.Option(help="Also pair other languages through a shared English text.")
    ] = False,
) -> None:
    """Gather sentence pairs for training, without test sentences.

    Example: xorqa train parallel enja/train.ja manythings/*.txt --exclude tatoeba --out pairs.tsv
    """
    groups = (sorted(path.iterdir()) if path.is_dir() else [path] for path in exclude or ())
    excluded = read_excluded(file for group in groups for file in group)
    langs = split_langs(lang) or ()
    counts = gather_pairs(files, out, excluded=excluded, langs=langs, with_others=with_others)
    rows = tuple(
        (name, *(str(count[outcome]) for outcome in OUTCOMES)) for name, count in counts.items()
    )
    print_grid(Grid("pairs", ("file", *OUTCOMES), (rows,)))
    console.print(f"pairs: {out}", soft_wrap=True)


@app.command()
def name_pairs(
    out: Annotated[Path, typer.Option(help="The TSV to write; counts go into a .json beside it.")],
    sentences: Annotated[
        list[Path] | None,
        typer.Option(help="TSV of `xorqa train parallel`, to gather the names in them instead."),
    ] = None,
) -> None:
    """Gather names in English and in other scripts, from GeoNames (extra `names`) and CLDR.

    Example: xorqa train name-pairs --out names.tsv
    """
    counts = gather_names(
        out, [("sentences", sentence_names(read_pairs(sentences)))] if sentences else None
    )
    rows = tuple(
        (name, *(str(count[outcome]) for outcome in NAME_OUTCOMES))
        for name, count in counts.items()
    )
    print_grid(Grid("names", ("source", *NAME_OUTCOMES), (rows,)))
    console.print(f"pairs: {out}", soft_wrap=True)


@app.command()
def name_words(
    pairs: Annotated[list[Path], typer.Argument(help="TSV of `xorqa train parallel`.")],
    out: Annotated[Path, typer.Option(help="The TSV to write, a row per English word.")],
) -> None:
    """Gather words of names in sentence pairs, as the table of the localiser `chain` has them.

    Example: xorqa train name-words questions.tsv pairs.tsv --out attested.tsv
    """
    counts = write_words(out, read_pairs(pairs))
    rows = tuple((lang, str(count)) for lang, count in sorted(counts.items()))
    print_grid(Grid("words", ("lang", "words"), (rows,)))
    console.print(f"words: {out}", soft_wrap=True)


@app.command()
def name_thresholds(
    weights: Annotated[str, typer.Argument(help="A transliterator, shipped or a file.")],
    names: Annotated[list[Path], typer.Option(help="TSV of name pairs to fit on; repeatable.")],
    out: Annotated[Path, typer.Option(help="The transliterator.safetensors to write.")],
    trained: Annotated[
        list[Path] | None,
        typer.Option(help="TSV of the name pairs trained on, which are left out; repeatable."),
    ] = None,
) -> None:
    """Refit the probabilities from which a transliterator is preferred to the rules.

    Example: xorqa train name-thresholds FILE --names questions.tsv --trained names.tsv --out NEW
    """
    scores = refit_thresholds(weights, names, out, trained=trained or ())
    header = ("lang", *next(iter(scores.values())))
    rows = tuple(
        (lang, *(f"{value:.4g}" for value in of_lang.values())) for lang, of_lang in scores.items()
    )
    print_grid(Grid("names", header, (rows,)))
    console.print(f"transliterator: {out}", soft_wrap=True)


@app.command()
def lexicon(
    pairs: Annotated[list[Path], typer.Argument(help="TSV of `xorqa train parallel`.")],
    out: Annotated[Path, typer.Option(help="The TSV: language, English word, translation.")],
) -> None:
    """Extract word translations from sentence pairs, for code switching.

    Example: xorqa train lexicon pairs.tsv --out lexicon.tsv
    """
    entries = make_lexicon(read_pairs(pairs))
    write_lexicon(out, entries)
    counts = ", ".join(f"{lang} {len(words)}" for lang, words in entries.items())
    console.print(f"{counts}: {out}", soft_wrap=True)


def _choices(choices: Mapping[str, Mapping[str, float]]) -> Grid:
    """Mean F1 of the chosen answers, by part of the data."""
    ways = list(next(iter(choices.values())))
    rows = tuple((part, *(f"{f1[way]:.1f}" for way in ways)) for part, f1 in choices.items())
    caption = "Mean F1 in percent, English answers against English golds; learned: held-out folds."
    return Grid("choices", ("part", *ways), (rows,), caption)
