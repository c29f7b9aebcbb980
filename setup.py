"""What pyproject.toml cannot say: `checklists/`, at the root, is a part of the package."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["xorqa*"]), "xorqa.checklists"],
    package_dir={"xorqa.checklists": "checklists"},
)
