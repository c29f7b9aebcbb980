"""Settings with limits, checked when their dataclass is made."""

import math
from dataclasses import field, fields
from typing import Any

from ....core.errors import ConfigError


def limited(default: Any, least: float, most: float = math.inf) -> Any:
    """A field of a dataclass with the limits of its values."""
    return field(default=default, metadata={"limits": (least, most)})


def check_limits(settings: Any, label: str) -> None:
    """Check the `limited` fields; `label` opens the error. Raises ConfigError."""
    for one in fields(settings):
        if "limits" in one.metadata:
            (least, most), value = one.metadata["limits"], getattr(settings, one.name)
            if not least <= value <= most:
                limits = f"{least} or more" if most == math.inf else f"from {least} to {most}"
                raise ConfigError(f"{label} {one.name} must be {limits}, not {value}")
