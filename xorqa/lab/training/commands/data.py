"""`xorqa data distant|multilingual-questions|retrieved|synthetic`: write training data."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Trust
from ....cli.show import console, print_grid, progress
from ....core.lang import ENGLISH
from ....core.progress import quantity
from ....io.cache import stage_cache
from ....io.files import data_dir
from ....reading.pairs import DEFAULT_READER
from ....tables.grid import Grid
from ..distant.make import DistantRecipe, make_distant
from ..distant.questions import Counts
from ..dpr_reader.export import write_retrieved
from ..multilingual_questions.published import write_published_questions
from ..multilingual_questions.questions import LANGS, SETS, write_multilingual_questions
from ..reader.synthetic.make import write_questions

PASSAGES = ("squad/train-v1.1.json", "tydiqa-goldp/english_tydiqa_train.json")


def distant(
    out: Annotated[Path, Option(help="SQuAD-style JSON to write, with a card beside it.")],
    questions: Annotated[
        Path | None, Option(help="XOR-TyDi's folder; default: the fetched one.")
    ] = None,
    passages: Annotated[
        list[Path] | None, Option(help="English SQuAD-style files; default: SQuAD's and TyDi's.")
    ] = None,
    excluded: Annotated[
        list[Path] | None,
        Option(help="Evaluation questions to exclude; default: TyDi's dev files."),
    ] = None,
    k: Annotated[int, Option(min=1, help="Passages retrieved per question.")] = 20,
    confirm: Annotated[
        str, Option(help="The reader that must agree: a name, a file or 'none'.")
    ] = DEFAULT_READER,
    least: Annotated[
        float, Option(min=0, max=1, help="Its minimum probability that the passage has the answer.")
    ] = 0.95,
    with_english: Annotated[
        bool, Option("--with-english", help="Add each question's translation.")
    ] = False,
) -> None:
    """Make training pairs from XOR-TyDi's questions, which come without passages.

    Distant supervision: BM25 retrieves passages for a question's human translation; those that
    contain its answer are used if a reader agrees. An interrupted run resumes.

    Example: xorqa data distant --out distant.json
    """
    recipe = DistantRecipe(
        questions=questions or data_dir() / "xor-tydi",
        passages=tuple(passages or (data_dir() / name for name in PASSAGES)),
        excluded=tuple(excluded or sorted(data_dir().glob("tydiqa-goldp/*_dev.json"))),
        k=k,
        reader=None if confirm == "none" else confirm,
        least=least,
        with_english=with_english,
    )
    with progress() as report:
        counts = make_distant(recipe, out, cache=stage_cache(), progress=report)
    print_grid(_outcomes(counts))
    console.print(f"pairs: {out}", soft_wrap=True)


def _outcomes(counts: Counts) -> Grid:
    """A row per outcome and a column per language."""
    every = sum(counts.values(), Counter())
    columns = [*(counts[lang] for lang in sorted(counts)), every]
    rows = tuple((name, *(str(column[name]) for column in columns)) for name in sorted(every))
    return Grid("questions", ("", *sorted(counts), "all"), (rows,))


NAME = "multilingual-questions"


def multilingual_questions(
    out: Annotated[
        Path | None, Option(help=f"The folder to write; default: {NAME} in the data folder.")
    ] = None,
    source: Annotated[
        Path | None,
        Option("--from", help="A folder with squad/..., jaquad/...; default: the data folder."),
    ] = None,
) -> None:
    """Write training questions in 17 languages over English, Japanese and Korean paragraphs.

    Pairs with English (train.tsv, validation.tsv) for encoders and distillation, and SQuAD-style
    files for readers. The paragraphs are those of SQuAD's, JaQuAD's and TyDi QA's training sets.
    The folder `published` has SQuAD's own questions in sixteen languages.

    Example: xorqa data fetch squad && xorqa data multilingual-questions
    """
    folder = out or data_dir() / NAME
    counts = write_multilingual_questions(source or data_dir(), folder)
    counts |= write_published_questions(source or data_dir(), folder)
    langs = (ENGLISH, *LANGS)
    rows = tuple((lang, *(str(counts[of].get(lang, 0)) for of in counts)) for lang in langs)
    print_grid(Grid("questions", ("language", *counts), (rows,)))
    for of in SETS:
        if of.name not in counts:
            console.print(
                f"left out: the questions over {of.publication}'s paragraphs; "
                f"xorqa data fetch {of.publication}"
            )
    console.print(f"questions: {folder}", soft_wrap=True)


def retrieved(
    run: Annotated[Path, Argument(help="A finished run over questions with answers.")],
    out: Annotated[Path, Option(help="The JSON to write, in DPR's layout.")],
    route: Annotated[str | None, Option(help="The run's route; default: its only one.")] = None,
    lang: Annotated[str, Option(help="The language of the answers to look for.")] = ENGLISH,
    trust: Trust = False,
) -> None:
    """Write the passages that a run retrieved for its questions, to train DPR's reader on.

    A question is the text that was searched with: the translation, if the route has a translator.

    Example: xorqa data retrieved runs/xor-train-dpr --out retrieved-dpr.json
    """
    written, unanswered = write_retrieved(run, out, route=route, lang=lang, trust=trust)
    console.print(f"{quantity(written, 'question')}: {out}", soft_wrap=True)
    if unanswered:
        console.print(f"left out without an answer in {lang}: {quantity(unanswered, 'question')}")


def synthetic(
    out: Annotated[Path, Option(help="The SQuAD-style JSON to write.")],
    count: Annotated[int, Option(min=1, help="Questions; each context has two.")] = 12_000,
    seed: Annotated[int, Option(min=0, help="The random seed.")] = 1,
) -> None:
    """Make English questions that need a comparison, to train a reader on.

    Comparisons, degrees, properties, occupations and negation, about invented persons and things.

    Example: xorqa data synthetic --out synthetic.json
    """
    counts = write_questions(out, count=count, seed=seed)
    rows = tuple((kind, str(number)) for kind, number in counts.items())
    print_grid(Grid("questions", ("kind", "questions"), (rows,)))
    console.print(f"questions: {out}", soft_wrap=True)
