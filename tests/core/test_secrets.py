from base64 import b64encode
from urllib.parse import quote

from xorqa.core.network import HIDDEN, has_secret, without_secrets

KEY = "sk/secret+of the tests"


def test_a_key_is_removed_in_each_of_its_forms() -> None:
    for form in (KEY, KEY.upper(), quote(KEY, safe=""), b64encode(KEY.encode()).decode()):
        assert without_secrets(f"denied to {form}.", ["", KEY]) == f"denied to {HIDDEN}."
        assert has_secret(f"denied to {form}.", [KEY])


def test_placeholder_keys_of_local_services_are_not_secrets() -> None:
    assert not has_secret("There is none.", ["none", ""])
