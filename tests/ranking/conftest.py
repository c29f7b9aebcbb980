"""The tests' chat service, which answers as it is told to: no model made any of its answers."""

from tests.translation.conftest import service, waits  # noqa: F401
