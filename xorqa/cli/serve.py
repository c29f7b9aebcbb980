"""`xorqa serve`: answer questions in a browser and over HTTP."""

import signal
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ..core.lang import XOR_LANGUAGES
from ..core.named import expect
from ..core.types import Question
from ..datasets.catalog import load_dataset
from ..experiments.pipeline import Pipeline
from ..experiments.settings import DEFAULT
from .ask import BUNDLED, open_pipelines
from .options import SearchedData, Wait, configs
from .show import errors, print_line, waiting_if

if TYPE_CHECKING:
    from ..serving.engine import Engine

TOKEN = "XORQA_TOKEN"

Opening = Callable[[], Mapping[str, Pipeline]]


def serve(
    config: Annotated[
        list[str] | None,
        Argument(
            help="Example configs or TOML files, by default hybrid-late; of several, the page "
            "compares two.",
            autocompletion=configs,
        ),
    ] = None,
    corpus: Annotated[
        Path | None, Option(help="Your own documents: a folder or a file, as for `xorqa ask`.")
    ] = None,
    data: SearchedData = BUNDLED,
    host: Annotated[
        str, Option(help="The address; any except loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="The port; 0 chooses a free one.")] = 8000,
    token: Annotated[
        str | None,
        Option(
            envvar=TOKEN,
            show_envvar=False,
            help="Ask clients for this token. Set XORQA_TOKEN instead to keep it out of the list "
            "of processes. Without one, addresses except loopback get a random token.",
        ),
    ] = None,
    mcp: Annotated[
        bool,
        Option(
            "--mcp",
            help="Serve assistants over standard input and output instead (Model Context "
            "Protocol): search and ask as tools.",
        ),
    ] = False,
    wait: Wait = False,
) -> None:
    """Serve a page and a REST API: ask, see every stage, compare pipelines, upload documents.

    Weights and indexes are loaded first. Ctrl-C stops the server after the running requests.

    Examples: xorqa serve
    xorqa serve dense hybrid --corpus handbooks --port 8080
    """
    names = config or [DEFAULT]
    opening = partial(open_pipelines, names, data=data, corpus=corpus)
    from ..serving.engine import Engine
    from ..serving.problems import Limits

    if mcp:
        expect("mcp", extra="serve")
        from ..serving.mcp import run

        pipelines, follow = _followed(opening, corpus)
        engine = Engine(pipelines, Limits())
        follow(engine)
        handler = signal.signal(signal.SIGINT, signal.SIG_DFL)  # the SDK would wait for a line
        try:
            with waiting_if(wait):
                run(engine)
        finally:
            signal.signal(signal.SIGINT, handler)
        return
    expect_server()
    from ..serving.guard import check_token, is_loopback, new_token
    from ..serving.server import ignore_interrupts, listen
    from ..serving.server import serve as run_server

    if token is not None:
        check_token(token)
    elif not is_loopback(host):
        token = new_token()
        print_line(f"Token: {token}", errors)
    pipelines, follow = _followed(opening, corpus)
    listening = listen(host, port)
    address = f"[{host}]" if ":" in host else host
    url = f"http://{address}:{listening.getsockname()[1]}/"
    examples = suggested_questions() if data == BUNDLED and corpus is None else []
    print_line(f"Loading weights and indexes: {', '.join(pipelines)}", errors)
    engine = Engine(pipelines, Limits(), examples=examples)
    follow(engine)
    ready = partial(print_line, f"Ready: {url}", errors)
    with waiting_if(wait):
        run_server(engine, listening, token=token, ready=ready)
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        ignore_interrupts()  # a signal ended it


def expect_server() -> None:
    """Check that the packages of the server are installed. Raises MissingExtraError."""
    for package in ("fastapi", "uvicorn"):
        expect(package, extra="serve")


def _followed(
    opening: Opening, corpus: Path | None
) -> tuple[Mapping[str, Pipeline], Callable[["Engine"], None]]:
    """The opened pipelines, and a function that lets an engine follow the file `corpus`."""
    from ..serving.engine import Reloader

    if corpus is None or not corpus.is_file():
        return opening(), lambda engine: None
    reloader = Reloader(corpus, opening, partial(print_line, stream=errors))
    return reloader.pipelines(), reloader.follow


def suggested_questions() -> list[Question]:
    """A question in each of the eight languages of the bundled world."""
    examples = load_dataset(BUNDLED).examples
    first = {example.question.lang: example for example in reversed(examples)}
    english = next(e.human_translation or "" for e in examples[1:] if e.answered_in == "en")
    questions = [first[lang].question for lang in XOR_LANGUAGES]
    return [Question("en", english, "en"), *questions]
