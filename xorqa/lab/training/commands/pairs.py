"""`xorqa train parallel|word-by-word|name-pairs|name-words|lexicon`: pairs of texts and words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import split_langs
from ....cli.show import console, print_grid
from ....core.errors import ConfigError
from ....tables.grid import Grid
from ..bitext.corpus import OUTCOMES, gather_pairs
from ..bitext.lexicon import make_lexicon, read_lexicon, write_lexicon
from ..bitext.probability_table import write_word_probabilities
from ..bitext.word_probabilities import make_word_probabilities
from ..common.training_data import read_excluded, read_pairs
from ..dictionary.pairs import word_pairs
from ..dictionary.word_by_word import write_word_by_word
from ..transliterator.attested import write_words
from ..transliterator.gather import OUTCOMES as NAME_OUTCOMES
from ..transliterator.gather import gather_names
from ..transliterator.sentence_names import sentence_names


def parallel(
    files: Annotated[
        list[Path],
        Argument(
            help="train.ja beside train.en, fin.txt, questions.mkqa-ja.jsonl, recorded "
            "translations, wheels with message catalogues, or folders of help pages "
            "(help/de beside help/en-US)."
        ),
    ],
    out: Annotated[Path, Option(help="The TSV to write; counts go into a .json beside it.")],
    exclude: Annotated[
        list[Path] | None, Option(help="A file or a folder of sentences or questions to exclude.")
    ] = None,
    lang: Annotated[
        list[str] | None, Option(help="Languages besides English: de,hi; default all.")
    ] = None,
    with_others: Annotated[
        bool, Option(help="Also pair other languages through a shared English text.")
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


def name_pairs(
    out: Annotated[Path, Option(help="The TSV to write; counts go into a .json beside it.")],
    sentences: Annotated[
        list[Path] | None,
        Option(help="TSV of `xorqa train parallel`, to gather the names in them instead."),
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


def name_words(
    pairs: Annotated[list[Path], Argument(help="TSV of `xorqa train parallel`.")],
    out: Annotated[Path, Option(help="The TSV to write, a row per English word.")],
) -> None:
    """Gather words of names in sentence pairs, as the table of the localiser `chain` has them.

    Example: xorqa train name-words questions.tsv pairs.tsv --out attested.tsv
    """
    counts = write_words(out, read_pairs(pairs))
    rows = tuple((lang, str(count)) for lang, count in sorted(counts.items()))
    print_grid(Grid("words", ("lang", "words"), (rows,)))
    console.print(f"words: {out}", soft_wrap=True)


def word_by_word(
    files: Annotated[list[Path], Argument(help="SQuAD-style files with English questions.")],
    out: Annotated[Path, Option(help="The TSV to write.")],
    lexicon: Annotated[
        list[Path] | None,
        Option(help="A lexicon of `xorqa train lexicon`, for words that the dictionary lacks."),
    ] = None,
    held_out: Annotated[
        float, Option(min=0, max=1, help="Share of articles that are left out, as recipes do.")
    ] = 0.05,
    seed: Annotated[int, Option(min=0, help="The random seed.")] = 1,
) -> None:
    """Translate English questions word by word into 16 languages, to train a translator on.

    Example: xorqa train word-by-word squad/train-v1.1.json --out word-by-word.tsv
    """
    counts = write_word_by_word(
        out, files, lexicon=read_lexicon(lexicon or ()), held_out=held_out, seed=seed
    )
    rows = tuple((lang, str(count)) for lang, count in sorted(counts.items()))
    print_grid(Grid("questions", ("lang", "questions"), (rows,)))
    console.print(f"pairs: {out}", soft_wrap=True)


def lexicon(
    pairs: Annotated[list[Path], Argument(help="TSV of `xorqa train parallel`.")],
    out: Annotated[Path, Option(help="The TSV: language, English word, translation; or a folder.")],
    probabilities: Annotated[
        bool,
        Option(
            "--probabilities",
            help="Write language, word, English word and probability, for the retriever psq.",
        ),
    ] = False,
    dictionary: Annotated[
        bool,
        Option(
            "--dictionary",
            help="With probabilities, also learn from the package's dictionary, names and terms.",
        ),
    ] = False,
    compact: Annotated[
        bool,
        Option(
            "--compact",
            help="Write a small table, as that of the package, into a folder: the three likeliest "
            "translations, those from 0.1, of words that were linked often enough.",
        ),
    ] = False,
) -> None:
    """Extract word translations from sentence pairs, for code switching or the retriever psq.

    Example: xorqa train lexicon pairs.tsv --out lexicon.tsv
    """
    entries: Mapping[str, Mapping[str, object]]
    if (compact or dictionary) and not probabilities:
        raise ConfigError("--compact and --dictionary are for tables with --probabilities")
    if probabilities and compact == bool(out.suffix):
        raise ConfigError("--out is a folder with --compact, otherwise a file, such as psq.tsv")
    if probabilities:
        entries = table = make_word_probabilities(
            read_pairs(pairs), words=word_pairs() if dictionary else (), compact=compact
        )
        write_word_probabilities(out, table)
    else:
        entries = words_by_lang = make_lexicon(read_pairs(pairs))
        write_lexicon(out, words_by_lang)
    counts = ", ".join(f"{lang} {len(words)}" for lang, words in entries.items())
    console.print(f"{counts}: {out}", soft_wrap=True)
