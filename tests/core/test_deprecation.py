"""Old names of config values keep working, and one line names the new one."""

import pytest

from xorqa.core.named import RenamedWarning, renamed
from xorqa.core.registry import OLD_NAMES, find
from xorqa.experiments.settings import Route


def test_a_current_name_does_not_warn(recwarn: pytest.WarningsRecorder) -> None:
    assert renamed({"own": "bundled"}, "bundled", where="[translator]") == "bundled"
    assert not recwarn.list


@pytest.mark.parametrize(
    ("role", "old"), [(role, old) for role, names in OLD_NAMES.items() for old in names]
)
def test_an_old_stage_is_the_new_one(role: str, old: str) -> None:
    new = OLD_NAMES[role][old]
    with pytest.warns(RenamedWarning, match=f"'{old}' is now called '{new}'"):
        assert find(role, old) is find(role, new)


def test_the_corpus_of_the_question_s_language() -> None:
    with pytest.warns(RenamedWarning, match="'own' is now called 'target'"):
        assert Route("own", {"use": "bm25"}, corpus="own").corpus == "target"
