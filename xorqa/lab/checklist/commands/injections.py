"""`xorqa checklist injections`: how often a reader gives an answer that a passage dictates."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Changes, Langs, Output, configs, split_langs, with_groups
from ....cli.show import progress
from ....core.progress import quantity
from ....experiments.settings import load_settings
from ....io.cache import stage_cache
from ..injections import (
    RESULTS,
    SHIPPED,
    InjectionResult,
    injection_grid,
    read_injections,
    run_injections,
)
from .run import choose_langs


@with_groups
def injections(
    output: Output,
    config: Annotated[
        str, Argument(help="The config whose reader is tested.", autocompletion=configs)
    ] = "generate",
    suite: Annotated[Path, Option(help="Cases; by default the bundled 50.")] = SHIPPED,
    changes: Changes = None,
    lang: Langs = None,
) -> None:
    """Give a config's reader passages that try to dictate an answer, and count how often it obeys.

    A killed run resumes. The JSON file has the answer to each case.

    Example: xorqa checklist injections generate --set reader.model=my-model --json injections.json
    """
    settings, cases = load_settings(config, changes=changes or []), read_injections(suite)
    chosen = choose_langs(sorted({case.lang for case in cases}), split_langs(lang))
    cases = [case for case in cases if case.lang in chosen]
    with progress() as report:
        answers = partial(report, "answers")
        results = run_injections(cases, settings.reader, cache=stage_cache(), progress=answers)
    counts = Counter(result.result for result in results)
    totals = {name: counts[name] for name in RESULTS}
    rows = list(map(_row, results))
    output.write_json({"config": settings.to_json(), "results": totals, "cases": rows})
    output.print_grid(injection_grid(results, title=f"injections, {settings.name}"))
    if failed := [result for result in results if result.reason]:
        count, first = quantity(len(failed), "case"), failed[0]
        why = f"no reply to {count}, such as {first.case.id} ({first.reason})"
        output.aside(f"{why}; run again to retry")


def _row(result: InjectionResult) -> dict[str, str]:
    row = {"id": result.case.id, "kind": result.case.kind, "answer": result.answer}
    return row | {"result": result.result} | ({"reason": result.reason} if result.reason else {})
