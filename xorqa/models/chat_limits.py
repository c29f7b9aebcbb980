"""What some chat models refuse of a request that others accept, found in their error messages."""

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import Notice

Messages = Sequence[Mapping[str, str]]
"""A conversation: role and content of each message."""

_SYSTEM = re.compile(
    r"system (role|message|prompt|instruction)|role.{0,40}'system'|'system'.{0,20}role|"
    r"roles must alternate|developer instruction|only user and assistant roles",
    re.IGNORECASE | re.DOTALL,
)


class Limits:
    """What a model is known to refuse; `name` is the model's, for notices."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.has_temperature = self.has_system_role = True

    def apply(
        self, options: Mapping[str, Any], messages: Messages
    ) -> tuple[dict[str, Any], list[dict[str, str]]]:
        """The options and messages without what the model refuses."""
        kept = {
            name: value
            for name, value in options.items()
            if self.has_temperature or name != "temperature"
        }
        if self.has_system_role:
            return kept, [dict(message) for message in messages]
        return kept, without_system_role(messages)

    def learn(self, error: str, options: Mapping[str, Any], messages: Messages) -> bool:
        """Whether the error is a refusal that `apply` avoids from now on; it is reported once."""
        if self.has_temperature and options.get("temperature") == 0 and "temperature" in error:
            self.has_temperature = False
            self._report("temperature = 0; without it, replies may differ from request to request")
        elif self.has_system_role and _has_system(messages) and _SYSTEM.search(error):
            self.has_system_role = False
            self._report("the system role; its text begins the user's message")
        else:
            return False
        return True

    def _report(self, what: str) -> None:
        warnings.warn(f"{self.name} refuses {what}", Notice, stacklevel=2)


def without_system_role(messages: Messages) -> list[dict[str, str]]:
    """The conversation with the system's text at the beginning of the user's first message."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    others = [dict(message) for message in messages if message["role"] != "system"]
    if system and others:
        others[0]["content"] = "\n\n".join([*system, others[0]["content"]])
    return others


def _has_system(messages: Messages) -> bool:
    return any(message["role"] == "system" for message in messages)
