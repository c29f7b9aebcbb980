"""An answer on the terminal: confidence, evidence around its span, other candidates."""

import math
from collections.abc import Iterable
from itertools import islice

from rich.cells import cell_len
from rich.text import Text

from ..answering.choosing.learned import is_foreign
from ..answering.transliteration.transliterate import is_name
from ..core.lang import ISO_639_1
from ..core.text.normalize import visible
from ..core.types import Answer, Candidate, Passage, Span, Trace
from .show import NUMBER, console

NOT_FOUND = "not found in these documents"
PASSAGES = 3  # shown if there is no answer
PASSAGE_WIDTH = 200  # at most; a pipe has no width
LINES = 3
"""Of context on either side of the span, in a long passage."""
_ELLIPSIS = "…"


def show_answer(trace: Trace, *, answers: int = 1, verbose: bool = False) -> None:
    """Print the answer with its evidence, or the best passages if it was not found."""
    answer, passage = trace.answer, trace.evidence
    if not trace.found:
        _show_not_found(trace, answers)
    elif answer is not None and answer.source is not None and passage is not None:
        console.print(_line(answer, trace, style="bold green"))
        for other in trace.answers[1:answers]:
            console.print(_line(other, trace, with_source=True))
        _show_passage(passage, answer.source.span)
    if verbose:  # the raw scores of the first answers, and how long each stage took
        sources = [answer.source for answer in trace.answers if answer.source]
        times = "  ".join(f"{stage} {1000 * s:.0f} ms" for stage, s in trace.timings.items())
        console.print()
        for line in (*(_scores(source, trace) for source in sources[:answers]), times):
            console.print(Text(line, style="dim"))


def _show_not_found(trace: Trace, answers: int) -> None:
    """The best guesses if several `answers` are to be shown, and the best passages."""
    best = trace.answer
    reason = "the passages have no candidate"
    if best is not None and best.source is not None and not best.source.generated:
        reason = f"the best candidate has a confidence of {_percent(best)}"
        reason += f"; --min-confidence is {trace.min_confidence:.0%}"
    console.print(Text(NOT_FOUND, style="bold"), Text(f"({reason})", style="dim"))
    if answers > 1:
        for candidate in trace.answers[:answers]:
            console.print(_line(candidate, trace, with_source=True))
    # The passages most likely to answer by the reader, then those retrieved.
    read = sorted(trace.candidates, key=lambda candidate: -candidate.scores.passage)
    passages = [(candidate.hit.passage, candidate.span) for candidate in read]
    first_hits = [result.hits[0] for result in trace.by_route.values() if result.hits]
    passages += [(hit.passage, Span(0, 0)) for hit in first_hits]
    spans: dict[Passage, Span] = {}
    for passage, span in passages:
        spans.setdefault(passage, span)
    for passage, span in islice(spans.items(), PASSAGES):
        _show_passage(passage, span, style="")


def _show_passage(passage: Passage, span: Span, *, style: str = "bold reverse green") -> None:
    """A passage around a span, with its title and docid."""
    parts = around(passage.text, span, width=min(console.width, PASSAGE_WIDTH))
    before, within, after = map(visible, parts)
    console.print()
    console.print(Text(passage.title, style="bold"), Text(f"[{passage.docid}]", style="dim"))
    console.print(Text.assemble(before, (within, style), after))


def _line(answer: Answer, trace: Trace, *, style: str = "", with_source: bool = False) -> Text:
    """An answer after its confidence, with the original and its language if unexpected."""
    certainty = f"confidence {_percent(answer)}"
    if answer.source and (generated := answer.source.generated):
        total = len(generated.citations)
        certainty = f"generated, {generated.supported} of {total} quotations found"
    line = Text.assemble((f"{certainty}: ", NUMBER), (answer.text, style))
    if answer.original:
        line.append(f" ({answer.original})")
    if language := _language(answer, trace):
        line.append(f" ({language})", style="dim")
    if with_source and answer.source:
        line.append(f" [{answer.source.docid}]", style="dim")
    return line


def _percent(answer: Answer) -> str:
    """The confidence in percent, marked if it is not calibrated for the pipeline's stages."""
    if answer.confidence is None:  # of a pipeline's `answer`, which does not estimate it
        return f"{math.exp(min(answer.score, 0.0)):.0%}, not calibrated"
    return f"{answer.confidence:.0%}" + ("" if answer.calibrated else ", not calibrated")


def _scores(source: Candidate, trace: Trace) -> str:
    """A candidate's scores, its passage's rank, and the rank before the ranker, if any."""
    place = f"{source.hit.score:.3f} (rank {source.rank + 1}"
    retrieved = trace.retrieved.get(source.route)
    if retrieved is None:
        place = f"retrieval {place}, route {source.route})"
    else:
        rank = {hit.passage: rank for rank, hit in enumerate(retrieved, 1)}.get(source.hit.passage)
        before = f"retrieved at {rank}" if rank else "not retrieved"
        place = f"ranker {place}, {before}, route {source.route})"
    return (
        f"P(passage answers) {math.exp(source.scores.passage):.1%}  "
        f"P(span | passage) {math.exp(source.scores.span):.1%}  {place}"
    )


def _language(answer: Answer, trace: Trace) -> str:
    """The language of an answer that is not in the question's language."""
    lang = trace.question.lang
    if answer.lang == lang or not any(map(str.isalpha, answer.text)):
        return ""
    if is_foreign(answer, lang):
        return f"{_name(answer.lang)}, not localised into {_name(lang)}"
    return "" if is_name(answer.text) else f"in {_name(answer.lang)}"


def _name(lang: str) -> str:
    """The English name of a language, or its code."""
    return ISO_639_1[lang].name if lang in ISO_639_1 else lang


def around(text: str, span: Span, *, width: int) -> tuple[str, str, str]:
    """The text before the span, the span, and the text after it, on lines of `width` columns.

    A passage of more lines than the context and two for the span is shown in part, with ellipses.
    """
    before, within, after = text[: span.start], text[span.start : span.end], text[span.end :]
    if _fitting(text, width, 2 * LINES + 2) == len(text):
        return before, within, after
    return _last_lines(before, width), within, _first_lines(after, width)


def _last_lines(text: str, width: int) -> str:
    """The last lines of a text, from the beginning of a word."""
    start = len(text) - _fitting(reversed(text), width, LINES)
    if not start:
        return text
    words = text[start:].split(maxsplit=1) if _in_word(text, start) else []
    kept = words[1] if len(words) > 1 and len(words[0]) < width else text[start:]
    return f"{_ELLIPSIS} {kept.lstrip()}"


def _first_lines(text: str, width: int) -> str:
    """The first lines of a text, to the end of a word."""
    end = _fitting(text, width, LINES)
    if end == len(text):
        return text
    words = text[:end].rsplit(maxsplit=1) if _in_word(text, end) else []
    kept = text[:end]
    if len(words) > 1 and len(words[1]) < width:
        kept = kept[: -len(words[1])]
    return f"{kept.rstrip()} {_ELLIPSIS}"


def _in_word(text: str, position: int) -> bool:
    """Whether there is no white space on either side of a position inside the text."""
    return not any(map(str.isspace, text[max(position - 1, 0) : position + 1]))


def _fitting(chars: Iterable[str], width: int, lines: int) -> int:
    """The number of characters that fit into lines; wide ones take two columns."""
    columns = count = 0
    for char in chars:
        columns += width - columns % width if char == "\n" else cell_len(char)
        if columns > lines * width:
            break
        count += 1
    return count
