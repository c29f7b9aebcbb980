"""`xorqa backretrieval`: alignment of languages without translations, measured through images."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Output, split_langs, with_groups
from ....cli.show import counted, progress
from ....core.errors import ConfigError
from ....core.progress import quantity
from ....io.files import write_text
from ....models.checkpoints import DEFAULT
from ..captions.read import captions_folder
from ..encoders import parse_name
from ..sampling import DEFAULT_TEXTS
from ..sides import Side, load_sides
from .backretrieval_output import Measuring, all_pairs, one_pair, split_sizes

Data = Annotated[
    str,
    Argument(
        metavar="DATA",
        help="emoji (after `xorqa data fetch emoji`), or a folder with texts and images: "
        "LANG.jsonl, LANG/NAME.txt and LANG/NAME.png, or the files of Multi30K, IKEA, STAIR with "
        "COCO, or Crossmodal-3600.",
    ),
]
Encoders = Annotated[
    list[str] | None,
    Option(
        help="A checkpoint (hub name or ./folder) or an encoder's adapter, with options after "
        "commas: layer=8, pooling=cls, transform=center, fields=both (titles and bodies); a "
        "document head's file; files of word vectors, wiki.{lang}.align.vec; characters; bm25; "
        "lexicon, with the option file=DICTIONARY; or an .npz file with an array per language. "
        f"Repeatable; default {DEFAULT}."
    ),
]
Images = Annotated[
    str,
    Option(
        help="What compares images: histogram (colours and gradients), hash (perceptual), "
        "image-encoder (a small model that ships) or a file of `xorqa train image-encoder`, an "
        "image model (hub name or ./folder), or vectors (those of the data)."
    ),
]
Number = Annotated[
    int | None,
    Option(
        "--texts",
        min=1,
        help=f"Texts a side of each sample; default {DEFAULT_TEXTS}, or as many as there are.",
    ),
]

AllPairs = Annotated[
    list[str] | None,
    Option(help="Instead of --source and --target: all pairs of these languages, en,de,ja."),
]
HeldOut = Annotated[
    float | None, Option(min=0, max=1, help="Only this share of the texts, by a hash of their ids.")
]


@with_groups
def backretrieval(
    data: Data,
    output: Output,
    source: Annotated[str | None, Option(help="The language of the queries.")] = None,
    target: Annotated[
        str | None, Option(help="The language of the texts that are retrieved.")
    ] = None,
    lang: AllPairs = None,
    encoder: Encoders = None,
    images: Images = "histogram",
    texts: Number = None,
    held_out: HeldOut = None,
    csls: Annotated[
        bool, Option("--csls", help="Find nearest texts by CSLS instead of cosine.")
    ] = False,
    proxies: Annotated[
        bool, Option("--proxies", help="Also measure text-only proxies, for data without images.")
    ] = False,
    degrade: Annotated[
        bool, Option("--degrade", help="Also add more and more noise to the images.")
    ] = False,
    sizes: Annotated[
        str | None, Option(help="Also measure with these numbers of texts a side, 50,100,200.")
    ] = None,
    seeds: Annotated[int, Option(min=1, help="Samples to average over.")] = 25,
    k: Annotated[int, Option("--k", min=1, help="The k of Recall@k.")] = 10,
    html: Annotated[Path | None, Option(help="Also write an HTML page with pictures.")] = None,
) -> None:
    """Measure how well encoders align two languages, without translations (Backretrieval).

    BkR goes from a text to the nearest text in the other language and through its image back: does
    the image of the query return? CORR correlates distances of texts with those of images. If
    texts of both languages share ids, XLR measures retrieval of translations, and a second table
    shows how well BkR and CORR predict it.

    Example: xorqa backretrieval emoji --source en --target ja --html alignment.html

    Example: xorqa backretrieval emoji --source en --target ja --encoder e5-small-q4
    --encoder e5-small-q4,layer=4 --encoder characters --images hash --texts 500

    Example: xorqa backretrieval emoji --source en --target ja --encoder e5-small-q4
    --encoder e5-small-q4,layer=4 --encoder characters --images image-encoder --proxies --degrade

    Example: xorqa backretrieval emoji --lang en,de,ja --encoder e5-small-q4,fields=both
    """
    names = [*dict.fromkeys(encoder or [DEFAULT])]
    for name in names:
        parse_name(name)
    measuring = Measuring(texts, seeds, k, csls, proxies, degrade, split_sizes(sizes))
    langs = _languages(source, target, split_langs(lang))
    if lang and (proxies or degrade or sizes):
        raise ConfigError("--proxies, --degrade and --sizes need --source and --target, not --lang")
    with progress() as report:
        sides = load_sides(
            captions_folder(data),
            *langs,
            images=images,
            held_out=held_out,
            progress=report,
        )
        measure = all_pairs if lang else one_pair
        measured = measure(names, sides, measuring, report)
    shown = sides[0] if lang else sides[0] | sides[1]
    notes = [_counts(shown.values(), images), *measured.notes]
    output.write_json(measured.values | {"images": images})
    if html:
        write_text(html, measured.page(notes))
    output.print_grids(measured.grids)
    for line in (*notes, *([f"report: {html}"] if html else [])):
        output.aside(line)


def _languages(
    source: str | None, target: str | None, several: list[str] | None
) -> tuple[list[str], list[str]]:
    """The source and target languages. Raises ConfigError."""
    if several:
        if source or target or len(several) < 2:
            raise ConfigError("--lang needs two or more languages, and no --source or --target")
        return several, several
    if not source or not target:
        raise ConfigError("name two languages with --source and --target, or several with --lang")
    if source == target:
        raise ConfigError("--source and --target are the same language")
    return [source], [target]


def _counts(sides: Iterable[Side], images: str) -> str:
    counts = [
        f"{side.lang}: {quantity(len(side.rows), 'text')} with an image"
        + (f", left out: {counted(side.left_out)}" if side.left_out else "")
        for side in sides
    ]
    return f"{'; '.join(counts)}. Images are compared by {images}."
