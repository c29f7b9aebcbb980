"""`xorqa mine`: sentence pairs from two collections, or parallel sentences from several."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.options import JsonFile, split_langs
from ....cli.show import counted, print_line, progress
from ....core.errors import ConfigError, one_of
from ....core.progress import TaskProgress, quantity
from ....io.files import write_json, write_text
from ....models.checkpoints import DEFAULT
from ..alignment import align, counts, incremental, language_counts
from ..alignment import evenly as evenly_sampled
from ..filters import MAX_RATIO
from ..margins import K, Margin
from ..pairs import Filters, Mined, MiningSettings, mine_pairs
from ..retrieval import Retrieval
from ..sentences import Sentences, read_sentences
from ..threshold import read_sample
from ..topics import read_topics

VectorsFolder = Annotated[
    Path | None,
    Option("--vectors", help="The folder of vectors, which later runs reuse; default: the cache."),
]


def mine(
    files: Annotated[
        list[Path],
        Argument(
            metavar="FILE...",
            help="Two files or more: text, one sentence per line, or passages (.jsonl), which are "
            "split into sentences.",
        ),
    ],
    langs: Annotated[str, Option(help="The languages of the files, in their order: en,fi.")],
    out: Annotated[Path, Option(help="The pairs, best first: score, text, text (TSV).")],
    encoder: Annotated[
        str,
        Option(
            help="A checkpoint (hub name or ./folder), an encoder's adapter, or an .npz file with "
            "an array per file, named like it, with a row per sentence."
        ),
    ] = DEFAULT,
    margin: Annotated[Margin, Option(help="How a pair is scored.")] = "ratio",
    k: Annotated[int, Option("--k", min=1, help="Nearest neighbours of each sentence.")] = K,
    retrieval: Annotated[
        Retrieval, Option(help="max: the best pairs of either direction, each sentence once.")
    ] = "max",
    threshold: Annotated[float | None, Option(help="The lowest score.")] = None,
    sample: Annotated[
        Path | None,
        Option(help="Labelled pairs (1 or 0, text, text) that --precision is measured on."),
    ] = None,
    precision: Annotated[
        float, Option(min=0, max=1, help="With --sample: choose the threshold by precision.")
    ] = 0.9,
    max_ratio: Annotated[
        float,
        Option(min=0, help="Maximum ratio of lengths, relative to the median; 0: no maximum."),
    ] = MAX_RATIO,
    any_language: Annotated[
        bool, Option("--any-language", help="Keep sentences detected to be in another language.")
    ] = False,
    copies: Annotated[bool, Option("--copies", help="Keep pairs whose sides are equal.")] = False,
    near_duplicates: Annotated[
        bool,
        Option("--near-duplicates", help="Keep pairs that differ in digits or punctuation only."),
    ] = False,
    ids: Annotated[
        bool,
        Option(
            "--ids",
            help="Write ids instead of texts. Lines of text files are an id, a tab and the "
            "sentence, as in BUCC; sentences that occur twice are left out.",
        ),
    ] = False,
    pivot: Annotated[
        str | None,
        Option(help="With three files or more: the language that the others are paired with."),
    ] = None,
    least: Annotated[
        int, Option(min=2, help="With --pivot: the fewest languages of a sentence.")
    ] = 2,
    topics: Annotated[
        Path | None,
        Option(
            help="Mine only within articles on the same topic, as MLQA: a TSV of their titles, "
            "with a header of languages. Needs passages (.jsonl)."
        ),
    ] = None,
    evenly: Annotated[
        int | None,
        Option(
            min=1,
            help="With --pivot: so many sentences in exactly --least languages, spread evenly over "
            "paragraphs and combinations of languages.",
        ),
    ] = None,
    simplified: Annotated[
        bool, Option("--simplified", help="Convert Chinese to simplified characters (OpenCC).")
    ] = False,
    vectors: VectorsFolder = None,
    workers: Annotated[int, Option(min=0, help="Encoding processes; 0: this process.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """Mine sentence pairs by margin (Artetxe and Schwenk 2019); an interrupted run resumes.

    Equal sentences of a file count once. --pivot aligns the sentences of several languages, as
    MLQA does through English.

    Examples: xorqa mine wiki.en wiki.fi --langs en,fi --encoder encoder-aligned --out pairs.tsv

    xorqa mine wiki.en wiki.fi wiki.ko --langs en,fi,ko --pivot en --least 3 --out parallel.tsv

    xorqa mine en.jsonl fi.jsonl ko.jsonl --langs en,fi,ko --pivot en --least 3 --topics titles.tsv
    --evenly 1000 --ids --out parallel.tsv
    """
    if evenly is not None and pivot is None:
        raise ConfigError("--evenly samples sentences of several languages; it needs --pivot")
    codes = split_langs([langs]) or []
    sides = _read(files, codes, pivot, with_ids=ids, simplified=simplified)
    if sample and threshold is not None:
        raise ConfigError("use either --threshold or --sample")
    if 0 < max_ratio < 1:
        raise ConfigError(
            f"--max-ratio {max_ratio} keeps no pair; use 1 or more, or 0 for no maximum"
        )
    settings = MiningSettings(
        encoder=encoder,
        margin=margin,
        k=k,
        retrieval=retrieval,
        threshold=threshold,
        sample=read_sample(sample) if sample else {},
        precision=precision,
        filters=Filters(max_ratio or None, not any_language, not copies, not near_duplicates),
        topics=read_topics(topics) if topics else None,
    )
    mine_two = partial(mine_pairs, settings=settings, once=ids, folder=vectors, workers=workers)
    with progress() as report:
        statistics = (
            _mine_pairs(sides, mine_two, out, report, ids=ids)
            if pivot is None
            else _align(
                sides, mine_two, out, report, pivot=pivot, least=least, ids=ids, number=evenly
            )
        )
    if json_file:
        described = {"encoder": encoder, "margin": margin, "k": k, "retrieval": retrieval}
        write_json(json_file, described | statistics)


def _read(
    files: Sequence[Path],
    langs: Sequence[str],
    pivot: str | None,
    *,
    with_ids: bool,
    simplified: bool,
) -> list[Sentences]:
    """The sentences of the files, the pivot's first."""
    if len(files) < 2 or len(langs) != len(files):
        raise ConfigError(
            f"{quantity(len(files), 'file')} for {quantity(len(langs), 'language')}; name two "
            "files or more, and a different language for each with --langs"
        )
    if pivot is None and len(files) > 2:
        raise ConfigError(f"{len(files)} files need --pivot, such as --pivot {langs[0]}")
    if pivot is not None and pivot not in langs:
        raise ConfigError(f"--pivot {pivot} is not a language of the files; valid: {one_of(langs)}")
    sides = [
        read_sentences(path, lang, with_ids=with_ids, simplified=simplified)
        for path, lang in zip(files, langs, strict=True)
    ]
    return sorted(sides, key=lambda side: side.lang != pivot) if pivot else sides


