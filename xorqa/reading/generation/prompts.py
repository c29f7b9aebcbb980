"""The prompts: a file per task and language, and the question with its numbered passages.

The tasks are "answer" (in the question's language), "extract" (in the passage's language) and
"again" (the last answer was in another language). Languages without a file have the English one,
in which `{language}` is the English name of the answer's language.

Question and passages are one JSON object, so that no passage can pretend to be another passage,
the question or an instruction of ours by its punctuation.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from ...core.errors import ConfigError
from ...core.lang import ISO_639_1
from ...core.types import Hit
from ...io.files import digest

Task = Literal["answer", "extract", "again"]
FOLDER = Path(__file__).parent / "prompts"
BUNDLED = "bundled"
FALLBACK = "en"
WHERE = "[reader] 'generate'"
"""The reader, for error messages."""


@cache
def read_prompt(prompt: str, task: Task, lang: str) -> str:
    """The text of a prompt: the bundled one of a task in a language, or a file of your own.

    Raises:
        ConfigError: for a file that cannot be read, or is empty.
    """
    path = Path(prompt).expanduser()
    if prompt == BUNDLED:
        paths = [FOLDER / f"{task}.{name}.txt" for name in (lang, FALLBACK)]
        path = paths[0] if paths[0].is_file() else paths[1]
    return prompt_text(path, where=WHERE)


def prompt_text(path: Path, *, where: str) -> str:
    """The text of a prompt's file; `where` names the setting in error messages.

    Raises:
        ConfigError: for a file that cannot be read, or is empty.
    """
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(
            f"{where} cannot read the prompt '{path}' ({reason}); "
            f'name a text file, or "{BUNDLED}"'
        ) from error
    if not text:
        raise ConfigError(f"{where}: the prompt '{path}' is empty")
    return text


def fill(prompt: str, lang: str) -> str:
    """A prompt for an answer in a language."""
    return prompt.replace("{language}", ISO_639_1[lang].name if lang in ISO_639_1 else lang)


def fingerprint(prompt: str) -> str:
    """A hash of the file, or of all bundled prompts."""
    if prompt != BUNDLED:
        return digest(read_prompt(prompt, "answer", FALLBACK))
    files = sorted(FOLDER.glob("*.txt"))
    return digest([(file.name, file.read_text("utf-8")) for file in files])


def question_with_passages(question: str, hits: Sequence[Hit]) -> str:
    """The user's message, as JSON."""
    passages = [
        {"passage": number, "title": hit.passage.title, "text": hit.passage.text}
        for number, hit in enumerate(hits, 1)
    ]
    return json.dumps({"question": question, "passages": passages}, ensure_ascii=False)


def mgen_input(question: str, lang: str, hits: Sequence[Hit]) -> str:
    """The input of mGEN (Asai et al. 2021, CORA): question, language tag, numbered passages."""
    passages = " ".join(
        f"<{rank}: {hit.passage.title}> {hit.passage.text}" for rank, hit in enumerate(hits)
    )
    return f"<Q>: {question} [{lang}] <P>:{passages}".replace("\n", " ")
