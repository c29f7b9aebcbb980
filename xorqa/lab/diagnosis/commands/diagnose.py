"""`xorqa diagnose`: for which questions is a system good, and where do systems differ?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from ....cli.options import FileLang, Output, Samples, Seed, Trust, with_groups
from ....cli.show import counted, progress
from ....core.config import stage_table
from ....core.errors import ConfigError
from ....io.files import write_text
from ....metrics.resampling import Correction
from ....metrics.significance import DEFAULTS, Settings
from ..buckets import QUANTILES, Fill
from ..data_bias import bias_json
from ..diagnose import diagnose as diagnose_systems
from ..diagnosis import MIN_N, Diagnosis
from ..extremes import by_language, extremes, extremes_grid
from ..page import all_grids, diagnosis_page
from ..report import errors_by_lang, question_of, to_csv, to_json

_PASSAGE = 200  # characters of a passage that are printed

DataOption = Annotated[
    list[Path] | None,
    Option(help="Data files, a folder with a file per language, or qrels; repeatable."),
]
PredOption = Annotated[
    list[str] | None,
    Option(
        help="NAME=FILE: a system's predictions for each --data, in the same order, or for all; or "
        "NAME=FOLDER with a file per language. Repeatable."
    ),
]


@with_groups
def diagnose(
    output: Output,
    runs: Annotated[
        list[Path] | None, Argument(help="Run folders; or use --task and --data.")
    ] = None,
    task: Annotated[
        str | None,
        Option(
            help="squad, mlqa, xor-full, ranking, ...; for runs by default the last they share."
        ),
    ] = None,
    data: DataOption = None,
    pred: PredOption = None,
    by: Annotated[
        list[str] | None,
        Option(
            help="A feature (aLen, qType, language, ...), my_package:function, NAME=FILE with a "
            "TSV of (id, value), or xtreme-r for that paper's six. Repeatable; by default all "
            "features of xorqa."
        ),
    ] = None,
    quantiles: Annotated[
        int, Option(min=1, max=20, help="Buckets of numbers without --edges.")
    ] = QUANTILES,
    buckets: Annotated[
        Fill,
        Option(help="Of numbers: quantiles, or as XTREME-R's: greedy, closed on the right."),
    ] = "quantiles",
    edges: Annotated[
        list[str] | None, Option(help="A feature's buckets: aLen=2,3,6. Repeatable.")
    ] = None,
    metric: Annotated[
        list[str] | None, Option(help="Only this metric, or f1+em, their mean; repeatable.")
    ] = None,
    scorer: Annotated[
        Literal["official", "strict"] | None, Option(help="The scorer; official by default.")
    ] = None,
    lang: FileLang = None,
    english: Annotated[
        Path | None, Option(help="The same questions in English, parallel by id, for qType.")
    ] = None,
    queries: Annotated[
        Path | None, Option(help="For rankings: JSONL with qid, lang and question.")
    ] = None,
    translator: Annotated[
        str | None,
        Option(help="Translate questions into English for qType: a name, or {use = '...', ...}."),
    ] = None,
    samples: Samples = DEFAULTS.samples,
    seed: Seed = DEFAULTS.seed,
    confidence: Annotated[float, Option(help="Of the intervals.")] = DEFAULTS.confidence,
    correction: Annotated[
        Correction, Option(help="Correction of p over all buckets and pairs.")
    ] = DEFAULTS.correction,
    min_n: Annotated[
        int, Option(min=1, help="Fewest questions of a bucket that is listed as a pair's best.")
    ] = MIN_N,
    examples: Annotated[
        int, Option(min=0, help="Questions to print for each of a pair's best buckets.")
    ] = 0,
    by_lang: Annotated[
        bool,
        Option(
            "--by-language", help="Also list each language's best and worst bucket of each feature."
        ),
    ] = False,
    csv: Annotated[Path | None, Option(help="Also write a row per bucket and metric.")] = None,
    html: Annotated[Path | None, Option(help="Also write a page to explore.")] = None,
    trust: Trust = False,
) -> None:
    """Split results by features of the questions, and show where systems differ.

    Numbers are split at quantiles, texts by category; questions without a value have a bucket of
    their own. With two systems or more, the five buckets in which each beats the other most are
    listed. The JSON file and the page also have the questions behind them.

    Without --pred, the questions alone are described: the share of each bucket in each language.

    Example: xorqa diagnose runs/bm25-mini runs/hybrid-mini --html diagnosis.html

    Example: xorqa diagnose --task squad --data xquad.de.json --pred ours=de.json --by aLen
    --edges aLen=2,3,6

    Example: xorqa diagnose --task squad --data xquad --pred ours=predictions --by xtreme-r
    --buckets greedy --metric f1+em --by-language

    Example: xorqa diagnose --task squad --data xquad --by xtreme-r --html questions.html
    """
    _check_predictions(
        runs, pred, {"--by-language": by_lang, "--examples": examples, "--scorer": scorer}
    )
    settings = Settings(samples, seed, confidence, correction)
    options: dict[str, Any] = {
        "by": by or (),
        "quantiles": quantiles,
        "buckets": buckets,
        "edges": dict(map(_edges, edges or ())),
        "metrics": metric or (),
        "settings": settings,
        "min_n": min_n,
    }
    with progress() as report:
        diagnosis = diagnose_systems(
            *(runs or ()),
            task=task,
            data=data or (),
            predictions=_systems(pred or ()),
            scorer=scorer,
            lang=lang,
            english=english,
            queries=queries,
            translator=stage_table(translator) if translator else None,
            trust=trust,
            progress=report,
            **options,
        )
    of_langs = by_language(diagnosis.data, **options) if by_lang else {}
    if output.json_file:
        listed = {"languages": [row.to_json() for row in extremes(of_langs)]} if by_lang else {}
        alone = {} if diagnosis.data.systems else bias_json(diagnosis)
        output.write_json(to_json(diagnosis) | listed | alone)
    if csv:
        write_text(csv, to_csv(diagnosis))
    if html:
        write_text(html, diagnosis_page(diagnosis))
    grids = [extremes_grid(of_langs)] if by_lang else []
    output.print_grids([*all_grids(diagnosis), *grids])
    for line in _remarks(diagnosis, examples):
        output.aside(line)
    if html:
        output.aside(f"page: {html}")


def _check_predictions(
    runs: Sequence[Path] | None, pred: Sequence[str] | None, options: Mapping[str, object]
) -> None:
    """Refuse options that need predictions where there are none."""
    needless = [name for name, value in options.items() if value]
    if needless and not runs and not pred:
        raise ConfigError(f"{needless[0]} needs predictions: name run folders, or give --pred")


def _systems(predictions: Sequence[str]) -> dict[str, list[Path]]:
    """System to files; a system without a name is named like its file or folder."""
    systems: dict[str, list[Path]] = {}
    for text in predictions:
        name, equals, path = text.partition("=")
        if not equals and Path(text).stem in systems:
            name = text
        elif not equals:
            name, path = Path(text).stem, text
        if not name:
            raise ConfigError(f"--pred {text}: name the system, as in NAME=FILE")
        systems.setdefault(name, []).append(Path(path or text))
    return systems


def _edges(text: str) -> tuple[str, tuple[float, ...]]:
    name, _, numbers = text.partition("=")
    try:
        return name, tuple(float(number) for number in numbers.split(","))
    except ValueError as error:
        raise ConfigError(
            f"--edges {text}: needs a feature and numbers, as in aLen=2,3,6"
        ) from error


def _remarks(diagnosis: Diagnosis, examples: int) -> list[str]:
    """The errors common to all systems, and questions behind the best buckets of each pair."""
    lines = []
    if diagnosis.pairs:
        total = len(diagnosis.data.questions)
        errors = len(diagnosis.common_errors)
        by_lang = counted(dict(sorted(errors_by_lang(diagnosis).items())))
        listed = f" ({by_lang})" if by_lang else ""
        lines.append(f"all systems have {diagnosis.metric} 0 on {errors} of {total}{listed}")
    for pair in diagnosis.pairs if examples else ():
        for of_a, better in ((True, pair.a), (False, pair.b)):
            for row in diagnosis.best(pair, of_a=of_a):
                lines.append(f"{better} is better: {row.feature} {row.bucket.name}")
                for position in diagnosis.behind(pair, row, count=examples):
                    lines += _example(diagnosis, position, (pair.a, pair.b))
    return lines


def _example(diagnosis: Diagnosis, position: int, systems: Sequence[str]) -> list[str]:
    question = question_of(diagnosis, position, systems)
    answers = "; ".join(f"{name}: {text}" for name, text in question["answers"].items())
    passage = question["passage"][:_PASSAGE]
    return [
        f"  {question['lang']} {question['qid']}: {question['question']}",
        f"    gold: {' / '.join(question['gold'])}; {answers}",
        *([f"    passage: {passage}"] if passage else []),
    ]
