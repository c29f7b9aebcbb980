"""`xorqa checklist`: behavioural tests of readers and of whole systems."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from ....cli.options import Langs, split_langs
from ....cli.show import errors, print_line, progress
from ....core.errors import ConfigError, one_of
from ....core.progress import quantity
from .. import official_cases, released_suite
from ..cross_lingual import cross_lingual_cases
from ..folder import SHIPPED, read_checklists
from ..format import Checklist, read_checklist
from ..generate import CASES, SEED
from ..generate import generate as cases_of
from ..lint import lint as problems_of
from ..official_table import complete_languages, read_official_table
from ..perturb import perturb
from ..suite import Case, write_suite
from .injections import injections
from .report import report
from .run import choose_langs, run

app = typer.Typer(no_args_is_help=True)
app.command("run")(run)
app.command("report")(report)
app.command("injections")(injections)

Kind = Literal["MFT", "INV", "DIR"]
CasesOption = Annotated[int, Option(min=1, help="Cases per test and language.")]
SeedOption = Annotated[int, Option(min=0, help="The same seed gives the same cases.")]


@app.command()
def lint(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="checklists/fi.toml ...")],
    show: Annotated[int, Option(min=0, help="Cases per test to print.")] = 1,
) -> None:
    """Check checklists, and print examples of their cases.

    Example: xorqa checklist lint checklists/fi.toml --show 2
    """
    wrong = False
    for file in files:
        checklist = read_checklist(file)
        problems = problems_of(checklist)
        wrong = wrong or bool(problems)
        for problem in problems:
            print_line(problem, errors)
        if not problems:
            _samples(checklist, show)
            unsure = quantity(len(checklist.unsure), "unsure note")
            print_line(f"{file}: {checklist.name} has no problems, {unsure}")
    raise typer.Exit(code=1 if wrong else 0)


@app.command("import")
def import_(
    sheet: Annotated[
        Path,
        Argument(
            metavar="FILE",
            help="The official templates, TSV; or a released LANG_squad_suite.pkl or their folder.",
        ),
    ],
    out: Annotated[Path, Option(help="The folder for suites, one per language.")],
    names: Annotated[Path, Option(help="Checklists that provide the names.")] = SHIPPED,
    cases: CasesOption = CASES,
    seed: SeedOption = SEED,
    lang: Langs = None,
) -> None:
    """Build suites from the official MultiCheckList templates, or read the released ones.

    The templates have no names of persons. XTREME-R takes them from Wikidata, this command from
    checklists, so the suites differ from XTREME-R's in the names. The released suites have their
    names; their pickles are read as plain records, without running anything of them.

    Example: xorqa checklist import checklist_templates.tsv --out official

    Example: xorqa checklist import lang_suites --out released
    """
    if sheet.is_dir() or sheet.suffix in (".pkl", ".json"):
        _check_defaults(names=names == SHIPPED, cases=cases == CASES, seed=seed == SEED)
        _import_released(sheet, out, lang)
        return
    people = {row.lang: official_cases.people(row) for row in read_checklists(names)}
    blocks = read_official_table(sheet)
    wanted = choose_langs(complete_languages(blocks), split_langs(lang))
    suites: dict[str, list[Case]] = {}
    with progress() as report_progress:
        for done, code in enumerate(wanted, 1):
            suites[code] = list(
                official_cases.generate_official(
                    blocks, people, langs=[code], count=cases, seed=seed
                )
            )
            report_progress("languages", done, len(wanted))
    # All suites or none are written: the table may fail at its last language.
    for code, suite in suites.items():
        write_suite(out / f"{code}.jsonl", suite)
    print_line(
        f"{quantity(len(wanted), 'language')}, {quantity(len(blocks), 'test')} "
        f"of {quantity(cases, 'case')}: {out}"
    )


def _check_defaults(**default: bool) -> None:
    for name, is_default in default.items():
        if not is_default:
            raise ConfigError(f"--{name} is for templates; the released suites have their own")


def _import_released(path: Path, out: Path, lang: list[str] | None) -> None:
    if path.suffix == ".json":
        raise ConfigError(
            f"{path} has neither answers nor names of tests; give the suite's pickle, "
            f"{path.with_suffix('.pkl').name}"
        )
    files = sorted(path.glob(released_suite.PATTERN)) if path.is_dir() else [path]
    if not files:
        raise ConfigError(f"{path} contains no {released_suite.PATTERN}")
    articles = {row.lang: row.articles for row in read_checklists(SHIPPED)}
    suites = {file.name[:2]: released_suite.read_released(file, articles) for file in files}
    for code in choose_langs(list(suites), split_langs(lang)):
        write_suite(out / f"{code}.jsonl", suites[code])
        print_line(f"{code}: {quantity(len(suites[code]), 'case')}")
    print_line(f"suites: {out}")


@app.command()
def generate(
    out: Annotated[Path, Option(help="The suite, JSONL.")],
    folder: Annotated[Path, Argument(metavar="DIR", help="Checklists.")] = SHIPPED,
    cases: CasesOption = CASES,
    seed: SeedOption = SEED,
    lang: Langs = None,
    test: Annotated[list[str] | None, Option(help="Only this test; repeatable.")] = None,
    kind: Annotated[Kind, Option("--type", help="INV and DIR cases perturb MFT cases.")] = "MFT",
    context_lang: Annotated[
        str | None, Option(help="Use contexts in this language, for all questions.")
    ] = None,
) -> None:
    """Generate a suite from checklists; by default from all bundled ones.

    Example: xorqa checklist generate checklists --out suite.jsonl --lang fi,en
    """
    lists = {checklist.lang: checklist for checklist in read_checklists(folder)}
    chosen = [lists[code] for code in choose_langs(list(lists), split_langs(lang))]
    names = {row.name for checklist in chosen for row in checklist.tests}
    if unknown := set(test or ()) - names:
        raise ConfigError(f"no test is called {one_of(unknown)}; valid: {one_of(names)}")
    generator: Callable[..., Iterator[Case]] = cases_of
    if context_lang is not None:
        if kind != "MFT":
            raise ConfigError(f"--context-lang is for MFT cases only, not {kind}")
        contexts = lists[choose_langs(list(lists), [context_lang])[0]]
        generator = partial(cross_lingual_cases, contexts=contexts)
    elif kind != "MFT":
        generator = partial(perturb, kind=kind)
    options = {"tests": test or (), "count": cases, "seed": seed}
    suite = [case for checklist in chosen for case in generator(checklist, **options)]
    if not suite:
        raise ConfigError(f"these checklists have no {kind} cases for the chosen tests")
    write_suite(out, suite)
    examples = sum(len(case.examples) for case in suite)
    print_line(
        f"{quantity(len(suite), 'case')}, {quantity(examples, 'example')} in "
        f"{quantity(len(chosen), 'language')}: {out}"
    )


def _samples(checklist: Checklist, show: int) -> None:
    for case in cases_of(checklist, count=show) if show else ():
        print_line(f"{case.test}:")
        for example in case.examples:
            answers = " / ".join(example.answers)
            print_line(f"  {example.context}  {example.question}  -> {answers}")
