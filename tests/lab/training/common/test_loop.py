import csv
import itertools
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.training.common.loop import Schedule, described_schedule, fit
from xorqa.lab.training.common.time_limit import UNLIMITED, TimeLimit
from xorqa.lab.training.common.training_folder import (
    CHECKPOINT,
    TrainingProgress,
    append_row,
    claim_folder,
    load_state,
    truncate_curve,
)

BATCHES = [
    (torch.randn(4, 3, generator=torch.Generator().manual_seed(at)), float(at % 3))
    for at in range(12)
]
Batch = tuple[torch.Tensor, float]


class Line:
    """A linear model, fresh as after a restart; it notes the losses it is asked for."""

    def __init__(self, *, die_at: int | None = None) -> None:
        torch.manual_seed(0)
        self.parameters = {
            "w": torch.nn.Parameter(torch.randn(3)),
            "b": torch.nn.Parameter(torch.zeros(())),
        }
        self.losses: list[float] = []
        self.die_at = die_at

    def loss_of(self, batch: Batch) -> torch.Tensor:
        if len(self.losses) == self.die_at:
            raise KeyboardInterrupt
        inputs, wanted = batch
        loss = ((inputs @ self.parameters["w"] + self.parameters["b"] - wanted) ** 2).mean()
        self.losses.append(float(loss.detach()))
        return loss

    def train(
        self,
        out: Path,
        *,
        stop_after: int | None = None,
        seconds: float = 180.0,
        validate: Callable[[], float] | None = None,
        limit: TimeLimit = UNLIMITED,
        **settings: int,
    ) -> TrainingProgress:
        schedule = Schedule(0.1, warmup=0.25, log_every=1, checkpoint_seconds=seconds, **settings)
        return fit(
            self.parameters,
            BATCHES,
            self.loss_of,
            schedule=schedule,
            out=out,
            validate=validate,
            stop_after=stop_after,
            limit=limit,
        )

    def limit(self, seconds: float) -> TimeLimit:
        """A limit on a clock of which every step takes a second."""
        return TimeLimit(len(self.losses) + seconds, lambda: float(len(self.losses)))


def curve(out: Path) -> list[list[str]]:
    with (out / "curve.csv").open(newline="") as stream:
        return list(csv.reader(stream))


@pytest.fixture
def whole(tmp_path: Path) -> Line:
    """A run nothing stopped, in the folder `whole`."""
    line = Line()
    assert line.train(tmp_path / "whole").step == len(BATCHES)
    return line


def same(a: Line, b: Line) -> bool:
    return all(torch.equal(value, b.parameters[name]) for name, value in a.parameters.items())


def test_training_lowers_the_loss_and_logs_every_step(tmp_path: Path, whole: Line) -> None:
    rows = curve(tmp_path / "whole")
    assert rows[0] == ["step", "loss"]
    assert [int(step) for step, _ in rows[1:]] == list(range(1, 13))
    assert [loss for _, loss in rows[1:]] == [f"{loss:.4f}" for loss in whole.losses]
    assert sum(whole.losses[-3:]) < sum(whole.losses[:3])


@pytest.mark.parametrize("stops", [(1,), (5,), (3, 7, 11), (12,)])
def test_a_stopped_run_goes_on_to_the_same_weights(
    tmp_path: Path, whole: Line, stops: tuple[int, ...]
) -> None:
    losses: list[float] = []
    for stop in (*stops, None):
        line = Line()
        assert line.train(tmp_path / "parts", stop_after=stop).step == (stop or len(BATCHES))
        losses += line.losses
    assert losses == whole.losses
    assert same(line, whole)
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")


@pytest.mark.parametrize("seconds", [0.0, 180.0])
def test_a_killed_run_goes_on_from_its_last_checkpoint(
    tmp_path: Path, whole: Line, seconds: float
) -> None:
    with pytest.raises(KeyboardInterrupt):
        Line(die_at=6).train(tmp_path / "killed", seconds=seconds)
    again = Line()
    again.train(tmp_path / "killed")
    assert len(again.losses) == (6 if seconds == 0 else 12)
    assert again.losses == whole.losses[-len(again.losses) :]
    assert same(again, whole)
    assert curve(tmp_path / "killed") == curve(tmp_path / "whole")


