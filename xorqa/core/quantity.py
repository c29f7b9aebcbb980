"""Counts with their nouns, sizes and durations, for printed messages."""


def quantity(count: int, noun: str) -> str:
    """ "1 question", "2 questions": the plural has an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def disk_size(count: float) -> str:
    """A number of bytes: "4.6 MB", "1.2 GB"."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def duration(seconds: float) -> str:
    """A rough duration: "20 s", "4 min", "2.5 h"."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"
