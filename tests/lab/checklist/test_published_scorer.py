"""XTREME-R's scorer, against values of the authors' code."""

import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.checklist.published_scorer import clean
from xorqa.lab.checklist.results import error_grid, outcome
from xorqa.lab.checklist.scoring import Scorer, score_case
from xorqa.lab.checklist.suite import Case, Example


@pytest.mark.parametrize(
    ("lang", "text", "cleaned"),
    [
        ("en", "the dog.", "dog"),
        ("en", "The dog", "The dog"),
        ("en", "in the car, ", "car"),
        ("de", "einen Hund", "Hund"),
        ("de", "einem Hund", "einem Hund"),
        ("ar", "الكلب", "كلب"),
        ("af", "’n hond", "hond"),
        ("pl", "„pies”.", "pies"),
        ("fi", "koira!", "koira!"),
        ("hi", "एक कुत्ता৷", "कुत्ता"),
        ("en", "a red a car", "red   car"),
    ],
)
def test_articles_and_ends_are_removed(lang: str, text: str, cleaned: str) -> None:
    assert clean(text, lang) == cleaned


def case(kind: str = "MFT") -> Case:
    examples = (Example("c", "q", ("Anna",)), Example("c", "r", ("a dog",)))
    return Case("en/t/0", "en", "t", "c", kind, ("a",), examples)


@pytest.mark.parametrize(
    ("scorer", "texts", "passed"),
    [
        ("published", ("Anna.", "dog"), True),
        ("published", ("anna", "dog"), False),
        ("exact", ("anna!", "dog"), True),
    ],
)
def test_a_case_passes_by_either_scorer(
    scorer: Scorer, texts: tuple[str, str], passed: bool
) -> None:
    scored = score_case(case(), dict(zip(case().qids(), texts, strict=True)), scorer=scorer)
    assert scored.passed == passed
    caption = error_grid([outcome(scored)]).caption
    assert ("XTREME-R's published scorer." in caption) == (scorer == "published")


def test_missing_predictions_fail_and_other_types_are_rejected() -> None:
    assert not score_case(case(), {}, scorer="published").passed
    with pytest.raises(ConfigError, match="is for MFT cases"):
        score_case(case("INV"), {}, scorer="published")