@pytest.mark.parametrize(("die_at", "again"), [(4, 8), (5, 8), (6, 6)])
def test_a_run_killed_between_batches_of_a_step_takes_the_whole_step_again(
    tmp_path: Path, die_at: int, again: int
) -> None:
    whole, killed, second = Line(), Line(die_at=die_at), Line()
    assert whole.train(tmp_path / "whole", accumulate=2).step == 6
    with pytest.raises(KeyboardInterrupt):
        killed.train(tmp_path / "killed", seconds=0.0, accumulate=2)
    second.train(tmp_path / "killed", accumulate=2)
    assert second.losses == whole.losses[-again:]
    assert same(second, whole)
    assert curve(tmp_path / "killed") == curve(tmp_path / "whole")


@pytest.mark.parametrize("stops", [(1,), (2, 5), (6,)])
def test_a_stopped_run_of_accumulated_steps_goes_on(tmp_path: Path, stops: tuple[int, ...]) -> None:
    whole = Line()
    whole.train(tmp_path / "whole", accumulate=2)
    for stop in (*stops, None):
        line = Line()
        assert line.train(tmp_path / "parts", stop_after=stop, accumulate=2).step == (stop or 6)
    assert same(line, whole)
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")


def test_accumulated_batches_are_one_larger_batch(tmp_path: Path) -> None:
    halves, joined = Line(), Line()
    halves.train(tmp_path / "halves", accumulate=2)
    pairs = zip(BATCHES[::2], BATCHES[1::2], strict=True)
    large = [
        (torch.cat([a, b]), torch.tensor([wanted_a] * 4 + [wanted_b] * 4))
        for (a, wanted_a), (b, wanted_b) in pairs
    ]
    fit(
        joined.parameters,
        large,
        joined.loss_of,
        out=tmp_path / "joined",
        schedule=Schedule(0.1, warmup=0.25, log_every=1),
    )
    for name, value in halves.parameters.items():
        assert torch.allclose(value, joined.parameters[name], atol=1e-5)


def test_steps_count_where_batches_are_left_over(tmp_path: Path) -> None:
    line = Line()
    assert line.train(tmp_path, accumulate=5).step == 3
    means = [
        sum(part) / len(part) for part in (line.losses[:5], line.losses[5:10], line.losses[10:])
    ]
    assert [float(loss) for _, loss in curve(tmp_path)[1:]] == pytest.approx(means, abs=1e-4)


def test_the_seconds_of_all_parts_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    monkeypatch.setattr("xorqa.lab.training.common.loop.time", clock)
    first = Line().train(tmp_path, stop_after=5)
    second = Line().train(tmp_path)
    assert (first.step, second.step) == (5, 12)
    assert 0 < first.seconds < second.seconds


def test_a_finished_run_is_not_trained_further(tmp_path: Path, whole: Line) -> None:
    again = Line()
    assert again.train(tmp_path / "whole").step == len(BATCHES)
    assert again.losses == []
    assert same(again, whole)


def test_a_stop_beyond_the_end_is_the_end(tmp_path: Path) -> None:
    assert Line().train(tmp_path, stop_after=99).step == len(BATCHES)


def test_the_log_has_means_and_the_last_step(tmp_path: Path) -> None:
    line = Line()
    lines: list[str] = []
    fit(
        line.parameters,
        BATCHES,
        line.loss_of,
        schedule=Schedule(0.1, log_every=5),
        out=tmp_path,
        report=lines.append,
    )
    means = [
        sum(part) / len(part) for part in (line.losses[:5], line.losses[5:10], line.losses[10:])
    ]
    assert [line.split("  ")[:2] for line in lines] == [
        [f"step {step}/12", f"loss {mean:.3f}"]
        for step, mean in zip((5, 10, 12), means, strict=True)
    ]


def test_the_learning_rate_warms_up_and_decays_to_nearly_nothing() -> None:
    schedule = Schedule(1.0, warmup=0.1)
    factors = [schedule.factor(step, 100) for step in range(100)]
    assert factors[:10] == pytest.approx([(step + 1) / 10 for step in range(10)])
    assert factors[9:11] == [1.0, 1.0]
    assert factors[10:] == sorted(factors[10:], reverse=True)
    assert factors[-1] == pytest.approx(1 / 90)
    assert schedule.factor(100, 100) == 0
    assert Schedule(1.0, warmup=0).factor(0, 1) == 1.0


