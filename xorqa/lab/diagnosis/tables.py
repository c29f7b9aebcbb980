"""Tables of a diagnosis: metrics by bucket, the best buckets of pairs, and a matrix of pairs."""

from collections.abc import Sequence

from ...tables.grid import COUNT, MISSING, SIGNIFICANT, Grid, Row
from .diagnosis import Diagnosis
from .measure import BucketScore
from .pairs import ALL, Difference, Pair


def diagnosis_grids(diagnosis: Diagnosis) -> list[Grid]:
    """A table of buckets per metric, then the tables of pairs."""
    grids = [bucket_grid(diagnosis, metric) for metric in diagnosis.metrics]
    grids += [best_grid(diagnosis, pair) for pair in diagnosis.pairs]
    if len(diagnosis.data.systems) > 2:
        grids.append(matrix_grid(diagnosis))
    return grids


def bucket_grid(diagnosis: Diagnosis, metric: str) -> Grid:
    """A metric of each system in each bucket, with its interval, grouped by feature."""
    systems = [*diagnosis.scores]
    header: Row = ("feature", "bucket", COUNT)
    for system in systems:
        header += (system, "low", "high")
    groups = [
        tuple(
            (feature, bucket, *_cells(diagnosis, feature, bucket, metric))
            for bucket in _bucket_names(diagnosis, feature)
        )
        for feature in (ALL, *(row.name for row in diagnosis.features))
    ]
    caption = f"{_how_measured(diagnosis)} {rules(diagnosis)}"
    data = diagnosis.data
    title = f"{data.task} ({data.scorer}), {metric} by bucket"
    return Grid(title, header, tuple(groups), caption, labels=2, fixed=True)


def rules(diagnosis: Diagnosis) -> str:
    """What each feature is, and how its buckets were made."""
    first = next(iter(diagnosis.buckets.values()))
    listed = [f"{row.name}: {row.about} ({first[row.name].rule})" for row in diagnosis.features]
    return (
        f"{'; '.join(listed)}. Buckets are over the questions of all languages; a bucket of "
        f"numbers includes its {'upper' if _greedy(diagnosis) else 'lower'} bound."
    )


def _greedy(diagnosis: Diagnosis) -> bool:
    return any(
        "closed on the right" in row.rule for row in next(iter(diagnosis.buckets.values())).values()
    )


def best_grid(diagnosis: Diagnosis, pair: Pair) -> Grid:
    """The five buckets in which A most beats B, then those in which B most beats A."""
    sides = (("A", diagnosis.best(pair, of_a=True)), ("B", diagnosis.best(pair, of_a=False)))
    overall: Row = ("", ALL, ALL, *_difference_cells(pair.overall(diagnosis.metric)))
    groups = [
        tuple((side, row.feature, row.bucket.name, *_difference_cells(row)) for row in rows)
        for side, rows in sides
        if rows
    ]
    header = ("better", "feature", "bucket", COUNT, "A", "B", "A - B", "low", "high", "p corr", "*")
    settings = diagnosis.settings
    caption = (
        f"A = {pair.a}, B = {pair.b}. Percent; the difference with its "
        f"{100 * settings.confidence:g} % interval by paired bootstrap; p by approximate "
        f"randomisation, corrected ({settings.correction}) over all buckets and pairs. * corrected "
        f"p of at most {settings.alpha:g}. Buckets of at least {diagnosis.min_n} questions; "
        f"{settings.samples} samples, seed {settings.seed}."
    )
    title = f"Where {pair.a} and {pair.b} differ most, {diagnosis.metric}"
    return Grid(title, header, ((overall,), *groups), caption, labels=3, fixed=True)


def matrix_grid(diagnosis: Diagnosis) -> Grid:
    """The difference of every pair over all questions: the row's system minus the column's."""
    systems = [*diagnosis.data.systems]
    cells = {}
    for pair in diagnosis.pairs:
        row = pair.overall(diagnosis.metric)
        star = SIGNIFICANT if row.significant else ""
        cells[pair.a, pair.b] = f"{row.difference:+.1f}{star}"
        cells[pair.b, pair.a] = f"{-row.difference:+.1f}{star}"
    rows = tuple((a, *(cells.get((a, b), MISSING) for b in systems)) for a in systems)
    caption = "Percent, the row's system minus the column's; * significant after correction."
    title = f"All pairs, {diagnosis.metric}"
    return Grid(title, ("system", *systems), (rows,), caption, fixed=True)


def _bucket_names(diagnosis: Diagnosis, feature: str) -> list[str]:
    """The buckets of a feature in which some system has questions, in their order."""
    first = next(iter(diagnosis.buckets.values()))
    counted = {
        row.bucket.name for scores in diagnosis.scores.values() for row in scores.get(feature, ())
    }
    return [bucket.name for bucket in first[feature].buckets if bucket.name in counted]


def _cells(diagnosis: Diagnosis, feature: str, bucket: str, metric: str) -> Row:
    """The number of questions, then each system's metric with its interval."""
    rows = [
        next((row for row in scores.get(feature, ()) if row.bucket.name == bucket), None)
        for scores in diagnosis.scores.values()
    ]
    counts = list(dict.fromkeys(str(row.n) for row in rows if row))
    return ("/".join(counts), *(cell for row in rows for cell in _estimate(row, metric)))


def _estimate(row: BucketScore | None, metric: str) -> Row:
    if row is None:
        return (MISSING, MISSING, MISSING)
    estimate = row.metrics[metric]
    return tuple(f"{value:.1f}" for value in (estimate.value, estimate.low, estimate.high))


def _difference_cells(row: Difference) -> Row:
    return (
        str(row.n),
        f"{row.a:.1f}",
        f"{row.b:.1f}",
        *(f"{value:+.1f}" for value in (row.difference, row.low, row.high)),
        f"{row.p_corrected:.2g}",
        SIGNIFICANT if row.significant else "",
    )


def _how_measured(diagnosis: Diagnosis) -> str:
    settings = diagnosis.settings
    systems: Sequence[str] = [*diagnosis.data.systems]
    best = " oracle: the best of the systems for each question." if len(systems) > 1 else ""
    return (
        f"Percent, means over questions with their {100 * settings.confidence:g} % bootstrap "
        f"interval ({settings.samples} samples, seed {settings.seed}).{best}"
    )
