"""This machine, as the lab's measurements name it."""

import platform
from pathlib import Path


def cpu_name() -> str:
    """The processor's name, as the operating system reports it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
