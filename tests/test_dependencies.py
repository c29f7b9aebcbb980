"""Every package that is imported is declared in pyproject.toml, an optional one in its extra."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FILES = sorted((ROOT / "xorqa").rglob("*.py"))
DISTRIBUTIONS = packages_distributions()
OPTIONAL = {"require", "expect"}  # calls of xorqa.core.named
BY_NAME = {"import_module", "find_spec", *OPTIONAL}


def names(requirements):
    """The distributions that requirements name, their spelling normalised."""
    return {normalised(re.match(r"[\w.-]+", one)[0]) for one in requirements}


def normalised(name):
    return re.sub(r"[-_.]+", "-", name).lower()


BASE = names(PROJECT["dependencies"])
EXTRAS = {extra: names(some) for extra, some in PROJECT["optional-dependencies"].items()}


def imports(path):
    """(package, extra) of each import in a file; the extra is empty where none is named."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module, ""
        elif isinstance(node, ast.Call):
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = node.args[0] if node.args else None
            if function in BY_NAME and isinstance(given, ast.Constant):
                extra = next((kw.value for kw in node.keywords if kw.arg == "extra"), None)
                yield given.value, value_of(extra, path)


def value_of(node, path):
    """A literal, or the constant of its module that a name refers to."""
    if isinstance(node, ast.Name):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        return getattr(import_module(module), node.id)
    return node.value if node else ""


IMPORTS = sorted(
    {
        (name.split(".")[0], extra, path.relative_to(ROOT).as_posix())
        for path in FILES
        for name, extra in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
    }
)


def distributions(package):
    """The distributions that install a package; its own name where it is not installed."""
    return {normalised(name) for name in DISTRIBUTIONS.get(package, [package])}


def test_imports_are_read():
    assert {("numpy", ""), ("peft", "train")} <= {(package, extra) for package, extra, _ in IMPORTS}


@pytest.mark.parametrize(("package", "extra", "path"), IMPORTS)
def test_every_imported_package_is_declared(package, extra, path):
    declared = BASE | (EXTRAS[extra] if extra else set().union(*EXTRAS.values()))
    where = f"the extra {extra}" if extra else "the base dependencies or an extra"
    assert distributions(package) & declared, f"{path} imports {package}: declare it in {where}"


def test_make_installs_into_its_environment_however_pip_is_configured(tmp_path):
    (tmp_path / "pip.conf").write_text("[install]\nuser = true\n")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    before = re.search(r"^PIP := (.*)\$\(VENV\)/bin/pip", makefile, re.MULTILINE)[1].split()
    install = (sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "numpy")
    environment = {**os.environ, "PIP_CONFIG_FILE": str(tmp_path / "pip.conf")}
    command = [*before, *install]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
