"""XOR-Full's table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.common.saved_run import SavedRun, open_run
from xorqa.lab.ledger.full_report import ALL, FullReport, full_report, stage_label
from xorqa.metrics.significance import Settings

TARGET = {"use": "rule", "prefer": "target"}


@pytest.fixture
def run(saved_mini: Path) -> SavedRun:
    return open_run(saved_mini)


@pytest.fixture
def report(run: SavedRun) -> FullReport:
    return full_report([run], choosers=[TARGET, run.settings.chooser])


def test_its_rows(report: FullReport) -> None:
    assert [(s.name, s.oracle) for s in report.systems] == [
        ("rule", False),
        ("rule,prefer=target", False),
        ("only eng", False),
        ("only target", False),
        ("oracle language", True),
        ("oracle answer", True),
    ]
    stages = {system.name: system.stages for system in report.systems}
    assert stages["rule"] == ("human", "chain", "bm25+dense", "bm25")
    assert stages["only target"] == ("–", "chain", "bm25+dense", "–")
    assert stages["only eng"] == ("human", "chain", "–", "bm25")


def test_subsets_are_those_of_the_data_set(report: FullReport) -> None:
    assert report.subsets == [ALL, "cross-lingual", "in-language"]
    everything, *subsets = (
        [s.qid for s in report.scores(report.systems[0], subset)] for subset in report.subsets
    )
    assert sorted(everything) == sorted(qid for qids in subsets for qid in qids)
    assert [len(qids) for qids in subsets] == [36, 36]
    assert report.report(report.systems[0], "in-language").n == dict.fromkeys(
        ["fi", "ko", "te"], 12
    )


def test_a_data_set_without_subsets(run: SavedRun) -> None:
    blank = tuple(replace(e, answered_in=None) for e in run.dataset.examples)
    unsplit = full_report([replace(run, dataset=replace(run.dataset, examples=blank))])
    assert unsplit.subsets == [ALL]


def test_a_subset_of_all_questions_is_left_out(run: SavedRun) -> None:
    english = tuple(replace(e, answered_in="en") for e in run.dataset.examples)
    whole = full_report([replace(run, dataset=replace(run.dataset, examples=english))])
    assert whole.subsets == [ALL]


def test_share_of_the_ceiling(report: FullReport) -> None:
    for subset in report.subsets:
        shares = {s.name: report.ceiling_share(s, subset) for s in report.systems}
        assert shares["oracle answer"] == 100
        assert all(0 <= share <= 100 for share in shares.values())
        assert shares["oracle language"] >= max(shares["only target"], shares["only eng"])


def test_against_a_baseline(report: FullReport) -> None:
    comparisons = report.compare_with("only eng", Settings(samples=200))
    assert list(comparisons) == report.subsets
    macro = {row.run: row for row in comparisons[ALL] if row.lang == "macro"}
    assert list(macro) == ["rule", "rule,prefer=target", "only target"]
    first = report.report(report.systems[0], ALL)
    assert macro["rule"].score == pytest.approx(first.macro["f1"])
    assert macro["rule"].difference > 0
    [in_language] = (
        row for row in comparisons["in-language"] if (row.run, row.lang) == ("rule", "macro")
    )
    assert in_language.difference > 0 and in_language.p_bootstrap < 0.05
    with pytest.raises(ConfigError, match=r"no system is called 'best'; valid: only eng, only"):
        report.compare_with("best", Settings())


def test_several_runs(run: SavedRun, tmp_path: Path) -> None:
    one_route = replace(run.settings, routes=run.settings.routes[:1])
    other = replace(run, folder=tmp_path / "other", settings=one_route)
    report = full_report([run, other])
    names = [system.name for system in report.systems]
    assert names[0] == "saved: rule" and names[-2:] == ["other: rule", "other: oracle answer"]
    assert report.ceiling_share(report.systems[-1], ALL) == 100
    twins = full_report([run, replace(run, folder=tmp_path / "deep" / "saved")])
    assert len({system.name for system in twins.systems}) == len(twins.systems)
    with pytest.raises(ConfigError, match=r"saved is given twice; name each run once"):
        full_report([run, run])


def test_runs_over_different_data(run: SavedRun) -> None:
    other = replace(run, dataset=replace(run.dataset, name="other"))
    with pytest.raises(ConfigError, match=r"a report covers one data set; .* mini, other"):
        full_report([run, other])
    other = replace(run, dataset=run.dataset.sample(2))
    with pytest.raises(
        ConfigError, match=r"the runs have different questions; run them with the same --lang"
    ):
        full_report([run, other])


def test_names_of_stages() -> None:
    assert stage_label({"use": "learned", "foreign": 0.5}) == "learned,foreign=0.5"
    assert (
        stage_label({"use": "hybrid", "parts": [{"use": "bm25"}, {"use": "dense"}]}) == "bm25+dense"
    )
