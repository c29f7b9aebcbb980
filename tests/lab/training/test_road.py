"""A recipe is unpacked where training begins; from there on narrow values travel."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "xorqa"
RECIPES = {
    "ReaderRecipe",
    "RankerRecipe",
    "BiencoderRecipe",
    "QueryEncoderRecipe",
    "TranslatorRecipe",
    "DistantRecipe",
    "Recipe",
}
MOST = 11


def takes_a_recipe(function: ast.FunctionDef) -> bool:
    """Whether a parameter, other than `self`, is annotated with a recipe class."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = {
        node.id
        for argument in every
        if argument.annotation is not None
        for node in ast.walk(argument.annotation)
        if isinstance(node, ast.Name)
    }
    return bool(names & RECIPES)


def test_few_modules_take_a_recipe() -> None:
    modules = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and takes_a_recipe(node)
    }
    assert "lab/training/reader/train.py" in modules
    assert len(modules) <= MOST, sorted(modules)


def test_models_are_passed_in() -> None:
    training = PACKAGE / "lab" / "training"
    assert not [path for path in training.rglob("*.py") if "__dict__" in path.read_text("utf-8")]
