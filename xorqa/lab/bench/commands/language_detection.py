"""`xorqa eval language-detection`: the accuracy of language detection."""

from pathlib import Path
from statistics import fmean
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Output, with_groups
from ....core.errors import ConfigError
from ....tables.grid import Grid
from ..language_detection import Detection, file_language, longer_than, measure


@with_groups
def language_detection(
    files: Annotated[
        list[Path], Argument(help="Texts, one per line; the name ends with the language: x.fin.")
    ],
    output: Output,
    longer: Annotated[int, Option(min=0, help="Only lines with more characters.")] = 30,
    count: Annotated[int, Option(min=1, help="The first lines used of each file.")] = 50,
) -> None:
    """The accuracy of language detection per language, and their macro average.

    Files with fewer lines than --count are left out and named.

    Example: xorqa eval language-detection tatoeba/tatoeba.*-eng.[!e]*
    """
    results, short = dict[str, Detection](), []
    for path in files:
        lang = file_language(path)
        if lang is None:
            short.append(f"{path.name} (no ISO 639-1 code)")
            continue
        texts = longer_than(path, longer, count=count)
        if len(texts) < count:
            short.append(f"{path.name} ({len(texts)} lines)")
        elif lang in results:
            raise ConfigError(f"{path}: another file is in '{lang}'; name one file per language")
        else:
            results[lang] = measure(lang, texts)
    if short:
        output.aside(f"left out: {', '.join(short)}")
    if not results:
        raise ConfigError(f"no file has {count} lines of over {longer} characters")
    macro = fmean(each.accuracy for each in results.values())
    per_lang = {lang: each.accuracy for lang, each in sorted(results.items())}
    output.write_json({"macro": macro, "languages": per_lang})
    rows = tuple(_row(lang, each) for lang, each in sorted(results.items()))
    total = ("macro", f"{100 * macro:.1f}", str(sum(d.unsure for d in results.values())), "")
    header = ("language", "accuracy", "unsure", "taken for")
    caption = (
        f"{len(results)} languages, {count} lines each with over {longer} characters; accuracy in "
        "percent; 'unsure' counts the lines for which a warning would be shown."
    )
    grid = Grid("Language detection", header, (rows, (total,)), caption=caption, fixed=True)
    output.print_grid(grid)


def _row(lang: str, each: Detection) -> tuple[str, ...]:
    confused = ", ".join(f"{code} {n}" for code, n in each.confused.most_common(3))
    return lang, f"{100 * each.accuracy:.1f}", str(each.unsure), confused
