"""`xorqa lareqa`: how well an encoder finds answers in all languages, and its language bias."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..analysis.lareqa.lab import NONE, Fit, Judged, judge
from ..analysis.lareqa.report import report
from ..analysis.lareqa.tables import tables
from ..analysis.parallel import find_files
from ..core.errors import ConfigError
from ..datasets.lareqa import SHIPPED, build_pool, pool_folder, read_pool
from ..datasets.pool import Pool
from ..io.files import write_json, write_text
from ..models.checkpoints import DEFAULT
from .show import Format, aside, print_grid, progress

Source = Annotated[
    str,
    typer.Argument(
        metavar="POOL",
        help="mini (comes with xorqa, small), or a folder: XQuAD-R, or SQuAD-style files, one a "
        "language.",
    ),
]
Encoders = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Repeatable, by default {DEFAULT}: a checkpoint (hub name or ./folder), an "
        "encoder's adapter, bm25, or a file .npz with the arrays questions and candidates, "
        "a row each in the pool's order: by language code, then as in the files."
    ),
]
Transforms = Annotated[
    list[str] | None,
    typer.Option(
        help="Repeatable: center, remove:K, subspace, none (default), or a stored one's name or "
        "file."
    ),
]
FitOption = Annotated[
    Fit,
    typer.Option(
        help="What the first three are fitted on. pool: on what is judged, a diagnosis only. "
        "half: on half of the articles, and only the other half is judged."
    ),
]
Context = Annotated[
    bool,
    typer.Option(
        "--context", help="Encode a sentence together with its paragraph, as the tokenizer's pair."
    ),
]
Built = Annotated[
    bool, typer.Option("--built", help="Divide sentences here, even if the files do.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Also write the figures here, unrounded.")
]


def lareqa(
    source: Source,
    out: Annotated[Path, typer.Option(help="The folder for figures, report and vectors.")],
    encoder: Encoders = None,
    transform: Transforms = None,
    fit: FitOption = "pool",
    context: Context = False,
    built: Built = False,
    json_file: JsonFile = None,
    format: Format = "terminal",
) -> None:
    """Measure answer retrieval from a pool of many languages, and language bias (LAReQA).

    The right sentences of all languages compete with all others: mAP, XTREME-R's mAP@20, one
    right sentence removed, monolingual pools, a probe. Vectors are kept, so a killed run goes on.

    Example: xorqa lareqa mini --out bias

    Example: xorqa lareqa xquad-r --out bias

    Example: xorqa lareqa xquad-r --encoder e5-small-q4 --encoder bm25 --transform none
    --transform center --fit half --out bias
    """
    pool, about = _open(source, built)
    judged: list[Judged] = []
    with progress() as tell:
        for name in dict.fromkeys(encoder or [DEFAULT]):
            judged += judge(
                pool,
                name,
                list(dict.fromkeys(transform or [NONE])),
                fitted=fit,
                context=context,
                folder=out / "vectors",
                progress=tell,
            )
    remarks = [_counted(pool, fit), _divided(about), *_warnings(judged)]
    figures = _figures(pool, about, fit, judged)
    write_json(out / "lareqa.json", figures)
    if json_file:
        write_json(json_file, figures)
    write_text(out / "report.html", report(pool.name, pool.langs, judged, about=remarks))
    for grid in tables(judged, pool.langs):
        print_grid(grid, format)
        print()
    for line in (*remarks, f"figures and report: {out}"):
        aside(format, line)


def _open(source: str, built: bool) -> tuple[Pool, str]:
    """The pool, and who divided its sentences."""
    folder = pool_folder(source)
    files = find_files(folder)
    if len(files) < 2:
        raise ConfigError(f"{folder} has one language; a pool needs two or more")
    as_published = all(
        path.stem == lang and b'"sentences"' in path.read_bytes() for lang, path in files.items()
    )
    name = source if source in SHIPPED else folder.resolve().name
    if built or not as_published:
        return build_pool(files, name=name), "built"
    return read_pool(folder, name=name), "published"


def _figures(pool: Pool, about: str, fit: Fit, judged: Sequence[Judged]) -> dict[str, Any]:
    """The first encoder's figures at the top level; all in a list where there are several."""
    rows = [one.to_json() for one in judged]
    counts = {
        lang: {"questions": asked, "candidates": there}
        for lang, (asked, there) in pool.counts().items()
    }
    setting = {"pool": pool.name, "sentences": about, "judged on": fit, "counts": counts}
    return {**setting, **rows[0], **({"encoders": rows} if len(rows) > 1 else {})}


def _counted(pool: Pool, fit: Fit) -> str:
    counts = ", ".join(f"{lang} {asked}/{there}" for lang, (asked, there) in pool.counts().items())
    part = "; the half of the articles that no transform saw is judged" if fit == "half" else ""
    return f"{len(pool.questions)} questions, {len(pool.sentences)} candidates ({counts}){part}."


def _divided(about: str) -> str:
    if about == "built":
        return "Sentences were divided here, so figures differ from those on the published files."
    return "Sentences are those of the files."


def _warnings(judged: Sequence[Judged]) -> list[str]:
    names = [one.name for one in judged if one.about.get("diagnostic")]
    if not names:
        return []
    return [
        f"A diagnosis, no result: the transform of {', '.join(names)} was fitted on the very "
        "vectors it is judged on; a probe may even fall below chance then, as the means of what "
        "it is trained and tested on cancel. --fit half does without."
    ]
