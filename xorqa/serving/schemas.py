"""The requests and responses of the API, which OpenAPI describes, and the check of requests.

Requests are checked against the server's limits and become the records of the stages.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..core.lang import code_of, unknown_language
from ..core.text.detection import detect_language
from ..core.types import Passage
from ..metrics.registry import answer_tasks
from ..metrics.report import Reference
from .problems import Limits, Problem

Lang = Annotated[
    str | None, Field(description="The question's language (ISO 639-1); detected by default.")
]
PipelineName = Annotated[
    str | None, Field(description="The pipeline to ask; by default the first one of the server.")
]
CorpusId = Annotated[
    str | None, Field(description="An uploaded corpus; by default that of the server.")
]
DEFAULT_TASK = "xor-full"
if TYPE_CHECKING:
    TaskName = str
else:  # pydantic lists the names in errors and in OpenAPI
    TaskName = Literal[tuple(sorted(answer_tasks(), key=lambda name: name != DEFAULT_TASK))]


class Strict(BaseModel):
    """A request: values of other types and unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Ask(Strict):
    """One question, or a list of questions in one batch."""

    question: Annotated[str | None, Field(examples=["나일강은 어느 대륙에 있나요?"])] = None
    questions: list[str] | None = None
    lang: Lang = None
    pipeline: PipelineName = None
    corpus: CorpusId = None
    min_confidence: Annotated[
        float | None,
        Field(ge=0, le=1, description="An answer below this confidence counts as not found."),
    ] = None


class Retrieve(Strict):
    """A question to search with."""

    question: str
    lang: Lang = None
    pipeline: PipelineName = None
    corpus: CorpusId = None
    k: Annotated[int, Field(ge=1, le=100, description="Hits per route.")] = 10


class Translate(Strict):
    """A question to translate."""

    question: str
    lang: Lang = None
    to: Annotated[str, Field(description="The target language (ISO 639-1).")] = "en"


class GivenPassage(Strict):
    """A passage to read; the docid defaults to its position, from 1."""

    text: str
    title: str = ""
    docid: str | None = None
    lang: str | None = None


class Read(Strict):
    """A question, and the passages to read."""

    question: str
    passages: list[GivenPassage | str]
    lang: Lang = None
    pipeline: PipelineName = None


class Item(Strict):
    """A predicted answer with its gold answers."""

    prediction: str
    answers: Annotated[list[str], Field(min_length=1, max_length=100)]
    lang: Annotated[str, Field(description="The language of the answers (ISO 639-1).")] = "en"


class Score(Strict):
    """Predictions to score."""

    items: Annotated[list[Item], Field(min_length=1)]
    task: TaskName = DEFAULT_TASK
    scorer: Literal["official", "strict"] = "official"


class Answer(BaseModel):
    """The answer; `original` is the span if its text is another.

    `method` is how its text was produced; the field is called `made` in JSON, as clients read it.
    """

    text: str
    lang: str
    original: str | None
    confidence: float | None
    method: Annotated[str, Field(alias="made")]


class Evidence(BaseModel):
    """A passage, with the answer's characters if it was read; `score` is the retriever's."""

    docid: str
    title: str
    text: str
    start: int | None
    end: int | None
    score: float


class Answered(BaseModel):
    """The answer, or null if it was not found, with its evidence and its trace."""

    answer: Answer | None
    evidence: list[Evidence]
    lang: str
    trace: dict[str, Any]
    milliseconds: float


class ErrorBody(BaseModel):
    """What went wrong: a code for programs, and a line for people."""

    code: str
    message: str


class Error(BaseModel):
    """The shape of every error."""

    error: ErrorBody


class AnsweredBatch(BaseModel):
    """One answer or error per question, in order."""

    results: list[Answered | Error]


class Uploaded(BaseModel):
    """An uploaded corpus; pass `corpus` to `/ask`."""

    corpus: str
    passages: int
    languages: list[str]


def question_texts(request: Ask, limits: Limits) -> list[str]:
    """The questions of a request: one, or a batch.

    Raises:
        Problem: 422 or 413.
    """
    if (request.question is None) == (request.questions is None):
        raise Problem(422, "needs either 'question' or 'questions'")
    if request.question is not None:
        return [checked_question(request.question, limits)]
    texts = request.questions or []
    if not 1 <= len(texts) <= limits.batch:
        raise Problem(422, f"'questions' must have 1 to {limits.batch} questions")
    return [checked_question(text, limits) for text in texts]


def checked_question(text: str, limits: Limits) -> str:
    """A question that is neither empty nor too long."""
    if not text.strip():
        raise Problem(422, "the question is empty")
    if len(text) > limits.question:
        raise Problem(
            413, f"a question has at most {limits.question:,} characters, not {len(text):,}"
        )
    return text


def checked_lang(lang: str | None, text: str) -> str:
    """The language of a request, or the one detected in its text."""
    if not lang:
        return detect_language(text)
    if not (code := code_of(lang)):
        raise Problem(422, unknown_language(lang))
    return code


def passages(given: Sequence[GivenPassage | str], limits: Limits) -> list[Passage]:
    """The passages of a request."""
    if not 1 <= len(given) <= limits.batch:
        raise Problem(422, f"'passages' must have 1 to {limits.batch} passages")
    result = []
    for number, passage in enumerate(given, 1):
        row = GivenPassage(text=passage) if isinstance(passage, str) else passage
        if not row.text.strip():
            raise Problem(422, f"passage {number} is empty")
        _check_lengths((row.text,), limits.passage)
        _check_lengths((row.title, row.docid or ""), limits.name)
        lang = checked_lang(row.lang, row.text)
        result.append(Passage(row.docid or str(number), row.text, row.title, lang))
    return result


def references(items: Sequence[Item], limits: Limits) -> tuple[list[Reference], dict[str, str]]:
    """The gold answers and the predictions of a request, with the positions as ids."""
    if len(items) > limits.items:
        raise Problem(422, f"'items' must have at most {limits.items:,} items")
    texts = (text for item in items for text in (item.prediction, *item.answers))
    _check_lengths(texts, limits.passage)
    golds = [
        Reference(str(position), checked_lang(item.lang, ""), tuple(item.answers))
        for position, item in enumerate(items)
    ]
    return golds, {str(position): item.prediction for position, item in enumerate(items)}


def _check_lengths(texts: Iterable[str], most: int) -> None:
    if any(len(text) > most for text in texts):
        raise Problem(413, f"a text has at most {most:,} characters here")
