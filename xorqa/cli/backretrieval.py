"""`xorqa backretrieval`: alignment of languages without translations, measured through images."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ..analysis.backretrieval.all_pairs import evaluate_pairs, pairs_to_json
from ..analysis.backretrieval.encoders import encode_texts, parse_name
from ..analysis.backretrieval.evaluate import Sides, evaluate, to_json
from ..analysis.backretrieval.examples import find_examples
from ..analysis.backretrieval.pair_tables import pair_report, pair_tables
from ..analysis.backretrieval.report import html_report
from ..analysis.backretrieval.sampling import DEFAULT_TEXTS, Sampler
from ..analysis.backretrieval.sides import Side, SidesByLang, load_sides
from ..analysis.backretrieval.tables import result_tables
from ..core.errors import ConfigError
from ..core.progress import TaskProgress
from ..core.quantity import quantity
from ..datasets.captions.read import captions_folder
from ..io.files import write_json, write_text
from ..models.checkpoints import DEFAULT
from ..tables.grid import Grid
from .options import Format, JsonFile, Wide, split_langs
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
        "commas: layer=8, pooling=cls, transform=center, fields=both (titles and bodies); a "
        "document head's file; characters; bm25; lexicon, with the option file=DICTIONARY; or an "
        f".npz file with an array per language. Repeatable; default {DEFAULT}."
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

AllPairs = Annotated[
    list[str] | None,
    Option(help="Instead of --source and --target: all pairs of these languages, en,de,ja."),
]
HeldOut = Annotated[
    float | None,
    Option(min=0, max=1, help="Only this share of the texts, by a hash of their ids."),
]


def backretrieval(
    data: Data,
    source: Annotated[str | None, Option(help="The language of the queries.")] = None,
    target: Annotated[
        str | None, Option(help="The language of the texts that are retrieved.")
    ] = None,
    lang: AllPairs = None,
    encoder: Encoders = None,
    images: Images = "histogram",
    texts: Number = None,
    held_out: HeldOut = None,
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

    Example: xorqa backretrieval emoji --lang en,de,ja --encoder e5-small-q4,fields=both
    """
    names = [*dict.fromkeys(encoder or [DEFAULT])]
    for name in names:
        parse_name(name)
    if langs := split_langs(lang):
        if source or target or len(langs) < 2:
            raise ConfigError("--lang needs two or more languages, and no --source or --target")
        with progress() as report:
            both = load_sides(
                captions_folder(data),
                langs,
                langs,
                images=images,
                held_out=held_out,
                progress=report,
            )
            by_pair = evaluate_pairs(names, both, texts=texts, seeds=seeds, k=k, progress=report)
        notes = _notes(both[0].values(), images)
        if json_file:
            write_json(json_file, pairs_to_json(by_pair) | {"images": images})
        if html:
            write_text(html, pair_report(by_pair, about=notes))
        print_grids(pair_tables(by_pair), format, wide=wide)
        for line in (*notes, *([f"report: {html}"] if html else [])):
            aside(format, line)
        return
    if not source or not target:
        raise ConfigError("name two languages with --source and --target, or several with --lang")
    if source == target:
        raise ConfigError("--source and --target are the same language")
    source_langs, target_langs = (langs, langs) if langs else ([source or ""], [target or ""])
    with progress() as report:
        sides = load_sides(
            captions_folder(data),
            source_langs,
            target_langs,
            images=images,
            held_out=held_out,
            progress=report,
        )
        measure = _all_pairs if langs else _one_pair
        output = measure(names, sides, texts, seeds, k, report)
    notes = _notes([*sides[0].values(), *([] if langs else sides[1].values())], images)
    notes += output.notes
    if json_file:
        write_json(json_file, output.values | {"images": images})
    if html:
        write_text(html, output.page(notes))
    print_grids(output.grids, format, wide=wide)
    for line in (*notes, *([f"report: {html}"] if html else [])):
        aside(format, line)


@dataclass(frozen=True, slots=True)
class _Output:
    """Tables, the values of the JSON, the HTML page with notes, and further notes."""

    grids: Sequence[Grid]
    values: dict[str, Any]
    page: Callable[[Sequence[str]], str]
    notes: Sequence[str] = ()


def _one_pair(
    names: Sequence[str],
    loaded: SidesByLang,
    texts: int | None,
    seeds: int,
    k: int,
    report: TaskProgress,
) -> _Output:
    [source], [target] = (side.values() for side in loaded)
    sides = source, target
    sampler = Sampler(source.ids, target.ids, texts)
    vectors: dict[str, Sides] = {}
    for at, name in enumerate(names, 1):
        vectors[name] = encode_texts(name, source.texts, target.texts)
        report("encoders", at, len(names))
    images = source.images, target.images
    results = evaluate(vectors, images, sampler, seeds=seeds, k=k, progress=report)

    def page(notes: Sequence[str]) -> str:
        examples = {name: find_examples(vectors[name], images, sampler, k=k) for name in names}
        return html_report(results, sides, examples, about=notes)

    left_out = {"left out": {side.lang: dict(side.left_out) for side in sides}}
    values = to_json(results, source.lang, target.lang) | left_out
    no_xlr = ["Too few texts have the same id in both languages: no XLR."]
    notes = [] if results.matching else no_xlr
    return _Output(result_tables(results, source.lang, target.lang), values, page, notes)


def _all_pairs(
    names: Sequence[str],
    loaded: SidesByLang,
    texts: int | None,
    seeds: int,
    k: int,
    report: TaskProgress,
) -> _Output:
    results = evaluate_pairs(names, loaded, texts=texts, seeds=seeds, k=k, progress=report)
    return _Output(pair_tables(results), pairs_to_json(results), partial(pair_report, results))


def _notes(sides: Iterable[Side], images: str) -> list[str]:
    counts = [
        f"{side.lang}: {quantity(len(side.rows), 'text')} with an image"
        + (f", left out: {counted(side.left_out)}" if side.left_out else "")
        for side in sides
    ]
    return [f"{'; '.join(counts)}. Images are compared by {images}."]
