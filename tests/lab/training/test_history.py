from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.history import TrainingHistory, read_history

SOURCES = "[reader]\nsources = [{ files = ['squad/a.json'] }]\n"


def history(folder: Path, stages: str, table: str = SOURCES) -> TrainingHistory:
    (folder / "mine.toml").write_text(table + stages)
    return read_history(folder / "mine.toml", "reader")


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ("[[stages]]\nname = 'a'\nstart = 'b'", "stage 'a' uses 'b', which is not an earlier"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nname = 'a'", "stage 'a' occurs twice"),
        ("[[stages]]\nname = 'a'\naverage = ['a']", "'a' uses 'a', which is not an earlier stage"),
        (
            "[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\naverage = ['a']\nseed = 2",
            "stage 'b' is an average: remove start, seed and recipe",
        ),
        ("[[stages]]\nname = 'a'\nstrat = 'b'", "has no setting 'strat'; valid: average"),
    ],
)
def test_stages_that_cannot_be_used(tmp_path: Path, stages: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        history(tmp_path, stages)
    assert "\n" not in str(caught.value)


def test_a_stage_changes_the_table_and_starts_from_an_earlier_one(tmp_path: Path) -> None:
    made = history(
        tmp_path,
        """
        [[stages]]
        name = "first"
        [[stages]]
        name = "second"
        start = "first"
        seed = 3
        changes = { questions = 7, schedule.warmup = 0.5, lexicon = ["words.tsv"] }
        [[stages]]
        name = "mean"
        average = ["first", "second"]
        """,
        SOURCES + "start = 'reader-en'\n[reader.schedule]\nlearning_rate = 1e-3\n",
    )
    first, second, mean = (
        made.settings_of(stage, {"first": Path("first.safetensors")}) for stage in made.stages
    )
    assert (first.start, second.start, mean.start) == ("reader-en", "first.safetensors", None)
    assert (first.seed, second.seed, second.questions) == (1, 3, 7)
    assert (second.schedule.warmup, second.schedule.learning_rate) == (0.5, 1e-3)
    assert Path(second.lexicon[0]).name == "words.tsv"
    assert [row[1] for row in made.describe().rows[0]] == [
        "reader-en",
        "first",
        "mean of first, second",
    ]
    assert [stage.name for stage in made.until("second")] == ["first", "second"]
    with pytest.raises(ConfigError, match="has no stage 'third'; valid: first, mean, second"):
        made.until("third")


def test_missing_inputs_are_named_with_their_commands(tmp_path: Path, home: Path) -> None:
    inputs = "[[inputs]]\nfiles = ['squad/a.json']\ncommand = 'xorqa data fetch squad'\n"
    made = history(tmp_path, inputs + "[[stages]]\nname = 'only'")
    with pytest.raises(DataError, match=r"missing input files: squad/a\.json \(xorqa data fetch"):
        made.check_inputs(made.stages)
    assert made.describe_inputs().rows[0] == (
        ("squad/a.json", "missing", "xorqa data fetch squad"),
    )
    (home / "data" / "squad").mkdir(parents=True)
    (home / "data" / "squad" / "a.json").write_text("{}")
    made.check_inputs(made.stages)
    made = history(tmp_path, "[[stages]]\nname = 'only'\nchanges = { start = 'nobody' }")
    with pytest.raises(WeightsError, match="no adapter is called 'nobody'"):
        made.check_inputs(made.stages)


def test_a_translator_has_no_stages(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[[stages]]\nname = 'a'\n[translator]\nsources = []")
    with pytest.raises(ConfigError, match="a translator is trained in one stage"):
        read_history(tmp_path / "mine.toml", "translator")


@pytest.mark.parametrize(
    ("name", "kind", "stages"),
    [
        ("reader-en", "reader", 2),
        ("reader-multi", "reader", 8),
        ("encoder-x-y", "biencoder", 5),
        ("encoder-parallel", "biencoder", 0),
    ],
)
def test_the_histories_of_shipped_weights(name: str, kind: str, stages: int, home: Path) -> None:
    made = read_history(name, kind)
    assert len(made.stages) == stages
    assert len(made.describe().rows[0]) == max(1, stages)
    commands = {command for _, _, command in made.describe_inputs().rows[0]}
    assert not stages or "" not in commands
    assert made.config == str(RECIPES[name])
