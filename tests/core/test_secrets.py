from base64 import b64encode
from urllib.parse import quote

import pytest

from xorqa.core.network import HIDDEN, has_secret, without_secrets

KEY = "sk/secret+of the tests"


def test_a_key_is_removed_in_each_of_its_forms() -> None:
    for form in (KEY, KEY.upper(), quote(KEY, safe=""), b64encode(KEY.encode()).decode()):
        assert without_secrets(f"denied to {form}.", ["", KEY]) == f"denied to {HIDDEN}."
        assert has_secret(f"denied to {form}.", [KEY])


@pytest.mark.parametrize(
    "spelled",
    [
        KEY[::-1],
        KEY.encode().hex(),
        b64encode(b"?" + KEY.encode() + b"??").decode(),
        "".join(f"\\u{ord(letter):04x}" for letter in KEY),
        "".join(f"&#{ord(letter)};" for letter in KEY),
        "".join(chr(ord(letter) + 0xFEE0) if letter > " " else letter for letter in KEY),
        "\u200b".join(KEY),
        quote(quote(KEY, safe=""), safe=""),
    ],
    ids=["backwards", "hex", "base64", "escapes", "html", "full-width", "invisible", "twice"],
)
def test_a_key_is_found_in_other_spellings(spelled: str) -> None:
    assert has_secret(f"The key: {spelled}!", [KEY])
    assert not has_secret(f"The key: {spelled}!", ["another key"])


def test_placeholder_keys_of_local_services_are_not_secrets() -> None:
    assert not has_secret("There is none.", ["none", ""])