def test_a_folder_belongs_to_one_recipe(tmp_path: Path) -> None:
    claim_folder(tmp_path, {"seed": 1, "files": ("a.json",)})
    claim_folder(tmp_path, {"seed": 1, "files": ["a.json"]})
    with pytest.raises(ConfigError, match=r"another recipe \(seed differs\); choose another") as it:
        claim_folder(tmp_path, {"seed": 2, "files": ["a.json"]})
    assert "\n" not in str(it.value)


class Judge:
    """Scores a line by the step it is at; notes its parameters then."""

    def __init__(self, line: Line, scores: dict[int, float]) -> None:
        self.line, self.scores = line, scores
        self.seen: dict[int, dict[str, torch.Tensor]] = {}

    def __call__(self) -> float:
        step = len(self.line.losses) + self.offset
        self.seen[step] = {n: p.detach().clone() for n, p in self.line.parameters.items()}
        return self.scores[step]

    offset = 0


RISES_AND_FALLS = {2: 0.1, 4: 0.5, 6: 0.4, 8: 0.3, 10: 0.2, 12: 0.1}


def test_the_best_validation_stays_and_training_stops_early(tmp_path: Path) -> None:
    line = Line()
    judge = Judge(line, RISES_AND_FALLS)
    assert line.train(tmp_path, validate=judge, validate_every=2, patience=2).step == 8
    assert all(torch.equal(p, judge.seen[4][name]) for name, p in line.parameters.items())
    assert (tmp_path / "validation.csv").read_text().split() == [
        "step,score",
        "2,0.1000",
        "4,0.5000",
        "6,0.4000",
        "8,0.3000",
    ]
    again = Line()
    assert again.train(tmp_path, validate=judge, validate_every=2, patience=2).step == 8
    assert same(again, line)
    assert again.losses == []


def test_without_patience_training_ends_with_the_best(tmp_path: Path) -> None:
    line = Line()
    judge = Judge(line, RISES_AND_FALLS)
    assert line.train(tmp_path, validate=judge, validate_every=2).step == 12
    assert all(torch.equal(p, judge.seen[4][name]) for name, p in line.parameters.items())


def test_validations_resume_too(tmp_path: Path) -> None:
    whole, first, second = Line(), Line(), Line()
    settings = {"validate_every": 2, "patience": 2}
    whole.train(tmp_path / "whole", validate=Judge(whole, RISES_AND_FALLS), **settings)
    first.train(
        tmp_path / "parts", validate=Judge(first, RISES_AND_FALLS), stop_after=5, **settings
    )
    judge = Judge(second, RISES_AND_FALLS)
    judge.offset = 5
    assert second.train(tmp_path / "parts", validate=judge, **settings).step == 8
    assert same(second, whole)
    files = [tmp_path / folder / "validation.csv" for folder in ("whole", "parts")]
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.parametrize(
    ("left", "resumed"),
    [
        (b"step,loss\r\n2,1.5000\r\n3,1.2500\r\n", b"step,loss\r\n2,1.5000\r\n"),
        (b"step,loss\r\n1,2.0000\r\n2,1.5", b"step,loss\r\n1,2.0000\r\n"),
        (b"step,loss\r\n", None),
        (b"step,lo", None),
        (b"", None),
    ],
)
def test_a_curve_that_a_kill_cut_goes_on(
    tmp_path: Path, left: bytes, resumed: bytes | None
) -> None:
    path = tmp_path / "curve.csv"
    path.write_bytes(left)
    truncate_curve(path, 2)
    assert (path.read_bytes() if path.exists() else None) == resumed
    append_row(path, step=9, loss=1.0)
    assert path.read_bytes() == (resumed or b"step,loss\r\n") + b"9,1.0000\r\n"


def test_a_killed_run_logs_the_losses_before_its_checkpoint_too(tmp_path: Path) -> None:
    for out, die_at in (("whole", None), ("killed", 5), ("killed", None)):
        line = Line(die_at=die_at)
        with nullcontext() if die_at is None else pytest.raises(KeyboardInterrupt):
            fit(
                line.parameters,
                BATCHES,
                line.loss_of,
                schedule=Schedule(0.1, log_every=4, checkpoint_seconds=0),
                out=tmp_path / out,
            )
    assert curve(tmp_path / "killed") == curve(tmp_path / "whole")


