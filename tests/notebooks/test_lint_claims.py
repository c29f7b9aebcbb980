"""The linter of claims: its complaints about made-up lessons, and none about the real ones."""

import importlib

import pytest

LESSON = """# %% [markdown]
# # A lesson
#
# **Predict first.** Is it half of them? Write a share down.
#
# Reading loses nearly a quarter of what it gets. Is most of it lost?

# %% tags=["claim"]
CLAIM
"""


@pytest.fixture
def complaints(tmp_path, tool):
    linter = importlib.import_module("lint_claims")

    def of(claim, text=LESSON):
        script = tmp_path / "01_made_up.py"
        script.write_text(text.replace("CLAIM", claim), encoding="utf-8")
        return linter.lint(script)

    return of


def test_a_claim_that_quotes_and_measures_is_fine(complaints):
    assert complaints('claim("reading loses nearly a quarter", 1 - spans / read)') == []
    assert complaints('uncounted("nearly a quarter of what it gets", "a definition")') == []


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        ('claim("it rains", rain > 0)', "no claim quotes 'nearly a quarter'"),
        ('claim("loses nearly a quarter", 0.2 < lost < 0.3)', "give the figure, not whether"),
        ('claim("loses nearly a quarter", all(lost))', "give the figure, not whether"),
        ('claim("loses a fifth of it", lost)', "the text does not have these words"),
        ('claim("reading is worse", low < 0)', "give the figure, not whether"),
    ],
)
def test_what_it_complains_of(complaints, claim, complaint):
    assert any(one.startswith(complaint) for one in complaints(claim))


def test_better_in_the_text_wants_an_interval(complaints):
    text = LESSON.replace("Reading loses nearly a quarter of what it gets.", "Vectors are better.")
    assert complaints('claim("it rains", rain)', text) == [
        "no claim quotes 'better' in: vectors are better."
    ]
    assert complaints('claim("vectors are better", (low, high))', text) == []


def test_the_lessons_have_no_complaint(tool):
    linter = importlib.import_module("lint_claims")
    for script in linter.select([]):
        assert linter.lint(script) == [], script.stem
