"""The requests and responses of the API, which OpenAPI describes."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Lang = Annotated[
    str | None, Field(description="The question's language (ISO 639-1); detected by default.")
]
PipelineName = Annotated[
    str | None, Field(description="The pipeline to ask; by default the first one of the server.")
]
CorpusId = Annotated[
    str | None, Field(description="An uploaded corpus; by default that of the server.")
]
TaskName = Literal["xor-full", "xor-engspan", "squad", "tydi-goldp", "mlqa"]


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
    task: TaskName = "xor-full"
    scorer: Literal["official", "strict"] = "official"


class Answer(BaseModel):
    """The answer; `made` is how its text was produced, `original` the span if it is another."""

    text: str
    lang: str
    original: str | None
    confidence: float | None
    made: str


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
