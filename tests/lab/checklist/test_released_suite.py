"""The released suites: names, answers and tests of a pickle, and nothing of it is run."""

import pickle
import sys
from collections import OrderedDict, defaultdict
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.bench.fuzz.samples import released_suite
from xorqa.lab.checklist.official_cases import NAMES
from xorqa.lab.checklist.released_suite import read_released
from xorqa.lab.checklist.suite import read_suite

COMPARISONS, VEHICLES = "A is COMP than B. Who is more / less COMP?", "Animal vs Vehicle v2"
DATA = {
    COMPARISONS: [[("Ana is taller than Bo.", "Who is taller?"), ("Ana is taller than Bo.", "?")]],
    VEHICLES: [[("Ana has a cat.", "Who has an animal?")], [("Bo has a dog.", "Who?")]],
}
LABELS: dict[str, Any] = {COMPARISONS: [["Ana", "Bo"]], VEHICLES: [["Ana"], ["Bo"]]}


class Unsafe:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.path, "run")


def suite(monkeypatch: pytest.MonkeyPatch, dump: Any = pickle.dumps, **more: object) -> bytes:
    """A suite as `checklist` saves it, made with classes of the same names."""
    for name, classes in (("test_suite", ["TestSuite"]), ("test_types", ["MFT"])):
        module = ModuleType(f"checklist.{name}")
        for one in classes:
            setattr(module, one, type(one, (), {"__module__": module.__name__}))
        monkeypatch.setitem(sys.modules, "checklist", ModuleType("checklist"))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    made, tests = sys.modules["checklist.test_suite"].TestSuite(), OrderedDict()
    for name, data in DATA.items():
        test = sys.modules["checklist.test_types"].MFT()
        test.__dict__ |= {"data": data, "labels": LABELS[name], "capability": "Taxonomy"}
        test.__dict__ |= {"name": name, "expect": partial(print, sep=""), "results": None, **more}
        tests[name] = test
    made.__dict__ |= {"tests": tests, "info": defaultdict(dict, {COMPARISONS: {"type": "MFT"}})}
    return bytes(dump(made))


def test_cases_have_the_names_the_answers_and_the_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "en_squad_suite.pkl"
    path.write_bytes(suite(monkeypatch))
    cases = read_released(path, {"en": ("a", "the")})
    assert [case.id for case in cases] == [
        "released/en/comparisons/000",
        "released/en/animal-and-vehicle-2/000",
        "released/en/animal-and-vehicle-2/001",
    ]
    first = cases[0]
    assert (first.test, first.capability, first.type) == (NAMES[0], "taxonomy", "MFT")
    assert [e.answers for e in first.examples] == [("Ana",), ("Bo",)]
    assert first.articles == ("a", "the") and cases[2].examples[0].context == "Bo has a dog."


def test_a_suite_pickled_by_dill_with_functions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dill = pytest.importorskip("dill")
    path = tmp_path / "en_squad_suite.pkl"
    more = {"print_fn": lambda x: x, "expect": partial(lambda x, lang: x, lang="en")}
    path.write_bytes(suite(monkeypatch, partial(dill.dumps, recurse=True), **more))
    assert len(read_released(path, {})) == 3


def test_nothing_of_the_file_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path, written = tmp_path / "en_squad_suite.pkl", tmp_path / "written"
    path.write_bytes(suite(monkeypatch, expect=Unsafe(written)))
    assert len(read_released(path, {})) == 3 and not written.exists()
    pickle.loads(path.read_bytes())
    assert written.exists()  # pickle itself would have run it


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a pickled suite"),
        (b"\x80\x05garbage", "not a pickled suite"),
        (pickle.dumps({"tests": 1}), "not a suite"),
        (released_suite().replace(b"A is COMP", b"X is COMP"), "not MultiCheckList's"),
        (released_suite().replace(b"VAnna\n", b"I3\n"), "are texts"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "fi_squad_suite.pkl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_released(path, {})


def test_the_command(xorqa: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder, out = tmp_path / "lang_suites", tmp_path / "out"
    folder.mkdir()
    (folder / "en_squad_suite.pkl").write_bytes(suite(monkeypatch))
    (folder / "en_squad_suite.json").write_text("{}")
    assert xorqa("checklist", "import", folder, "--out", out).status == 0
    assert len(read_suite(out / "en.jsonl")) == 3
    raw = xorqa("checklist", "import", folder / "en_squad_suite.json", "--out", out)
    assert raw.status == 2 and "give the suite's pickle, en_squad_suite.pkl" in raw.err
    seeded = xorqa("checklist", "import", folder, "--out", out, "--seed", 3)
    assert seeded.status == 2 and "--seed is for templates" in seeded.err
    misnamed = (folder / "en_squad_suite.pkl").rename(folder / "suite.pkl")
    assert (
        "must be called LANG_squad_suite.pkl"
        in xorqa("checklist", "import", misnamed, "--out", out).err
    )
