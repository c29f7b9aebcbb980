"""`xorqa backretrieval`: alignment of languages without translations, measured through images."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ..analysis.backretrieval.encoders import encode_texts, parse_name
from ..analysis.backretrieval.evaluate import Sides, evaluate, to_json
from ..analysis.backretrieval.examples import find_examples
from ..analysis.backretrieval.pair import Side, load_pair
from ..analysis.backretrieval.report import html_report
from ..analysis.backretrieval.sampling import DEFAULT_TEXTS, Sampler
from ..analysis.backretrieval.tables import result_tables
from ..core.errors import ConfigError
from ..core.quantity import quantity
from ..datasets.captions.read import captions_folder
from ..io.files import write_json, write_text
from ..models.checkpoints import DEFAULT
from .options import Format, JsonFile, Wide
from .show import aside, counted, print_grids, progress

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
        "commas: layer=8, pooling=cls, transform=center; characters; bm25; lexicon, with the "
        "option file=DICTIONARY; or an .npz file with an array per language. Repeatable; default "
        f"{DEFAULT}."
    ),
]
Images = Annotated[
    str,
    Option(
        help="What compares images: histogram (colours and gradients), hash (perceptual), an image "
        "model (hub name or ./folder), or vectors (those of the data)."
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


def backretrieval(
    data: Data,
    source: Annotated[str, Option(help="The language of the queries.")],
    target: Annotated[str, Option(help="The language of the texts that are retrieved.")],
    encoder: Encoders = None,
    images: Images = "histogram",
    texts: Number = None,
    seeds: Annotated[int, Option(min=1, help="Samples to average over.")] = 25,
    k: Annotated[int, Option("--k", min=1, help="The k of Recall@k.")] = 10,
    json_file: JsonFile = None,
    html: Annotated[Path | None, Option(help="Also write an HTML page with pictures.")] = None,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """Measure how well encoders align two languages, without translations (Backretrieval).

    BkR goes from a text to the nearest text in the other language and through its image back: does
    the image of the query return? CORR correlates distances of texts with those of images. If
    texts of both languages share ids, XLR measures retrieval of translations, and a second table
    shows how well BkR and CORR predict it.

    Example: xorqa backretrieval emoji --source en --target ja --html alignment.html

    Example: xorqa backretrieval emoji --source en --target ja --encoder e5-small-q4
    --encoder e5-small-q4,layer=4 --encoder characters --images hash --texts 500
    """
    if source == target:
        raise ConfigError("--source and --target are the same language")
    names = [*dict.fromkeys(encoder or [DEFAULT])]
    for name in names:
        parse_name(name)
    folder = captions_folder(data)
    with progress() as report:
        sides = load_pair(folder, source, target, images=images, progress=report)
        sampler = Sampler(sides[0].ids, sides[1].ids, texts)
        vectors: dict[str, Sides] = {}
        for at, name in enumerate(names, 1):
            vectors[name] = encode_texts(name, sides[0].texts, sides[1].texts)
            report("encoders", at, len(names))
        of_images = sides[0].images, sides[1].images
        results = evaluate(vectors, of_images, sampler, seeds=seeds, k=k, progress=report)
    notes = _notes(sides, images)
    if not results.matching:
        notes.append("Too few texts have the same id in both languages: no XLR.")
    if json_file:
        left_out = {side.lang: dict(side.left_out) for side in sides}
        values = to_json(results, source, target)
        write_json(json_file, values | {"images": images, "left out": left_out})
    if html:
        examples = {name: find_examples(vectors[name], of_images, sampler, k=k) for name in names}
        write_text(html, html_report(results, sides, examples, about=notes))
    print_grids(result_tables(results, source, target), format, wide=wide)
    for line in (*notes, *([f"report: {html}"] if html else [])):
        aside(format, line)


def _notes(sides: Iterable[Side], images: str) -> list[str]:
    counts = [
        f"{side.lang}: {quantity(len(side.rows), 'text')} with an image"
        + (f", left out: {counted(side.left_out)}" if side.left_out else "")
        for side in sides
    ]
    return [f"{'; '.join(counts)}. Images are compared by {images}."]