def _mine_pairs(
    sides: Sequence[Sentences],
    mine_two: Any,
    out: Path,
    report: TaskProgress,
    *,
    ids: bool,
) -> dict[str, Any]:
    """Mine the pairs of two files, write and summarise them."""
    mined: Mined = mine_two(*sides, progress=report)
    lines = (
        _line(p.score, (p.source_id, p.target_id) if ids else (p.source, p.target))
        for p in mined.pairs
    )
    write_text(out, "".join(lines))
    _summarise(mined, sides[0].lang, sides[1].lang)
    print_line(f"{out}: {quantity(len(mined.pairs), 'pair')}")
    return mined.statistics


def _align(
    sides: Sequence[Sentences],
    mine_two: Any,
    out: Path,
    report: TaskProgress,
    *,
    pivot: str,
    least: int,
    ids: bool,
    number: int | None,
) -> dict[str, Any]:
    """Mine the pairs of each language with the pivot, join, write and summarise them."""
    first, *others = sides
    mined: dict[str, Mined] = {
        other.lang: mine_two(first, other, progress=report) for other in others
    }
    every = align({lang: of.pairs for lang, of in mined.items()}, pivot=pivot)
    added = incremental(every, list(mined))
    by_language = language_counts(every)
    rows = [row for row in every if len(row.texts) >= least]
    if number is not None:
        rows = evenly_sampled(rows, number, langs=least, pivot=pivot)
        if len(rows) < number:
            print_line(f"only {quantity(len(rows), 'sentence')} in exactly {least} languages")
    langs = [side.lang for side in sides]
    header = "\t".join(["score", *langs]) + "\n"
    texts = [row.ids if ids else row.texts for row in rows]
    lines = (
        _line(row.score, (by_lang.get(lang, "") for lang in langs))
        for row, by_lang in zip(rows, texts, strict=True)
    )
    write_text(out, header + "".join(lines))
    for lang, of in mined.items():
        _summarise(of, pivot, lang)
    by_count = counts(rows)
    for count, size in by_count.items():
        print_line(f"in {count} languages: {quantity(size, 'sentence')}")
    print_line(f"in {pivot} and, one after the other: {counted(added)}")
    print_line(f"{out}: {quantity(len(rows), 'sentence')}")
    per_pair = {f"{pivot}-{lang}": of.statistics for lang, of in mined.items()}
    return {
        "pairs": per_pair,
        "languages": {str(count): size for count, size in by_count.items()},
        "mined by number and language": {str(n): of for n, of in by_language.items()},
        "mined in the pivot and all languages so far": added,
    }


def _line(score: float, cells: Iterable[str]) -> str:
    return "\t".join([repr(score), *cells]) + "\n"


def _summarise(mined: Mined, source: str, target: str) -> None:
    """Print the counts of a pair of languages."""
    statistics = mined.statistics
    unique = statistics["unique"]
    removed = ", ".join(f"{name} {count}" for name, count in statistics["removed"].items())
    print_line(
        f"{source}-{target}: {unique[source]} and {unique[target]} different sentences, "
        f"{statistics['candidates']} candidates"
    )
    if removed:
        print_line(f"  removed: {removed}")
    if "threshold" in statistics:
        threshold, below = statistics["threshold"], statistics["below threshold"]
        print_line(f"  threshold {threshold:.4f}: {quantity(below, 'pair')} below it")
