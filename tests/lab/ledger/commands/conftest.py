"""A chat service on this machine, which answers as a test scripts it: no model made its answers."""

from tests.translation.conftest import service  # noqa: F401
