import json
from typing import Any

import pytest

from xorqa.core.errors import MissingExtraError
from xorqa.core.named import expect, require


def test_an_installed_package_is_imported() -> None:
    assert require("json", extra="any") is json
    expect("json", extra="any")


@pytest.mark.parametrize("check", [require, expect])
def test_a_missing_package_is_reported_with_its_install_command(check: Any) -> None:
    with pytest.raises(MissingExtraError, match=r"^no_such is not .* 'xorqa\[lucene\]'$"):
        check("no_such", extra="lucene")