@pytest.mark.parametrize("name", ["checkpoint.pt", "best.pt"])
@pytest.mark.parametrize("how", ["cut", "empty", "text", "flipped"])
def test_a_damaged_checkpoint_is_one_line(tmp_path: Path, name: str, how: str) -> None:
    first = Line()
    first.train(tmp_path, validate=lambda: 1.0)
    path = tmp_path / name
    whole = bytearray(path.read_bytes())
    flipped = bytearray(whole)
    flipped[whole.index(b"PK", 4) - 80] ^= 1  # in the first record
    damaged = {"cut": whole[:-50], "empty": b"", "text": b"no checkpoint", "flipped": flipped}
    path.write_bytes(damaged[how])
    with pytest.raises(DataError, match=rf"{name} is damaged; delete checkpoint\.pt and best\.pt"):
        Line().train(tmp_path, validate=lambda: 1.0)


def test_the_inverse_square_root_schedule_of_fairseq() -> None:
    schedule = Schedule(
        5e-4, decay="inverse_sqrt", warmup_steps=4000, warmup_from=1e-7, betas=(0.9, 0.98)
    )
    for update in (1, 10, 3999, 4000, 4001, 16_000, 300_000):
        step = (5e-4 - 1e-7) / 4000
        expected = 1e-7 + update * step if update < 4000 else 5e-4 * (4000 / update) ** 0.5
        rate = 5e-4 * schedule.factor(update - 1, 300_000)
        assert rate == pytest.approx(expected)


def test_older_schedules_are_described_as_before() -> None:
    described = described_schedule(asdict(Schedule(0.1)))
    assert set(described) == {
        *("learning_rate", "warmup", "weight_decay", "clip", "accumulate"),
        *("checkpoint_seconds", "log_every", "validate_every", "patience"),
    }
    assert described_schedule(asdict(Schedule(0.1, betas=(0.9, 0.98))))["betas"] == (0.9, 0.98)


def last_rate(out: Path) -> float:
    """The learning rate of the last step."""
    [group] = load_state(out / CHECKPOINT)["optimizer"]["param_groups"]
    return float(group["lr"])


def test_at_its_time_limit_a_training_has_decayed_and_keeps_its_best_weights(
    tmp_path: Path,
) -> None:
    line = Line()
    at_four: dict[str, torch.Tensor] = {}

    def validate() -> float:
        if len(line.losses) == 4:
            at_four.update({name: value.clone() for name, value in line.parameters.items()})
        return -abs(4.0 - len(line.losses))

    progress = line.train(tmp_path, limit=line.limit(6), validate=validate, validate_every=2)
    assert (progress.step, progress.done) == (6, True)
    assert all(torch.equal(line.parameters[name], value) for name, value in at_four.items())
    lines = (tmp_path / "validation.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in lines[1:]] == ["2", "4", "6"]
    after_five_sixths = Schedule(0.1, warmup=0.25).factor(10, 12)
    assert last_rate(tmp_path) == pytest.approx(0.1 * after_five_sixths)
    assert Line().train(tmp_path).step == 6, "a finished training went on"


def test_a_training_without_time_takes_one_step(tmp_path: Path) -> None:
    line = Line()
    progress = line.train(tmp_path, limit=line.limit(0), validate=lambda: 1.0)
    assert (progress.step, progress.best, progress.done) == (1, 1.0, True)
    assert len(curve(tmp_path)) == 2


def test_a_training_that_resumes_decays_within_the_time_it_gets(tmp_path: Path) -> None:
    first = Line()
    first.train(tmp_path, limit=first.limit(8), stop_after=4)
    before = last_rate(tmp_path)
    again = Line()
    progress = again.train(tmp_path, limit=again.limit(3))
    assert (progress.step, progress.done) == (7, True)
    assert 0 < last_rate(tmp_path) < before / 2


def test_enough_time_changes_nothing(tmp_path: Path, whole: Line) -> None:
    line = Line()
    line.train(tmp_path / "limited", limit=line.limit(1000))
    assert same(line, whole)


def test_a_share_of_the_time_left() -> None:
    now = [10.0]
    limit = TimeLimit(40.0, lambda: now[0])
    third = limit.share(1 / 3)
    assert (limit.left, third.left) == (30, 10)
    now[0] = 15.0
    assert (third.left, third.passed_of(10)) == (5, 0.5)
    now[0] = 20.0
    assert third.reached and not limit.reached and third.left == 0
    assert not UNLIMITED.share(0.5).reached
