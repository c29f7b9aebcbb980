"""The pages of single systems joined, so that any two of them can be compared on one page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .page_data import FeatureData, PageData


@dataclass(frozen=True, slots=True)
class Joined:
    """Systems over the same questions on one page; `left_out` are features that differ by page."""

    systems: tuple[str, ...]
    data: PageData
    left_out: tuple[str, ...]


def join_pages(pages: Mapping[str, PageData]) -> list[Joined]:
    """Join the pages that have the same questions and main metric; a page alone is left out.

    So is one whose columns have different lengths, which a page of someone else may have.

    Args:
        pages: system to the data of its page. Of a page with several systems, the first counts.
    """
    groups: dict[object, dict[str, PageData]] = {}
    for name, page in pages.items():
        if _is_complete(page):
            columns = page.questions
            key = (*map(tuple, (columns.qid, columns.lang, columns.text)), page.metrics[0])
            groups.setdefault(key, {})[name] = page
    return [_join(group) for group in groups.values() if len(group) > 1]


def _is_complete(page: PageData) -> bool:
    """Whether the first system and each feature have a value for every question."""
    n = len(page.questions.qid)
    rows: list[Sequence[object]] = [page.questions.lang, page.questions.text, *page.answers[:1]]
    rows += [row for of_system in page.values[:1] for row in of_system]
    rows += [row for feature in page.features for row in feature.of[:1]]
    counted = bool(page.systems and page.metrics and page.answers and page.values)
    return (
        counted
        and len(page.values[0]) == len(page.metrics)
        and all(feature.of for feature in page.features)
        and all(len(row) == n for row in rows)
    )


def _join(pages: Mapping[str, PageData]) -> Joined:
    first, *others = pages.values()
    metrics = [m for m in first.metrics if all(m in other.metrics for other in others)]
    features = [_feature(feature, others) for feature in first.features]
    data = replace(
        first,
        metrics=metrics,
        systems=[*pages],
        features=[feature for feature in features if feature],
        intervals=[page.intervals[0] if page.intervals else {} for page in pages.values()],
        answers=[page.answers[0] for page in pages.values()],
        values=[
            [page.values[0][page.metrics.index(metric)] for metric in metrics]
            for page in pages.values()
        ],
    )
    names = [row.name for row in first.features]
    left_out = [name for name, feature in zip(names, features, strict=True) if feature is None]
    return Joined(tuple(pages), data, tuple(left_out))


def _feature(feature: FeatureData, others: Sequence[PageData]) -> FeatureData | None:
    """The feature with the buckets of every system; None if another page has other buckets."""
    rows = [feature]
    for page in others:
        found = [row for row in page.features if row.name == feature.name]
        if not found or list(found[0].buckets) != list(feature.buckets):
            return None
        rows.append(found[0])
    of = [list(row.of[0]) for row in rows]
    same = all(places == of[0] for places in of)
    return replace(feature, of=of[:1] if same else of)
