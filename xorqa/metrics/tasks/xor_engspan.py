"""XOR-EnglishSpan (Asai et al. 2021, section 3.2): the answer as a span of an English passage."""

from collections.abc import Sequence

from ...core.lang import ENGLISH
from ...core.types import Candidate, Trace
from ..answers import score_english_answers
from ..measure import EXACT_MATCH, F1
from ..scorer_differences import AnswerExplainer, squad_causes
from ..task import Task
from .squad import score_squad

SCORERS = {"official": score_squad, "strict": score_english_answers}


def english_spans(traces: Sequence[Trace]) -> dict[str, str]:
    """The best English candidate of each trace, "" if there is none.

    Empty if nothing was read, or if answers were generated from English passages in other
    languages: the pipeline then does another task.
    """
    candidates = [candidate for trace in traces for candidate in trace.candidates]
    if not candidates or any(map(_is_foreign, candidates)):
        return {}
    return {trace.question.qid: english_span(trace) for trace in traces}


def english_span(trace: Trace) -> str:
    """The text of the best English candidate; ties go to the first retrieved."""
    english = [candidate for candidate in trace.candidates if candidate.lang == ENGLISH]
    return (
        max(english, key=lambda candidate: (candidate.score, -candidate.rank)).text
        if english
        else ""
    )


def _is_foreign(candidate: Candidate) -> bool:
    """Whether it was generated from an English passage, but not in English."""
    english = candidate.hit.passage.lang == ENGLISH
    return candidate.generated is not None and english and candidate.lang != ENGLISH


XOR_ENGSPAN = Task(
    name="xor-engspan",
    title="XOR-EnglishSpan: the answer as a span of an English passage",
    scorers=SCORERS,
    measures=(F1, EXACT_MATCH),
    citation="Asai et al. 2021, section 3.2",
    answer_lang=ENGLISH,
    explain=AnswerExplainer(SCORERS, lambda _: squad_causes(ENGLISH)),
    predict=english_spans,
)
