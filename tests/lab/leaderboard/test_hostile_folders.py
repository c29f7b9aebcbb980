"""What submitters put into their folders is not published, does not hang, and fills no memory."""

import os
import resource
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.diagnosis.made_up import random_data
from tests.lab.leaderboard.systems import write_metadata, write_run, write_system
from xorqa.core.errors import DataError
from xorqa.io.files import read_json, write_json, write_text
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.page import diagnosis_page
from xorqa.lab.leaderboard.entries import Rejected, read_systems
from xorqa.lab.leaderboard.leaderboard import make_leaderboard, to_csv
from xorqa.lab.leaderboard.site import DIAGNOSES, diagnose_systems, write_site
from xorqa.lab.leaderboard.submission import check_submission
from xorqa.metrics.registry import find_task
from xorqa.metrics.significance import Settings

ATTACK = "<script>document.title = 'attacked'</script>"
SECRET = "only for the organisers"


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    write_system(tmp_path / "systems" / "a", 0.9)
    return tmp_path / "systems"


def reasons(systems: Path) -> str:
    """Why the only system is not ranked."""
    accepted, [rejected] = read_systems(systems)
    assert accepted == [] and isinstance(rejected, Rejected)
    return "; ".join(rejected.reasons)


def published(systems: Path, site: Path) -> tuple[dict[str, str], list[str]]:
    accepted, rejected = read_systems(systems)
    pages = diagnose_systems(accepted, site)
    write_site(make_leaderboard(accepted, rejected, Settings(samples=50)), site, pages)
    return dict(pages.single), list(pages.missing)


def everything(site: Path) -> str:
    return "".join(path.read_text("utf-8") for path in site.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["q.jsonl", "diagnosis.html", "more/notes.txt", "linked"])
def test_links_are_refused(systems: Path, tmp_path: Path, name: str) -> None:
    write_text(tmp_path / "secret" / "file", SECRET)
    path = systems / "a" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(tmp_path / "secret" / ("" if name == "linked" else "file"))
    assert reasons(systems) == f"{name} is a link; submit the file itself"
    published(systems, tmp_path / "site")
    assert SECRET not in everything(tmp_path / "site")


def test_a_system_that_is_a_link_is_refused(systems: Path, tmp_path: Path) -> None:
    (systems / "a").rename(tmp_path / "elsewhere")
    (systems / "a").symlink_to(tmp_path / "elsewhere")
    assert reasons(systems) == "the folder is a link; submit the folder itself"


@pytest.mark.parametrize("name", ["q.jsonl", "manifest.json", "queries.jsonl", "metadata.toml"])
def test_pipes_and_devices_are_refused(systems: Path, name: str) -> None:
    (systems / "a" / name).unlink(missing_ok=True)
    os.mkfifo(systems / "a" / name)
    assert reasons(systems) == f"{name} is a pipe; submit a file"


