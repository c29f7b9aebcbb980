"""The buckets of a feature over the questions of all systems."""

from collections.abc import Mapping, Sequence

from ...core.errors import ConfigError
from .buckets import MISSING, Buckets, Fill, make_buckets
from .facts import QUESTIONS, DiagnosisInput, Value
from .features import Feature


def feature_buckets(
    feature: Feature, data: DiagnosisInput, quantiles: int, fill: Fill = "quantiles"
) -> dict[str, Buckets]:
    """The buckets of a feature, by system; all systems have the same buckets.

    Without systems, those of the questions are named `QUESTIONS`.

    Raises:
        ConfigError, DataError: as `make_buckets`.
    """

    def make(values: Sequence[Value]) -> Buckets:
        return make_buckets(
            values,
            feature=feature.name,
            quantiles=quantiles,
            edges=feature.edges,
            order=feature.order,
            fill=fill,
        )

    if feature.of_question:
        of_questions = make([feature.of_question(question) for question in data.questions])
        return dict.fromkeys(data.systems or (QUESTIONS,), of_questions)
    of_outcome = feature.of_outcome
    assert of_outcome is not None  # of a feature that is not of the question
    values = [
        of_outcome(question, outcome)
        for outcomes in data.systems.values()
        for question, outcome in zip(data.questions, outcomes, strict=True)
    ]
    buckets, n = make(values), len(data.questions)
    return {
        system: Buckets(buckets.rule, buckets.buckets, buckets.of[number * n : (number + 1) * n])
        for number, system in enumerate(data.systems)
    }


def is_useful(feature: Feature, by_system: Mapping[str, Buckets], *, required: bool) -> bool:
    """Whether a feature splits the questions; with `required`, always.

    Raises:
        ConfigError: if it is required and has no value for any question.
    """
    first = next(iter(by_system.values()))
    if required and not any(bucket.name != MISSING for bucket in first.buckets):
        raise ConfigError(f"feature '{feature.name}' has no value for any question of these data")
    return required or len(first.buckets) > 1
