"""The import law: imports go to a lower floor, or stay inside one room."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import xorqa
from xorqa.core import extensions, registry

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xorqa"
MOST_PACKAGES = 16
MOST_LINES = 43_150  # of the road (all but the lab)
MOST_FILES = 300
LAYERS = re.search(
    r"^```layers\n(.*?)^```$",
    (ROOT / "CONTRIBUTING.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)
assert LAYERS, "CONTRIBUTING.md has no table of layers"
FLOORS = ["__main__", *LAYERS[1].split("\n")[:-1]]
FLOOR = {name.strip(): -at for at, names in enumerate(FLOORS) for name in names.split("|")}
HEAVY = {
    "torch", "transformers", "faiss", "pyserini", "jnius", "elasticsearch", "MeCab", "nltk",
    "babel", "bm25s", "peft", "tokenizers", "safetensors", "huggingface_hub", "py3langid",
    "ir_datasets", "ir_measures", "pytrec_eval", "sacrebleu", "sacremoses", "scipy", "sklearn",
    "anyascii", "ctranslate2", "sentencepiece", "ray", "mwparserfromhell",
    "sentence_transformers", "accelerate", "IPython", "ipywidgets", "matplotlib", "PIL", "httpx2",
    "pypdf", "docx", "markdown_it", "selectolax", "chardet", "webencodings",
    "fastapi", "starlette", "uvicorn", "pydantic", "qdrant_client", "opensearchpy",
    "mcp", "pyterrier", "pandas", "haystack", "langchain_core", "opencc",
}  # fmt: skip


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}
INSIDE = [name for name in MODULES if name != "xorqa"]


@cache
def tree(name):
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imported(name):
    """The modules of ours that a module imports, wherever in it the import stands."""
    return tuple(_imported(name))


def _imported(name):
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
            base = f"{base}.{node.module}" if node.module else base
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES else base


def top(name):
    """The package, or the module, of `xorqa/` that a module is in."""
    return name.split(".")[1]


def test_the_table_of_layers_has_every_package():
    assert {top(name) for name in INSIDE} == set(FLOOR)


@pytest.mark.parametrize("name", INSIDE)
def test_imports_go_down_or_stay_in_the_package(name):
    for other in imported(name):
        assert other in MODULES, f"{name} imports {other}, which is no module"
        assert other != "xorqa", f"{name} imports the whole package"
        below = FLOOR[top(other)] < FLOOR[top(name)]
        assert below or top(other) == top(name), f"{name} imports {other}"


def test_the_package_imports_what_it_offers_on_first_use():
    assert not [*imported("xorqa")]
    assert len(xorqa.__all__) > 30
    assert all(getattr(xorqa, name) for name in xorqa.__all__)


def children(package):
    """What each module or folder of a package imports of the others."""
    graph = {}
    for name in MODULES:
        for other in imported(name):
            if name.startswith(f"{package}.") and other.startswith(f"{package}."):
                one, two = (x.removeprefix(f"{package}.").split(".")[0] for x in (name, other))
                graph.setdefault(one, set()).update({two} - {one})
    return graph


@pytest.mark.parametrize("package", [n for n, p in MODULES.items() if p.name == "__init__.py"])
def test_no_two_folders_import_each_other(package):
    TopologicalSorter(children(package)).prepare()


def test_packages_and_dependencies_are_few(capsys):
    packages = {top(name) for name in INSIDE if name.count(".") > 1}
    graph = {package: set() for package in packages}
    for name in INSIDE:
        graph.setdefault(top(name), set()).update({*map(top, imported(name))} - {top(name)})
    with capsys.disabled():
        total = sum(map(len, graph.values()))
        print(f"\n{len(packages)} packages, {total} dependencies, no cycle")
    assert len(packages) <= MOST_PACKAGES


def test_the_road_is_short(capsys):
    road = [path for name, path in MODULES.items() if not name.startswith("xorqa.lab")]
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in road)
    with capsys.disabled():
        print(f"\nthe road: {lines} lines in {len(road)} files")
    assert lines <= MOST_LINES
    assert len(road) <= MOST_FILES


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith("xorqa.lab")])
def test_the_road_never_imports_the_lab(name):
    assert not [other for other in imported(name) if other.startswith("xorqa.lab")]


@pytest.mark.parametrize("folder", extensions.folders())
def test_commands_need_the_folders_that_their_folder_imports(folder):
    names = [name for name in MODULES if name.startswith(f"xorqa.lab.{folder}.")]
    others = {other.split(".")[2] for name in names for other in imported(name) if "lab." in other}
    provides = importlib.import_module(f"xorqa.lab.{folder}.provides")
    needed = {need for entry in provides.COMMANDS.values() for need in entry.needs}
    assert others & {*extensions.folders()} - {folder} <= needed <= {*extensions.folders()}


@pytest.mark.parametrize("name", INSIDE)
def test_no_module_names_the_package(name):
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        else:
            continue
        assert not any(one.split(".")[0] == "xorqa" for one in names), f"{name}: {names}"


def test_there_are_no_circles():
    graph = {name: {*imported(name)} - {name} for name in MODULES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


PLAIN = {"__all__", "__version__", "(__getattr__, __dir__, __all__)"}


def is_plain(node):
    """A docstring, a re-export, `__all__` or `__version__`."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    if isinstance(node, ast.Assign):
        return {ast.unparse(target) for target in node.targets} <= PLAIN
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names] == ["lazy_loader"]
    return isinstance(node, ast.ImportFrom) and (node.level or node.module == "__future__")


@pytest.mark.parametrize("name", [n for n, p in MODULES.items() if p.name == "__init__.py"])
def test_packages_hold_no_code(name):
    for node in tree(name).body:
        assert is_plain(node), f"{name}, line {node.lineno}"


def test_there_is_no_util():
    assert not {name.rpartition(".")[2] for name in MODULES} & {"util", "utils", "helpers"}


@pytest.mark.parametrize(
    "code",
    [
        "import xorqa",
        "import xorqa.cli.main\nfrom xorqa.cli.commands import commands, load\n"
        "for entry in commands().values(): load(entry)",
        "from xorqa.core.registry import STAGES, find\n"
        "for role in STAGES:\n    for name in STAGES[role]: find(role, name)",
        "import xorqa.interop.pyterrier, xorqa.interop.haystack, xorqa.interop.langchain",
    ],
    ids=["the package", "the command line", "all stages", "other toolkits"],
)
def test_heavy_packages_are_imported_late(code):
    code += "\nimport sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize(
    ("role", "name"), [(role, name) for role in registry.STAGES for name in registry.STAGES[role]]
)
def test_every_stage_is_a_class(role, name):
    cls = registry.find(role, name)
    assert inspect.isclass(cls)
    assert isinstance(cls.version, int)
    assert callable(cls.fingerprint)
