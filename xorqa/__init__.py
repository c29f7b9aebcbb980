"""Cross-lingual open-retrieval question answering, end to end, every step measured."""

from .core.errors import XorqaError
from .core.types import (
    Answer,
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Query,
    Question,
    Span,
    Trace,
)

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Candidate",
    "CandidateScores",
    "Example",
    "Gold",
    "Hit",
    "Passage",
    "Query",
    "Question",
    "Span",
    "Trace",
    "XorqaError",
]
