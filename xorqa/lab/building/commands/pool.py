"""`xorqa build pool`: a pool like XQuAD-R and MLQA-R from parallel SQuAD-style files."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Langs, Output, split_langs, with_groups
from ....core.errors import ConfigError
from ....io.files import read_json
from ....tables.grid import MISSING, Grid
from ...common.parallel_files import find_files, parallel_folder, select_languages
from ...lareqa.data import build_pool, pool_folder, read_pool
from ...lareqa.pool import Pool
from ...lareqa.sentence_breaks import OURS, find_splitter, write_pool_file
from ..pool_difference import Difference, pool_differences, published_counts


@with_groups
def pool(
    source: Annotated[
        str,
        Argument(
            metavar="DIR", help="A folder, or xquad, mlqa/dev: a SQuAD-style file per language."
        ),
    ],
    out: Annotated[Path, Option(help="The folder of the pool: a file <lang>.json per language.")],
    output: Output,
    sentences: Annotated[
        str,
        Option(
            help=f"Where sentences end: {OURS} (our rules), a pool's folder (xquad-r: as "
            "published), or my_package:split, a function (text, lang) that returns (start, end)s."
        ),
    ] = OURS,
    against: Annotated[
        str | None, Option(help="Count the differences from this pool: a folder, or xquad-r.")
    ] = None,
    lang: Langs = None,
) -> None:
    """Build a pool for `xorqa lareqa` from SQuAD-style files that are parallel by id.

    Every sentence of every paragraph is a candidate. The targets of a question are the sentences
    with its answer, in all languages; an answer that spans sentences belongs to the first.

    Example: xorqa build pool xquad --lang ar,de,en --out mine-r --against xquad-r
    """
    files = find_files(parallel_folder(source, kind="parallel data set"))
    files = select_languages(files, split_langs(lang))
    splitter = find_splitter(sentences)
    if existing := sorted(out.glob("*.json")):  # sources or an earlier pool are never replaced
        raise ConfigError(f"{out} already has {existing[0].name}; name another folder with --out")
    built = build_pool(files, name=out.resolve().name, splitter=splitter)
    other = read_pool(pool_folder(against)) if against else None
    differences = pool_differences(built, other) if other else {}
    for code, path in files.items():
        write_pool_file(out / f"{code}.json", read_json(path), code, splitter)
    output.write_json(_to_json(built, sentences, differences))
    output.print_grid(_grid(built, differences, against or ""))
    if differences:
        equal = all(difference.equal for difference in differences.values())
        verdict = "equal to" if equal else "not equal to"
        output.aside(f"{verdict} {against} in {', '.join(differences)}")
    output.aside(f"pool: {out}; evaluate encoders with: xorqa lareqa {out} --out OUT")


def _grid(pool: Pool, differences: Mapping[str, Difference], against: str) -> Grid:
    """A row per language, with the published candidates and the differences where known."""
    counts = pool.counts()
    columns = [counts, *zip(*counts.values(), strict=True)]
    header, captions = ["language", "questions", "candidates"], ["Candidates are sentences."]
    if known := published_counts(pool):
        name, published = known
        header.append(name)
        columns.append([published[code][1] for code in counts])
        captions.append(f"{name}: its candidates as published.")
    if differences:
        header += ["shared", "other target"]
        compared = [differences.get(code) for code in counts]
        columns.append([row.shared if row else MISSING for row in compared])
        columns.append([row.moved if row else MISSING for row in compared])
        captions.append(
            f"shared: candidates that {against} has too; other target: questions whose answer is "
            "in a sentence with other limits there."
        )
    rows = tuple(tuple(map(str, row)) for row in zip(*columns, strict=True))
    questions, candidates = len(pool.questions), len(pool.sentences)
    title = f"{pool.name}: {questions} questions, {candidates} candidates"
    return Grid(title, tuple(header), (rows,), " ".join(captions))


def _to_json(
    pool: Pool, sentences: str, differences: Mapping[str, Difference]
) -> dict[str, object]:
    known = published_counts(pool)
    languages = {
        code: {
            "questions": questions,
            "candidates": candidates,
            **({"published": known[1][code][1]} if known else {}),
            **({"difference": asdict(differences[code])} if code in differences else {}),
        }
        for code, (questions, candidates) in pool.counts().items()
    }
    name = known[0] if known else None
    return {"pool": pool.name, "sentences": sentences, "counts of": name, "languages": languages}