def test_sockets_and_too_large_files_are_refused(
    systems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.truncate(systems / "a" / "q.jsonl", 2**30 + 1)  # a hole takes no space
    os.truncate(systems / "a" / "metadata.toml", 2**20 + 1)
    monkeypatch.chdir(systems / "a")  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
    assert reasons(systems).split("; ") == [
        *("metadata.toml has more than 1 MiB", "q.jsonl has more than 1 GiB"),
        *("s is a socket", "submit a file"),
    ]


def test_a_page_of_a_submitter_is_made_again_from_its_data(systems: Path, tmp_path: Path) -> None:
    page = diagnosis_page(diagnose_data(random_data(4), settings=Settings(samples=50)))
    hostile = page.replace("<main>", f"<main>{ATTACK}").replace("</style>", f"</style>{ATTACK}")
    write_text(systems / "a" / "diagnosis.html", hostile)
    pages, missing = published(systems, tmp_path / "site")
    text = (tmp_path / "site" / pages["a"]).read_text("utf-8")
    assert missing == [] and ATTACK not in text
    blob = page.partition('id="data">')[2].partition("<")[0]
    assert blob in text


@pytest.mark.parametrize(
    "data",
    [
        *("", "AAAA", "no base64", ATTACK),
        "H4sIAAAAAAAC/6uuBQBDv6ajAgAAAA==",  # {}
    ],
)
def test_a_page_without_its_data_is_not_published(systems: Path, tmp_path: Path, data: str) -> None:
    page = f'{ATTACK}<script type="text/plain" id="data">{data}</script>'
    write_text(systems / "a" / "diagnosis.html", page)
    pages, [missing] = published(systems, tmp_path / "site")
    assert pages == {} and ATTACK not in everything(tmp_path / "site")
    assert missing.startswith("a: no diagnosis, since ")
    assert "diagnosis.html is not a page of xorqa diagnose --html" in missing


def test_pages_of_earlier_builds_are_removed(systems: Path, tmp_path: Path) -> None:
    old = tmp_path / "site" / DIAGNOSES / "gone.html"
    write_text(old, ATTACK)
    write_text(tmp_path / "site" / "mine.html", "the user's")
    pages, _ = published(systems, tmp_path / "site")
    assert pages == {} and not old.exists() and (tmp_path / "site" / "mine.html").exists()


def test_a_run_over_a_folder_of_this_machine_is_not_diagnosed(tmp_path: Path) -> None:
    """Its gold answers would be published."""
    write_run(tmp_path / "systems" / "a", 0.9)
    manifest = read_json(tmp_path / "systems" / "a" / "manifest.json")
    write_json(
        tmp_path / "systems" / "a" / "manifest.json", manifest | {"dataset": str(tmp_path / "gold")}
    )
    pages, [missing] = published(tmp_path / "systems", tmp_path / "site")
    assert pages == {} and "is not a data set of xorqa, and the run does not keep it" in missing


def test_a_long_name_of_a_system(systems: Path, tmp_path: Path) -> None:
    name = "x" * 255
    (systems / "a").rename(systems / name)
    page = diagnosis_page(diagnose_data(random_data(4), settings=Settings(samples=50)))
    write_text(systems / name / "diagnosis.html", page)
    pages, [missing] = published(systems, tmp_path / "site")
    assert pages == {} and "File name too long" in missing


def test_a_board_without_ranked_systems(tmp_path: Path) -> None:
    write_metadata(tmp_path / "systems" / "a")
    published(tmp_path / "systems", tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "No system is ranked." in text and "Not ranked" in text
    rows = to_csv(make_leaderboard([])).splitlines()
    assert [row.split(",")[:3] for row in rows] == [["board", "questions", "rank"]]


@pytest.fixture
def two_gigabytes():
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**31, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.usefixtures("two_gigabytes")
@pytest.mark.parametrize("beside", ["", "queries.jsonl", "manifest.json"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_submissions_that_never_end(tmp_path: Path, beside: str, kind: str) -> None:
    file = tmp_path / "p.json"
    write_text(file, "{}")
    strange = tmp_path / beside if beside else file
    strange.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(strange)
    else:
        strange.symlink_to("/dev/zero")
    with pytest.raises(DataError, match=rf"{strange} is a {kind}; name a file$"):
        check_submission(find_task("xor-full"), file)


@pytest.mark.parametrize("option", ["data", "metadata"])
def test_options_that_never_end(tmp_path: Path, option: str) -> None:
    write_text(tmp_path / "p.json", "{}")
    with pytest.raises(DataError, match=r"/dev/zero is a device; name a file"):
        check_submission(find_task("xor-full"), tmp_path / "p.json", **{option: Path("/dev/zero")})


def test_names_of_questions_cannot_change_the_pages_objects(tmp_path: Path) -> None:
    data = random_data(4)
    facts = tuple(replace(row, lang="__proto__") for row in data.questions)
    page = diagnosis_page(
        diagnose_data(replace(data, questions=facts), settings=Settings(samples=50))
    )
    assert "Object.create(null)" in page and "cells = { all" not in page
