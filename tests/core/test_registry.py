import pytest

from xorqa.answering.choosing.rule import RuleChooser
from xorqa.core.errors import ConfigError
from xorqa.core.registry import STAGES, build, find
from xorqa.core.stages import BaseRetriever, signature_of
from xorqa.ranking.rerank import NoRanking
from xorqa.retrieval.bm25 import Bm25
from xorqa.translation.human import HumanTranslation, NoTranslation


class Stage(BaseRetriever):
    """A stage of a user's own."""

    def __init__(self, corpus, *, depth, name="x", **more):
        self.given = (corpus, depth, name, more)

    def retrieve(self, queries, *, k):
        return [[] for _ in queries]

    def fingerprint(self):
        return "own"


OWN = f"{__name__}:Stage"


def test_find_by_name_and_by_path():
    assert find("chooser", "rule") is RuleChooser
    assert find("chooser", "xorqa.answering.choosing.rule:RuleChooser") is RuleChooser
    assert find("retriever", OWN).__name__ == "Stage"


@pytest.mark.parametrize("role", STAGES)
def test_an_unknown_name_lists_the_names(role):
    listed = ", ".join(sorted(STAGES[role]))
    with pytest.raises(ConfigError) as error:
        find(role, "bm26")
    assert str(error.value) == f"no {role} is called 'bm26'; valid: {listed}, or module:name"


@pytest.mark.parametrize("name", ["no_module:Class", "xorqa.answering.choosing.rule:NoClass"])
def test_a_failed_import_is_named(name):
    with pytest.raises(ConfigError, match=rf"^chooser '{name}' cannot be imported: .*'[Nn]o"):
        find("chooser", name)


@pytest.mark.parametrize(
    "name", ["os:system", "builtins:exec", "subprocess:Popen", "pathlib:Path", OWN, ":x", "a..b:c"]
)
def test_only_a_class_with_the_methods_of_a_chooser_is_one(name):
    with pytest.raises(ConfigError, match=rf"'{name}' (is not a chooser|cannot be)"):
        build("chooser", {"use": name, "command": "true"})


def test_the_error_names_the_member_that_a_class_lacks():
    message = "it has no translate and no black_box and no spent; xorqa.core.stages has base"
    with pytest.raises(ConfigError, match=message):
        find("translator", OWN)


def test_build_passes_settings_and_accepted_values():
    translations = {"q": "Where?"}
    none = build("translator", {"use": "none"}, translations=translations)
    assert isinstance(none, NoTranslation)
    human = build("translator", {"use": "human"}, translations=translations, corpus="unused")
    assert isinstance(human, HumanTranslation)
    assert human.translations == translations


def test_build_does_not_change_the_table():
    table = {"use": OWN, "depth": 5, "name": "y"}
    stage = build("retriever", table, corpus="c")
    assert stage.given == ("c", 5, "y", {})
    assert table == {"use": OWN, "depth": 5, "name": "y"}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("text", "Query", "cannot be 'Query'; valid: query, question"),
        ("passages", "all", "must be int, not 'all'"),
        ("passages", True, "must be int, not True"),
        ("dtype", 16, "cannot be 16; valid: auto, bfloat16, float16, float32"),
    ],
)
def test_values_that_a_setting_cannot_have(key, value, message):
    with pytest.raises(ConfigError, match=rf"^\[reader\] 'span' {key} {message}$"):
        build("reader", {"use": "span", key: value})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, r"\[chooser\] needs use = one of: learned, rule"),
        ({"use": 5}, r"\[chooser\] needs use = one of: learned, rule"),
        ({"use": "rule", "k": 5}, r"\[chooser\] 'rule' has no setting 'k'; valid: "),
        (
            {"use": "learned", "foreign": "x"},
            r"\[chooser\] 'learned' foreign must be float, not 'x'",
        ),
        ({"use": "learned", "weights": 5}, r"\[chooser\] 'learned' weights must be string, not 5"),
    ],
)
def test_build_errors_list_the_valid_names(table, message):
    with pytest.raises(ConfigError, match=message):
        build("chooser", table, corpus="c")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"use": OWN, "depth": 5, "corpus": "x"}, "has no setting 'corpus'; valid: depth, "),
        ({"use": OWN}, "needs a setting 'depth'"),
    ],
)
def test_build_errors_list_the_settings_of_an_external_class(table, message):
    with pytest.raises(ConfigError, match=message):
        build("retriever", table, corpus="c")


def test_the_settings_of_a_stage_are_those_of_its_constructor() -> None:
    settings = ["corpus", "folder", "k1", "b", "folding", "word_pairs", "every_language"]
    assert list(signature_of(Bm25).parameters) == settings
    assert not signature_of(NoRanking).parameters
    with pytest.raises(ConfigError, match=r"\[ranker\] 'none' has no setting 'depth'; valid: none"):
        build("ranker", {"use": "none", "depth": 3})
