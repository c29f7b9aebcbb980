"""The tool runs lessons from clean kernels and notices what it promises to notice."""

import json
import os

import pytest

LESSON = """# %% [markdown]
# # A lesson

# %% tags=["check"]
print("one", VALUE)

# %%
import time
time.time()

# %% tags=["solution"]
2 + 2
"""
CLAIMING = """# %%
from lessons import claim
wrong, right = 0.25, RIGHT

# %% tags=["claim"]
claim("wrong passages score lower", wrong < right, wrong=wrong, right=right)

# %% tags=["claim"]
claim("one right passage is certain", right == 1, right=right)
"""
ASKING = """# %%
import socket
socket.create_connection(("192.0.2.1", 80), timeout=1)
"""


@pytest.fixture
def lesson(tmp_path, monkeypatch, tool, versions):
    """Writes a lesson to a folder that the tools take for their own."""
    for module in (tool, versions):
        monkeypatch.setattr(module, "HERE", tmp_path)

    def write(text):
        path = tmp_path / "01_made_up.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_what_was_written_passes_and_what_then_changes_does_not(lesson, tool, capsys):
    script = lesson(LESSON.replace("VALUE", "1"))
    assert tool.main(["--write"]) == 0
    assert tool.main([]) == 0
    book = json.loads(script.with_suffix(".ipynb").read_text(encoding="utf-8"))
    solution = book["cells"][-1]
    assert solution["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    assert solution["outputs"][0]["data"]["text/plain"] == ["4"]

    lesson(LESSON.replace("VALUE", "2"))
    capsys.readouterr()
    assert tool.main(["01"]) == 1
    assert "--write" in capsys.readouterr().out


def test_settings_of_the_user_reach_no_lesson(lesson, tool, tmp_path, monkeypatch):
    rc, profile = tmp_path / ".config/matplotlib", tmp_path / ".ipython/profile_default"
    for folder in (rc, profile):
        folder.mkdir(parents=True)
    (rc / "matplotlibrc").write_text("figure.dpi: 31\ntext.usetex: True\n")
    (profile / "ipython_config.py").write_text(
        "get_config().InteractiveShellApp.exec_lines=['X=1']"
    )
    for name in ("XDG_CONFIG_HOME", "IPYTHONDIR", "MPLCONFIGDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "pdf")
    value = "plt.rcParams['figure.dpi'], plt.get_backend()[-6:], 'X' in globals()"
    script = lesson("# %%\nimport matplotlib.pyplot as plt\n\n# %%\n" + f"print({value})\n")
    assert tool.main(["--write"]) == 0
    book = tool.nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    assert tool.printed(book.cells[-1]) == "100.0 inline False\n"


@pytest.mark.parametrize(("value", "what"), [("1/0", "ZeroDivisionError"), ("id(object)", "-one")])
def test_a_cell_that_fails_and_a_check_that_differs_are_told(lesson, tool, capsys, value, what):
    script = lesson(LESSON.replace("VALUE", value))
    kept = tool.read(script)
    kept.cells[1].outputs = [tool.nbformat.v4.new_output("stream", text="one 1\n")]
    tool.nbformat.write(kept, script.with_suffix(".ipynb"))
    assert tool.main([]) == 1
    assert what in capsys.readouterr().out


def test_every_claim_that_no_longer_holds_is_reported(lesson, tool, versions, capsys):
    script = lesson(CLAIMING.replace("RIGHT", "1"))
    assert tool.main(["--write"]) == 0
    book = tool.nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    assert [cell.metadata.get("jupyter") for cell in book.cells] == [
        None,
        versions.FOLDED,
        versions.FOLDED,
    ]

    lesson(CLAIMING.replace("RIGHT", "0.125"))
    before = script.with_suffix(".ipynb").read_bytes()
    capsys.readouterr()
    assert tool.main(["--write"]) == 1
    printed = capsys.readouterr().out
    assert (
        "01_made_up: no longer true: wrong passages score lower (wrong = 0.25, right = 0.125)"
        in printed
    )
    assert "01_made_up: no longer true: one right passage is certain (right = 0.125)" in printed
    assert script.with_suffix(".ipynb").read_bytes() == before


GRADED = """# %%
from lessons.grading import graded, right, wrong

@graded
def check_1(answer):
    return right("Half of 12.") if answer == 6 else wrong("Not half of 12.")

# %% tags=["exercise"]
answer_1 = STUB

# %% tags=["solution"]
answer_1 = SOLUTION

# %% tags=["grade"]
check_1(answer_1)
"""


def test_a_solution_must_be_right_and_a_stub_must_not(lesson, tool, capsys):
    script = lesson(GRADED.replace("STUB", "...").replace("SOLUTION", "6"))
    assert tool.main(["--write"]) == 0
    book = tool.nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    assert tool.printed(book.cells[-1]) == "Right. Half of 12."

    lesson(GRADED.replace("STUB", "...").replace("SOLUTION", "7"))
    capsys.readouterr()
    assert tool.main([]) == 1
    assert "01_made_up: unexpected verdict: Not yet. Not half of 12." in capsys.readouterr().out

    lesson(GRADED.replace("STUB", "6").replace("SOLUTION", "6"))
    assert tool.main(["--write"]) == 0
    assert tool.main([]) == 1
    assert "student's version: unexpected verdict: Right." in capsys.readouterr().out


def test_the_student_version_runs_without_the_solutions(lesson, tool, capsys):
    lesson(GRADED.replace("STUB", "...").replace("SOLUTION", "6") + "\n# %%\nanswer_1 / 2\n")
    assert tool.main(["--write"]) == 0
    capsys.readouterr()
    assert tool.main([]) == 1
    assert "student's version: " in (said := capsys.readouterr().out) and "TypeError" in said


def test_a_lesson_has_no_network(lesson, tool):
    script = lesson(ASKING)
    assert "without the network" in tool.run(script, write=True, environment=dict(os.environ))
    assert not script.with_suffix(".ipynb").exists()
